#!/usr/bin/env python3
"""Reads measurements and tells which are odd."""
import math
import sys
from collections import defaultdict

LIMIT = 3.0


class Series:
    """Measurements of one place."""

    def __init__(self, place, *values, unit="m"):
        self.place = place
        self.values = list(values)
        self.unit = unit

    @property
    def mean(self):
        return sum(self.values) / len(self.values)

    def deviation(self):
        mean = self.mean
        return math.sqrt(sum((value - mean) ** 2 for value in self.values))


def read(lines):
    found = defaultdict(list)
    for number, line in enumerate(lines, start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        try:
            place, value = line.split(",")
            found[place].append(float(value))
        except ValueError as error:
            print(f"line {number}: {error!r}", file=sys.stderr)
    return [Series(place, *values) for place, values in found.items()]


def main(arguments):
    with open(arguments[1], encoding="utf-8") as file:
        series = read(file)
    odd = {one.place: one.deviation() for one in series if one.deviation() > LIMIT}
    while odd:
        place, deviation = odd.popitem()
        print("%s: %.2f" % (place, deviation))
    return 0 if series else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
