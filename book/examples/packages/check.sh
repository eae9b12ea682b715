#!/bin/sh
# Runs the test with the old packages, but for the chosen lines, which are updated.
path=
while IFS= read -r old; do
    name=${old%%==*}
    line=$(grep "^$name==" "$HOWCOME_ITEMS" || echo "$old")
    path=$path:$HOWCOME_DIR/packages/$name-${line#*==}
done <"$HOWCOME_DIR/old.txt"
PYTHONPATH=${path#:} exec python3 -B "$HOWCOME_DIR/test_shop.py"
