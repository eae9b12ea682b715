#!/bin/sh
# A stand-in for a compiler that crashes on an addition of 1.0 in a loop. What is no C is refused with exit code 3.
gcc -fsyntax-only -x c "$1" || exit 3
tr -d ' \n' <"$1" | grep -q 'for(.*+1\.0' && kill -SEGV $$
exit 0
