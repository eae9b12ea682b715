//! `howcome history` with tests that fail in the same way whatever is wrong, or pass because they test nothing.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Repo;
use serde_json::Value;

fn asks(repo: &Repo) -> Value {
    repo.json(&["history", "-q", "--json", "-j1", "--", "sh", "check.sh"])
}

fn others(repo: &Repo, numbers: std::ops::Range<u32>) {
    for number in numbers {
        repo.change("other", &format!("{number}\n"));
    }
}

/// A test that prints nothing, and exits with 1 whatever is wrong.
const SILENT: &str = "[ \"$(sh run.sh total 3 2>/dev/null)\" = 6 ]\n";

fn library(factor: u32) -> String {
    format!("# how often\ntwice() {{\n    echo $(($1 * {factor}))\n}}\n")
}

fn program(command: &str) -> String {
    format!(". ./lib.sh\ncase $1 in\nraw) echo $2 ;;\n{command}*) echo unknown >&2; exit 2 ;;\nesac\n")
}

#[test]
fn a_revision_that_lacks_what_a_silent_test_uses_does_not_fail_like_the_newest_one() {
    let repo = Repo::new();
    repo.write("lib.sh", library(2).as_bytes());
    repo.change("run.sh", &program(""));
    others(&repo, 0..4);
    let culprit = repo.change("lib.sh", &library(3));
    others(&repo, 4..8);
    repo.change("run.sh", &program("total) twice $2 ;;\n"));
    others(&repo, 8..12);
    repo.change("check.sh", SILENT);
    let found = asks(&repo);
    assert_eq!(found["ending"], "found", "{found:#}");
    assert_eq!(found["finding"]["failing_commit"]["id"], culprit, "{found:#}");
    let because = found["finding"]["patches"][0]["because"].as_str().unwrap();
    assert_eq!(because, "it lacks `total`, which the test uses");
}

#[test]
fn a_silent_test_of_what_old_revisions_lack_does_not_show_that_it_never_worked() {
    let repo = Repo::new();
    repo.write("lib.sh", library(3).as_bytes());
    repo.change("run.sh", &program(""));
    others(&repo, 0..6);
    repo.change("run.sh", &program("total) twice $2 ;;\n"));
    others(&repo, 6..12);
    repo.change("check.sh", SILENT);
    let found = asks(&repo);
    assert_eq!(found["ending"], "undecided", "{found:#}");
    assert!(found["why"].as_str().unwrap().contains("lacks `total`, which the test uses"), "{found:#}");
}

#[test]
fn a_revision_that_was_broken_for_a_while_is_not_the_cause() {
    let repo = Repo::new();
    let whole = program("total) twice $2 ;;\n");
    repo.write("lib.sh", library(2).as_bytes());
    repo.change("run.sh", &whole);
    others(&repo, 0..6);
    repo.change("run.sh", &whole.replace("esac", "esac ("));
    repo.change("run.sh", &whole);
    others(&repo, 6..8);
    let culprit = repo.change("lib.sh", &library(3));
    others(&repo, 8..10);
    repo.change("check.sh", SILENT);
    let found = asks(&repo);
    if found["ending"] == "found" {
        assert_eq!(found["finding"]["failing_commit"]["id"], culprit, "{found:#}");
    } else {
        assert_eq!(found["ending"], "undecided", "{found:#}");
    }
}

#[test]
fn a_change_that_the_newest_revision_no_longer_has_is_not_the_cause() {
    let repo = Repo::new();
    let whole = program("total) twice $2 ;;\n");
    repo.write("lib.sh", library(2).as_bytes());
    repo.change("run.sh", &whole);
    others(&repo, 0..3);
    repo.change("run.sh", &whole.replace("esac", "esac ("));
    // The same commit corrects the one and breaks the other.
    repo.write("run.sh", whole.as_bytes());
    let culprit = repo.change("lib.sh", &library(3));
    others(&repo, 3..9);
    repo.change("check.sh", SILENT);
    let found = asks(&repo);
    let is_right = found["ending"] == "found" && found["finding"]["failing_commit"]["id"] == culprit;
    assert!(is_right || found["ending"] == "undecided", "{found:#}");
}

