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

fn expect(name: &str, expected: &[(&str, &str)]) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/second_reader/programs");
    let source = std::fs::read_to_string(folder.join(name)).unwrap();
    let Some(built) = build(name, &source, &[]) else { return };
    let stopped = built.stopped_at("stop", &[]);
    for (expression, value) in expected {
        assert_eq!(stopped.value(expression), *value, "{expression}");
    }
}

#[test]
fn containers_of_cpp_show_what_they_hold() {
    expect(
        "containers.cc",
        &[
            ("numbers", "{1, 2, 3}"),
            ("numbers[2]", "3"),
            ("small", "\"short\""),
            ("large", "\"this one does not fit into the object itself\""),
            ("ages[\"bob\"].second", "40"),
            ("primes[3]", "7"),
            ("items[1].price", "2.5"),
            ("deque[198]", "199"),
            ("owned->id", "9"),
            ("shared->price", "8.5"),
            ("*some", "4"),
            ("none", "nullopt"),
            ("table[2].second", "\"two\""),
            ("forward", "{7, 8}"),
            ("array[1]", "5"),
            ("tuple", "(1, 'c', 2.5)"),
            ("nested[0][1]", "\"b\""),
            ("shape->r", "2"),
            ("named->extra", "5"),
        ],
    );
}

#[test]
fn containers_of_rust_show_what_they_hold() {
    expect(
        "containers.rs",
        &[
            ("main::all.numbers", "[1, 2, 3]"),
            ("main::all.name", "\"a name\""),
            ("main::all.slice", "[20, 30]"),
            ("main::all.text", "\"static text\""),
            ("*main::all.boxed", "77"),
            ("main::all.arc", "&\"shared\""),
            ("main::all.cell", "-4"),
            ("main::all.some", "Some(3)"),
            ("main::all.nothing", "None"),
            ("main::all.map[\"three\"].1", "2"),
            ("main::all.tree[1]", "\"two\""),
            ("main::all.big[99]", "9801"),
            ("main::all.btset", "['e', 'h', 'l', 'o']"),
            ("main::all.deque", "[-2, -1, 1, 2, 3, 4]"),
            ("main::all.shapes", "[Circle {radius = 1.5}, Square(2, 3), Empty]"),
            ("main::all.shapes[1].Square.1", "3"),
            ("main::all.green", "Green"),
            ("main::all.tuple", "(1, 'ß', true)"),
            ("main::all.result", "Err(\"bad\")"),
            ("main::all.empty", "[]"),
            ("main::all.list.Some.0.next.Some.0.id", "1"),
        ],
    );
}
