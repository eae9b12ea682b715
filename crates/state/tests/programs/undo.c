// A line editor with history: `text` is typed, `save` and `mark` keep versions, `upper` edits in place; shows all versions.
// pass: draft show mark upper
// fail: draft save mark upper
// fault: aliasing
// place: print_history
// variable: versions\[0\]\.text$
// transfer: editor->versions[0].text = editor->text
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VERSIONS = 8, CAPACITY = 64 };

struct version {
    char *text;
    int number;
};

struct editor {
    char *text;
    int changed;
    int steps;
    struct version versions[MOST_VERSIONS];
    int version_count;
};

static void die(const char *reason) {
    fprintf(stderr, "%s\n", reason);
    exit(2);
}

static char *new_text(const char *from) {
    char *text = calloc(1, CAPACITY);
    if (text == NULL) {
        die("out of memory");
    }
    strncpy(text, from, CAPACITY - 1);
    return text;
}

static void open_editor(struct editor *editor) {
    memset(editor, 0, sizeof *editor);
    editor->text = new_text("");
}

static void type(struct editor *editor, const char *word) {
    size_t used = strlen(editor->text);
    if (used + strlen(word) + 2 > CAPACITY) {
        die("the line is full");
    }
    if (used > 0) {
        strcat(editor->text, " ");
    }
    strcat(editor->text, word);
    editor->changed = 1;
}

static void save(struct editor *editor) {
    editor->changed = 0;
}

static void show(const struct editor *editor) {
    if (editor->text[0] == '\0') {
        puts("(empty)");
    } else {
        puts(editor->text);
    }
}

static void mark(struct editor *editor) {
    if (editor->version_count == MOST_VERSIONS) {
        die("too many versions");
    }
    struct version *version = &editor->versions[editor->version_count];
    version->number = ++editor->version_count;
    version->text = editor->text;
    if (editor->changed) { // FAULT: always copy; the text goes on being edited in place
        version->text = new_text(editor->text);
    }
}

static void upper(struct editor *editor) {
    for (char *letter = editor->text; *letter != '\0'; letter++) {
        *letter = (char)toupper((unsigned char)*letter);
    }
    editor->changed = 1;
}

static void reverse(struct editor *editor) {
    size_t length = strlen(editor->text);
    for (size_t i = 0; i < length / 2; i++) {
        char letter = editor->text[i];
        editor->text[i] = editor->text[length - 1 - i];
        editor->text[length - 1 - i] = letter;
    }
    editor->changed = 1;
}

static void drop_word(struct editor *editor) {
    char *space = strrchr(editor->text, ' ');
    if (space == NULL) {
        editor->text[0] = '\0';
    } else {
        *space = '\0';
    }
    editor->changed = 1;
}

static void undo(struct editor *editor) {
    if (editor->version_count == 0) {
        die("nothing to go back to");
    }
    struct version *version = &editor->versions[--editor->version_count];
    strcpy(editor->text, version->text);
    free(version->text);
    version->text = NULL;
    editor->changed = 1;
}

static void obey(struct editor *editor, const char *command) {
    editor->steps++;
    if (strcmp(command, "save") == 0) {
        save(editor);
    } else if (strcmp(command, "show") == 0) {
        show(editor);
    } else if (strcmp(command, "mark") == 0) {
        mark(editor);
    } else if (strcmp(command, "upper") == 0) {
        upper(editor);
    } else if (strcmp(command, "reverse") == 0) {
        reverse(editor);
    } else if (strcmp(command, "drop") == 0) {
        drop_word(editor);
    } else if (strcmp(command, "undo") == 0) {
        undo(editor);
    } else {
        type(editor, command);
    }
}

static int count_words(const char *text) {
    int words = text[0] != '\0';
    for (const char *letter = text; *letter != '\0'; letter++) {
        words += *letter == ' ';
    }
    return words;
}

static int numbers_ascend(const struct editor *editor) {
    for (int i = 0; i < editor->version_count; i++) {
        if (editor->versions[i].number != i + 1) {
            return 0;
        }
    }
    return 1;
}

static void print_version(const struct version *version) {
    printf("%d: \"%s\", %d words\n", version->number, version->text, count_words(version->text));
}

static void print_history(const struct editor *editor) {
    for (int i = 0; i < editor->version_count; i++) {
        print_version(&editor->versions[i]);
    }
    printf("now: \"%s\"\n", editor->text);
}

int main(int argc, char **argv) {
    struct editor editor;
    if (argc < 2) {
        die("usage: undo COMMAND...");
    }
    open_editor(&editor);
    for (int i = 1; i < argc; i++) {
        obey(&editor, argv[i]);
    }
    if (!numbers_ascend(&editor)) {
        die("the history is in disorder");
    }
    printf("%d steps\n", editor.steps);
    print_history(&editor);
    return 0;
}
