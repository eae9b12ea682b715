// A ledger in cents: `FROM>TO:AMOUNT` for each transfer; checks the journal and prints the accounts.
// pass: bank>anna:300 anna>bert:327.67
// fail: bank>anna:300 anna>bert:327.68
// fault: integer overflow
// place: print_accounts
// variable: accounts\[2\]\.balance$
// transfer: books->accounts[2].balance = -32768
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ACCOUNTS = 8, MOST_ENTRIES = 32, NAME_SIZE = 12 };

struct account {
    char name[NAME_SIZE];
    long balance;
    int entries;
};

struct entry {
    int from;
    int to;
    int16_t fee;
    long amount;
};

struct books {
    struct account accounts[MOST_ACCOUNTS];
    int account_count;
    struct entry journal[MOST_ENTRIES];
    int entry_count;
};

static void die(const char *reason, const char *text) {
    fprintf(stderr, "%s: %s\n", reason, text);
    exit(2);
}

static int find_account(const struct books *books, const char *name) {
    for (int i = 0; i < books->account_count; i++) {
        if (strcmp(books->accounts[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int open_account(struct books *books, const char *name) {
    int at = find_account(books, name);
    if (at >= 0) {
        return at;
    }
    if (books->account_count == MOST_ACCOUNTS || strlen(name) >= NAME_SIZE || name[0] == '\0') {
        die("no such account", name);
    }
    strcpy(books->accounts[books->account_count].name, name);
    return books->account_count++;
}

static long read_amount(const char *text) {
    char *end = NULL;
    long cents = strtol(text, &end, 10) * 100;
    if (*end == '.') {
        if (strlen(end) != 3) {
            die("not an amount", text);
        }
        cents += strtol(end + 1, &end, 10);
    }
    if (*end != '\0' || cents <= 0) {
        die("not an amount", text);
    }
    return cents;
}

static void credit(struct account *account, long cents) {
    int16_t booked = (int16_t)cents; // FAULT: long booked = cents; this wraps from 327.68 on
    account->balance += booked;
    account->entries++;
}

static void debit(struct account *account, long cents) {
    account->balance -= cents;
    account->entries++;
}

static void book(struct books *books, const struct entry *entry) {
    if (books->entry_count == MOST_ENTRIES) {
        die("the journal is full", books->accounts[entry->from].name);
    }
    books->journal[books->entry_count++] = *entry;
    debit(&books->accounts[entry->from], entry->amount);
    credit(&books->accounts[entry->to], entry->amount);
}

static void split(char *text, char separator, char **rest) {
    char *at = strchr(text, separator);
    if (at == NULL) {
        die("a part is missing", text);
    }
    *at = '\0';
    *rest = at + 1;
}

static void read_transfer(struct books *books, const char *text) {
    char copy[64];
    char *to = NULL;
    char *amount = NULL;
    struct entry entry = {0, 0, 0, 0};
    if (strlen(text) >= sizeof copy) {
        die("too long", text);
    }
    strcpy(copy, text);
    split(copy, '>', &to);
    split(to, ':', &amount);
    entry.from = open_account(books, copy);
    entry.to = open_account(books, to);
    entry.amount = read_amount(amount);
    book(books, &entry);
}

static int check_journal(const struct books *books) {
    int touched = 0;
    for (int i = 0; i < books->entry_count; i++) {
        const struct entry *entry = &books->journal[i];
        if (entry->from == entry->to || entry->fee != 0) {
            return 0;
        }
        touched += 2;
    }
    for (int i = 0; i < books->account_count; i++) {
        touched -= books->accounts[i].entries;
    }
    return touched == 0;
}

static const char *class_of(long cents) {
    if (cents < 0) {
        return "owes";
    }
    return cents < 10000 ? "small" : "well off";
}

static void print_account(const struct account *account) {
    long cents = labs(account->balance);
    const char *sign = account->balance < 0 ? "-" : "";
    printf("%-8s %s%ld.%02ld %s\n", account->name, sign, cents / 100, cents % 100, class_of(account->balance));
}

static void print_accounts(const struct books *books) {
    for (int i = 2; i < books->account_count; i++) {
        print_account(&books->accounts[i]);
    }
    printf("%d customers behind the first\n", books->account_count - 2);
}

static int count_overdrawn(const struct books *books, int upto) {
    int overdrawn = 0;
    for (int i = 0; i < upto; i++) {
        overdrawn += books->accounts[i].balance < 0;
    }
    return overdrawn;
}

static void print_bank(const struct books *books) {
    printf("%s and %s come first\n", books->accounts[0].name, books->accounts[1].name);
    printf("%d of them overdrawn\n", count_overdrawn(books, 2));
}

int main(int argc, char **argv) {
    static struct books books;
    if (argc < 2) {
        die("usage", "ledger FROM>TO:AMOUNT...");
    }
    for (int i = 1; i < argc; i++) {
        read_transfer(&books, argv[i]);
    }
    if (!check_journal(&books)) {
        die("the journal does not agree", books.accounts[0].name);
    }
    print_bank(&books);
    print_accounts(&books);
    return 0;
}
