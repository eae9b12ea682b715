#!/bin/sh
# Are numbers below zero understood?
found=$(printf 'a 5\nb -2\n' | ./tally)
echo "$found"
echo "$found" | grep -iq 'sum: 3\.0'
