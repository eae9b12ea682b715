// A cache that forgets what was not asked for longest: letters are keys, the end of the run lists them oldest first.
// pass: baca
// fail: abca
// fault: stale pointer
// place: print_oldest_first
// variable: cache(\.|->)oldest$
// transfer: cache->oldest = cache->newest
#include <stdio.h>
#include <stdlib.h>

enum { CAPACITY = 4, LETTERS = 26 };

struct entry {
    char key;
    int value;
    struct entry *older;
    struct entry *newer;
};

struct cache {
    struct entry *newest;
    struct entry *oldest;
    struct entry *index[LETTERS];
    int size;
};

struct statistics {
    int hits;
    int misses;
};

static void die(const char *reason) {
    fprintf(stderr, "%s\n", reason);
    exit(2);
}

static int slot_of(char key) {
    if (key < 'a' || key > 'z') {
        die("keys are small letters");
    }
    return key - 'a';
}

static int compute(char key) {
    int value = 1;
    for (int i = 0; i < slot_of(key) + 3; i++) {
        value = value * 5 % 97;
    }
    return value;
}

static struct entry *new_entry(char key) {
    struct entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL) {
        die("out of memory");
    }
    entry->key = key;
    entry->value = compute(key);
    return entry;
}

static void link_as_newest(struct cache *cache, struct entry *entry) {
    entry->newer = NULL;
    entry->older = cache->newest;
    if (cache->newest != NULL) {
        cache->newest->newer = entry;
    }
    cache->newest = entry;
    if (cache->oldest == NULL) {
        cache->oldest = entry;
    }
}

static void unlink_entry(struct cache *cache, struct entry *entry) {
    if (entry->newer != NULL) {
        entry->newer->older = entry->older;
    } else {
        cache->newest = entry->older;
    }
    if (entry->older != NULL) {
        entry->older->newer = entry->newer;
    } else {
        cache->oldest = entry->newer;
    }
}

static void forget_oldest(struct cache *cache) {
    struct entry *victim = cache->oldest;
    if (victim == NULL) {
        return;
    }
    unlink_entry(cache, victim);
    cache->index[slot_of(victim->key)] = NULL;
    cache->size--;
    free(victim);
}

static struct entry *look_up(const struct cache *cache, char key) {
    return cache->index[slot_of(key)];
}

static void insert(struct cache *cache, char key) {
    if (cache->size == CAPACITY) {
        forget_oldest(cache);
    }
    struct entry *entry = new_entry(key);
    cache->index[slot_of(key)] = entry;
    link_as_newest(cache, entry);
    cache->size++;
}

static void touch(struct cache *cache, struct entry *entry) {
    struct entry *oldest = cache->oldest;
    unlink_entry(cache, entry);
    link_as_newest(cache, entry);
    cache->oldest = oldest; // FAULT: the order of the others stays, but not if the entry was the oldest itself
}

static void request(struct cache *cache, char key, struct statistics *statistics) {
    struct entry *entry = look_up(cache, key);
    if (entry != NULL) {
        statistics->hits++;
        if (entry != cache->newest) {
            touch(cache, entry);
        }
    } else {
        statistics->misses++;
        insert(cache, key);
    }
}

static int newest_first_length(const struct cache *cache) {
    int length = 0;
    for (const struct entry *entry = cache->newest; entry != NULL; entry = entry->older) {
        length++;
    }
    return length;
}

static int audit(const struct cache *cache) {
    int indexed = 0;
    for (int i = 0; i < LETTERS; i++) {
        if (cache->index[i] != NULL) {
            indexed++;
        }
    }
    return indexed == cache->size && newest_first_length(cache) == cache->size;
}

static void print_statistics(const struct statistics *statistics) {
    printf("%d hits, %d misses\n", statistics->hits, statistics->misses);
}

static void print_oldest_first(const struct cache *cache) {
    for (const struct entry *entry = cache->oldest; entry != NULL; entry = entry->newer) {
        printf("%c = %d\n", entry->key, entry->value);
    }
    printf("that is all\n");
}

static void release(struct cache *cache) {
    struct entry *entry = cache->newest;
    while (entry != NULL) {
        struct entry *older = entry->older;
        free(entry);
        entry = older;
    }
}

int main(int argc, char **argv) {
    static struct cache cache;
    struct statistics statistics = {0, 0};
    if (argc != 2) {
        die("usage: lru KEYS");
    }
    for (const char *key = argv[1]; *key != '\0'; key++) {
        request(&cache, *key, &statistics);
    }
    if (!audit(&cache)) {
        die("the cache is in disorder");
    }
    print_statistics(&statistics);
    print_oldest_first(&cache);
    release(&cache);
    return 0;
}
