// A weather station: temperatures by day; finds the range, the trend and the longest frost, prints the range.
// pass: -3 -5 1 -2
// fail: -3 -5 -1 -2
// fault: wrong initialisation
// place: print_range
// variable: (week|range|summary)(\.|->)(range\.)?highest$
// transfer: week->range.highest = 0
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DAYS = 31 };

struct range {
    int lowest;
    int highest;
};

struct week {
    int temperatures[MOST_DAYS];
    int days;
    struct range range;
    int frost;
    int rises;
};

static void die(const char *reason, const char *text) {
    fprintf(stderr, "%s: %s\n", reason, text);
    exit(2);
}

static int read_temperature(const char *text) {
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0') {
        die("not a number", text);
    }
    if (value < -80 || value > 60) {
        die("not on this planet", text);
    }
    return (int)value;
}

static void record(struct week *week, int temperature) {
    if (week->days == MOST_DAYS) {
        die("too many days", "a month has 31");
    }
    week->temperatures[week->days++] = temperature;
}

static int lower(int a, int b) {
    return a < b ? a : b;
}

static int higher(int a, int b) {
    return a > b ? a : b;
}

static void find_range(struct week *week) {
    struct range *range = &week->range;
    range->lowest = week->temperatures[0];
    range->highest = 0; // FAULT: week->temperatures[0], there are weeks without a warm day
    for (int i = 0; i < week->days; i++) {
        range->lowest = lower(range->lowest, week->temperatures[i]);
        range->highest = higher(range->highest, week->temperatures[i]);
    }
}

static int is_frost(int temperature) {
    return temperature < -2;
}

static void find_frost(struct week *week) {
    int run = 0;
    week->frost = 0;
    for (int i = 0; i < week->days; i++) {
        run = is_frost(week->temperatures[i]) ? run + 1 : 0;
        week->frost = higher(week->frost, run);
    }
}

static void find_trend(struct week *week) {
    week->rises = 0;
    for (int i = 1; i < week->days; i++) {
        if (week->temperatures[i] > week->temperatures[i - 1]) {
            week->rises++;
        }
    }
}

static void print_bar(int temperature) {
    printf("%4d ", temperature);
    for (int i = 0; i < abs(temperature); i++) {
        putchar(temperature < 0 ? '-' : '+');
    }
    putchar('\n');
}

static void print_days(const struct week *week) {
    for (int i = 0; i < week->days; i++) {
        print_bar(week->temperatures[i]);
    }
}

static const char *trend_of(const struct week *week) {
    if (2 * week->rises > week->days) {
        return "rising";
    }
    return week->rises == 0 ? "falling" : "changing";
}

static const char *advice_for(const struct range *range) {
    if (range->highest - range->lowest > 10) {
        return "take everything";
    }
    return range->highest - range->lowest > 5 ? "take a coat" : "stay as you are";
}

static void print_frost(const struct week *week) {
    printf("%d days of frost in a row, %s\n", week->frost, trend_of(week));
}

static void print_scale(const struct range *range) {
    for (int degree = range->lowest; degree <= range->highest; degree++) {
        putchar(degree == 0 ? '0' : '.');
    }
    putchar('\n');
}

static void print_range(const struct week *week) {
    const struct range *range = &week->range;
    printf("from %d to %d: %s\n", range->lowest, range->highest, advice_for(range));
    print_scale(range);
}

static int warm_days(const struct week *week, int from) {
    int warm = 0;
    for (int i = 0; i < week->days; i++) {
        if (week->temperatures[i] >= from) {
            warm++;
        }
    }
    return warm;
}

static int coldest_day(const struct week *week) {
    int coldest = 0;
    for (int i = 1; i < week->days; i++) {
        if (week->temperatures[i] < week->temperatures[coldest]) {
            coldest = i;
        }
    }
    return coldest;
}

static int is_whole(const struct week *week) {
    for (int i = 0; i < week->days; i++) {
        if (week->temperatures[i] < week->range.lowest) {
            return 0;
        }
    }
    return week->frost <= week->days && week->rises < week->days;
}

static void analyse(struct week *week) {
    find_range(week);
    find_frost(week);
    find_trend(week);
}

int main(int argc, char **argv) {
    static struct week week;
    if (argc < 2) {
        die("usage", "weather TEMPERATURE...");
    }
    for (int i = 1; i < argc; i++) {
        record(&week, read_temperature(argv[i]));
    }
    print_days(&week);
    analyse(&week);
    if (!is_whole(&week)) {
        die("the figures do not agree", argv[1]);
    }
    print_frost(&week);
    printf("%d warm days, the coldest is day %d\n", warm_days(&week, 15), coldest_day(&week) + 1);
    print_range(&week);
    return 0;
}
