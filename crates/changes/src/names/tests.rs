//! What a compiler would say of mixes of two versions.

use super::MixedNames;
use crate::deltas::change_set::ChangeSet;
use crate::trees::tree::Tree;
use howcome_dd::{Configuration, DeltaId};

/// A file by its path and its text.
type File<'a> = (&'a str, &'a str);

fn changes(good: &[File<'_>], bad: &[File<'_>]) -> ChangeSet {
    ChangeSet::by_unpaired_lines(&Tree::of_texts(good), &Tree::of_texts(bad)).unwrap()
}

/// The complaints about the good version with all removed and added lines that contain one of these texts.
fn complaints(good: &[File<'_>], bad: &[File<'_>], texts: &[&str]) -> Vec<String> {
    let changes = changes(good, bad);
    let has = |delta: &DeltaId| {
        let change = changes.describe(*delta).unwrap();
        let line = change.removed.iter().chain(&change.added).copied().next().unwrap();
        texts.iter().any(|text| String::from_utf8_lossy(line).contains(text))
    };
    let chosen: Configuration = changes.all().iter().filter(has).collect();
    let names = MixedNames::default();
    // There is nothing to complain about in the two versions themselves.
    for version in [Configuration::empty(), changes.all()] {
        assert_eq!(names.complaints(&changes, &version), []);
    }
    names.complaints(&changes, &chosen).iter().map(ToString::to_string).collect()
}

fn in_c(good: &str, bad: &str, texts: &[&str]) -> Vec<String> {
    complaints(&[("a.c", good)], &[("a.c", bad)], texts)
}

fn in_python(good: &str, bad: &str, texts: &[&str]) -> Vec<String> {
    complaints(&[("a.py", good)], &[("a.py", bad)], texts)
}

const NOTHING: [&str; 0] = [];

#[test]
fn a_label_and_a_variable_must_be_in_the_same_function() {
    let other = "int g(void)\n{\n  int n = 1;\nend:\n  return n;\n}\n";
    let good = format!("int f(int a)\n{{\n  a++;\n  return a;\n}}\n{other}");
    let bad = format!(
        "int f(int a)\n{{\n  int n = 2;\n  if (a) goto end;\n  a++;\n  a += n;\nend:\n  return a;\n}}\n{other}"
    );
    assert_eq!(in_c(&good, &bad, &["goto"]), ["a.c would use 'end' without a definition: line 3"]);
    assert_eq!(in_c(&good, &bad, &["+= n"]), ["a.c would use 'n' without a definition: line 4"]);
    for fine in [&["int n"][..], &["end:"], &["int n", "+= n"], &["goto", "end:"]] {
        assert_eq!(in_c(&good, &bad, fine), NOTHING, "{fine:?}");
    }
}

#[test]
fn a_name_that_no_changed_file_defines_is_defined_elsewhere() {
    let good = "int f(void)\n{\n  return 1;\n}\n";
    let bad = "int f(void)\n{\n  log_call();\n  LIMITS(count);\n  return errno + count;\n}\n";
    for line in ["log_call", "LIMITS", "errno"] {
        assert_eq!(in_c(good, bad, &[line]), NOTHING);
    }
}

#[test]
fn a_function_of_another_changed_file_must_be_there_and_take_as_many_arguments() {
    let use_of = |call: &str| format!("int b = 1;\nint f(void)\n{{\n  return {call};\n}}\n");
    let (one, two) = (use_of("area(1)"), use_of("area(1, half(4))"));
    let good =
        [("a.h", "int area(int w);\n"), ("a.c", "int area(int w)\n{\n  return w * w;\n}\n"), ("b.c", &one)];
    let bad = [
        ("a.h", "int area(int w, int h);\nint half(int n);\n"),
        ("a.c", "int area(int w, int h)\n{\n  return w * h;\n}\n"),
        ("b.c", &two),
    ];
    let said = complaints(&good, &bad, &["return area"]);
    assert!(said.contains(&"b.c would use 'half' without a definition: line 4".to_owned()), "{said:?}");
    assert!(said.contains(&"b.c would call 'area' with too many arguments: line 4".to_owned()), "{said:?}");
    let said = complaints(&good, &bad, &["int area", "half(int", "return w"]);
    assert_eq!(said, ["b.c would call 'area' with too few arguments: line 4"]);
    // In the header, a line ends with a semicolon.
    let said = complaints(&good, &bad, &["int w);", "int h);"]);
    assert!(said[0].contains("would declare 'area' in two ways"), "{said:?}");
}

#[test]
fn what_moves_must_be_there_once() {
    let good = "int f(void)\n{\n  int n = 1;\n  g();\n  h();\n  return n;\n}\n";
    let bad = "int f(void)\n{\n  g();\n  h();\n  int n = 1 ;\n  return n;\n}\n";
    assert_eq!(in_c(good, bad, &["n = 1;"]), ["a.c would use 'n' without a definition: line 5"]);
    assert_eq!(in_c(good, bad, &["n = 1 ;"]), ["a.c would define 'n' twice: line 6"]);
    assert_eq!(in_c(good, bad, &["n = 1"]), NOTHING);
}

