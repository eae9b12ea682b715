from text import plain


def bold(text):
    return f"*{plain(text)}*"
