#!/bin/sh
# Writes an invoice for 3 pieces at 1.15 each, with the settings in the file $1.
setting() { sed -n "s/^$1=//p" "$2" | tail -n 1; }
discount=$(setting discount "$1")
rounding=$(setting rounding "$1")
total=345
if [ "$discount" = loyal ]; then
    total=$((total * 97))
    # Up to a whole cent. The defect: without a remainder there is nothing to add.
    if [ "$rounding" = up ]; then total=$((total / 100 + 2)); else total=$((total / 100)); fi
fi
echo "total: $((total / 100)).$(printf %02d $((total % 100)))"
