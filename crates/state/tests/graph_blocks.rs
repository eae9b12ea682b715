//! Blocks that mean more than their first pointer says: pools, stale pointers, tagged unions.

#![allow(clippy::unwrap_used)]

mod second_reader;

use second_reader::build;

/// An allocator that cuts objects of different types and lengths from large chunks.
const POOL: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct chunk { struct chunk *before; char *free; char *limit; char room[4]; };
static struct chunk *last;
static void *take(size_t size) {
    size = (size + 7) & ~(size_t)7;
    if (!last || (size_t)(last->limit - last->free) < size) {
        struct chunk *c = malloc(4000);
        c->before = last; c->free = c->room; c->limit = (char *)c + 4000; last = c;
        while ((size_t)c->free % 8) c->free++;
    }
    void *at = last->free;
    last->free += size;
    return at;
}
enum code { CONSTANT, NAME, CALL };
struct type { const char *name; int size; };
union operand { long number; struct expr *expr; char *text; };
struct expr { enum code code; unsigned short count; struct type *type; union operand operand[1]; };
struct scope { struct scope *outer; struct expr *first; double weight; };
static struct expr *make(enum code code, int count, struct type *type) {
    struct expr *e = take(sizeof *e - sizeof e->operand + count * sizeof(union operand));
    e->code = code; e->count = count; e->type = type;
    return e;
}
struct expr *whole;
struct scope *scope;
void stop(struct expr *e) { printf("%d\n", e->code); }
int main(void) {
    struct type *t = take(sizeof *t);
    t->name = "integer"; t->size = 4;
    struct expr *one = make(CONSTANT, 1, t); one->operand[0].number = 7;
    struct expr *name = make(NAME, 1, t);
    name->operand[0].text = strcpy(take(6), "sqrt");
    scope = take(sizeof *scope);
    struct expr *two = make(CONSTANT, 1, t); two->operand[0].number = 0;
    whole = make(CALL, 3, t);
    whole->operand[0].expr = name; whole->operand[1].expr = one; whole->operand[2].expr = two;
    scope->outer = take(sizeof *scope);
    scope->outer->outer = NULL; scope->outer->first = one; scope->outer->weight = 0.5;
    scope->first = whole; scope->weight = 2.5;
    stop(whole);
    return 0;
}
"#;

#[test]
fn objects_in_a_pool_are_found_by_the_pointers_to_them() {
    let Some(built) = build("pool.c", POOL, &["-O0"]) else { return };
    let stopped = built.stopped_at("stop", &[]);
    for (expression, value) in [
        ("whole->code", "CALL"),
        ("one->operand[0].number", "7"),
        ("two->code", "CONSTANT"),
        ("t->size", "4"),
        ("two->type", "t"),
        ("whole->operand[2].expr", "two"),
        ("name->operand[0].text", "\"sqrt\""),
        ("scope->weight", "2.5"),
        ("scope->outer->weight", "0.5"),
        ("scope->outer->outer", "0x0"),
    ] {
        assert_eq!(stopped.value(expression), value, "{expression}");
    }
}

/// An allocator whose cells have one length, whatever they hold: a pointer to notes finds what would be a task.
const SLAB: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct task { struct task *next; int id, cost; };
struct note { char text[24]; struct task *about; struct note *more; };
static char *slab;
static int used;
static struct task *tasks;
static struct note *notes;
static void *take(void) { return slab + 48 * used++; }
static void add(int id, int cost) {
    struct task *t = take(); t->id = id; t->cost = cost; t->next = tasks; tasks = t;
    struct note *n = take(); snprintf(n->text, sizeof n->text, "task %d", id); n->about = t; n->more = notes; notes = n;
}
void stop(void) { puts(notes->text); }
int main(void) {
    slab = malloc(4800);
    memset(slab, 0, 4800);
    for (int i = 1; i < 6; i++) add(i, 10 * i);
    stop();
    return 0;
}
"#;

#[test]
fn a_single_pointer_to_something_else_that_makes_sense_divides_a_block() {
    let Some(built) = build("slab.c", SLAB, &["-O0"]) else { return };
    let stopped = built.stopped_at("stop", &[]);
    for (expression, value) in [
        ("tasks->next->cost", "40"),
        ("notes->text", "\"task 5\""),
        ("notes->more->more->text", "\"task 3\""),
        ("notes->more->about", "tasks->next"),
    ] {
        assert_eq!(stopped.value(expression), value, "{expression}");
    }
}

