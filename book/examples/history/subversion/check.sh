#!/bin/sh
# The mean of 1.5 and 2.5 is 2.
found=$(printf 'nuts 1.5\nbolts 2.5\n' | ./stats --column 2) || exit 2
echo "$found"
echo "$found" | grep -q '^mean 2\.00$'
