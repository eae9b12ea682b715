//! Graphs of real programs.

#![allow(clippy::unwrap_used)]

mod second_reader;

use second_reader::build;

const LISTS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum colour { RED, GREEN = 5, BLUE };
struct node { int id; char name[8]; struct node *next; };
struct packed { unsigned a : 3; int b : 5; enum colour c : 4; };
struct flexible { int count; short items[]; };
union number { int whole; double real; char *text; };
struct tagged { int kind; union number n; struct { int x, y; }; };
static int parse(const char *text) { return text[0]; }
struct node *list;
static int table[4] = {1, 2, 3, 4};
double half = 0.5;
struct packed bits = {5, -3, BLUE};
int (*operation)(const char *) = parse;
struct tagged tagged = {1, {.text = "inside"}, {7, 8}};
char *words[] = {"one", "two", NULL};
static int *count(void) { static int calls = 3; calls++; return &calls; }
void stop(int depth, struct node *from) { int local = depth * 2; printf("%d\n", local + from->id); }
int main(int argc, char **argv) {
    for (int i = 9; i >= 0; i--) {
        struct node *n = malloc(sizeof *n);
        n->id = i; snprintf(n->name, 8, "n%d", i); n->next = list; list = n;
    }
    int *v = malloc(5 * sizeof(int));
    for (int i = 0; i < 5; i++) v[i] = i * i;
    struct flexible *f = calloc(1, sizeof *f + 10 * sizeof(short));
    f->count = 10; f->items[9] = 99;
    char *text = strdup("some text");
    void *any = list->next;
    struct node *stale = malloc(sizeof *stale); free(stale);
    int *middle = &v[2];
    int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int (*row)[3] = &matrix[1];
    int **pp = &v;
    char letter = 'x';
    count();
    stop(argc, list->next);
    return any == stale || text == NULL || middle == NULL || row == NULL || pp == NULL || letter == 0;
}
"#;

#[test]
fn a_program_in_c_is_read_as_its_source_says() {
    let Some(built) = build("lists.c", LISTS, &["-O0"]) else { return };
    let stopped = built.stopped_at("stop", &["first", "second"]);
    for (expression, value) in [
        ("half", "0.5"),
        ("table[2]", "3"),
        ("bits.a", "5"),
        ("bits.b", "-3"),
        ("bits.c", "BLUE"),
        ("operation", "parse"),
        ("tagged.kind", "1"),
        ("tagged.y", "8"),
        ("tagged.n.text", "\"inside\""),
        ("words[1]", "\"two\""),
        ("words[2]", "0x0"),
        ("count::calls", "4"),
        ("depth", "3"),
        ("list->next", "from"),
        ("from->next->next->id", "3"),
        ("from->next{8}->name", "\"n9\""),
        ("from->next{9}", "0x0"),
        ("any", "from"),
        ("v[4]", "16"),
        ("middle", "&v[2]"),
        ("f->items[9]", "99"),
        ("text", "\"some text\""),
        ("matrix[1][2]", "6"),
        ("row", "&matrix[1]"),
        ("pp", "&v"),
        ("letter", "'x'"),
        ("argc", "3"),
        ("argv[1]", "\"first\""),
        ("argv[3]", "0x0"),
    ] {
        assert_eq!(stopped.value(expression), value, "{expression}");
    }
    assert_eq!(stopped.graph().dangling, 1, "stale");
}
