//! What the items of files in several languages are.

use super::*;

fn shown(path: &str, text: &str) -> Vec<String> {
    let items = source_items(&TreePath::new(path.as_bytes()).unwrap(), text.as_bytes()).unwrap();
    let show = |item: &SourceItem| format!("{} {:?}", String::from_utf8_lossy(&item.key), item.lines);
    items.iter().map(show).collect()
}

#[test]
fn a_file_of_c_is_cut_into_includes_macros_types_declarations_and_functions() {
    let text = "#include <a.h>\n#define X 1\n\n/* about s */\nstruct s {\n  int a;\n};\nstatic int n;\nint f(void);\nint\nf(void)\n{\n  return n;\n}\n";
    assert_eq!(
        shown("a.c", text),
        [
            "preproc_include #include <a.h> 0..1",
            "macro X 1..2",
            "struct_specifier s 2..7",
            "declaration n 7..8",
            "declaration f 8..9",
            "function f 9..14",
        ]
    );
}

#[test]
fn a_function_that_the_parser_tears_apart_is_one_item() {
    let text = "jv f(double x) {\n  jv j = {\n#ifdef A\n    B,\n#else\n    C,\n#endif\n    0, {.number = x}\n  };\n  return j;\n}\nint g;\n";
    let found = shown("a.c", text);
    assert_eq!(found.last().unwrap(), "declaration g 11..12", "{found:?}");
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn an_entry_of_a_list_of_macro_calls_is_known_by_its_first_argument() {
    let text = |second: &str| format!("OP(LOADK, CONSTANT, 1, 1)\n{second}\n\nOP(FORK, BRANCH, 0, 0)\n");
    let entries =
        ["OP(EACH,  NONE,   1, 1)", "OP(EACH, NONE, 1, 2)"].map(|second| shown("a.h", &text(second)));
    assert_eq!(entries[0].len(), 3, "{entries:?}");
    assert_eq!(entries[0], entries[1]);
}

#[test]
fn rust_attributes_belong_to_their_item_and_methods_are_items_of_their_own() {
    let text = r##"use std::fmt;
use std::io;

const N: u32 = 1;

/// About s.
#[derive(Debug)]
pub struct S {
    a: u32,
}

impl S {
    /// About f.
    pub fn f(&self) -> u32 {
        self.a
    }

    #[must_use]
    fn g(&self) -> u32 {
        N
    }
}

impl fmt::Display for S {
    fn fmt(&self) {}
}

macro_rules! m {
    () => {};
}

fn main() {
    m!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t() {
        f();
    }
}
"##;
    assert_eq!(
        shown("a.rs", text),
        [
            "use_declaration use std::fmt; 0..1",
            "use_declaration use std::io; 1..2",
            "const_item N 2..4",
            "struct_item S 4..10",
            "impl_item impl S 10..12",
            "function impl S::f 12..16",
            "function impl S::g 16..21",
            "} impl S::} 21..22",
            "impl_item impl fmt::Display for S 22..24",
            "function impl fmt::Display for S::fmt 24..25",
            "} impl fmt::Display for S::} 25..26",
            "macro_definition m 26..30",
            "function main 30..34",
            "mod_item tests 34..37",
            "use_declaration tests::use super::*; 37..38",
            "function tests::t 38..43",
            "} tests::} 43..44",
        ]
    );
}

#[test]
fn java_methods_fields_and_imports_are_items_of_their_own() {
    let text = r##"package a;

import java.util.List;
import java.util.Map;

/** About A. */
public class A extends B {
    private int n = 1;
    static final int M = 2;

    A(int n) {
        this.n = n;
    }

    /** About f. */
    @Override
    public int f(int x) {
        return x + n;
    }

    int f(long x) {
        return 1;
    }

    enum E {
        X,
        Y
    }
}

interface I {
    int g();

    int h();
}
"##;
    assert_eq!(
        shown("A.java", text),
        [
            "package_declaration package a; 0..1",
            "import_declaration import java.util.List; 1..3",
            "import_declaration import java.util.Map; 3..4",
            "class_declaration A 4..7",
            "declaration A::n 7..8",
            "declaration A::M 8..9",
            "function A::A 9..13",
            "function A::f 13..19",
            "function A::f #2 19..23",
            "enum_declaration A::E 23..28",
            "} A::} 28..29",
            "interface_declaration I 29..31",
            "function I::g 31..32",
            "function I::h 32..34",
            "} I::} 34..35",
        ]
    );
}

#[test]
fn go_methods_are_told_apart_by_their_receiver_and_imports_are_items() {
    let text = r##"package a

import (
	"fmt"
	"os"
)

const (
	x = 1
	y = 2
)

var n int

// About T.
type T struct {
	a int
}

// About f.
func (t *T) f() int {
	return t.a
}

func (t U) f() int {
	return 1
}

func main() {
	fmt.Println(x)
}
"##;
    assert_eq!(
        shown("a.go", text),
        [
            "package_clause package a 0..1",
            "import import 1..3",
            "import_spec \"fmt\" 3..4",
            "import_spec \"os\" 4..5",
            ") ) 5..6",
            "const_declaration const ( 6..11",
            "var_declaration n 11..13",
            "type_declaration T 13..18",
            "function (t *T).f 18..23",
            "function (t U).f 23..27",
            "function main 27..31",
        ]
    );
}

#[test]
fn python_decorators_belong_to_their_function_and_methods_are_items() {
    let text = r##"#!/usr/bin/env python3
"""About a."""
import os
from sys import argv

N = 1


class A(object):
    """About A."""

    x = 1

    def __init__(self):
        self.y = 2

    @property
    def f(self):
        return 1

    async def g(self):
        return 2


@cached
def f():
    # Why.
    return 3


def g(a,
      b):
    return 4


if __name__ == '__main__':
    f()
"##;
    assert_eq!(
        shown("a.py", text),
        [
            "expression_statement \"\"\"About a.\"\"\" 0..2",
            "import_statement os 2..3",
            "import_from_statement argv 3..4",
            "expression_statement N 4..6",
            "class_definition A 6..9",
            "expression_statement A::\"\"\"About A.\"\"\" 9..10",
            "expression_statement A::x 10..12",
            "function A::__init__ 12..15",
            "function A::f 15..19",
            "function A::g 19..22",
            "function f 22..28",
            "function g 28..33",
            "if_statement if __name__ == '__main__': 33..37",
        ]
    );
}
