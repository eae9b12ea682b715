//! What is read out of the outputs of real compilers, linkers and interpreters.

#![allow(clippy::unwrap_used)]

use howcome_changes::knowledge::{Complaint, ComplaintSort, complaints};

/// Each as `path:line sort name`, with `-` for what is not told.
fn told(output: &[u8]) -> Vec<String> {
    let text = |bytes: &Option<Vec<u8>>| {
        bytes.as_ref().map_or("-".to_string(), |bytes| String::from_utf8(bytes.clone()).unwrap())
    };
    let in_words = |complaint: &Complaint| {
        let line = complaint.line.map_or("-".to_string(), |line| line.to_string());
        let sort = match complaint.sort {
            ComplaintSort::Missing => "missing",
            ComplaintSort::Duplicate => "duplicate",
            ComplaintSort::Mismatch => "mismatch",
            ComplaintSort::NoFile => "no file",
        };
        format!("{}:{line} {sort} {}", text(&complaint.path), text(&complaint.name))
    };
    complaints(output).iter().map(in_words).collect()
}

#[test]
fn gcc_in_colours_is_read_and_its_warnings_are_not() {
    assert_eq!(
        told(include_bytes!("complaints/gcc.txt")),
        [
            "shape.c:3 mismatch area",
            "shape.c:3 mismatch height",
            "shape.c:6 missing LIMIT",
            "shape.c:6 mismatch PAIR",
            "shape.c:6 missing PAIR",
            "shape.c:8 duplicate total",
            "shape.c:9 missing color_t",
            "shape.c:9 missing out",
            "shape.c:10 mismatch -",
            "shape.c:11 mismatch x",
        ]
    );
    assert_eq!(told(include_bytes!("complaints/gcc-no-file.txt")), ["missing.h:- no file -"]);
}

#[test]
fn the_linker_names_what_is_missing_and_what_is_twice() {
    assert_eq!(told(include_bytes!("complaints/ld.txt")), ["-:- duplicate twice", "a.c:- missing helper"]);
}

#[test]
fn clang_and_lld_are_read_with_the_notes_behind_them() {
    assert_eq!(
        told(include_bytes!("complaints/clang.txt")),
        [
            "color.h:- no file -",
            "shape.c:9 missing limit",
            "shape.c:10 missing paint",
            "shape.c:11 mismatch height",
            "shape.c:12 mismatch area",
            "shape.c:20 duplicate total",
            "shape.c:21 mismatch scale",
            "main.c:7 missing helper",
            "-:- duplicate twice",
        ]
    );
}

#[test]
fn rustc_tells_the_place_behind_the_complaint() {
    assert_eq!(
        told(include_bytes!("complaints/rustc.txt")),
        [
            "r.rs:1 no file shapes",
            "r.rs:4 duplicate S",
            "r.rs:2 missing Hashmap",
            "r.rs:10 missing limit",
            "r.rs:11 missing Shape",
            "r.rs:8 mismatch area",
            "r.rs:9 mismatch -",
            "r.rs:10 missing g",
        ]
    );
    assert_eq!(
        told(include_bytes!("complaints/rustc-types.txt")),
        ["r2.rs:5 mismatch area", "r2.rs:6 mismatch b", "r2.rs:7 mismatch -"]
    );
}

#[test]
fn python_tells_the_place_before_the_complaint() {
    assert_eq!(
        told(include_bytes!("complaints/python.txt")),
        [
            "main.py:1 missing total",
            "main.py:1 no file colors",
            "main.py:2 mismatch depth",
            "main.py:2 mismatch area",
            "main.py:2 missing limit",
            "main.py:1 mismatch -",
        ]
    );
}

#[test]
fn node_names_modules_and_exports() {
    assert_eq!(
        told(include_bytes!("complaints/node.txt")),
        [
            "main.mjs:1 missing total",
            "colors.mjs:- no file -",
            "main.mjs:1 missing limit",
            "main.mjs:2 duplicate area",
            "main.mjs:2 mismatch total",
            "./lost:- no file -",
        ]
    );
}

#[test]
fn javac_names_the_symbol_in_a_line_of_its_own() {
    assert_eq!(
        told(include_bytes!("complaints/javac.txt")),
        [
            "j/Main.java:1 missing colors",
            "j/Main.java:4 duplicate area",
            "j/Main.java:6 missing Shape",
            "j/Main.java:5 mismatch area",
            "j/Main.java:5 missing limit",
            "j/Main.java:5 missing total",
            "j/Main.java:7 mismatch -",
        ]
    );
}

#[test]
fn go_names_what_is_undefined_and_which_package_is_not_there() {
    assert_eq!(
        told(include_bytes!("complaints/go.txt")),
        [
            "./main.go:9 missing limit",
            "./main.go:10 missing Total",
            "./main.go:11 mismatch Height",
            "./main.go:12 mismatch area",
            "./color.go:3 duplicate paint",
            "main.go:4 no file colors",
            "main.go:5 no file gone",
        ]
    );
}

#[test]
fn other_interpreters_name_what_is_not_defined() {
    assert_eq!(
        told(include_bytes!("complaints/interpreters.txt")),
        [
            "-:- missing oops",
            "-:- missing lost",
            "-:- missing gone",
            "-:- missing gone-too",
            "-:- missing absent",
            "-:- missing nothing",
            "-:- missing nowhere",
        ]
    );
}

#[test]
fn make_names_the_target_that_nothing_makes() {
    assert_eq!(told(include_bytes!("complaints/make.txt")), ["lost.o:- no file -"]);
}

#[test]
fn bytes_that_are_no_text_and_outputs_without_complaints_tell_nothing() {
    assert_eq!(told(b"\xff\xfe\x1b[31mall is well\x1b[m\nx.c:1:2: warning: 'a' undeclared\n"), [""; 0]);
}

#[test]
fn a_flood_of_complaints_ends_after_the_first_ones() {
    let flood: String = (0..1000).map(|i| format!("x.c:{i}:1: error: 'name{i}' undeclared\n")).collect();
    assert_eq!(told(flood.as_bytes()).len(), 50);
}
