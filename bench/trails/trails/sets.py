"""All generated cases."""

from . import items


def cases(record):
    """The cases; `record` is the folder of the record."""
    return [*items.cases()]
