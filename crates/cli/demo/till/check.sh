#!/bin/sh
# Ten pens at 1.00 each, less a tenth, cost 9.00. Exit 0: they do; 1: they do not; 125: the till does not work at all.
bill=$(echo "pen 10" | awk -f till.awk prices.txt -) || exit 125
echo "$bill"
echo "$bill" | grep -q '9\.00'
