#!/bin/sh
# Is the total of the invoice right? HOWCOME_ITEMS names a file with the settings to use.
total=$(sh "$HOWCOME_DIR/invoice.sh" "$HOWCOME_ITEMS")
case $total in
"total: 3.45" | "total: 3.34" | "total: 3.35") exit 0 ;;
*) echo "wrong $total" >&2; exit 1 ;;
esac
