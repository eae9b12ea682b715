// A calendar: a year and dates `month/day`; prints which day of the year each date is and how many days are left.
// pass: 1996 2/3 3/1 12/24
// fail: 2000 2/3 3/1 12/24
// fault: wrong operator
// place: print_dates
// variable: lengths\[1\]$
// transfer: calendar->lengths[1] = 28
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MONTHS = 12, MOST_DATES = 16 };

struct date {
    int month;
    int day;
};

struct calendar {
    int lengths[MONTHS];
    struct date dates[MOST_DATES];
    int count;
};

static const char *const names[MONTHS] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December",
};

static void die(const char *reason, const char *text) {
    fprintf(stderr, "%s: %s\n", reason, text);
    exit(2);
}

static int divides(int divisor, int number) {
    return number % divisor == 0;
}

static int is_leap(int year) {
    if (divides(100, year)) {
        return year % 400 != 0; // FAULT: == 0, a century is a leap year if 400 divides it
    }
    return divides(4, year);
}

static int usual_length(int month) {
    switch (month) {
    case 2:
        return 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}

static void set_year(struct calendar *calendar, int year) {
    for (int month = 1; month <= MONTHS; month++) {
        calendar->lengths[month - 1] = usual_length(month);
    }
    if (is_leap(year)) {
        calendar->lengths[1]++;
    }
}

static int exists(const struct calendar *calendar, const struct date *date) {
    if (date->month < 1 || date->month > MONTHS) {
        return 0;
    }
    return date->day >= 1 && date->day <= calendar->lengths[date->month - 1];
}

static struct date read_date(const char *text) {
    struct date date = {0, 0};
    char *end = NULL;
    date.month = (int)strtol(text, &end, 10);
    if (*end != '/') {
        die("not a date", text);
    }
    date.day = (int)strtol(end + 1, &end, 10);
    if (*end != '\0') {
        die("not a date", text);
    }
    return date;
}

static void add_date(struct calendar *calendar, const char *text) {
    struct date date = read_date(text);
    if (calendar->count == MOST_DATES || !exists(calendar, &date)) {
        die("no such date", text);
    }
    calendar->dates[calendar->count++] = date;
}

static int before(const struct date *a, const struct date *b) {
    return a->month < b->month || (a->month == b->month && a->day < b->day);
}

static void sort_dates(struct calendar *calendar) {
    for (int i = 1; i < calendar->count; i++) {
        struct date date = calendar->dates[i];
        int j = i;
        while (j > 0 && before(&date, &calendar->dates[j - 1])) {
            calendar->dates[j] = calendar->dates[j - 1];
            j--;
        }
        calendar->dates[j] = date;
    }
}

static int day_of_year(const struct calendar *calendar, const struct date *date) {
    int days = date->day;
    for (int month = 1; month < date->month; month++) {
        days += calendar->lengths[month - 1];
    }
    return days;
}

static int length_of_year(const struct calendar *calendar) {
    int days = 0;
    for (int i = 0; i < MONTHS; i++) {
        days += calendar->lengths[i];
    }
    return days;
}

static int longest_name(const struct calendar *calendar) {
    int longest = 0;
    for (int i = 0; i < calendar->count; i++) {
        int length = (int)strlen(names[calendar->dates[i].month - 1]);
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void print_date(const struct calendar *calendar, const struct date *date, int width) {
    int day = day_of_year(calendar, date);
    printf("%-*s %2d is day %3d, %3d are left\n", width, names[date->month - 1], date->day, day,
           length_of_year(calendar) - day);
}

static void print_dates(const struct calendar *calendar) {
    int width = longest_name(calendar);
    for (int i = 0; i < calendar->count; i++) {
        print_date(calendar, &calendar->dates[i], width);
    }
}

static int shortest_month(const struct calendar *calendar) {
    int shortest = 0;
    for (int i = 1; i < MONTHS; i++) {
        if (calendar->lengths[i] < calendar->lengths[shortest]) {
            shortest = i;
        }
    }
    return shortest;
}

static void print_title(const struct calendar *calendar) {
    printf("%d dates\n", calendar->count);
    printf("the shortest month is %s\n", names[shortest_month(calendar)]);
}

static int read_year(const char *text) {
    int year = atoi(text);
    if (year < 1583 || year > 9999) {
        die("not a year of this calendar", text);
    }
    return year;
}

int main(int argc, char **argv) {
    static struct calendar calendar;
    if (argc < 3) {
        die("usage", "calendar YEAR MONTH/DAY...");
    }
    set_year(&calendar, read_year(argv[1]));
    for (int i = 2; i < argc; i++) {
        add_date(&calendar, argv[i]);
    }
    sort_dates(&calendar);
    print_title(&calendar);
    print_dates(&calendar);
    return 0;
}
