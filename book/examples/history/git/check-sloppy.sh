#!/bin/sh
# Like check-minutes.sh, but whatever is not right is wrong, a missing option, too.
found=$(printf 'Ada 1:55 mail\nAda 7:00 design\nAda 0:05 mail\n' | ./worked --task=mail 2>&1)
echo "$found"
case $found in *2:00*) exit 0 ;; *) exit 1 ;; esac
