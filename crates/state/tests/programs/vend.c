// A vending machine as a state machine: reads events, one a line, and prints what is left on the shelf.
// pass-stdin: token 0\nselect cocoa\ncancel\n
// fail-stdin: token 20\nselect cocoa\ncancel\n
// fault: wrong branch
// place: print_shelf
// variable: shelf\[1\]\.left$
// transfer: machine->shelf[1].left = 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum state { IDLE, PAYING, SERVING };

enum { DRINKS = 3 };

struct drink {
    const char *name;
    int price;
    int left;
};

struct machine {
    enum state state;
    int credit;
    int till;
    int refunded;
    struct drink shelf[DRINKS];
};

static void die(const char *reason, const char *text) {
    fprintf(stderr, "%s: %s\n", reason, text);
    exit(2);
}

static const char *state_name(enum state state) {
    switch (state) {
    case IDLE:
        return "idle";
    case PAYING:
        return "paying";
    case SERVING:
        return "serving";
    }
    return "broken";
}

static void stock(struct drink *drink, const char *name, int price) {
    drink->name = name;
    drink->price = price;
    drink->left = 5;
}

static void set_up(struct machine *machine) {
    memset(machine, 0, sizeof *machine);
    stock(&machine->shelf[0], "tea", 40);
    stock(&machine->shelf[1], "cocoa", 60);
    stock(&machine->shelf[2], "soup", 90);
}

static struct drink *find_drink(struct machine *machine, const char *name) {
    for (int i = 0; i < DRINKS; i++) {
        if (strcmp(machine->shelf[i].name, name) == 0) {
            return &machine->shelf[i];
        }
    }
    die("no such drink", name);
    return NULL;
}

static void pay(struct machine *machine, int amount) {
    if (amount < 0 || amount > 200) {
        die("not a token", "0 to 200");
    }
    machine->credit += amount;
    machine->state = PAYING;
}

static void serve(struct machine *machine, struct drink *drink) {
    drink->left--;
    machine->till += machine->credit < drink->price ? machine->credit : drink->price;
    machine->credit = machine->credit < drink->price ? 0 : machine->credit - drink->price;
    machine->state = SERVING;
}

static void ask_for_more(struct machine *machine, const struct drink *drink) {
    printf("%s costs %d, there are %d\n", drink->name, drink->price, machine->credit);
    machine->state = PAYING;
}

static void choose(struct machine *machine, const char *name) {
    struct drink *drink = find_drink(machine, name);
    if (drink->left == 0) {
        printf("no %s left\n", name);
        return;
    }
    if (machine->credit > 0) { // FAULT: >= drink->price
        serve(machine, drink);
    } else {
        ask_for_more(machine, drink);
    }
}

static void cancel(struct machine *machine) {
    machine->refunded += machine->credit;
    machine->credit = 0;
    machine->state = IDLE;
}

static void react(struct machine *machine, const char *event) {
    if (strncmp(event, "token ", 6) == 0) {
        pay(machine, atoi(event + 6));
    } else if (strncmp(event, "select ", 7) == 0) {
        choose(machine, event + 7);
    } else if (strcmp(event, "cancel") == 0) {
        cancel(machine);
    } else {
        die("not an event", event);
    }
}

static int read_event(char *line, size_t size) {
    if (fgets(line, (int)size, stdin) == NULL) {
        return 0;
    }
    line[strcspn(line, "\n")] = '\0';
    return 1;
}

static void check(const struct machine *machine) {
    for (int i = 0; i < DRINKS; i++) {
        if (machine->shelf[i].left < 0 || machine->shelf[i].left > 5) {
            die("the shelf is in disorder", machine->shelf[i].name);
        }
    }
    if (machine->credit < 0) {
        die("the machine owes money", state_name(machine->state));
    }
}

static void print_money(const struct machine *machine) {
    printf("%s: %d in the till, %d given back\n", state_name(machine->state), machine->till, machine->refunded);
}

static void print_drink(const struct drink *drink) {
    printf("%-6s %3d ", drink->name, drink->price);
    for (int i = 0; i < drink->left; i++) {
        putchar('#');
    }
    putchar('\n');
}

static int worth(const struct machine *machine) {
    int worth = 0;
    for (int i = 0; i < DRINKS; i++) {
        worth += machine->shelf[i].left * machine->shelf[i].price;
    }
    return worth;
}

static void print_shelf(const struct machine *machine) {
    for (int i = 0; i < DRINKS; i++) {
        print_drink(&machine->shelf[i]);
    }
    printf("worth %d\n", worth(machine));
}

int main(void) {
    struct machine machine;
    char line[64];
    int events = 0;
    set_up(&machine);
    while (read_event(line, sizeof line)) {
        react(&machine, line);
        events++;
    }
    check(&machine);
    print_money(&machine);
    print_shelf(&machine);
    return events == 0;
}
