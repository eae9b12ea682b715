# Adds up a basket: lines of an article and how many of it. The prices, in cents, come first.

function price(article) {
    return prices[article]
}

function off(sum) {
    return int(sum / 10)
}

function cost(article, n,    sum) {
    sum = price(article) * n
    if (n >= 10)
        sum -= off(sum)
    return sum
}

FNR == NR {
    prices[$1] = $2
    next
}

{
    total += cost($1, $2)
}

END {
    printf "total: %d.%02d\n", total / 100, total % 100
}
