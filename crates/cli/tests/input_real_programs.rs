//! Real programs as tests of inputs: the answer still fails, and the program itself confirms that no single character can be
//! removed. If a program is not installed, its test is recorded as skipped.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use std::fs;
use std::process::{Command, Stdio};

/// An input that a program is to judge.
struct ProgramCase<'a> {
    program: &'a str,
    name: &'a str,
    input: &'a str,
    /// A shell command that exits with 0 if the file is interesting.
    test: &'a str,
    /// The answer has at most this many bytes.
    enough: usize,
}

impl ProgramCase<'_> {
    fn check(&self) {
        if !howcome_testing::need_program(self.program) {
            return;
        }
        let place = Place::empty();
        place.write(self.name, self.input.as_bytes());
        place.script("test.sh", &format!("#!/bin/sh\n{}\n", self.test));
        assert!(self.is_interesting(&place, self.input.as_bytes()), "{} sees nothing in it", self.program);
        let json = place.json(&[
            "input",
            self.name,
            "-q",
            "--json",
            "--run-dir",
            "run",
            "-o",
            "answer",
            "--",
            "./test.sh",
        ]);
        let answer = place.read("answer");
        let shown = String::from_utf8_lossy(&answer).into_owned();
        assert_eq!(json["ending"], "found", "{json}");
        assert_eq!(json["verified"]["alone_fails"], true, "{json}");
        assert_eq!(place.read(self.name), self.input.as_bytes());
        assert!(answer.len() <= self.enough, "{}: {} bytes: {shown}", self.program, answer.len());
        assert!(self.is_interesting(&place, &answer), "{shown}");
        assert_eq!(json["minimal"]["of"], "characters", "{json}");
        assert_eq!(json["minimal"]["checked"], true, "{json}");
        for (at, removed) in shown.char_indices() {
            let fewer = [&answer[..at], &answer[at + removed.len_utf8()..]].concat();
            assert!(
                !self.is_interesting(&place, &fewer),
                "{}: character {at} of {shown} can go",
                self.program
            );
        }
    }

    /// Runs the test without howcome.
    fn is_interesting(&self, place: &Place, bytes: &[u8]) -> bool {
        let folder = place.path("by-hand");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(self.name), bytes).unwrap();
        let mut test = Command::new(place.path("test.sh"));
        test.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        test.status().unwrap().success()
    }
}

const C: &str = r#"#include <stddef.h>
struct node { int value; struct node *next; };
static int sum(const struct node *list) {
    int total = 0;
    for (const struct node *at = list; at != NULL; at = at->next)
        total += at->value;
    return total;
}
static int product(int *values, size_t count) {
    int result = 1;
    for (size_t i = 0; i < count; i++) {
        if (values[i] = 0)
            break;
        result *= values[i];
    }
    return result;
}
int main(void) {
    struct node second = { 2, NULL }, first = { 1, &second };
    int values[] = { 1, 2, 3, 4 };
    return sum(&first) + product(values, 4);
}
"#;

#[test]
fn a_warning_of_gcc() {
    if !howcome_testing::runs_long_suites() {
        return;
    }
    let test = "gcc -Wall -Werror=implicit-int -Werror=implicit-function-declaration -fsyntax-only a.c 2>&1 | grep -q 'suggest parentheses around assignment'";
    ProgramCase { program: "gcc", name: "a.c", input: C, test, enough: 40 }.check();
}

#[test]
fn an_error_of_clang() {
    let input = C.replace("values[i] = 0", "values[i] == list");
    let test = "clang -fsyntax-only a.c 2>&1 | grep -q \"use of undeclared identifier 'list'\"";
    ProgramCase { program: "clang", name: "a.c", input: &input, test, enough: 20 }.check();
}

#[test]
fn an_optimisation_report_of_gcc() {
    if !howcome_testing::runs_long_suites() {
        return;
    }
    let input = "int add(int *a, int *b, int n) {\n    int s = 0;\n    for (int i = 0; i < n; i++) {\n        s += a[i] * b[i];\n    }\n    return s;\n}\nint other(int x) { return x * 2; }\n";
    let test = "gcc -O3 -fopt-info-vec -c -o a.o a.c 2>&1 | grep -q 'loop vectorized'";
    ProgramCase { program: "gcc", name: "a.c", input, test, enough: 70 }.check();
}

#[test]
fn an_exception_of_python() {
    let input = "import json\n\ndef load(text):\n    data = json.loads(text)\n    return {k: v for k, v in data.items()}\n\ndef total(values):\n    result = 0\n    for value in values:\n        result += value\n    return result\n\nprint(total([1, 2, '3']))\n";
    let test = "python3 a.py 2>&1 | grep -q 'TypeError: unsupported operand'";
    ProgramCase { program: "python3", name: "a.py", input, test, enough: 40 }.check();
}

#[test]
fn a_number_that_jq_does_not_keep() {
    let input = r#"{"users": [{"id": 1, "name": "one"}, {"id": 12345678901234567890123, "name": "two", "tags": ["a", "b"]}], "next": null}"#;
    let test = "jq . a.json | grep -q '000000\\|e+22'";
    ProgramCase { program: "jq", name: "a.json", input, test, enough: 25 }.check();
}

#[test]
fn a_constraint_of_sqlite() {
    if !howcome_testing::runs_long_suites() {
        return;
    }
    let input = "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL);\nCREATE INDEX by_name ON person (name);\nINSERT INTO person VALUES (1, 'one');\nINSERT INTO person VALUES (2, 'two');\nINSERT INTO person VALUES (2, 'again');\nSELECT * FROM person;\n";
    let test = "sqlite3 :memory: < a.sql 2>&1 | grep -q 'UNIQUE constraint failed'";
    ProgramCase { program: "sqlite3", name: "a.sql", input, test, enough: 90 }.check();
}

#[test]
fn an_unclosed_element_for_xmllint() {
    let input = "<?xml version=\"1.0\"?>\n<library>\n  <book id=\"1\"><title>One</title></book>\n  <book id=\"2\"><title>Two</book>\n  <book id=\"3\"><title>Three</title></book>\n</library>\n";
    let test = "xmllint --noout a.xml 2>&1 | grep -q 'Opening and ending tag mismatch'";
    ProgramCase { program: "xmllint", name: "a.xml", input, test, enough: 10 }.check();
}

#[test]
fn a_syntax_error_of_node() {
    if !howcome_testing::runs_long_suites() {
        return;
    }
    let input = "'use strict';\nconst values = [1, 2, 3];\nfunction total(list) {\n  let sum = 0;\n  for (const value of list) { sum += value; }\n  return sum;\n}\nfunction broken() {\n  let value = 1;\n  let value = 2;\n  return value;\n}\nconsole.log(total(values), broken());\n";
    let test = "node --check a.js 2>&1 | grep -q 'has already been declared'";
    ProgramCase { program: "node", name: "a.js", input, test, enough: 14 }.check();
}

#[test]
fn a_certificate_request_that_openssl_reads() {
    if !howcome_testing::runs_long_suites() {
        return;
    }
    let input = "# comment\n[ req ]\ndistinguished_name = dn\nprompt = no\n\n[ dn ]\nC = XYZ\nO = Example\nCN = example.org\n";
    let test = "openssl req -new -newkey rsa:512 -nodes -keyout k.pem -config a.cnf 2>&1 | grep -q 'string too long'";
    ProgramCase { program: "openssl", name: "a.cnf", input, test, enough: 60 }.check();
}
