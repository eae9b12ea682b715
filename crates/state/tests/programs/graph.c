// Shortest ways between towns: reads `a-b:length` for each road, then counts the stops from the first town to the last.
// pass: a-b:4 b-c:1 c-d:2
// fail: a-b:4 b-c:0 c-d:2
// fault: cycle
// place: print_stops
// variable: towns\[1\]\.before$
// transfer: map->towns[1].before = 2
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_TOWNS = 26, MOST_ROADS = 64, NOWHERE = -1 };

struct road {
    int from;
    int to;
    int length;
};

struct town {
    int known;
    int distance;
    int before;
};

struct map {
    struct town towns[MOST_TOWNS];
    struct road roads[MOST_ROADS];
    int road_count;
    int rounds;
};

static void die(const char *reason, const char *text) {
    fprintf(stderr, "%s: %s\n", reason, text);
    exit(2);
}

static int town_of(char letter, const char *text) {
    if (letter < 'a' || letter > 'z') {
        die("towns are small letters", text);
    }
    return letter - 'a';
}

static void add_road(struct map *map, int from, int to, int length) {
    if (map->road_count == MOST_ROADS) {
        die("too many roads", "64 are the most");
    }
    struct road *road = &map->roads[map->road_count++];
    road->from = from;
    road->to = to;
    road->length = length;
    map->towns[from].known = 1;
    map->towns[to].known = 1;
}

static void read_road(struct map *map, const char *text) {
    char *end = NULL;
    int from = town_of(text[0], text);
    if (text[1] != '-') {
        die("not a road", text);
    }
    int to = town_of(text[2], text);
    if (text[3] != ':') {
        die("a road has a length", text);
    }
    int length = (int)strtol(text + 4, &end, 10);
    if (*end != '\0' || length < 0) {
        die("not a length", text);
    }
    add_road(map, from, to, length);
    add_road(map, to, from, length);
}

static void start_at(struct map *map, int source) {
    for (int i = 0; i < MOST_TOWNS; i++) {
        map->towns[i].distance = INT_MAX;
        map->towns[i].before = NOWHERE;
    }
    map->towns[source].distance = 0;
    map->rounds = 0;
}

static int relax(struct map *map, const struct road *road) {
    const struct town *from = &map->towns[road->from];
    struct town *to = &map->towns[road->to];
    if (from->distance == INT_MAX) {
        return 0;
    }
    int distance = from->distance + road->length;
    if (distance > to->distance) { // FAULT: distance >= to->distance
        return 0;
    }
    int shorter = distance < to->distance;
    to->distance = distance;
    to->before = road->from;
    return shorter;
}

static int relax_all(struct map *map) {
    int changes = 0;
    for (int i = 0; i < map->road_count; i++) {
        changes += relax(map, &map->roads[i]);
    }
    return changes;
}

static void find_ways(struct map *map, int source) {
    start_at(map, source);
    while (relax_all(map) > 0) {
        map->rounds++;
    }
}

static int last_town(const struct map *map) {
    int last = 0;
    for (int i = 0; i < MOST_TOWNS; i++) {
        if (map->towns[i].known) {
            last = i;
        }
    }
    return last;
}

static int count_towns(const struct map *map) {
    int count = 0;
    for (int i = 0; i < MOST_TOWNS; i++) {
        count += map->towns[i].known;
    }
    return count;
}

static int is_reached(const struct map *map, int town) {
    return map->towns[town].distance != INT_MAX;
}

static void check(const struct map *map) {
    for (int i = 0; i < map->road_count; i++) {
        const struct road *road = &map->roads[i];
        if (is_reached(map, road->from) != is_reached(map, road->to)) {
            die("half a road is missing", "check the roads");
        }
    }
}

static void print_size(const struct map *map) {
    printf("%d towns, %d roads, %d rounds\n", count_towns(map), map->road_count / 2, map->rounds);
}

static unsigned count_stops(const struct map *map, int target) {
    unsigned stops = 0;
    for (int town = target; town != NOWHERE; town = map->towns[town].before) {
        stops++;
    }
    return stops;
}

static void print_stops(const struct map *map) {
    int target = last_town(map);
    if (!is_reached(map, target)) {
        printf("no way to %c\n", 'a' + target);
        return;
    }
    unsigned stops = count_stops(map, target);
    printf("%u stops to %c\n", stops, 'a' + target);
}

int main(int argc, char **argv) {
    static struct map map;
    if (argc < 2) {
        die("usage", "graph FROM-TO:LENGTH...");
    }
    for (int i = 1; i < argc; i++) {
        read_road(&map, argv[i]);
    }
    find_ways(&map, 0);
    check(&map);
    print_size(&map);
    print_stops(&map);
    return 0;
}
