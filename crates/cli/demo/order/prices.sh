#!/bin/sh
# Prints what one piece of each article in an order costs, in cents.
while read -r key value; do
    value=${value%,}
    case $key in
    '"name":') name=$value ;;
    '"total":') total=$value ;;
    '"count":') count=$value ;;
    '}' | '},')
        [ "$count" -ge 0 ] 2>/dev/null && echo "$name $((${total:-0} / count))"
        count=
        ;;
    esac
done <"$1"
