// A hash table with chains, bit-fields, enumerations, matrices, floats of all sizes, functions by pointers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum state { FREE, USED = 3, LOST = -2 };
typedef unsigned char byte;
struct flags { unsigned low : 3; int mid : 6; enum state state : 4; unsigned long long wide : 40; _Bool set : 1; };
struct entry { char key[12]; long value; struct entry *next; struct flags flags; };
struct table { struct entry *buckets[8]; unsigned count; double load; int (*hash)(const char *); };

static struct table table;
static enum state states[3] = {FREE, USED, LOST};
float single = -1.25f;
long double extended = 3.5L;
double matrix[3][2] = {{1, 2}, {3, 4.5}, {-5, 1e300}};
long long big = -9000000000000000000LL;
unsigned long long huge = 18000000000000000000ULL;
short little = -7;
byte bytes[4] = "abc";
signed char sign = -5;
_Bool truth = 1;
struct entry *volatile last;
const char *names[] = {"alpha", "beta", "gamma"};

static int hash(const char *text) {
    int sum = 0;
    while (*text) sum = sum * 31 + *text++;
    return sum & 7;
}

static void put(const char *key, long value) {
    int at = table.hash(key);
    struct entry *entry = calloc(1, sizeof *entry);
    strcpy(entry->key, key);
    entry->value = value;
    entry->next = table.buckets[at];
    entry->flags.low = value & 7;
    entry->flags.mid = -(int)(value & 15);
    entry->flags.state = value & 1 ? USED : LOST;
    entry->flags.wide = 0x123456789aULL + value;
    entry->flags.set = value & 1;
    table.buckets[at] = last = entry;
    table.count++;
    table.load = table.count / 8.0;
}

void stop(const struct table *all, int depth) { printf("%u %d\n", all->count, depth); }

static void deeper(int depth) {
    if (depth > 0) deeper(depth - 1);
    else stop(&table, depth);
}

int main(void) {
    table.hash = hash;
    const char *words[] = {"ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen", "ibis", "jay"};
    for (int i = 0; i < 10; i++) put(words[i], i * 7);
    deeper(3);
    return 0;
}
