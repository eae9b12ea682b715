/* A state of about 50,000 values: lists, a tree, a hash table, arrays of numbers, of records and of pointers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stop {
    int number;
    double distance;
    char name[12];
    struct stop *next, *previous;
};

struct key {
    long value;
    unsigned is_red : 1, depth : 7;
    struct key *left, *right, *parent;
};

struct entry {
    unsigned hash;
    char *word;
    int count;
    struct entry *next;
};

struct point {
    short x, y;
    float weight;
};

struct table {
    struct entry *buckets[512];
    int entries;
};

struct stop *first;
struct key *root;
struct table words;
int squares[4000];
static struct point points[1500];
struct point **chosen;
double *samples;

static unsigned seed = 7;

static unsigned next(void) {
    seed = seed * 1103515245u + 12345u;
    return seed >> 8;
}

static void make_list(int length) {
    struct stop *last = NULL;
    for (int i = 0; i < length; i++) {
        struct stop *stop = calloc(1, sizeof *stop);
        stop->number = i;
        stop->distance = i / 4.0;
        snprintf(stop->name, sizeof stop->name, "stop %d", i);
        stop->previous = last;
        if (last)
            last->next = stop;
        else
            first = stop;
        last = stop;
    }
}

static void add_key(long value) {
    struct key *key = calloc(1, sizeof *key), **at = &root;
    key->value = value;
    while (*at) {
        key->parent = *at;
        key->depth++;
        at = value < (*at)->value ? &(*at)->left : &(*at)->right;
    }
    key->is_red = key->depth & 1;
    *at = key;
}

static void add_word(int number) {
    char word[16];
    snprintf(word, sizeof word, "word%u", next() % 100000);
    struct entry *entry = calloc(1, sizeof *entry);
    for (char *letter = word; *letter; letter++)
        entry->hash = entry->hash * 31 + *letter;
    entry->word = strdup(word);
    entry->count = number;
    entry->next = words.buckets[entry->hash % 512];
    words.buckets[entry->hash % 512] = entry;
    words.entries++;
}

static void look(int length) {
    printf("%d stops\n", length);
}

int main(int argc, char **argv) {
    int size = argc > 1 ? atoi(argv[1]) : 1750;
    make_list(size);
    for (int i = 0; i < size; i++)
        add_key(next());
    for (int i = 0; i < size; i++)
        add_word(i);
    for (int i = 0; i < 4000; i++)
        squares[i] = i * i;
    for (int i = 0; i < 1500; i++)
        points[i] = (struct point){i, -i, i * 0.5f};
    chosen = malloc(1000 * sizeof *chosen);
    for (int i = 0; i < 1000; i++)
        chosen[i] = &points[next() % 1500];
    samples = malloc(4000 * sizeof *samples);
    for (int i = 0; i < 4000; i++)
        samples[i] = i / 3.0;
    look(size);
    return 0;
}
