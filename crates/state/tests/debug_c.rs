//! Debug information of C programs: by two compilers, in two versions of DWARF, at fixed addresses and at others.

#![allow(clippy::unwrap_used)]

#[path = "debug/built.rs"]
#[allow(dead_code)]
mod built;

use built::{Built, build};
use howcome_state::debug::{BitField, RecordKind, ScalarEncoding, Type};

const SOURCE: &str = r#"#include <stdio.h>
#include <stdlib.h>

enum colour { RED, GREEN = 5, BLUE = -1 };
struct node { struct node *next; int id; char name[8]; };
struct flags { unsigned a : 3; unsigned b : 7; unsigned c : 30; signed d : 2; };
typedef struct { double x, y; union { int i; float f; }; } point;
struct tail { int n; int items[]; };
struct hidden;

int counter = 42;
static enum colour colour = BLUE;
const int constant = 7;
static const char *const words[] = { "one", "two" };
struct node *list;
struct flags flags = { 5, 100, 123456789, -1 };
point here = { 1.5, 2.5, { 3 } };
int grid[3][4];
int (*callback)(const char *);
struct hidden *secret;
long double wide = 1.0L;
unsigned char byte = 200;
_Bool truth = 1;

static int depth(struct node *start, int limit)
{
    static int calls = 3;
    int found = 0;
    for (struct node *at = start; at && found < limit; at = at->next) {
        int here = at->id;
        if (here == 2)
            calls++;
        found++;
    }
    return found + calls;
}

static struct node *push(struct node *next, int id)
{
    struct node *made = malloc(sizeof *made);
    made->next = next;
    made->id = id;
    snprintf(made->name, sizeof made->name, "n%d", id);
    return made;
}

int main(int argc, char **argv)
{
    int total = 0;
    struct tail *tail = malloc(sizeof *tail + 12);
    tail->n = 3;
    callback = puts;
    for (int i = 0; i < 3; i++)
        list = push(list, i);
    total = depth(list, 10);
    printf("%d %s %d %d\n", total, argv[0], argc, colour);
    return 0;
}
"#;

const BUILDS: [&str; 6] = [
    "gcc -g -O0 -o program {}",
    "gcc -g -gdwarf-4 -O0 -o program {}",
    "gcc -g -O0 -no-pie -o program {}",
    "clang -g -O0 -o program {}",
    "clang -g -gdwarf-4 -O0 -o program {}",
    "gcc -g -O0 -static -o program {}",
];

fn each_build(check: impl Fn(&Built, &str)) {
    for command in BUILDS {
        if let Some(built) = build(SOURCE, "c", command) {
            eprintln!("{command}");
            check(&built, command);
        }
    }
}

#[test]
fn a_stopped_program_shows_its_frames_and_the_values_of_its_variables() {
    each_build(|built, _| {
        let stopped = built.stop_at("depth");
        assert_eq!(stopped.names()[..2], ["depth", "main"]);
        assert!(stopped.names().last().unwrap().contains("_start"), "{:?}", stopped.names());

        assert_eq!(stopped.number(&stopped.local(0, "limit")), 10);
        assert_eq!(stopped.number(&stopped.local(1, "argc")), 1);
        let start = stopped.number(&stopped.local(0, "start"));
        assert_eq!(start, stopped.number(&stopped.global("list")));
        assert_eq!(stopped.number(&stopped.global("counter")), 42);
        assert_eq!(stopped.number(&stopped.global("byte")), 200);
        let calls = stopped.global("calls");
        assert_eq!(calls.function.as_deref(), Some("depth"));
        assert_eq!(stopped.number(&calls), 3);
        assert!(calls.file.ends_with("program.c"), "{}", calls.file);
        let (at, ty) = stopped.member(&stopped.global("here"), "y");
        let bits = stopped.snapshot.number(at, stopped.program.size(ty)).unwrap();
        assert_eq!(f64::from_bits(bits), 2.5);
        assert_eq!(stopped.program.lost_locals(&stopped.frames[0], &stopped.snapshot), 0);
    });
}

#[test]
fn constants_and_statics_are_not_among_the_wrong_ones() {
    each_build(|built, _| {
        let stopped = built.stop_at("depth");
        let globals = stopped.program.globals(&stopped.snapshot);
        for constant in ["constant", "words"] {
            assert!(globals.iter().all(|global| global.name != constant));
        }
        assert!(stopped.locals(0).iter().all(|local| local.name != "calls"));
        let names: Vec<String> = stopped.locals(0).into_iter().map(|local| local.name).collect();
        assert!(names.iter().any(|name| name == "found"), "{names:?}");
        // The loop has not begun where the body begins.
        assert!(names.iter().all(|name| name != "here"), "{names:?}");
    });
}

#[test]
fn locals_of_inner_scopes_come_first() {
    each_build(|built, _| {
        let stopped = built.stop(&[], |program| program.addresses_of_line("program.c", 31)[0]);
        let names: Vec<String> = stopped.locals(0).into_iter().map(|local| local.name).collect();
        assert_eq!(names, ["here", "at", "start", "limit", "found"]);
        assert_eq!(stopped.number(&stopped.local(0, "here")), 2);
        assert_eq!(stopped.number(&stopped.local(0, "found")), 0);
    });
}

