#!/bin/sh
# Table 7 of the 1999 paper: change 7 fails, and each change needs all earlier ones.
number=0
while read -r change; do
    number=$((number + 1))
    [ "$change" = $number ] || exit 125
done <"$HOWCOME_ITEMS"
[ $number -lt 7 ]
