def show(year, month, day):
    return f"{day:02}.{month:02}.{year}"
