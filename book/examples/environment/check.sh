#!/bin/sh
# Runs quota.sh with the chosen variables and no others.
set --
while IFS= read -r variable; do
    set -- "$@" "$variable"
done <"$HOWCOME_ITEMS"
exec env -i PATH="$PATH" "$@" sh "$HOWCOME_DIR/quota.sh"
