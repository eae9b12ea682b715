def show(year, month, day):
    return f"{year}-{month:02}-{day:02}"
