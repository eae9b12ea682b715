#!/bin/sh
# Do all numbers end in the same column?
columns=$(printf 'tea 3\na-quite-long-label-for-sugar 4\n' | ./tally | awk '/^(tea|a-q)/ { print length($0) }' | sort -u | wc -l)
echo "$columns different columns"
[ "$columns" -eq 1 ]
