"""All generated cases."""

from . import changes, inputs, items, states, walks


def cases(record):
    """The cases; `record` is the folder of the record."""
    return [*items.cases(), *inputs.cases(), *changes.cases(), *walks.cases(), *states.cases(record)]
