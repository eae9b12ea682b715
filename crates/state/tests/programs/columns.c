// Sets words in columns: measures the widest word, sorts the words, prints a ruled table.
// pass: elderberry apple plum fig
// fail: fig apple plum elderberry
// fault: off by one
// place: print_table
// variable: page(\.|->)width$
// transfer: page->width = 5
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 64, LINE_WIDTH = 40 };

struct page {
    char *words[MOST_WORDS];
    int count;
    int width;
    int columns;
};

static char *copy(const char *text) {
    char *space = malloc(strlen(text) + 1);
    if (space == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return strcpy(space, text);
}

static int is_word(const char *text) {
    size_t length = strlen(text);
    return length > 0 && length < LINE_WIDTH && strchr(text, ' ') == NULL;
}

static int add_word(struct page *page, const char *text) {
    if (page->count == MOST_WORDS || !is_word(text)) {
        return 0;
    }
    page->words[page->count++] = copy(text);
    return 1;
}

static int length_of(const char *word) {
    return (int)strlen(word);
}

static void measure(struct page *page) {
    page->width = 1;
    for (int i = 0; i < page->count - 1; i++) { // FAULT: i < page->count, the last word counts, too
        int length = length_of(page->words[i]);
        if (length > page->width) {
            page->width = length;
        }
    }
}

static int before(const char *a, const char *b) {
    return strcmp(a, b) < 0;
}

static void exchange(struct page *page, int i, int j) {
    char *word = page->words[i];
    page->words[i] = page->words[j];
    page->words[j] = word;
}

static void sort(struct page *page) {
    for (int i = 0; i < page->count; i++) {
        int first = i;
        for (int j = i + 1; j < page->count; j++) {
            if (before(page->words[j], page->words[first])) {
                first = j;
            }
        }
        exchange(page, i, first);
    }
}

static int drop_doubles(struct page *page) {
    int kept = 0;
    for (int i = 0; i < page->count; i++) {
        if (kept > 0 && strcmp(page->words[kept - 1], page->words[i]) == 0) {
            free(page->words[i]);
        } else {
            page->words[kept++] = page->words[i];
        }
    }
    int dropped = page->count - kept;
    page->count = kept;
    return dropped;
}

static int is_sorted(const struct page *page) {
    for (int i = 1; i < page->count; i++) {
        if (!before(page->words[i - 1], page->words[i])) {
            return 0;
        }
    }
    return 1;
}

static void set_columns(struct page *page, int wanted) {
    page->columns = wanted;
    if (page->columns > page->count) {
        page->columns = page->count;
    }
    if (page->columns < 1) {
        page->columns = 1;
    }
}

static void print_rule(const struct page *page) {
    for (int column = 0; column < page->columns; column++) {
        putchar('+');
        for (int i = 0; i < page->width + 2; i++) {
            putchar('-');
        }
    }
    puts("+");
}

static void print_cell(const struct page *page, const char *word) {
    printf("| %-*s ", page->width, word);
}

static void print_row(const struct page *page, int row) {
    for (int column = 0; column < page->columns; column++) {
        int at = row * page->columns + column;
        print_cell(page, at < page->count ? page->words[at] : "");
    }
    puts("|");
}

static int rows(const struct page *page) {
    return (page->count + page->columns - 1) / page->columns;
}

static void print_table(const struct page *page) {
    print_rule(page);
    for (int row = 0; row < rows(page); row++) {
        print_row(page, row);
    }
    print_rule(page);
}

static int letters(const struct page *page) {
    int sum = 0;
    for (int i = 0; i < page->count; i++) {
        sum += length_of(page->words[i]);
    }
    return sum;
}

static void release(struct page *page) {
    for (int i = 0; i < page->count; i++) {
        free(page->words[i]);
    }
    page->count = 0;
}

int main(int argc, char **argv) {
    static struct page page;
    if (argc < 2) {
        fprintf(stderr, "usage: %s WORD...\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        if (!add_word(&page, argv[i])) {
            fprintf(stderr, "not a word: %s\n", argv[i]);
            return 2;
        }
    }
    measure(&page);
    sort(&page);
    int dropped = drop_doubles(&page);
    if (!is_sorted(&page)) {
        fprintf(stderr, "the words are in disorder\n");
        return 1;
    }
    set_columns(&page, 2);
    printf("%d words, %d letters\n", page.count, letters(&page));
    print_table(&page);
    release(&page);
    return dropped > 0 ? 1 : 0;
}
