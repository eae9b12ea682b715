import colours, config, money, orders, retry, tables

ORDERS = [
    {"number": 1001, "date": (2025, 3, 31), "cents": 1250},
    {"number": 1002, "date": (2025, 11, 2), "cents": 99},
]

for order in retry.retry(lambda: ORDERS):
    price = money.show(order["cents"]) + " " + config.CURRENCY
    print(tables.row(str(order["number"]), orders.date(order), colours.bold(price)))
newest = orders.newest(ORDERS)
assert newest == 1002, f"the newest order is said to be {newest}"