#[test]
fn types_are_what_the_source_says() {
    each_build(|built, command| {
        let stopped = built.stop_at("depth");
        let program = &stopped.program;
        let ty = |name: &str| program.ty(stopped.global(name).ty);
        let name = |name: &str| program.type_name(stopped.global(name).ty);

        assert_eq!(name("list"), "struct node *");
        assert_eq!(name("here"), "point");
        assert_eq!(name("grid"), "int [3][4]");
        assert_eq!(name("callback"), "int (*)(char *)");
        assert_eq!(name("colour"), "enum colour");
        assert_eq!(name("secret"), "struct hidden *");
        assert_eq!(program.size(stopped.global("grid").ty), 48);
        assert!(matches!(&*ty("truth"), Type::Scalar { encoding: ScalarEncoding::Boolean, size: 1, .. }));
        assert!(matches!(&*ty("wide"), Type::Scalar { encoding: ScalarEncoding::Float, size: 16, .. }));
        assert!(matches!(
            &*ty("byte"),
            Type::Scalar { encoding: ScalarEncoding::Character { signed: false }, .. }
        ));

        let Type::Enumeration { values, size: 4, .. } = &*ty("colour") else { panic!() };
        let expected = [("RED", 0), ("GREEN", 5), ("BLUE", -1)];
        assert!(values.iter().map(|(name, value)| (name.as_str(), *value)).eq(expected), "{values:?}");

        let Type::Pointer { to, is_reference: false } = &*ty("list") else { panic!() };
        let Type::Record(node) = &*program.ty(*to) else { panic!() };
        assert_eq!((node.name.as_str(), node.size, node.kind), ("node", 24, RecordKind::Struct));
        let members: Vec<_> =
            node.members.iter().map(|member| (member.name.as_str(), member.offset)).collect();
        assert_eq!(members, [("next", 0), ("id", 8), ("name", 12)]);
        assert_eq!(node.members[0].ty, stopped.global("list").ty);
        assert!(!node.is_rust);

        let Type::Record(flags) = &*ty("flags") else { panic!() };
        let fields: Vec<_> =
            flags.members.iter().map(|member| (member.offset, member.bits.unwrap())).collect();
        let bits = |skip, count| BitField { skip, count };
        assert_eq!(
            fields,
            [(0, bits(0, 3)), (0, bits(3, 7)), (4, bits(0, 30)), (7, bits(6, 2))],
            "{command}"
        );

        let Type::Record(point) = &*ty("here") else { panic!() };
        let Type::Record(anonymous) = &*program.ty(point.members[2].ty) else { panic!() };
        assert_eq!((point.members[2].name.as_str(), anonymous.kind), ("", RecordKind::Union));

        let Type::Array { of, count: Some(3) } = &*ty("grid") else { panic!() };
        assert!(matches!(&*program.ty(*of), Type::Array { count: Some(4), .. }));

        let Type::Pointer { to, .. } = &*ty("secret") else { panic!() };
        assert!(matches!(&*program.ty(*to), Type::Opaque { name } if name == "hidden"));
        let Type::Pointer { to, .. } = &*ty("callback") else { panic!() };
        assert!(matches!(&*program.ty(*to), Type::Function { .. }));

        let Type::Pointer { to, .. } = &*program.ty(stopped.local(1, "tail").ty) else { panic!() };
        let Type::Record(tail) = &*program.ty(*to) else { panic!() };
        assert!(matches!(&*program.ty(tail.members[1].ty), Type::Array { count: None, .. }));
        assert_eq!(program.type_named("node"), program.type_named("struct node"));
        assert_eq!(program.size(program.type_named("node").unwrap()), 24);
    });
}

#[test]
fn lines_and_addresses_belong_to_each_other() {
    each_build(|built, _| {
        let program = built.load();
        let id = program.functions_named("depth")[0];
        let depth = program.function(id);
        assert_eq!(depth.line, 28);
        assert!(depth.file.is_absolute() && depth.file.ends_with("program.c"));
        assert_eq!(program.line_at(depth.body).unwrap().line, 28);
        assert_eq!(program.function_at(depth.body), Some(id));
        let entry = depth.ranges[0].0;
        assert_eq!(program.addresses_of_line("program.c", 25), [depth.body]);
        assert_eq!(program.symbol("depth"), Some(entry));
        assert_eq!(program.name_at(entry).as_deref(), Some("depth"));
        let lines: Vec<u32> = program.statements(id).iter().map(|(_, line)| line.line).collect();
        for line in [28, 29, 30, 31, 32, 33, 35] {
            assert!(lines.contains(&line), "{line} in {lines:?}");
        }
        assert_eq!(program.addresses_of_line("./program.c", 25), [depth.body]);
        assert!(program.addresses_of_line("am.c", 28).is_empty());
        assert!(program.addresses_of_line("program.c", 4000).is_empty());
    });
}

#[test]
fn symbols_of_libraries_are_found() {
    let Some(built) = build(SOURCE, "c", BUILDS[0]) else { return };
    let stopped = built.stop_at("depth");
    let malloc = stopped.program.symbol("malloc").unwrap();
    assert_eq!(stopped.program.name_at(malloc).as_deref(), Some("malloc"));
    assert!(stopped.program.symbol("stdout").is_some());
    assert_eq!(stopped.program.symbol("no such symbol"), None);
    let callback = stopped.number(&stopped.global("callback"));
    assert!(stopped.program.name_at(howcome_state::Address(callback)).unwrap().contains("puts"));
}

#[test]
fn frames_inside_libraries_are_unwound() {
    let Some(built) = build(SOURCE, "c", BUILDS[0]) else { return };
    let stopped = built.stop(&[], |program| program.symbol("sbrk").unwrap());
    let names = stopped.names();
    let main = names.iter().position(|name| name == "main").unwrap_or_else(|| panic!("{names:?}"));
    assert!(main > 2, "{names:?}");
    assert!(names.last().unwrap().contains("_start"));
    assert_eq!(stopped.number(&stopped.local(main, "argc")), 1);
}
