#!/bin/sh
# Compiles sum.c with the chosen flags. Exit 0: the sum is right; 1: it is wrong; 125: it does not compile.
xargs gcc "$HOWCOME_DIR/sum.c" -o sum <"$HOWCOME_ITEMS" || exit 125
./sum
