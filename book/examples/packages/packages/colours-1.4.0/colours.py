def bold(text):
    return "*" + text + "*"
