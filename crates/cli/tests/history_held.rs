//! What belongs to the test is the same in every revision of `howcome history`.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Repo;
use serde_json::Value;

const UNITTEST: [&str; 4] = ["python3", "-m", "unittest", "tests.test_cart"];

const TEST: &str = "\
import unittest

import cart


class Cart(unittest.TestCase):
    def test_total(self):
        self.assertEqual(cart.total([1, 2]), 3)
";

fn cart(line: &str) -> String {
    format!("def total(items):\n    result = 0\n    for item in items:\n        {line}\n    return result\n")
}

fn commits(repo: &Repo, numbers: std::ops::Range<u32>) {
    for number in numbers {
        repo.change("other.py", &format!("x = {number}\n"));
    }
}

fn asks(repo: &Repo, flags: &[&str], test: &[&str]) -> Value {
    repo.json(&[&["history", "-q", "--json"], flags, &["--"], test].concat())
}

/// The program comes, breaks, and gets a test, with commits in between.
fn with_late_test() -> Repo {
    let repo = Repo::new();
    commits(&repo, 0..2);
    repo.change("cart.py", &cart("result += item"));
    commits(&repo, 2..5);
    repo.change("cart.py", &cart("result = item"));
    commits(&repo, 5..8);
    repo
}

fn is_right(found: &Value) {
    assert_eq!(found["ending"], "found", "{found:#}");
    let changes = &found["finding"]["cause"]["changes"];
    assert_eq!(changes.as_array().unwrap().len(), 1, "{found:#}");
    assert_eq!(changes[0]["path"], "cart.py");
    assert_eq!(changes[0]["added"][0], "        result = item");
    let forward = found["finding"]["forward"].as_str().unwrap();
    assert!(forward.contains("+        result += item") && !forward.contains("tests/"), "{forward}");
}

#[test]
fn a_test_that_is_newer_than_the_failure_is_run_on_every_revision() {
    if !howcome_testing::need_program("python3") {
        return;
    }
    let repo = with_late_test();
    repo.change("tests/test_cart.py", TEST);
    let found = asks(&repo, &[], &UNITTEST);
    is_right(&found);
    assert_eq!(found["test"]["held"][0], "tests/test_cart.py");
}

#[test]
fn a_test_that_is_not_committed_is_run_on_every_revision() {
    if !howcome_testing::need_program("python3") {
        return;
    }
    let repo = with_late_test();
    repo.write("tests/test_cart.py", TEST.as_bytes());
    is_right(&asks(&repo, &[], &UNITTEST));
}

#[test]
fn of_revisions_in_which_the_test_did_not_run_nothing_is_claimed() {
    if !howcome_testing::need_program("python3") {
        return;
    }
    let repo = Repo::new();
    commits(&repo, 0..2);
    repo.change("cart.py", &cart("result = item"));
    commits(&repo, 2..5);
    repo.change("tests/test_cart.py", TEST);
    let output = repo.run(&[&["history", "-q", "--run-dir", "run", "--"], &UNITTEST[..]].concat());
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(5), "{told}");
    assert!(
        told.starts_with("Undecided: it fails as far back as ") && told.contains("No module named 'cart'"),
        "{told}"
    );
    assert!(!told.contains("never worked"), "{told}");
}

#[test]
fn of_revisions_in_which_the_test_timed_out_nothing_is_claimed() {
    let repo = Repo::new();
    repo.change("run.sh", "sleep 100\n");
    repo.change("run.sh", "exit 1\n");
    repo.change("other", "1\n");
    let found = asks(&repo, &["--timeout", "0.2"], &["sh", "run.sh"]);
    assert_ne!(found["ending"], "never-worked", "{found:#}");
    assert_eq!(found["finding"]["verdict"], Value::Null, "{found:#}");
}

#[test]
fn a_version_in_which_make_has_nothing_to_do_does_not_pass() {
    if !howcome_testing::need_program("make") {
        return;
    }
    let repo = Repo::new();
    repo.change("Makefile", ".PHONY: check\n");
    repo.change("Makefile", ".PHONY: check\ncheck:\n\t@sh check.sh\n");
    repo.change("check.sh", "echo FAIL one; echo FAIL two; exit 1\n");
    let found = asks(&repo, &[], &["make", "check"]);
    assert_ne!(found["ending"], "found", "{found:#}");
}
