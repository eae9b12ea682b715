#!/bin/sh
# Passes if all jobs are printed, whatever hours it says.
[ "$HOWCOME_STATUS" = 0 ] || exit 125
grep -q 'cook shop wash'