#[test]
fn a_member_must_be_in_some_structure() {
    let good = "struct box { int w; };\nint f(struct box *b)\n{\n  return b->w;\n}\n";
    let bad = "struct box { int w; int h; };\nint f(struct box *b)\n{\n  return b->w * b->h;\n}\n";
    assert_eq!(in_c(good, bad, &["return"]), ["a.c would use 'h' without a definition: line 4"]);
    assert_eq!(in_c(good, bad, &["struct box {"]), NOTHING);
}

#[test]
fn python_misses_methods_imports_and_variables() {
    let good = "import os\n\nclass Parser:\n    def parse(self):\n        return 1\n";
    let bad = "import os\nfrom words import split\n\nclass Parser:\n    def parse(self):\n        text = os.sep\n        \
               parts = split(text)\n        return self._first(parts)\n\n    def _first(self, parts):\n        return parts[0]\n";
    let missing =
        |name: &str, line: u32| vec![format!("a.py would use '{name}' without a definition: line {line}")];
    assert_eq!(in_python(good, bad, &["import split", "parts ="]), missing("text", 7));
    assert_eq!(in_python(good, bad, &["text =", "parts ="]), missing("split", 7));
    let all_but_the_method = ["import split", "text =", "parts =", "return 1", "return self"];
    assert_eq!(in_python(good, bad, &all_but_the_method), missing("_first", 8));
    assert_eq!(in_python(good, bad, &["import split"]), NOTHING);
    assert_eq!(in_python(good, bad, &["import split", "text =", "parts ="]), NOTHING);
}

#[test]
fn python_has_many_ways_to_give_a_name() {
    let good = "def f(a):\n    return a\n";
    let uses = "    return e, k, n, p, r, t, w, x, y, z, a\n";
    let bad = format!(
        "def f(a):\n    k = r = 1\n    x: int = 2\n    for n, (y, *z) in a: pass\n    with a as t: pass\n    \
         print([w := 1])\n    import os.path as p\n    def e(): pass\n{uses}"
    );
    for (line, names) in [
        ("k = r", &["k", "r"][..]),
        ("x: int", &["x"]),
        ("for n", &["n", "y", "z"]),
        ("with a", &["t"]),
        ("print", &["w"]),
        ("import", &["p"]),
        ("def e", &["e"]),
    ] {
        let lines = ["k = r", "x: int", "for n", "with a", "print", "import", "def e", "return"];
        let others: Vec<&str> = lines.into_iter().filter(|other| *other != line).collect();
        let said = in_python(good, &bad, &others);
        let expected: Vec<String> = names
            .iter()
            .map(|name| format!("a.py would use '{name}' without a definition: line 8"))
            .collect();
        assert_eq!(said, expected, "without {line}");
    }
}

#[test]
fn two_files_can_have_functions_of_their_own_with_the_same_name() {
    let file = |of: &str, parameters: &str| format!("static {of} area({parameters})\n{{\n  return 1;\n}}\n");
    let [one, other] = [file("int", "int w"), file("long", "int w")];
    let good = [("a.c", one.as_str()), ("b.c", &other)];
    let [one, other] = [file("int", "int w, int h"), file("long", "int w, int h")];
    let bad = [("a.c", one.as_str()), ("b.c", &other)];
    assert_eq!(complaints(&good, &bad, &["static int"]), NOTHING);
}

#[test]
fn what_is_compiled_only_sometimes_needs_nothing() {
    let good = "int f(void)\n{\n  return 1;\n}\n";
    let bad = "int half(int n);\nint f(void)\n{\n#ifdef _WIN32\n  return half(2);\n#endif\n  return 1;\n}\n";
    assert_eq!(in_c(good, bad, &["#ifdef", "return half", "#endif"]), NOTHING);
}

#[test]
fn python_defines_names_itself_and_modules_can_bring_any() {
    let good = "def f(a):\n    return a\n";
    let bad = "def open(path):\n    return path\n\ndef f(a):\n    return open(a).format()\n\ndef format(self):\n    return 1\n";
    assert_eq!(in_python(good, bad, &["return open"]), NOTHING);
    let star = |text: &str| format!("from words import *\n{text}");
    let bad = "def first(path):\n    return path\n\ndef f(a):\n    return first(a)\n";
    assert_eq!(
        in_python(good, bad, &["return first"]),
        ["a.py would use 'first' without a definition: line 3"]
    );
    assert_eq!(in_python(&star(good), &star(bad), &["return first"]), NOTHING);
}

#[test]
fn a_name_that_a_version_uses_without_a_definition_is_defined_elsewhere() {
    let good = "def g(a):\n    return a.first()\n\ndef f(a):\n    return a\n";
    let bad = "def g(a):\n    return a.first()\n\ndef f(a):\n    return a.first()\n\nclass Words:\n    def first(self):\n        return self\n";
    assert_eq!(in_python(good, bad, &["    return a"]), NOTHING);
}
