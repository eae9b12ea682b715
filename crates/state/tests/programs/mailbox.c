// A mailbox with threads, in recycled records: `subject` is a new letter, `re:subject` an answer, `-subject` is thrown away.
// pass: tea old -old milk
// fail: tea re:tea -re:tea milk
// fault: uninitialised field
// place: print_threads
// variable: answer_to$
// transition: none: the field keeps what it held when the record was thrown away; it is the cause from the answer on
// transfer: box->first->answer_to = box->first->next
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUBJECT_SIZE = 16 };

struct letter {
    char subject[SUBJECT_SIZE];
    int number;
    struct letter *answer_to;
    struct letter *next;
};

struct box {
    struct letter *first;
    struct letter *bin;
    int received;
};

static void die(const char *reason, const char *text) {
    fprintf(stderr, "%s: %s\n", reason, text);
    exit(2);
}

static struct letter *recycle(struct box *box) {
    struct letter *letter = box->bin;
    if (letter != NULL) {
        box->bin = letter->next;
    } else {
        letter = calloc(1, sizeof *letter);
        if (letter == NULL) {
            die("out of memory", "mailbox");
        }
    }
    return letter;
}

static struct letter *find(const struct box *box, const char *subject) {
    struct letter *letter = box->first;
    while (letter != NULL && strcmp(letter->subject, subject) != 0) {
        letter = letter->next;
    }
    return letter;
}

static struct letter *receive(struct box *box, const char *subject) {
    if (strlen(subject) >= SUBJECT_SIZE || subject[0] == '\0') {
        die("not a subject", subject);
    }
    struct letter *letter = recycle(box);
    strncpy(letter->subject, subject, SUBJECT_SIZE - 1);
    letter->number = ++box->received;
    // FAULT: letter->answer_to = NULL; the record may come out of the bin
    letter->next = box->first;
    box->first = letter;
    return letter;
}

static void answer(struct box *box, const char *subject) {
    struct letter *original = find(box, subject + 3);
    if (original == NULL) {
        die("an answer to nothing", subject);
    }
    struct letter *letter = receive(box, subject);
    letter->answer_to = original;
}

static void unlink_letter(struct box *box, struct letter *letter) {
    struct letter **link = &box->first;
    while (*link != letter) {
        link = &(*link)->next;
    }
    *link = letter->next;
}

static void wipe(struct letter *letter) {
    memset(letter->subject, 0, sizeof letter->subject);
    letter->number = 0;
}

static void throw_away(struct box *box, const char *subject) {
    struct letter *letter = find(box, subject);
    if (letter == NULL) {
        die("no such letter", subject);
    }
    unlink_letter(box, letter);
    wipe(letter);
    letter->next = box->bin;
    box->bin = letter;
}

static int is_answer(const char *text) {
    return strncmp(text, "re:", 3) == 0;
}

static void obey(struct box *box, const char *text) {
    if (text[0] == '-') {
        throw_away(box, text + 1);
    } else if (is_answer(text)) {
        answer(box, text);
    } else {
        receive(box, text);
    }
}

static int count(const struct letter *letter) {
    int count = 0;
    for (; letter != NULL; letter = letter->next) {
        count++;
    }
    return count;
}

static void check(const struct box *box) {
    int number = box->received + 1;
    for (const struct letter *letter = box->first; letter != NULL; letter = letter->next) {
        if (letter->number >= number) {
            die("letters in disorder", letter->subject);
        }
        number = letter->number;
    }
}

static void print_count(const struct box *box) {
    printf("%d received, %d kept, %d in the bin\n", box->received, count(box->first), count(box->bin));
}

static int depth(const struct letter *letter) {
    int depth = 0;
    while (letter->answer_to != NULL) {
        letter = letter->answer_to;
        depth++;
    }
    return depth;
}

static void print_letter(const struct letter *letter) {
    printf("%*s%s", 2 * depth(letter), "", letter->subject);
    if (letter->answer_to != NULL) {
        printf(" (answers %s)", letter->answer_to->subject);
    }
    putchar('\n');
}

static void print_threads(const struct box *box) {
    int threads = 0;
    for (const struct letter *letter = box->first; letter != NULL; letter = letter->next) {
        print_letter(letter);
        threads += letter->answer_to == NULL;
    }
    printf("%d threads\n", threads);
}

static void release(struct letter *letter) {
    while (letter != NULL) {
        struct letter *next = letter->next;
        free(letter);
        letter = next;
    }
}

int main(int argc, char **argv) {
    struct box box = {NULL, NULL, 0};
    if (argc < 2) {
        die("usage", "mailbox (SUBJECT | re:SUBJECT | -SUBJECT)...");
    }
    for (int i = 1; i < argc; i++) {
        obey(&box, argv[i]);
    }
    check(&box);
    print_count(&box);
    print_threads(&box);
    release(box.first);
    release(box.bin);
    return 0;
}
