#!/bin/sh
# Is the release small enough? At most 150 KiB are allowed.
head -c 102400 /dev/zero >release.bin
size=$(du --apparent-size release.bin | cut -f 1)
echo "release.bin: $size KiB of 150"
[ "$size" -le 150 ]