/// A block is freed, its pointer stays, and the block is allocated again as something else.
const STALE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct edge { struct edge *next; long from, to; const char *label; };
struct node { long id; char *name; struct node *left, *right; };
struct bucket { unsigned long hash; struct bucket *next; long pad[6]; };
struct bucket *table;
char *changed;
long *a_buckets;
char *flags;
struct edge *an_old_edge;
struct node *root;
void stop(void) { puts(root->name); }
int main(void) {
    a_buckets = malloc(200);
    free(a_buckets);
    flags = malloc(200);
    memset(flags, 0, 200);
    flags[1] = 1; flags[6] = 1; flags[13] = 1;
    char *end = flags + 199;
    an_old_edge = malloc(sizeof *an_old_edge);
    free(an_old_edge);
    table = malloc(4 * sizeof *table);
    for (int i = 0; i < 4; i++) { table[i].hash = i; table[i].next = table; }
    free(table);
    changed = malloc(250);
    memset(changed, 0, 250);
    changed[4] = 1;
    root = malloc(sizeof *root);
    root->id = 9; root->name = "root"; root->left = root->right = NULL;
    stop();
    return *end;
}
"#;

#[test]
fn a_stale_pointer_does_not_own_a_block_that_is_in_use_again() {
    let Some(built) = build("stale.c", STALE, &["-O0"]) else { return };
    let stopped = built.stopped_at("stop", &[]);
    assert_eq!(stopped.value("root->name"), "\"root\"");
    assert_eq!(stopped.value("root->id"), "9");
    for name in ["flags", "changed"] {
        assert!(stopped.value(name).starts_with('"'), "{name}: {}", stopped.value(name));
    }
}

/// Values whose tags say what they are. A number that nothing else tells from another member is read as its tag says, as
/// those with the same tag for which there is a reason.
const TAGGED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
enum kind { KIND_TEXT, KIND_PAIR, KIND_NUMBER };
struct value {
    enum kind kind;
    union { char *text; struct { struct value *first, *second; } pair; int number; } as;
};
struct item { int what; union { struct { struct item *to; long weight; } link; struct { struct item *left, *right; } fork; } u; };
struct head { unsigned char flags; short type; };
struct cell {
    struct head head; int refs;
    union { double real; struct { char *text; unsigned long length; char small[16]; } str; struct { struct cell **items; int count, room; } list; } as;
};
struct cell *cells;
struct value *values[4];
struct item *items[4];
void stop(void) { printf("%d\n", values[2]->as.number); }
int main(void) {
    for (int i = 0; i < 4; i++) { values[i] = calloc(1, sizeof **values); items[i] = calloc(1, sizeof **items); }
    values[0]->kind = KIND_TEXT; values[0]->as.text = "hello";
    values[1]->kind = KIND_PAIR; values[1]->as.pair.first = values[0];
    values[2]->kind = KIND_NUMBER; values[2]->as.number = 5;
    values[3]->kind = KIND_NUMBER; values[3]->as.number = 0;
    items[0]->what = 3; items[0]->u.link.to = items[1]; items[0]->u.link.weight = 77;
    items[1]->what = 4; items[1]->u.fork.left = items[0]; items[1]->u.fork.right = items[2];
    items[2]->what = 3; items[2]->u.link.to = items[3];
    items[3]->what = 4; items[3]->u.fork.left = items[0];
    cells = calloc(1, sizeof *cells); cells->head.type = 12; cells->refs = 1;
    cells->as.list.items = calloc(8, sizeof(struct cell *)); cells->as.list.count = 2; cells->as.list.room = 8;
    for (int i = 0; i < 2; i++) {
        struct cell *c = cells->as.list.items[i] = calloc(1, sizeof *c);
        c->head.type = i ? 9 : 3; c->refs = 1;
        if (i) { c->as.str.text = c->as.str.small; c->as.str.small[0] = 'x'; c->as.str.length = 1; } else c->as.real = 2.5;
    }
    stop();
    return 0;
}
"#;

