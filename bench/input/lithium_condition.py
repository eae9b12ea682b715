"""Lithium's condition: the test of a case exits with 0."""

import subprocess


def interesting(arguments, _prefix):
    return subprocess.run([arguments[0], arguments[-1]]).returncode == 0
