// Orders of a shop in a pool of records: `+name:pieces` orders, `!name:pieces` orders express, `-name` cancels; prints parcels.
// pass: +vase:1 -vase +mug:3
// fail: !vase:1 -vase +mug:3
// fault: uninitialised field
// place: print_parcels
// variable: express$
// transfer: shop->orders->express = 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POOL_SIZE = 8, NAME_SIZE = 12 };

struct order {
    char name[NAME_SIZE];
    int pieces;
    int express;
    struct order *next;
};

struct pool {
    struct order records[POOL_SIZE];
    struct order *unused;
    int used;
};

struct shop {
    struct order draft;
    struct pool *pool;
    struct order *orders;
};

static void die(const char *reason, const char *text) {
    fprintf(stderr, "%s: %s\n", reason, text);
    exit(2);
}

static struct pool *new_pool(void) {
    struct pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        die("out of memory", "pool");
    }
    for (int i = POOL_SIZE - 1; i >= 0; i--) {
        pool->records[i].next = pool->unused;
        pool->unused = &pool->records[i];
    }
    return pool;
}

static struct order *take(struct pool *pool) {
    struct order *order = pool->unused;
    if (order == NULL) {
        die("the pool is empty", "cancel something");
    }
    pool->unused = order->next;
    pool->used++;
    order->next = NULL;
    return order;
}

static void give_back(struct pool *pool, struct order *order) {
    memset(order->name, 0, sizeof order->name);
    order->next = pool->unused;
    pool->unused = order;
    pool->used--;
}

static void new_order(struct shop *shop, const char *name, int pieces) {
    struct order *order = take(shop->pool);
    strcpy(order->name, name);
    order->pieces = pieces;
    order->express = shop->draft.express;
    // FAULT: shop->draft.express = 0 before the next order is read
    order->next = shop->orders;
    shop->orders = order;
}

static void hasten(struct order *order) {
    order->express = 1;
}

static struct order **link_to(struct shop *shop, const char *name) {
    struct order **link = &shop->orders;
    while (*link != NULL && strcmp((*link)->name, name) != 0) {
        link = &(*link)->next;
    }
    return link;
}

static void cancel(struct shop *shop, const char *name) {
    struct order **link = link_to(shop, name);
    struct order *order = *link;
    if (order == NULL) {
        die("not ordered", name);
    }
    *link = order->next;
    give_back(shop->pool, order);
}

static void read_order(struct shop *shop, const char *text) {
    char name[NAME_SIZE] = "";
    const char *colon = strchr(text, ':');
    if (colon == NULL || colon == text || colon - text >= NAME_SIZE) {
        die("not an order", text);
    }
    memcpy(name, text, (size_t)(colon - text));
    int pieces = atoi(colon + 1);
    if (pieces < 1) {
        die("too few pieces", text);
    }
    new_order(shop, name, pieces);
}

static void obey(struct shop *shop, const char *text) {
    switch (text[0]) {
    case '+':
        read_order(shop, text + 1);
        break;
    case '!':
        hasten(&shop->draft);
        read_order(shop, text + 1);
        break;
    case '-':
        cancel(shop, text + 1);
        break;
    default:
        die("what is to be done", text);
    }
}

static int count_orders(const struct shop *shop) {
    int count = 0;
    for (const struct order *order = shop->orders; order != NULL; order = order->next) {
        count++;
    }
    return count;
}

static void check(const struct shop *shop) {
    if (count_orders(shop) != shop->pool->used) {
        die("a record got lost", "check the pool");
    }
}

static int most_pieces(const struct shop *shop) {
    int most = 0;
    for (const struct order *order = shop->orders; order != NULL; order = order->next) {
        if (order->pieces > most) {
            most = order->pieces;
        }
    }
    return most;
}

static int postage(const struct order *order) {
    int cents = 300 + 50 * order->pieces;
    return order->express ? 2 * cents : cents;
}

static void print_parcel(const struct order *order) {
    printf("%-6s x%d %s %d\n", order->name, order->pieces, order->express ? "express" : "slow", postage(order));
}

static void print_parcels(const struct shop *shop) {
    int total = 0;
    for (const struct order *order = shop->orders; order != NULL; order = order->next) {
        print_parcel(order);
        total += postage(order);
    }
    printf("postage: %d.%02d\n", total / 100, total % 100);
}

int main(int argc, char **argv) {
    struct shop shop = {{"", 0, 0, NULL}, NULL, NULL};
    if (argc < 2) {
        die("usage", "pool (+NAME:PIECES | !NAME:PIECES | -NAME)...");
    }
    shop.pool = new_pool();
    for (int i = 1; i < argc; i++) {
        obey(&shop, argv[i]);
    }
    check(&shop);
    printf("%d orders, at most %d pieces\n", count_orders(&shop), most_pieces(&shop));
    print_parcels(&shop);
    free(shop.pool);
    return 0;
}
