// Records in records, anonymous ones, flexible arrays, arrays of records and of pointers, pointers into the middle, a ring,
// a tree, a union with its tag, opaque pointers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct line { struct point from, to; struct { short width; char dash; }; };
struct value { enum { NUMBER, WORD, PLACE } kind; union { double number; char *word; struct point place; } as; };
struct packet { unsigned length; unsigned short kind; int data[]; };
struct ring { int id; struct ring *next, *previous; };
struct tree { int key; struct tree *left, *right, *parent; void *extra; };
struct hidden;

struct line lines[3] = {{{1, 2}, {3, 4}, {5, 'a'}}, {{6, 7}, {8, 9}, {10, 'b'}}, {{0, 0}, {0, 0}, {0, 0}}};
struct line *current = &lines[1];
struct point *inside = &lines[1].to;
int *ordinate = &lines[0].from.y;
struct value values[3];
struct ring *ring;
struct tree *tree;
struct hidden *hidden;

static struct ring *make_ring(int count) {
    struct ring *first = NULL, *before = NULL;
    for (int i = 0; i < count; i++) {
        struct ring *here = malloc(sizeof *here);
        here->id = i;
        here->previous = before;
        if (before) before->next = here; else first = here;
        before = here;
    }
    before->next = first;
    first->previous = before;
    return first;
}

static struct tree *insert(struct tree *tree, struct tree *parent, int key) {
    if (!tree) {
        tree = calloc(1, sizeof *tree);
        tree->key = key;
        tree->parent = parent;
        tree->extra = parent;
    } else if (key < tree->key) tree->left = insert(tree->left, tree, key);
    else tree->right = insert(tree->right, tree, key);
    return tree;
}

void stop(struct packet *packet, struct point by_value) { printf("%u %d\n", packet->length, by_value.x); }

int main(int argc, char **argv) {
    struct packet *packet = malloc(sizeof *packet + 6 * sizeof(int));
    packet->length = 6;
    packet->kind = 2;
    for (int i = 0; i < 6; i++) packet->data[i] = i * i;
    values[0].kind = NUMBER; values[0].as.number = 2.5;
    values[1].kind = WORD; values[1].as.word = strdup("a word");
    values[2].kind = PLACE; values[2].as.place = (struct point){3, 4};
    ring = make_ring(5);
    for (int i = 0; i < 12; i++) tree = insert(tree, NULL, i * 5 % 12);
    struct point *points = malloc(4 * sizeof *points);
    for (int i = 0; i < 4; i++) points[i] = (struct point){i, -i};
    struct point **sorted = malloc(4 * sizeof *sorted);
    for (int i = 0; i < 4; i++) sorted[i] = &points[3 - i];
    double *numbers = calloc(3, sizeof *numbers);
    numbers[2] = 0.1;
    stop(packet, points[2]);
    return argc > 3 || argv == NULL || sorted == NULL;
}
