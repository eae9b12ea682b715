//! What `howcome history` claims, and what it does not, in small histories of shell scripts.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Repo;
use serde_json::Value;

fn asks(repo: &Repo, flags: &[&str]) -> Value {
    repo.json(&[&["history", "-q", "--json"], flags, &["--", "sh", "check.sh"]].concat())
}

fn others(repo: &Repo, numbers: std::ops::Range<u32>) {
    for number in numbers {
        repo.change("other", &format!("{number}\n"));
    }
}

/// A test that exits with 1 whatever is wrong.
const CARELESS: &str =
    "out=$(sh run.sh --sum 2>&1)\n[ \"$out\" = 7 ] || { echo \"error: got $out\"; exit 1; }\n";

#[test]
fn another_error_is_not_the_same_failure() {
    let repo = Repo::new();
    repo.change("run.sh", "echo unknown option $1; exit 2\n");
    others(&repo, 0..3);
    repo.change("run.sh", "echo 8\n");
    others(&repo, 3..6);
    repo.change("check.sh", CARELESS);
    let found = asks(&repo, &[]);
    assert_eq!(found["ending"], "undecided", "{found:#}");
    assert!(found["why"].as_str().unwrap().contains("got unknown option --sum"), "{found:#}");
    assert_eq!(asks(&repo, &["--any-message"])["ending"], "never-worked");
}

#[test]
fn another_number_in_an_error_is_not_the_same_failure_if_newer_revisions_agree() {
    let repo = Repo::new();
    repo.change("run.sh", "echo 9\n");
    others(&repo, 0..3);
    repo.change("run.sh", "echo 8\n");
    others(&repo, 3..9);
    repo.change("check.sh", CARELESS);
    let found = asks(&repo, &[]);
    assert_eq!(found["ending"], "undecided", "{found:#}");
    assert!(found["why"].as_str().unwrap().contains("error: got 9"), "{found:#}");
}

#[test]
fn a_changed_file_of_tests_matters_if_the_test_reads_it() {
    let with = |check: &str| {
        let repo = Repo::new();
        repo.change("run.sh", "echo 8 # one more\n");
        repo.change("run.sh", "echo 8\n");
        repo.change("tests/test_other.py", "x = 1\n");
        repo.change("tests/test_other.py", "x = 2\n");
        others(&repo, 0..3);
        repo.change("check.sh", check);
        asks(&repo, &[])
    };
    let found = with(CARELESS);
    assert_eq!(found["ending"], "never-worked", "{found:#}");
    let found = with(&format!("cat tests/test_other.py\n{CARELESS}"));
    assert_eq!(found["ending"], "undecided", "{found:#}");
    assert!(found["why"].as_str().unwrap().contains("another tests/test_other.py"), "{found:#}");
}

#[test]
fn a_fix_follows_lines_that_were_moved_and_formatted_anew() {
    let repo = Repo::new();
    let twice = |line: &str| format!("twice() {{\n    {line}\n    echo $x\n}}\n");
    let run = |name: &str| format!(". ./{name}\ntwice 3\n");
    repo.change("lib.sh", &twice("x=$(( $1 + $1 + 1 ))"));
    repo.change("run.sh", &run("lib.sh"));
    others(&repo, 0..3);
    repo.change("lib.sh", &twice("x=$(( $1 * 2 + 2 ))"));
    others(&repo, 3..6);
    repo.write("lib.sh", b"# moved\n");
    repo.write("run.sh", run("words/twice.sh").as_bytes());
    repo.change("words/twice.sh", "# two times\ntwice() {\n  x=$(($1*2+2))\n  echo $x\n}\n");
    others(&repo, 6..9);
    repo.change("check.sh", CARELESS);
    let found = asks(&repo, &[]);
    assert_eq!(found["ending"], "found", "{found:#}");
    let forward = found["finding"]["forward"].as_str().unwrap();
    assert!(
        forward.contains("-  x=$(($1*2+2))\n+  x=$(( $1 + $1 + 1 ))") && !forward.contains("run.sh"),
        "{forward}"
    );
    assert_eq!(found["finding"]["forward_steps"].as_array().unwrap().len(), 1, "{found:#}");
}
