def show(cents):
    whole, rest = divmod(cents, 100)
    return f"{whole}.{rest:02}"
