#!/bin/sh
# 9 comes before 10.
printf '10 buy milk\nx 3 get up\n9 make tea\n' >list
found=$(./todo open list) || exit 2
echo "$found"
[ "$(echo "$found" | awk '{ print $1 }' | tr '\n' ' ')" = "9 10 " ]
