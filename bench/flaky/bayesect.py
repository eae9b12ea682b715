#!/usr/bin/env python3
"""Counts the runs that git-bayesect takes for the histories of `howcome-bench flaky`.

Needs `pip install git-bayesect`. Reads a case per line: commits, culprit, seed, the two failure rates in per cent, and the confidence.
Prints a line for each: the runs, and the commit that was found. The commits are counted from 0; the version before them is the old one.
"""

import sys

import numpy
from git_bayesect import Bisector

WORD = (1 << 64) - 1
MOST_RUNS = 20000


def luck(seed, version, run):
    """A number from 0 to 1 for each run of a version, the same as in `flaky.rs`."""
    word = (seed * 1_000_003 + version * 7_919 + run * 0x9E3779B97F4A7C15) & WORD
    for _ in range(2):
        word = (word + 0x9E3779B97F4A7C15) & WORD
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
        word ^= word >> 31
    return (word >> 11) / (1 << 53)


for line in sys.stdin:
    commits, culprit, seed, before, after, confidence = line.split()
    commits, culprit, seed = int(commits), int(culprit), int(seed)
    rates = [float(before) / 100, float(after) / 100]
    # The newest commit comes first, the old version last.
    bisector = Bisector(numpy.ones(commits + 1))
    done = {}
    runs = 0
    while bisector.distribution.max() < float(confidence) and runs < MOST_RUNS:
        index = int(bisector.select())
        commit = commits - 1 - index
        number = done.get(commit, 0)
        done[commit] = number + 1
        runs += 1
        fails = luck(seed, commit + 1, number) < rates[commit >= culprit]
        bisector.record(index, fails)
    print(runs, commits - 1 - int(bisector.distribution.argmax()), flush=True)
