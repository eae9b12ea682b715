// Rights of users on a file: `user+right` grants, `user-right` revokes; prints who may do what.
// pass: amy+read amy+write bob+read amy-write
// fail: amy+read bob+read bob+read amy-write
// fault: wrong operator
// place: print_rights
// variable: users\[0\]\.rights$
// transfer: file->users[0].rights = 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum right { READ = 1, WRITE = 2, RUN = 4, SHARE = 8 };

enum { MOST_USERS = 8, NAME_SIZE = 12, RIGHTS = 4 };

struct user {
    char name[NAME_SIZE];
    unsigned rights;
    int changes;
};

struct file {
    struct user users[MOST_USERS];
    int user_count;
    int locked;
};

struct right_name {
    const char *name;
    enum right right;
};

static const struct right_name right_names[RIGHTS] = {
    {"read", READ},
    {"write", WRITE},
    {"run", RUN},
    {"share", SHARE},
};

static void die(const char *reason, const char *text) {
    fprintf(stderr, "%s: %s\n", reason, text);
    exit(2);
}

static enum right right_of(const char *name) {
    for (int i = 0; i < RIGHTS; i++) {
        if (strcmp(right_names[i].name, name) == 0) {
            return right_names[i].right;
        }
    }
    die("no such right", name);
    return READ;
}

static struct user *find_user(struct file *file, const char *name) {
    for (int i = 0; i < file->user_count; i++) {
        if (strcmp(file->users[i].name, name) == 0) {
            return &file->users[i];
        }
    }
    return NULL;
}

static struct user *add_user(struct file *file, const char *name) {
    if (file->user_count == MOST_USERS) {
        die("too many users", name);
    }
    struct user *user = &file->users[file->user_count++];
    strcpy(user->name, name);
    return user;
}

static struct user *user_of(struct file *file, const char *text, size_t length) {
    char name[NAME_SIZE] = "";
    if (length == 0 || length >= NAME_SIZE) {
        die("not a user", text);
    }
    memcpy(name, text, length);
    struct user *user = find_user(file, name);
    return user != NULL ? user : add_user(file, name);
}

static void grant(struct user *user, enum right right) {
    user->rights |= right;
    user->changes++;
}

static void revoke(struct user *user, enum right right) {
    user->rights ^= right; // FAULT: &= ~right, this grants what was not there
    user->changes++;
}

static void obey(struct file *file, const char *text) {
    size_t length = strcspn(text, "+-");
    if (text[length] == '\0') {
        die("neither granted nor revoked", text);
    }
    struct user *user = user_of(file, text, length);
    enum right right = right_of(text + length + 1);
    if (text[length] == '+') {
        grant(user, right);
    } else {
        revoke(user, right);
    }
}

static int may(const struct user *user, enum right right) {
    return (user->rights & right) != 0;
}

static int first_with(const struct file *file, enum right right) {
    for (int i = 0; i < file->user_count; i++) {
        if (may(&file->users[i], right)) {
            return i;
        }
    }
    return -1;
}

static void print_reader(const struct file *file) {
    int at = first_with(file, READ);
    if (at < 0) {
        puts("nobody may read");
    } else {
        printf("%s may read\n", file->users[at].name);
    }
}

static int count_changes(const struct file *file) {
    int changes = 0;
    for (int i = 0; i < file->user_count; i++) {
        changes += file->users[i].changes;
    }
    return changes;
}

static void check(const struct file *file) {
    for (int i = 0; i < file->user_count; i++) {
        if (file->users[i].rights >= 2 * SHARE) {
            die("more rights than there are", file->users[i].name);
        }
    }
}

static void lock(struct file *file) {
    file->locked = 1;
}

static void print_user(const struct user *user) {
    printf("%-6s ", user->name);
    for (int i = 0; i < RIGHTS; i++) {
        putchar(may(user, right_names[i].right) ? right_names[i].name[0] : '-');
    }
    putchar('\n');
}

static int count_writers(const struct file *file) {
    int writers = 0;
    for (int i = 0; i < file->user_count; i++) {
        if (may(&file->users[i], WRITE)) {
            writers++;
        }
    }
    return writers;
}

static void print_rights(const struct file *file) {
    for (int i = 0; i < file->user_count; i++) {
        print_user(&file->users[i]);
    }
    printf("%d writers%s\n", count_writers(file), file->locked ? ", locked" : "");
}

int main(int argc, char **argv) {
    static struct file file;
    if (argc < 2) {
        die("usage", "perm USER(+|-)RIGHT...");
    }
    for (int i = 1; i < argc; i++) {
        obey(&file, argv[i]);
    }
    check(&file);
    printf("%d changes\n", count_changes(&file));
    print_reader(&file);
    lock(&file);
    print_rights(&file);
    return 0;
}