#[test]
fn a_script_that_runs_the_tests_is_part_of_the_test() {
    let repo = Repo::new();
    let runner = |pattern: &str| format!("for t in {pattern}; do sh $t || exit 1; done\n");
    repo.write("lib.sh", library(2).as_bytes());
    repo.write("test-all", runner("tests/smoke*").as_bytes());
    repo.write("tests/smoke.sh", b"sh run.sh raw 1 >/dev/null\n");
    repo.change("run.sh", &program("total) twice $2 ;;\n"));
    others(&repo, 0..4);
    let culprit = repo.change("lib.sh", &library(3));
    others(&repo, 4..8);
    // Older revisions do not run the test, and pass.
    repo.change("test-all", &runner("tests/*"));
    repo.change("tests/test_total.sh", SILENT);
    repo.change("check.sh", "#!/bin/sh\nexec sh ./test-all\n");
    let found = asks(&repo);
    assert_eq!(found["ending"], "found", "{found:#}");
    assert_eq!(found["finding"]["failing_commit"]["id"], culprit, "{found:#}");
}

#[test]
fn a_revision_that_prints_something_else_does_not_fail_like_the_newest_one() {
    let repo = Repo::new();
    repo.write("lib.sh", library(2).as_bytes());
    repo.change("run.sh", &program(""));
    others(&repo, 0..4);
    let culprit = repo.change("lib.sh", &library(3));
    others(&repo, 4..8);
    // What brings the helper shows that the test tells a missing file from a failure. It does not tell a missing command from one.
    repo.change(
        "helper.sh",
        "same() {\n    [ \"$1\" = \"$2\" ] && exit 0\n    echo \"got $1\"\n    exit 1\n}\n",
    );
    others(&repo, 8..12);
    repo.change("run.sh", &program("total) twice $2 ;;\n"));
    others(&repo, 12..20);
    repo.change("check.sh", ". ./helper.sh\nsame \"$(sh run.sh total 3 2>&1)\" 6\n");
    let found = asks(&repo);
    assert_eq!(found["ending"], "found", "{found:#}");
    assert_eq!(found["finding"]["failing_commit"]["id"], culprit, "{found:#}");
}

#[test]
fn a_fix_that_has_nothing_in_common_with_a_change_is_no_proof_of_it() {
    let repo = Repo::new();
    repo.write("lib.sh", library(2).as_bytes());
    repo.change("run.sh", &program("total) twice $2 ;;\n"));
    others(&repo, 0..3);
    repo.change("lib.sh", &library(2).replace("twice() {", "twice( {"));
    // The same commit repairs the one in another form and breaks the other.
    repo.change("lib.sh", &library(3).replace("twice() {", "twice () { # as often"));
    let culprit = repo.git(&["rev-parse", "HEAD"]);
    others(&repo, 3..9);
    repo.change("check.sh", SILENT);
    let found = asks(&repo);
    let is_right = found["ending"] == "found" && found["finding"]["failing_commit"]["id"] == culprit.trim();
    assert!(is_right || found["ending"] == "undecided", "{found:#}");
}

#[test]
fn a_revision_with_a_part_of_what_is_tested_does_not_fail_like_the_newest_one() {
    let repo = Repo::new();
    let program = |option: &str| {
        format!(
            ". ./lib.sh\nmore=0\ncase $1 in\n{option}-*) exit 2 ;;\nesac\nset -- $(twice $1)\necho $(($1 + more))\n"
        )
    };
    repo.write("lib.sh", library(2).as_bytes());
    repo.change("run.sh", &program(""));
    others(&repo, 0..4);
    let culprit = repo.change("lib.sh", &library(3));
    others(&repo, 4..8);
    // First the option is accepted, and later it has an effect.
    repo.change("run.sh", &program("--more) shift ;;\n"));
    others(&repo, 8..16);
    repo.change("run.sh", &program("--more) shift; more=1 ;;\n"));
    let test = "found=$(sh run.sh --more 3) || exit 2\n[ $found = 7 ] || { echo \"expected 7, got $found\"; exit 1; }\n";
    repo.change("check.sh", test);
    let found = asks(&repo);
    assert_eq!(found["ending"], "found", "{found:#}");
    assert_eq!(found["finding"]["failing_commit"]["id"], culprit, "{found:#}");
}

