//! Programs of several units and libraries: the same type has the same number everywhere.

#![allow(clippy::unwrap_used)]

#[path = "debug/built.rs"]
#[allow(dead_code)]
mod built;

use built::{Built, run};
use howcome_state::debug::Type;
use std::fs;

fn built(files: &[(&str, &str)], commands: &[&str]) -> Option<Built> {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    for command in commands {
        let folder_name = folder.path().to_str().unwrap();
        let words: Vec<String> =
            command.split_whitespace().map(|word| word.replace("{}", folder_name)).collect();
        run(folder.path(), &words)?;
    }
    let program = folder.path().join("program");
    Some(Built { folder, program })
}

const SHARED: &str = "
struct item { int price; struct item *next; struct secret *secret; };
enum kind { ONE, TWO };
int total(struct item *items, enum kind kind, int *count);
";
const ONE: &str = r#"
#include "shared.h"
struct item first = { 7, 0, 0 };
enum kind kind = TWO;
volatile struct local { char c; } same_name;
volatile int number[4];
int main(void) { number[0] = 1; same_name.c = 1; return total(&first, kind, (int *)number) - 7; }
"#;
const OTHER: &str = r#"
#include "shared.h"
struct secret { long key; };
static struct secret secret = { 99 };
volatile struct local { double d; } other_name;
volatile int more[4];
__attribute__((noinline)) static double sum_of(int *count) { return *count; }
int total(struct item *items, enum kind kind, int *count) {
    items->secret = &secret;
    more[0] = kind;
    other_name.d = sum_of(count);
    int sum = 0;
    while (items) { sum += items->price; items = items->next; *count += kind; }
    return sum;
}
"#;

#[test]
fn a_type_of_two_units_is_one_type() {
    for compiler in ["gcc -g -O0", "gcc -g -gdwarf-4", "clang -g -O0", "gcc -g -flto -O1 -fno-inline"] {
        let command = format!("{compiler} -o program one.c other.c");
        let files = [("shared.h", SHARED), ("one.c", ONE), ("other.c", OTHER)];
        let Some(built) = built(&files, &[&command]) else { continue };
        eprintln!("{command}");
        let stopped = built.stop_at("total");
        let program = &stopped.program;
        assert_eq!(stopped.global("number").ty, stopped.global("more").ty);
        let items = stopped.local(0, "items").ty;
        let Type::Pointer { to, .. } = &*program.ty(items) else { panic!() };
        assert_eq!(*to, stopped.global("first").ty);
        let Type::Record(item) = &*program.ty(*to) else { panic!() };
        assert_eq!(item.members[1].ty, items);
        // This unit only declares the struct.
        let Type::Pointer { to: secret, .. } = &*program.ty(item.members[2].ty) else { panic!() };
        assert!(
            matches!(&*program.ty(*secret), Type::Record(record) if record.size == 8),
            "{:?}",
            program.ty(*secret)
        );
        assert_eq!(*secret, stopped.global("secret").ty);
        // Two structs with the same name are two types.
        let (one, other) = (stopped.global("same_name"), stopped.global("other_name"));
        assert_ne!(one.ty, other.ty);
        assert_eq!((program.size(one.ty), program.size(other.ty)), (1, 8));
        assert!(stopped.global("number").file.ends_with("one.c"));
    }
}

#[test]
fn libraries_with_debug_information_are_read_too() {
    let commands = [
        "gcc -g -O0 -shared -fPIC -o libother.so other.c",
        "gcc -g -O0 -o program one.c -L. -lother -Wl,-rpath,{}",
    ];
    let Some(built) = built(&[("shared.h", SHARED), ("one.c", ONE), ("other.c", OTHER)], &commands) else {
        return;
    };
    let stopped = built.stop_at("total");
    assert_eq!(stopped.names()[..2], ["total", "main"]);
    let program = &stopped.program;
    let module = |name: &str| program.function(program.functions_named(name)[0]).module;
    assert_eq!(module("main"), 0);
    assert_ne!(module("total"), 0);
    let Type::Pointer { to, .. } = &*program.ty(stopped.local(0, "items").ty) else { panic!() };
    assert_eq!(*to, stopped.global("first").ty);
    let Type::Record(item) = &*program.ty(*to) else { panic!() };
    let Type::Pointer { to: secret, .. } = &*program.ty(item.members[2].ty) else { panic!() };
    assert_eq!(*secret, stopped.global("secret").ty);
    let more = stopped.global("more");
    assert_eq!(program.symbol("more"), Some(more.at));
}
