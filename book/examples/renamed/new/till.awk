# Adds up a basket, with a discount for ten and more.
function cost(price, count) {
    sum = price * count

    if (count >= 10)
        sum -= sum / 100
    return sum
}
{ print "total: " cost($1, $2) }
