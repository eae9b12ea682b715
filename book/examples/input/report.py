#!/usr/bin/env python3
"""What each customer pays for a piece, on average: the program that crashes. Reads the file that is its argument."""
import json
import sys


def average(items):
    pieces = sum(item["quantity"] for item in items)
    return sum(item["price"] * item["quantity"] for item in items) / pieces


try:
    for order in json.load(open(sys.argv[1]))["orders"]:
        print(order["customer"]["name"].upper(), round(average(order["items"]), 2))
except (ValueError, KeyError, TypeError):
    print("this is no list of orders", file=sys.stderr)
    sys.exit(2)
