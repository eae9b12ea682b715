/* Prints prices, the cheapest first. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 6

/* Behind the last place stands a price that is higher than any. */
static int prices[MOST + 1] = { [MOST] = INT_MAX };

static void read_prices(char **words, int count)
{
    for (int i = 0; i < count; i++)
        prices[i] = atoi(words[i]);
}

/* First puts in order what is far apart, then what is near. */
static void sort(int *list, int count)
{
    int gap = 1;
    while (gap < count)
        gap = 3 * gap + 1;
    while (gap > 1) {
        gap /= 3;
        for (int i = gap; i < count; i++) {
            int price = list[i], at = i;
            for (; at >= gap && list[at - gap] > price; at -= gap)
                list[at] = list[at - gap];
            list[at] = price;
        }
    }
}

static void print_prices(int count)
{
    for (int i = 0; i < count; i++)
        printf("%d\n", prices[i]);
}

int main(int argc, char **argv)
{
    int count = argc - 1;
    if (count > MOST)
        return 1;
    read_prices(argv + 1, count);
    sort(prices, argc);
    print_prices(count);
    return 0;
}
