//! Mixes of lines that have the syntax of neither version.

use crate::world::{PLAIN, files, tree};
use howcome_changes::{Base, Candidate, ChangeSet, ChangeSpace};
use howcome_dd::Configuration;
use howcome_run::Subject;
use std::sync::Arc;

/// The changes of a file by lines. In the text, `-` marks lines of the good version and `+` those of the bad version.
fn space(name: &str, marked: &str) -> ChangeSpace {
    let version = |mark: char| {
        let lines = marked.lines().filter(|line| line.starts_with([' ', mark]));
        let text: String = lines.map(|line| format!("{}\n", &line[1..])).collect();
        let all: &[_] = &[(name, PLAIN, text.as_bytes())];
        tree(&files(if text.is_empty() { &[] } else { all }))
    };
    let (good, bad) = (version('-'), version('+'));
    let changes = Arc::new(ChangeSet::by_lines(&good, &bad).unwrap());
    ChangeSpace::on(&Candidate::of(Base::new(good, b"good")), &changes)
}

/// Why some deltas, numbered from 1, are not worth a test.
fn rejection(space: &ChangeSpace, configuration: &Configuration) -> String {
    space.rejects(configuration).unwrap_or_else(|| "ok".to_owned())
}

/// For each delta, what is said about it alone, and about all others without it.
fn verdicts(name: &str, marked: &str) -> Vec<String> {
    let space = space(name, marked);
    let all = space.changes.all();
    let of_delta = |delta| {
        let alone = rejection(&space, &Configuration::empty().with_delta(delta));
        let without = rejection(&space, &all.without_delta(delta));
        format!("{alone} | {without}")
    };
    all.iter().map(of_delta).collect()
}

#[test]
fn tmp_print() {
    for (name, text) in CASES {
        println!("--- {name}");
        for (v, l) in verdicts(name, text).iter().zip(text.lines().filter(|l| !l.starts_with(' '))) {
            println!("{l:40} {v}");
        }
    }
}

const CASES: &[(&str, &str)] = &[
    ("a.py", " x = 1\n+def f(a):\n+    y = a\n+    return y\n z = 2\n"),
    ("a.py", " x = 1\n+total = sum(\n+    1,\n+    2,\n+)\n z = 2\n"),
    ("a.py", " def f(a):\n-    return a\n+    if a:\n+        return a\n+    return 0\n z = 2\n"),
    ("a.py", " def f(a):\n+    for b in a:\n+        print(b)\n     return a\n z = 2\n"),
    ("a.py", " def f(a):\n+    \"\"\"Text.\"\"\"\n+    b = a\n+    return b\n z = 2\n"),
    ("a.py", "-def f(a):\n-    b = a\n-    return b\n z = 2\n"),
    ("a.py", " if a:\n+    b = 1\n+    c = 1\n+else:\n     d = 1\n"),
    ("a.py", " try:\n     a()\n-except E:\n-    b()\n+except F:\n+    c()\n d()\n"),
    ("a.c", " int x;\n+int f(int a) {\n+    int b = a;\n+    return b;\n+}\n int z;\n"),
    (
        "a.c",
        " int f(int a)\n {\n-    return a;\n+    if (a)\n+        a = 1;\n+    a++;\n+    return a;\n }\n",
    ),
    ("a.c", " int f(int a)\n {\n     g(a,\n-      1,\n-      2);\n+      2,\n+      3);\n }\n"),
    ("a.cpp", " struct A {\n+    void m() {\n+        run();\n+    }\n     int x;\n };\n"),
    ("a.rs", " fn f() -> i32 {\n-    1\n+    if g() {\n+        return 2;\n+    }\n+    2\n }\n"),
    ("a.rs", "+fn f() -> i32 {\n+    2\n+}\n fn g() {\n     h();\n }\n"),
    ("a.js", " const a = 1;\n+function f() {\n+  return a;\n+}\n f();\n"),
    ("a.js", " const a = [\n+  1,\n   2,\n-  3,\n+  4,\n ];\n"),
    ("a.js", " f(a);\n+if (a)\n+  g(a);\n h(a);\n"),
    (
        "a.go",
        " package a\n+func f() int {\n+\treturn 1\n+}\n func g() {\n+\tif x {\n+\t\treturn\n+\t}\n \th()\n }\n",
    ),
    ("A.java", " class A {\n+    int f() {\n+        return 1;\n+    }\n     int x;\n }\n"),
    ("a.json", " {\n+  \"a\": 1,\n+  \"b\": [\n+    1\n+  ],\n   \"c\": 2\n }\n"),
    ("new.py", "+import os\n+def f():\n+    return os\n+\n+f()\n"),
];
