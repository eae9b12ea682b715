#!/bin/sh
# The median of 1, 2, 3 and 10 is 2.5, halfway between the two in the middle. Somebody got 6.5.
found=$(printf 'a 1\nb 2\nc 3\nd 10\n' | ./tally | grep -i median)
echo "$found"
case $found in *2.5*) exit 0 ;; *6.5*) exit 1 ;; *) exit 125 ;; esac
