#!/bin/sh
# The mean of 1.5 and 2.5 is 2. Somebody got 1.5.
found=$(printf '1.5\n2.5\n' | ./stats mean) || exit 2
echo "$found"
case $found in 2) exit 0 ;; 1.5) exit 1 ;; *) exit 2 ;; esac
