//! `howcome history` if a change was undone and made again, or if the newest revision fails for another reason.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Repo;
use serde_json::Value;

/// A test that says what it expects, and ends with another exit code if the command is missing.
const TEST: &str =
    "got=$(sh run.sh total 3 4) || exit 2\n[ $got = 12 ] || { echo \"expected 12, got $got\"; exit 1; }\n";

fn asks(repo: &Repo) -> Value {
    repo.change("check.sh", TEST);
    repo.json(&["history", "-q", "--json", "-j1", "--", "sh", "check.sh"])
}

fn others(repo: &Repo, numbers: std::ops::Range<u32>) {
    for number in numbers {
        repo.change("other", &format!("{number}\n"));
    }
}

fn program(library: &str, command: &str) -> String {
    format!(". ./{library}\ncase $1 in\n{command}*) exit 2 ;;\nesac\n")
}

fn product(first: &str, sign: &str) -> String {
    format!("product() {{\n    x={first}\n    echo $((x {sign} $2))\n}}\n")
}

/// A function that stays where it is.
const KEPT: &str = "sum() {\n    echo $(($1 + $2 + 0))\n}\n\nfirst() {\n    echo $1\n}\n\n";

const TOTAL: &str = "total) product $2 $3 ;;\n";

#[test]
fn a_change_that_was_undone_in_a_file_of_its_own_and_made_again_is_not_named_without_a_word() {
    let repo = Repo::new();
    let library = |sign: &str| format!("{KEPT}{}", product("\"$1\"", sign));
    repo.write("lib.sh", library("*").as_bytes());
    repo.change("run.sh", &program("lib.sh", ""));
    others(&repo, 0..3);
    let first = repo.change("lib.sh", &library("+"));
    others(&repo, 3..5);
    repo.change("run.sh", &program("lib.sh", TOTAL));
    others(&repo, 5..8);
    // It is in another file while the change is undone and made again, and indented in another way at the end.
    repo.write("lib.sh", KEPT.as_bytes());
    repo.write("product.sh", format!("# numbers\n{}", product("\"$1\"", "+")).as_bytes());
    repo.change("run.sh", &program("product.sh", TOTAL));
    others(&repo, 8..10);
    let undone = repo.change("product.sh", &format!("# numbers\n{}", product("\"$1\"", "*")));
    repo.change("product.sh", &format!("# numbers\n{}", product("\"$1\"", "+")));
    others(&repo, 10..12);
    repo.write("product.sh", b"# numbers\n");
    let indented = product("\"$1\"", "+").replace("    ", "\t");
    repo.write("lib.sh", format!("{indented}{KEPT}").as_bytes());
    repo.change("run.sh", &program("lib.sh", TOTAL));
    let found = asks(&repo);
    let cause = &found["finding"]["failing_commit"]["id"];
    assert_eq!(found["ending"], "undecided", "{found:#}");
    assert_eq!(*cause, first, "{found:#}");
    let why = found["why"].as_str().unwrap();
    assert!(why.contains(&format!("--back-to {}", &undone[..12])), "{why}");
}

#[test]
fn a_fix_for_another_reason_is_no_proof_although_its_lines_have_the_same_signs() {
    let repo = Repo::new();
    let function = |first: &str, sign: &str| {
        let lines = format!("    x=\"{first}\"\n    y=\"$2\"\n    : more\n    echo \"$((x {sign} y))\"\n");
        format!("product() {{\n{lines}}}\n")
    };
    let library = |first: &str, sign: &str| format!("{KEPT}{}", function(first, sign));
    repo.write("lib.sh", library("$1", "*").as_bytes());
    repo.change("run.sh", &program("lib.sh", ""));
    others(&repo, 0..3);
    let mask = repo.change("lib.sh", &library("$1", "+"));
    others(&repo, 3..5);
    repo.change("lib.sh", &library("$(($1 - 1))", "+"));
    // What hid the other change is undone, and the function goes to another file.
    repo.change("lib.sh", &library("$(($1 - 1))", "*"));
    others(&repo, 5..8);
    repo.change("run.sh", &program("lib.sh", TOTAL));
    others(&repo, 8..10);
    repo.write("lib.sh", KEPT.as_bytes());
    let indented = function("$(($1 - 1))", "*").replace("    ", "\t");
    repo.write("product.sh", format!("# numbers\n{indented}").as_bytes());
    repo.change("run.sh", &program("product.sh", TOTAL));
    let found = asks(&repo);
    assert!(found["ending"] != "found" || found["finding"]["failing_commit"]["id"] != mask, "{found:#}");
}

