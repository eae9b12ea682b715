#!/bin/sh
# A script that reads what tally prints looks for this line.
found=$(printf 'a 1\nb 2\n' | ./tally)
echo "$found"
echo "$found" | grep -q '^sum: 3\.0$'
