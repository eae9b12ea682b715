import dates


def newest(orders):
    return max(orders, key=lambda order: order["date"])["number"]


def date(order):
    return dates.show(*order["date"])
