#!/bin/sh
# Ten at 1 each cost 9.
total=$(echo 1 10 | awk -f till.awk)
echo "$total"
[ "$total" = "total: 9" ]
