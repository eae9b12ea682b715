/* A list of ten thousand: long 5000 */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int id;
    double weight;
    const char *name;
    struct node *next;
};

static struct node *list;

static void add(int id)
{
    struct node *node = malloc(sizeof *node);
    node->id = id;
    node->weight = id / 2.0;
    node->name = "node";
    node->next = list;
    list = node;
}

static void show(void)
{
    long sum = 0;
    for (struct node *node = list; node; node = node->next)
        sum += node->id;
    printf("%ld\n", sum);
}

int main(int argc, char **argv)
{
    int odd = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < 10000; i++)
        add(i == odd ? -i : i);
    show();
    return 0;
}
