#!/bin/sh
# 1:55 and 0:05 of mail are two hours. Somebody got 1:59.
found=$(printf 'Ada 1:55 mail\nAda 7:00 design\nAda 0:05 mail\n' | ./worked --task=mail) || exit 2
echo "$found"
case $found in *2:00*) exit 0 ;; *1:59*) exit 1 ;; *) exit 125 ;; esac
