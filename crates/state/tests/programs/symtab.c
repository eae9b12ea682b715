// A symbol table with chained buckets: `name=value` declares, `-name` forgets; lists what is declared, bucket by bucket.
// pass: no=3 on=1 cat=5 act=7 -no
// fail: no=3 on=1 cat=5 act=7 -on
// fault: hash table corruption
// place: print_table
// variable: buckets\[\d+\]$
// transfer: table->buckets[5] = 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 8, NAME_SIZE = 12 };

struct symbol {
    char name[NAME_SIZE];
    int value;
    struct symbol *next;
};

struct table {
    struct symbol *buckets[BUCKETS];
    int declared;
    int forgotten;
};

static void die(const char *reason, const char *text) {
    fprintf(stderr, "%s: %s\n", reason, text);
    exit(2);
}

static unsigned hash(const char *name) {
    unsigned sum = 0;
    for (const char *letter = name; *letter != '\0'; letter++) {
        sum += (unsigned char)*letter;
    }
    return sum % BUCKETS;
}

static struct symbol *look_up(const struct table *table, const char *name) {
    struct symbol *symbol = table->buckets[hash(name)];
    while (symbol != NULL && strcmp(symbol->name, name) != 0) {
        symbol = symbol->next;
    }
    return symbol;
}

static struct symbol *new_symbol(const char *name, int value) {
    struct symbol *symbol = calloc(1, sizeof *symbol);
    if (symbol == NULL) {
        die("out of memory for", name);
    }
    strcpy(symbol->name, name);
    symbol->value = value;
    return symbol;
}

static void declare(struct table *table, const char *name, int value) {
    struct symbol *symbol = look_up(table, name);
    if (symbol != NULL) {
        symbol->value = value;
        return;
    }
    symbol = new_symbol(name, value);
    unsigned bucket = hash(name);
    symbol->next = table->buckets[bucket];
    table->buckets[bucket] = symbol;
    table->declared++;
}

static struct symbol *predecessor(const struct table *table, const struct symbol *symbol) {
    struct symbol *before = table->buckets[hash(symbol->name)];
    if (before == symbol) {
        return NULL;
    }
    while (before->next != symbol) {
        before = before->next;
    }
    return before;
}

static void forget(struct table *table, const char *name) {
    struct symbol *symbol = look_up(table, name);
    if (symbol == NULL) {
        die("not declared", name);
    }
    struct symbol *before = predecessor(table, symbol);
    if (before != NULL) {
        before->next = symbol->next;
    } else {
        table->buckets[hash(name)] = NULL; // FAULT: = symbol->next, the others in the bucket stay
    }
    table->forgotten++;
    free(symbol);
}

static int is_name(const char *text, size_t length) {
    if (length == 0 || length >= NAME_SIZE) {
        return 0;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] < 'a' || text[i] > 'z') {
            return 0;
        }
    }
    return 1;
}

static void obey(struct table *table, const char *text) {
    char name[NAME_SIZE] = "";
    const char *equals = strchr(text, '=');
    if (text[0] == '-') {
        forget(table, text + 1);
        return;
    }
    if (equals == NULL || !is_name(text, (size_t)(equals - text))) {
        die("not a declaration", text);
    }
    memcpy(name, text, (size_t)(equals - text));
    declare(table, name, atoi(equals + 1));
}

static int chain_length(const struct symbol *symbol) {
    int length = 0;
    for (; symbol != NULL; symbol = symbol->next) {
        length++;
    }
    return length;
}

static int longest_chain(const struct table *table) {
    int longest = 0;
    for (int i = 0; i < BUCKETS; i++) {
        int length = chain_length(table->buckets[i]);
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void check(const struct table *table) {
    for (int i = 0; i < BUCKETS; i++) {
        for (const struct symbol *symbol = table->buckets[i]; symbol != NULL; symbol = symbol->next) {
            if (hash(symbol->name) != (unsigned)i) {
                die("in the wrong bucket", symbol->name);
            }
        }
    }
}

static void print_statistics(const struct table *table) {
    printf("%d declared, %d forgotten\n", table->declared, table->forgotten);
    printf("the longest chain is %d\n", longest_chain(table));
}

static int print_bucket(const struct symbol *symbol, int number) {
    int sum = 0;
    printf("[%d]", number);
    for (; symbol != NULL; symbol = symbol->next) {
        printf(" %s=%d", symbol->name, symbol->value);
        sum += symbol->value;
    }
    putchar('\n');
    return sum;
}

static void print_table(const struct table *table) {
    int sum = 0;
    for (int i = 0; i < BUCKETS; i++) {
        sum += print_bucket(table->buckets[i], i);
    }
    printf("sum %d\n", sum);
}

static void release(struct table *table) {
    for (int i = 0; i < BUCKETS; i++) {
        while (table->buckets[i] != NULL) {
            struct symbol *symbol = table->buckets[i];
            table->buckets[i] = symbol->next;
            free(symbol);
        }
    }
}

int main(int argc, char **argv) {
    static struct table table;
    if (argc < 2) {
        die("usage", "symtab (NAME=VALUE | -NAME)...");
    }
    for (int i = 1; i < argc; i++) {
        obey(&table, argv[i]);
    }
    check(&table);
    print_statistics(&table);
    print_table(&table);
    release(&table);
    return 0;
}
