//! For wrong arguments and files, `howcome input` prints a clear error and exits with the documented code, and nothing is lost.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use insta::assert_snapshot;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};

fn place() -> Place {
    let place = Place::empty();
    place.write("bug.txt", b"one\ntwo\nthree\n");
    place
}

const TWO: [&str; 5] = ["--", "grep", "-q", "two", "{}"];

fn seen(place: &Place, words: &[&str]) -> String {
    place.seen(&[&["input", "-q"], words, &TWO].concat())
}

#[test]
fn inputs_that_cannot_be_used() {
    let place = place();
    assert_snapshot!(seen(&place, &["nosuch.txt"]));
    place.write("empty.txt", b"");
    assert_snapshot!(seen(&place, &["empty.txt"]));
    assert_snapshot!(seen(&place, &["/dev/null"]));
    nix::unistd::mkfifo(&place.path("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_snapshot!(seen(&place, &["pipe"]));
    symlink("loop", place.path("loop")).unwrap();
    assert_snapshot!(seen(&place, &["loop"]));
    place.write("other/bug.txt", b"");
    assert_snapshot!(seen(&place, &["bug.txt", "other/bug.txt"]));
    assert!(!place.path("howcome.out").exists());
}

#[test]
fn inputs_that_the_user_cannot_read() {
    if nix::unistd::geteuid().is_root() {
        return howcome_testing::skip("root can read every file");
    }
    let place = place();
    place.write("folder/secret", b"two");
    for name in ["bug.txt", "folder/secret"] {
        fs::set_permissions(place.path(name), fs::Permissions::from_mode(0o0)).unwrap();
    }
    for (name, secret) in [("bug.txt", "bug.txt"), ("folder", "folder/secret")] {
        let seen = seen(&place, &[name]);
        assert!(seen.contains(&format!("error: [here]/{secret}: permission denied\n--- exit 2")), "{seen}");
    }
}

#[test]
fn outputs_that_would_do_harm() {
    let place = place();
    assert_snapshot!(seen(&place, &["bug.txt", "-o", "bug.txt"]));
    assert_snapshot!(seen(&place, &["bug.txt", "-o", "missing/bug.txt"]));
    place.write("bug.min.txt", b"mine");
    assert_snapshot!(seen(&place, &["bug.txt"]));
    assert_eq!(place.read("bug.min.txt"), b"mine");
    let output = place.run(&[&["input", "-q", "bug.txt", "-o", "bug.min.txt"], TWO.as_slice()].concat());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(place.read("bug.min.txt"), b"two");
    // A run replaces the answer of an earlier run, but not if it was changed since.
    assert!(seen(&place, &["bug.txt"]).ends_with("exit 0\n"));
    place.write("bug.min.txt", b"two, and I know why");
    assert!(seen(&place, &["bug.txt"]).ends_with("exit 2\n"));
    assert_eq!(place.read("bug.min.txt"), b"two, and I know why");
    place.write("folder/bug.txt", b"two");
    place.write("precious/file", b"mine");
    assert!(seen(&place, &["folder", "-o", "precious"]).ends_with("exit 2\n"));
    assert!(
        seen(&place, &["folder", "-o", "folder/min"]).contains("the answer would be written into the input")
    );
    assert_eq!(place.read("precious/file"), b"mine");
}

#[test]
fn a_test_that_is_interested_in_everything_or_in_nothing() {
    let place = place();
    let words = ["input", "bug.txt", "-q", "-j1", "--run-dir"];
    let seen = place.seen(&[words.as_slice(), &["everything", "--", "true"]].concat());
    assert!(seen.contains("Nothing to explain: "), "{seen}");
    assert!(
        seen.contains(
            "nothing in the test names the candidate: write {} where its path belongs, as in `-- true {}`"
        ),
        "{seen}"
    );
    assert!(
        seen.contains("warning: the test ends in the same way (exit code 0) with an empty input"),
        "{seen}"
    );
    assert!(seen.ends_with("--- exit 1\n"), "{seen}");
    assert!(!place.path("bug.min.txt").exists());
    let none = ["nothing", "--fails-when", "exit=0", "--", "false"];
    assert_snapshot!(place.seen(&[words.as_slice(), &none].concat()));
}

#[test]
fn a_test_that_changes_or_removes_its_candidate_does_not_harm_the_original() {
    let place = place();
    place.script(
        "eats.sh",
        "#!/bin/sh\ngrep -q two bug.txt; code=$?\necho gone >bug.txt; rm -f bug.txt\nexit $code\n",
    );
    let output = place.run(&["input", "bug.txt", "-q", "--", "./eats.sh"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(place.read("bug.min.txt"), b"two");
    assert_eq!(place.read("bug.txt"), b"one\ntwo\nthree\n");
}

#[test]
fn an_input_that_changes_or_vanishes_while_it_runs() {
    let place = place();
    place.script("changes.sh", "#!/bin/sh\necho new >>\"$HOWCOME_DIR/bug.txt\"\ngrep -q two bug.txt\n");
    let seen = place.seen(&["input", "bug.txt", "-q", "--run-dir", "run", "--", "./changes.sh"]);
    assert_eq!(place.read("bug.min.txt"), b"two");
    assert!(
        seen.contains("bug.txt has changed since the run began; the answer is about the input at that time"),
        "{seen}"
    );
    place.script("removes.sh", "#!/bin/sh\nrm -f \"$HOWCOME_DIR/bug.txt\"\ngrep -q two bug.txt\n");
    let seen =
        place.seen(&["input", "bug.txt", "-q", "-o", "out.txt", "--run-dir", "run2", "--", "./removes.sh"]);
    assert_eq!(place.read("out.txt"), b"two");
    assert!(seen.contains("bug.txt has been removed since the run began"), "{seen}");
}

#[test]
fn names_of_any_bytes() {
    for name in [&b"a b"[..], b"it's \"quoted\".txt", b"new\nline.txt", b"not \xff UTF-8.txt", b"-rf", b"{}"]
    {
        let place = Place::empty();
        let name = OsStr::from_bytes(name);
        fs::write(place.path("").join(name), b"one\ntwo\n").unwrap();
        let mut command =
            place.howcome(&["input", "-q", "--json", "--run-dir", "run", "--stdin", "-o", "out"]);
        let path = std::path::Path::new(".").join(name);
        let output = command.arg(path).args(["--", "grep", "-q", "two"]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{name:?}: {output:?}");
        assert_eq!(place.read("out"), b"two", "{name:?}");
        let seen = place.seen(&["show", "run", "--test", "1", "--into", "again"]);
        assert!(seen.ends_with("--- exit 0\n"), "{seen}");
        assert!(place.path("again").join(name).exists());
        let output = place.run(&["resume", "run", "-q"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
}

#[test]
fn arguments_of_the_test_that_name_the_wrong_file() {
    let place = place();
    place.write("dir/bug.txt", b"two\n");
    let words = ["input", "dir/bug.txt", "-q", "--run-dir", "run", "--", "grep", "-q", "two", "dir/bug.txt"];
    let seen = place.seen(&words);
    assert!(seen.contains("dir/bug.txt in the test is the original, not the candidate; write {}"), "{seen}");
    let seen = place.seen(&["input", "dir", "--stdin", "--", "cat"]);
    assert!(seen.contains("error: only one file can be the standard input of the test"), "{seen}");
}
