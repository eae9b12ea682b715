def pad(text, width):
    return text.ljust(width)
