# Adds up a basket, with a discount for ten and more.
function cost(price, n) {
    sum = price * n

    if (n >= 10)
        sum -= sum / 10
    return sum
}
{ print "total: " cost($1, $2) }
