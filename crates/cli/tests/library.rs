//! Another Rust program asks the questions through the libraries: the example of the book, run as it is.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn the_book_shows_a_part_of_the_example_as_it_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = std::fs::read_to_string(folder.join("examples/ask.rs")).unwrap();
    let page = std::fs::read_to_string(folder.join("../../book/src/library.md")).unwrap();
    let parts: Vec<&str> =
        page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!parts.is_empty(), "book/src/library.md shows nothing of crates/cli/examples/ask.rs");
    for part in parts {
        assert!(
            example.contains(part),
            "crates/cli/examples/ask.rs does not have these lines of book/src/library.md:\n{part}"
        );
    }
}

/// What the example prints, if it was built: `cargo test --test library` alone does not build it.
fn ask(place: &Place, words: &[&str]) -> Option<String> {
    let howcome = PathBuf::from(env!("CARGO_BIN_EXE_howcome"));
    let example = howcome.with_file_name("examples").join("ask");
    if !example.exists() {
        howcome_testing::skip("the example `ask` was not built");
        return None;
    }
    let output = place.command(&example).args(words).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {error}");
    Some(String::from_utf8(output.stdout).unwrap())
}

fn git(place: &Place, words: &[&str]) {
    let mut git: Command = place.command(Path::new("git"));
    let names = ["-c", "user.name=You", "-c", "user.email=you@example.com"];
    assert!(git.args(names).args(words).output().unwrap().status.success(), "git {words:?}");
}

#[test]
fn the_libraries_find_items_of_a_list() {
    let place = Place::new();
    let Some(found) = ask(&place, &["items", "list.txt", "./test.sh"]) else { return };
    assert_eq!(found, "7\n31\n");
}

#[test]
fn the_libraries_make_an_input_smaller() {
    let place = Place::empty();
    place.write("text", b"some words, a ! and other words\n");
    place.script("test.sh", "#!/bin/sh\n! grep -q '!' \"$1\"\n");
    if ask(&place, &["input", "text", "./test.sh", "{}"]).is_some() {
        assert_eq!(place.read("text.min"), b"!");
    }
}

#[test]
fn the_libraries_find_the_change_that_broke_it_and_the_revision_that_worked() {
    let place = Place::empty();
    git(&place, &["init", "-q", "-b", "main"]);
    for (number, text) in [(1, "a\nb\n"), (2, "a\nb\nc\n"), (3, "a\nbroken\nc\n"), (4, "a\nbroken\nc\nd\n")] {
        place.write("lines", text.as_bytes());
        git(&place, &["add", "lines"]);
        git(&place, &["commit", "-q", "-m", &format!("number {number}")]);
        git(&place, &["tag", &format!("v{number}")]);
    }
    let outside = Place::empty();
    let test = outside.script("test.sh", "#!/bin/sh\n! grep -q broken lines\n");
    let test = test.to_str().unwrap();
    let Some(patch) = ask(&place, &["changes", "v1", "v4", test]) else { return };
    assert!(patch.contains("\n-b\n+broken\n"), "{patch}");
    let worked = ask(&place, &["history", test]).unwrap();
    assert!(worked.starts_with("Some("), "{worked}");
}
