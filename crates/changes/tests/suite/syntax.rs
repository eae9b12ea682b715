//! The functions and types that changes lie in.

use crate::world::{PLAIN, changes, files, path, words};
use howcome_changes::ChangeSet;
use howcome_changes::syntax::{LARGEST, by_function, functions};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The functions of a text, as `name first-last`.
fn found(name: &str, text: &str) -> Vec<String> {
    let items = functions(&path(name.as_bytes()), text.as_bytes());
    let line = |item: &howcome_changes::syntax::CodeItem| {
        let name = String::from_utf8(item.name.clone()).unwrap();
        format!("{name} {}-{}", item.lines.start, item.lines.end - 1)
    };
    items.iter().map(line).collect()
}

fn edits(name: &str, good: &str, bad: &str) -> ChangeSet {
    let version = |text: &str| files(&[(name, PLAIN, text.as_bytes())]);
    changes(&version(good), &version(bad))
}

fn groups(changes: &ChangeSet) -> Vec<Vec<u32>> {
    by_function(changes).iter().map(|group| group.iter().map(|delta| delta.0).collect()).collect()
}

#[test]
fn functions_types_and_macros_of_c_have_their_names_and_lines() {
    let text = "\
#define TWICE(x) \\
    ((x) * 2)
#define ONE 1

struct point;
struct point { int x; };
typedef struct {
    enum { A, B } kind;
} box_t;

static char **
names(struct point *p)
{
    return 0;
}
int (*handler(void))(int) { return 0; }
int old(a) int a; { return a; }
";
    let expected = ["TWICE 1-2", "ONE 3-3", "point 6-6", "box_t 7-9", " 8-8", "names 11-15"];
    let expected = expected.into_iter().chain(["handler 16-16", "old 17-17"]);
    assert_eq!(found("a.c", text), expected.collect::<Vec<_>>());
}

#[test]
fn methods_of_cpp_lie_in_their_class_and_namespaces_are_nothing() {
    let text = "\
namespace n {
template <typename T>
class Stack {
    void push(T t) {
    }
    ~Stack() {}
};
template <typename T>
T &Stack<T>::top() {
    return t;
}
}
";
    assert_eq!(found("a.hpp", text), ["Stack 2-7", "push 4-5", "~Stack 6-6", "Stack<T>::top 8-11"]);
}

#[test]
fn every_other_language_has_its_functions() {
    let python = "@cache\ndef f():\n    def g(): pass\n    return g\n\nclass C:\n    async def m(self):\n        pass\n";
    assert_eq!(found("a.py", python), ["f 1-4", "g 3-3", "C 6-8", "m 7-8"]);
    let rust =
        "impl A {\n    fn m(&self) {}\n}\nmacro_rules! x {\n    () => {};\n}\nenum E { A }\nstruct S;\n";
    assert_eq!(found("a.rs", rust), ["m 2-2", "x 4-6", "E 7-7", "S 8-8"]);
    let go = "package a\nfunc (s *S) M() {\n}\ntype S struct {\n\tx int\n}\n";
    assert_eq!(found("a.go", go), ["M 2-3", "S 4-6"]);
    let java = "class A {\n  A() {\n  }\n  int m() {\n    return 1;\n  }\n}\nenum E { X }\n";
    assert_eq!(found("A.java", java), ["A 1-7", "A 2-3", "m 4-6", "E 8-8"]);
    let script = "export function f() {\n}\nconst g = (x) => {\n};\nexports.h = function () {\n};\n\
                  (function () {\n  class C { m() {} }\n  run(() => 1);\n})();\n";
    assert_eq!(found("a.mjs", script), ["f 1-2", "g 3-4", "exports.h 5-6", "C 8-8", "m 8-8"]);
}

#[test]
fn what_does_not_parse_keeps_the_functions_that_can_be_made_out() {
    let text = "int f(void) {\n  return 1;\n}\n<<<<<<< ours\n)) ??? {\nint g(void) {\n  return 2;\n}\n";
    assert!(found("a.c", text).contains(&"f 1-3".to_owned()));
    assert_eq!(found("a.c", ""), [""; 0]);
    assert_eq!(found("a.txt", "int f(void) {}"), [""; 0]);
}

#[test]
fn of_a_huge_file_nothing_is_known() {
    let text = |blanks: usize| format!("int f(void) {{ return 1; }}{}", " ".repeat(blanks));
    let blanks = LARGEST - text(0).len();
    assert_eq!(found("a.c", &text(blanks)).len(), 1);
    assert_eq!(found("a.c", &text(blanks + 1)).len(), 0);
}

