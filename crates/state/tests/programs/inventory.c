// A stock list: `+name:quantity` puts an article on the shelf, `-name` takes it off, the rest is a report.
// pass: +bolt:5 +gear:2 +nut:7 -bolt
// fail: +nut:7 +gear:2 +bolt:5 -bolt
// fault: forgotten update of a count
// place: print_report
// variable: stock(\.|->)count$
// transfer: stock->count = 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHELF_SIZE = 16, NAME_SIZE = 16 };

struct article {
    char name[NAME_SIZE];
    int quantity;
    int weight;
};

struct stock {
    struct article shelf[SHELF_SIZE];
    int count;
};

struct audit {
    int refused;
    int empty;
};

static void usage(const char *program) {
    fprintf(stderr, "usage: %s (+NAME:QUANTITY | -NAME)...\n", program);
    exit(2);
}

static int find(const struct stock *stock, const char *name) {
    for (int i = 0; i < stock->count; i++) {
        if (strcmp(stock->shelf[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int weight_of(const char *name) {
    int weight = 0;
    for (const char *letter = name; *letter != '\0'; letter++) {
        weight += *letter % 7;
    }
    return weight;
}

static int is_name(const char *name) {
    size_t length = strlen(name);
    if (length == 0 || length >= NAME_SIZE) {
        return 0;
    }
    for (size_t i = 0; i < length; i++) {
        if (name[i] < 'a' || name[i] > 'z') {
            return 0;
        }
    }
    return 1;
}

static int put(struct stock *stock, const char *name, int quantity) {
    int at = find(stock, name);
    if (at >= 0) {
        stock->shelf[at].quantity += quantity;
        return 1;
    }
    if (stock->count == SHELF_SIZE) {
        return 0;
    }
    struct article *article = &stock->shelf[stock->count++];
    strcpy(article->name, name);
    article->quantity = quantity;
    article->weight = weight_of(name);
    return 1;
}

static void clear(struct article *article) {
    memset(article, 0, sizeof *article);
}

static int take_off(struct stock *stock, const char *name) {
    int at = find(stock, name);
    if (at < 0) {
        return 0;
    }
    int last = stock->count - 1;
    if (at != last) {
        stock->shelf[at] = stock->shelf[last];
        stock->count--; // FAULT: belongs behind the block, the last article is taken off, too
    }
    clear(&stock->shelf[last]);
    return 1;
}

static int obey_put(struct stock *stock, const char *text) {
    char name[64];
    const char *colon = strchr(text, ':');
    if (colon == NULL || (size_t)(colon - text) >= sizeof name) {
        return 0;
    }
    memcpy(name, text, (size_t)(colon - text));
    name[colon - text] = '\0';
    int quantity = atoi(colon + 1);
    memset(name + (colon - text), 0, sizeof name - (size_t)(colon - text));
    return is_name(name) && quantity > 0 && put(stock, name, quantity);
}

static int obey(struct stock *stock, const char *order) {
    switch (order[0]) {
    case '+':
        return obey_put(stock, order + 1);
    case '-':
        return take_off(stock, order + 1);
    default:
        return 0;
    }
}

static void sort_by_quantity(struct stock *stock) {
    for (int i = 1; i < stock->count; i++) {
        struct article article = stock->shelf[i];
        int j = i;
        while (j > 0 && stock->shelf[j - 1].quantity < article.quantity) {
            stock->shelf[j] = stock->shelf[j - 1];
            j--;
        }
        stock->shelf[j] = article;
    }
}

static int check(const struct stock *stock, struct audit *audit) {
    for (int i = 0; i < SHELF_SIZE; i++) {
        if (stock->shelf[i].quantity == 0) {
            audit->empty++;
        }
        if (stock->shelf[i].quantity < 0) {
            return 0;
        }
    }
    return audit->empty <= SHELF_SIZE;
}

static int total_weight(const struct stock *stock) {
    int total = 0;
    for (int i = 0; i < stock->count; i++) {
        total += stock->shelf[i].quantity * stock->shelf[i].weight;
    }
    return total;
}

static void print_article(const struct article *article, int number) {
    printf("%2d. %-8s %3d pieces of %d g\n", number, article->name, article->quantity, article->weight);
}

static void print_report(const struct stock *stock) {
    for (int i = 0; i < stock->count; i++) {
        print_article(&stock->shelf[i], i + 1);
    }
    printf("%d articles, %d g\n", stock->count, total_weight(stock));
}

int main(int argc, char **argv) {
    static struct stock stock;
    struct audit audit = {0, 0};
    if (argc < 2) {
        usage(argv[0]);
    }
    for (int i = 1; i < argc; i++) {
        if (!obey(&stock, argv[i])) {
            audit.refused++;
        }
    }
    sort_by_quantity(&stock);
    if (!check(&stock, &audit)) {
        fprintf(stderr, "the shelf is in disorder\n");
        return 1;
    }
    print_report(&stock);
    return audit.refused == 0 ? 0 : 1;
}
