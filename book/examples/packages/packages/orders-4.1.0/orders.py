import dates


def newest(orders):
    return max(orders, key=date)["number"]


def date(order):
    return dates.show(*order["date"])