#[test]
fn the_tag_of_a_union_says_which_member_is_active() {
    let Some(built) = build("tagged.c", TAGGED, &["-O0"]) else { return };
    let stopped = built.stopped_at("stop", &[]);
    for (expression, value) in [
        ("values[0]->as.text", "\"hello\""),
        ("values[1]->as.pair.first", "values[0]"),
        ("values[2]->as.number", "5"),
        ("values[3]->as.number", "0"),
        ("items[0]->u.link.weight", "77"),
        ("items[2]->u.link.weight", "0"),
        ("items[3]->u.fork.right", "0x0"),
        ("cells->as.list.items[0]->as.real", "2.5"),
        ("cells->as.list.items[1]->as.str.text", "\"x\""),
        ("cells->as.list.count", "2"),
    ] {
        assert_eq!(stopped.value(expression), value, "{expression}");
    }
}

/// Objects that begin with a header and are linked by it. Typed pointers lead to one circle only; `NODE_TEXT` says its type by its name,
/// and nothing says what `THIRD` is.
const HEADERS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum tag { NODE_CIRCLE, NODE_TEXT, THIRD };
struct head { enum tag tag; unsigned char mark; struct head *next; };
struct circle { struct head head; double x, y; struct point *at; };
struct node_text { struct head head; int length; char text[]; };
struct other { struct head head; long numbers[5]; };
struct point { int x, y; };
struct head *all;
struct circle *named;
struct head *row;
static void *add(enum tag tag, size_t size) {
    struct head *head = calloc(1, size);
    head->tag = tag; head->next = all; all = head;
    return head;
}
static void add_others(void) {
    struct node_text *text = add(NODE_TEXT, sizeof *text + 40);
    text->length = 6; strcpy(text->text, "header");
    struct other *other = add(THIRD, sizeof *other);
    other->numbers[0] = 0x1122334455667788;
}
void stop(void) { printf("%d\n", all->tag); }
int main(void) {
    for (int i = 0; i < 3; i++) {
        struct circle *circle = add(NODE_CIRCLE, sizeof *circle);
        circle->x = i; circle->y = 0.5; circle->at = malloc(sizeof *circle->at);
        circle->at->x = 10 * i; circle->at->y = 7;
        if (i == 1) named = circle;
    }
    add_others();
    row = calloc(5, sizeof *row);
    for (int i = 0; i < 5; i++) row[i].tag = NODE_TEXT;
    stop();
    return 0;
}
"#;

#[test]
fn a_header_says_which_type_the_whole_object_has() {
    let Some(built) = build("headers.c", HEADERS, &["-O0"]) else { return };
    let stopped = built.stopped_at("stop", &[]);
    for (expression, value) in [
        ("all->tag", "THIRD"),
        ("all->next->head.tag", "NODE_TEXT"),
        ("all->next->text", "\"header\""),
        ("all->next->head.next->x", "2"),
        ("all->next->head.next->at[0].x", "20"),
        ("named->head.next->x", "0"),
        ("named->head.next->at[0].y", "7"),
        ("row[4].tag", "NODE_TEXT"),
    ] {
        assert_eq!(stopped.value(expression), value, "{expression}");
    }
    assert_eq!(stopped.state.graph.headers_only, 1, "the third");
    assert!(!stopped.listing().contains("all[1]"), "it is no array of headers");
}

/// Unions of pointers to different things that look alike. For one of them a tag says the member, since the tag was seen beside a pointer
/// that is known; for the others nothing does.
const RIVALS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
struct red { int a; struct red *next; };
struct blue { int b; struct blue *next; };
union any { struct red *red; struct blue *blue; };
struct tagged { int tag; union any any; };
struct plain { union any any; };
struct tagged first, second;
struct plain third;
struct red *known;
static void *make(int number) { int *made = calloc(1, 16); *made = number; return made; }
void stop(void) { printf("%d\n", first.tag); }
int main(void) {
    known = make(1);
    first.tag = 4; first.any.red = known;
    second.tag = 4; second.any.red = make(2);
    third.any.blue = make(3);
    stop();
    return 0;
}
"#;

#[test]
fn nothing_is_read_where_the_pointers_of_a_union_lead_if_two_members_make_sense() {
    let Some(built) = build("rivals.c", RIVALS, &["-O0"]) else { return };
    let stopped = built.stopped_at("stop", &[]);
    for (expression, value) in [("known->a", "1"), ("second.any.red->a", "2")] {
        assert_eq!(stopped.value(expression), value, "{expression}");
    }
    let listing = stopped.listing();
    assert!(!listing.contains("third.any.red->") && !listing.contains("third.any.blue->"), "{listing}");
    assert_eq!(stopped.state.graph.doubtful_unions, 1);
}
