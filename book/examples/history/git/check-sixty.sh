#!/bin/sh
# 0:75 is no time, and should be said to be none.
found=$(printf 'Ada 0:75 mail\n' | ./worked --task=mail 2>&1) || exit 2
echo "$found"
case $found in *"no time"*) exit 0 ;; *1:15*) exit 1 ;; *) exit 125 ;; esac
