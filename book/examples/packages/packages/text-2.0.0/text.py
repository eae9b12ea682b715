def pad(text, width):
    return text.ljust(width)


def plain(text):
    return text.replace("*", "")
