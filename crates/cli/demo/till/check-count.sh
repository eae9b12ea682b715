#!/bin/sh
# Ten pens, as one says it today: 10x pen. Exit 0: they cost 9.00, as they should; 1: they cost 10.00; 2: neither.
total=$(echo "10x pen" | awk -f till.awk prices.txt - | grep total)
echo "$total"
case $total in *" 9.00") exit 0 ;; *" 10.00") exit 1 ;; *) exit 2 ;; esac