#[test]
fn changes_of_one_function_are_a_group_and_those_outside_of_any_are_not() {
    let good = "#include <a.h>\n\n\nint f(void) {\n  a();\n  b();\n  c();\n  d();\n}\n\n\nint g(void) {\n  e();\n}\n";
    let bad = good.replace("a.h", "b.h").replace("a()", "A()").replace("d()", "D()").replace("e()", "E()");
    let changes = edits("a.c", good, &bad);
    assert_eq!(changes.len(), 4, "{:?}", words(&changes));
    assert_eq!(groups(&changes), [vec![1, 2], vec![3]]);
}

#[test]
fn lines_that_only_go_belong_to_the_function_they_went_from() {
    let good = "int f(void) {\n  a();\n  b();\n  c();\n  d();\n  e();\n}\n\nint g(void) {\n  x();\n}\n";
    let bad = "int f(void) {\n  A();\n  b();\n  c();\n  e();\n}\n";
    let changes = edits("a.c", good, bad);
    assert_eq!(
        words(&changes),
        ["a.c:2: 1 line removed, 1 added", "a.c:5: 1 line removed", "a.c:7: 4 lines removed"]
    );
    assert_eq!(groups(&changes), [vec![0, 1], vec![2]]);
}

#[test]
fn lines_that_went_from_a_function_do_not_belong_to_the_one_that_swallowed_it() {
    let good = "int f(void) {\n  a();\n  b();\n  c();\n}\nint g(void) {\n  d();\n  e();\n  x();\n  y();\n}\n";
    let bad = "int f(void) {\n  A();\n  b();\n  c();\n  d();\n  e();\n  y();\n}\n";
    let changes = edits("a.c", good, bad);
    assert_eq!(changes.len(), 3, "{:?}", words(&changes));
    assert_eq!(groups(&changes), [[0], [2]]);
}

#[test]
fn a_hunk_over_two_functions_is_in_neither() {
    let good = "int f(void) {\n  a();\n}\nint g(void) {\n  b();\n}\n";
    let bad = "int f(void) {\n  a();\n  x();\n}\nint g(void) { // y\n  b();\n}\n";
    assert_eq!(groups(&edits("a.c", good, bad)), [[0; 0]; 0]);
}

/// Some functions, each by its number with the numbers of its statements.
type Program = BTreeMap<u32, Vec<u32>>;

/// Every line but the blank ones and the comments tells which function it is of.
fn written(program: &Program) -> String {
    let function = |(function, statements): (&u32, &Vec<u32>)| {
        let statement = |statement: &u32| format!("  run({statement}); // of {function}\n");
        let statements: String = statements.iter().map(statement).collect();
        format!(
            "int f{function}(void) {{ // of {function}\n{statements}}} // of {function}\n\n// Between.\n\n"
        )
    };
    program.iter().map(function).collect()
}

fn functions_named_in(lines: &[&[u8]]) -> BTreeSet<String> {
    let of = |line: &&[u8]| {
        Some(String::from_utf8(line.to_vec()).unwrap().split_once("// of ")?.1.trim().to_owned())
    };
    lines.iter().filter_map(of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn two_changes_share_a_group_just_when_their_lines_are_of_the_same_function(
        good in prop::collection::btree_map(0_u32..6, prop::collection::vec(0_u32..9, 1..9), 0..6),
        bad in prop::collection::btree_map(0_u32..6, prop::collection::vec(0_u32..9, 1..9), 0..6),
        keep in prop::collection::btree_set(0_u32..6, 0..5),
    ) {
        let mut edited: Program = good.clone();
        edited.retain(|function, _| keep.contains(function) || bad.contains_key(function));
        for (function, statements) in &bad {
            let old = edited.entry(*function).or_default();
            let kept = old.len().min(3);
            *old = old[..kept].iter().chain(statements).copied().collect();
        }
        let changes = edits("a.c", &written(&good), &written(&edited));

        let mut expected: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for delta in changes.all().iter() {
            let change = changes.describe(delta).unwrap();
            let lines = if change.added.is_empty() { &change.removed } else { &change.added };
            let named = functions_named_in(lines);
            if named.len() == 1 {
                expected.entry(named.into_iter().next().unwrap()).or_default().push(delta.0);
            }
        }
        let mut expected: Vec<_> = expected.into_values().collect();
        expected.sort();
        prop_assert_eq!(groups(&changes), expected);
    }

    #[test]
    fn no_bytes_are_too_strange(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        extension in prop::sample::select(vec!["c", "cpp", "rs", "py", "js", "java", "go"]),
    ) {
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
        for item in functions(&path(format!("a.{extension}").as_bytes()), &bytes) {
            prop_assert!(0 < item.lines.start && item.lines.start < item.lines.end && item.lines.end <= lines + 1);
        }
    }
}
