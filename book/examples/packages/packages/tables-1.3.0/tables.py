from text import pad


def row(*cells):
    return " ".join(pad(cell, 12) for cell in cells).rstrip()
