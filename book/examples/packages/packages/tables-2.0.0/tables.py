from text import pad


def row(*cells):
    return "  ".join(pad(cell, 11) for cell in cells).rstrip()