#[test]
fn a_change_that_was_undone_in_another_file_is_not_the_cause() {
    let repo = Repo::new();
    let library = |other: &str| {
        format!("add() {{\n    echo $(($1 + $2))\n}}\n\ntwice() {{\n    echo $(add $1 {other})\n}}\n")
    };
    let (raw, total) = ("raw() {\n    echo $1\n}\n", "total() {\n    echo $(twice $1)\n}\n");
    repo.write("lib.sh", library("$1").as_bytes());
    repo.write("more.sh", b"# more\n");
    repo.write("commands.sh", raw.as_bytes());
    repo.change("run.sh", ". ./lib.sh\n. ./commands.sh\n. ./more.sh\n\"$@\"\n");
    others(&repo, 0..3);
    repo.change("commands.sh", &format!("{raw}{total}"));
    others(&repo, 3..8);
    let undone = repo.change("commands.sh", raw);
    others(&repo, 8..12);
    repo.change("more.sh", &format!("# more\n{total}"));
    // A line of the fix for this looks like one of those that were removed.
    repo.change("lib.sh", &library("1"));
    others(&repo, 12..16);
    repo.change("check.sh", SILENT);
    let found = asks(&repo);
    assert!(found["ending"] != "found" || found["finding"]["failing_commit"]["id"] != undone, "{found:#}");
}

#[test]
fn a_silent_test_of_a_command_that_once_did_something_else_does_not_show_that_it_never_worked() {
    let repo = Repo::new();
    let program = |command: &str| program(&format!("help) echo raw total ;;\n{command}"));
    repo.write("lib.sh", library(2).as_bytes());
    repo.change("run.sh", &program("total) echo $# ;;\n"));
    others(&repo, 0..4);
    repo.change("lib.sh", &library(3));
    others(&repo, 4..8);
    repo.change("run.sh", &program("total) twice $2 ;;\n"));
    others(&repo, 8..12);
    repo.change("check.sh", SILENT);
    let found = asks(&repo);
    assert_eq!(found["ending"], "undecided", "{found:#}");
    assert!(found["why"].as_str().unwrap().contains("`total`, which the test uses"), "{found:#}");
}

#[test]
fn a_command_whose_body_was_rewritten_is_another_one_for_a_silent_test() {
    let repo = Repo::new();
    let program = |body: &str| program(&format!("total)\n    {body}\n    ;;\n"));
    repo.write("lib.sh", library(3).as_bytes());
    repo.change("run.sh", &program("echo $#"));
    others(&repo, 0..4);
    repo.change("run.sh", &program("twice $2"));
    others(&repo, 4..8);
    repo.change("check.sh", SILENT);
    let found = asks(&repo);
    assert_eq!(found["ending"], "undecided", "{found:#}");
    assert!(found["why"].as_str().unwrap().contains("`total`, which the test uses"), "{found:#}");
}

#[test]
fn a_silent_test_does_not_show_that_it_never_worked() {
    let repo = Repo::new();
    repo.write("lib.sh", library(3).as_bytes());
    let program = program("total) twice $2 ;;\n");
    repo.change("run.sh", &format!("# the first version\n{program}"));
    repo.change("run.sh", &program);
    others(&repo, 0..8);
    repo.change("check.sh", SILENT);
    let found = asks(&repo);
    assert_eq!(found["ending"], "undecided", "{found:#}");
    let why = found["why"].as_str().unwrap();
    assert!(why.contains("the test prints nothing") && why.contains("--fails-when"), "{why}");
    // If that is what is asked for, it is an answer.
    let words = ["history", "-q", "--json", "-j1", "--fails-when", "exit=1", "--", "sh", "check.sh"];
    let found = repo.json(&words);
    assert_eq!(found["ending"], "never-worked", "{found:#}");
    // So it is if the test says what is wrong.
    repo.change("loud.sh", "n=$(sh run.sh total 3)\n[ \"$n\" = 6 ] || { echo \"got $n\"; exit 1; }\n");
    let found = repo.json(&["history", "-q", "--json", "-j1", "--", "sh", "loud.sh"]);
    assert_eq!(found["ending"], "never-worked", "{found:#}");
}
