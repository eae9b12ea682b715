/* Reads records from a file and adds them up. */
#include <stdio.h>
#include <stdlib.h>

#define MOST 64
#define MIN(a, b) ((a) < (b) ? (a) : (b))

struct record {
    char name[16];
    double value;
    struct record *next;
};

enum state { START, INSIDE = 4, END };

static struct record *first;
static const unsigned masks[] = { 0x1, 0xff, 0xffffUL };

static int insert(const char *name, double value)
{
    struct record *record = malloc(sizeof *record);
    if (record == NULL)
        return -1;
    for (int i = 0; i < MIN(MOST, 16); i++) {
        record->name[i] = name[i];
        if (!name[i])
            break;
    }
    record->value = value * 1.5e3;
    record->next = first;
    first = record;
    return 0;
}

int main(int argc, char **argv)
{
    double sum = 0;
    enum state state = START;
    switch (argc) {
    case 1:
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 1;
    default:
        state = argc > 2 ? END : INSIDE;
    }
    do {
        insert("total", sum + (double)masks[state & 1]);
    } while (sum++ < 3);
    for (struct record *at = first; at; at = at->next)
        sum += at->value;
    printf("%g\n", sum);
    return 0;
}
