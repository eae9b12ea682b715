// Text in all its forms, a growing array, an arena, arguments, statics of functions, shadowed variables.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word { char *text; unsigned count; struct word *next; };
struct vector { struct word **items; size_t length, capacity; };
struct buffer { char fixed[16]; char *dynamic; const char *constant; char one; unsigned char raw[4]; };

static struct vector vector;
struct buffer buffer;
struct word *words;

static unsigned *counter(void) {
    static unsigned calls;
    calls++;
    return &calls;
}

static void append(struct word *word) {
    if (vector.length == vector.capacity) {
        vector.capacity = vector.capacity ? vector.capacity * 2 : 2;
        vector.items = realloc(vector.items, vector.capacity * sizeof *vector.items);
        memset(vector.items + vector.length, 0, (vector.capacity - vector.length) * sizeof *vector.items);
    }
    vector.items[vector.length++] = word;
}

static struct word *find(const char *text) {
    for (struct word *word = words; word; word = word->next)
        if (!strcmp(word->text, text)) return word;
    struct word *word = calloc(1, sizeof *word);
    word->text = strdup(text);
    word->next = words;
    words = word;
    append(word);
    return word;
}

void stop(unsigned total, char **arguments) { printf("%u %s\n", total, arguments[0]); }

int main(int argc, char **argv) {
    const char *text = "the cat and the dog and the bird";
    char copy[64];
    memset(copy, 0, sizeof copy);
    strcpy(copy, text);
    unsigned *calls = NULL;
    for (char *token = strtok(copy, " "); token; token = strtok(NULL, " ")) {
        find(token)->count++;
        calls = counter();
    }
    strcpy(buffer.fixed, "fixed");
    buffer.dynamic = strdup("dynamic text");
    buffer.constant = text + 4;
    buffer.one = 'q';
    memcpy(buffer.raw, "\x01\xff\x00\x7f", 4);
    int total = argc;
    {
        int total = 5;
        stop(total + *calls, argv);
    }
    return total > 100;
}