#[test]
fn the_commit_of_a_line_is_known_although_the_patch_has_moved_it() {
    let repo = Repo::new();
    let space = "\n".repeat(6);
    let write = |command: &str, sign: &str, end: &str| {
        let main = format!("main() {{\n    case $1 in\n{command}    *) exit 2 ;;\n    {end}\n}}\n");
        let text = format!("{main}{space}product() {{\n    echo $(($1 {sign} $2))\n}}\n{space}main \"$@\"\n");
        repo.change("run.sh", &text)
    };
    let total = "    total)\n        first=$2\n        second=$3\n        product $first $second\n        exit\n        ;;\n";
    write("", "*", "esac");
    others(&repo, 0..3);
    // Three commits, none of which can be tested alone.
    write("", "*", "esac (");
    let culprit = write("", "+", "esac (");
    write("", "+", "esac");
    others(&repo, 3..6);
    write(total, "+", "esac");
    others(&repo, 6..8);
    let found = asks(&repo);
    assert_eq!(found["ending"], "found", "{found:#}");
    let cause = &found["finding"]["cause"];
    assert_eq!(cause["changes"][0]["added"][0], "    echo $(($1 + $2))", "{cause:#}");
    assert_eq!(cause["commit"], culprit, "{cause:#}");
}

#[test]
fn a_feature_that_was_removed_and_made_anew_is_not_the_cause() {
    let repo = Repo::new();
    let library = |sign: &str| format!("{KEPT}{}", product("\"$1\"", sign));
    repo.write("lib.sh", library("*").as_bytes());
    // The command can be there only once.
    repo.write("build.sh", b"[ $(grep -c '^total)' run.sh) -lt 2 ]\n");
    repo.change("run.sh", &program("lib.sh", ""));
    others(&repo, 0..2);
    repo.change("run.sh", &program("lib.sh", TOTAL));
    others(&repo, 2..13);
    repo.change("run.sh", &program("lib.sh", ""));
    others(&repo, 13..21);
    repo.change(
        "run.sh",
        &program("lib.sh", "sum) first 0 ;;\ntotal)\n    shift\n    product \"$@\"\n    ;;\n"),
    );
    others(&repo, 21..24);
    let culprit = repo.change("lib.sh", &library("+"));
    others(&repo, 24..35);
    repo.change("check.sh", "[ \"$(sh run.sh total 3 4 2>/dev/null)\" = 12 ]\n");
    let words = ["history", "-q", "--json", "-j1", "--build", "sh build.sh", "--", "sh", "check.sh"];
    let found = repo.json(&words);
    assert_eq!(found["ending"], "found", "{found:#}");
    assert_eq!(found["finding"]["failing_commit"]["id"], culprit, "{found:#}");
    assert_eq!(found["finding"]["cause"]["commit"], culprit, "{found:#}");
    assert_eq!(found["verified"]["without_passes"], true, "{found:#}");
}

#[test]
fn of_commits_that_cannot_be_tested_none_is_named_if_several_changed_the_lines() {
    let repo = Repo::new();
    let library = |lines: &str| format!("{KEPT}product() {{\n{lines}}}\n");
    repo.write("lib.sh", library("    x=$1\n    y=$2\n    : \"$x\"\n    echo $((x * y))\n").as_bytes());
    repo.change("run.sh", &program("lib.sh", ""));
    others(&repo, 0..3);
    // The first of two commits breaks it, and the second writes the same in another way.
    repo.change("lib.sh", &library("    x=$1\n    : \"$x\"\n    echo $((x + $2)\n"));
    repo.change("lib.sh", &library("    sum=$1\n    : \"$sum\"\n    sum=$((sum + $2))\n    echo \"$sum\"\n"));
    others(&repo, 3..6);
    repo.change("run.sh", &program("lib.sh", TOTAL));
    others(&repo, 6..8);
    let found = asks(&repo);
    assert_eq!(found["ending"], "found", "{found:#}");
    let cause = &found["finding"]["cause"];
    assert_eq!(cause["commit"], serde_json::Value::Null, "{cause:#}");
    assert_eq!(cause["suspects"].as_array().unwrap().len(), 2, "{cause:#}");
}
