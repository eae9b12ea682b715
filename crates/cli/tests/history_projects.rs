//! What happens in the histories of real projects: features that come with a merge, files that move, objects that are missing, and causes
//! that are half of a statement.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Repo;
use serde_json::Value;
use std::fs;

/// Asks what broke a check that is not part of the revisions.
fn asked(repo: &Repo, check: &str) -> Value {
    let check = repo.script("check.sh", check);
    repo.json(&["history", "-q", "--json", "-j2", "--", check.to_str().unwrap()])
}

fn lines(patch: &Value) -> Vec<&str> {
    let is_changed =
        |line: &&str| line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---");
    patch.as_str().map_or_else(Vec::new, |patch| patch.lines().filter(is_changed).collect())
}

/// `calc` with or without an option, and with a step for each number.
fn calc(has_sum: bool, step: &str, revision: usize) -> String {
    let sum = if has_sum { "sum)\n    shift\n    ;;\n" } else { "" };
    format!(
        "#!/bin/sh\n# revision {revision}\n\n\ncase $1 in\n{sum}*) exit 2 ;;\nesac\n\n\ntotal=0\nfor n; do\n    {step}\ndone\n\n\necho \"sum $total\"\n"
    )
}

const CHECK: &str = "#!/bin/sh\nout=$(./calc sum 1 2 3) || exit 2\n[ \"$out\" = 'sum 6' ]\n";
const GOOD: &str = "total=$((total + n))";
const BAD: &str = "total=$((total + n + 1))";

#[test]
fn a_cause_in_the_branch_that_brought_the_feature_is_found_inside_of_it() {
    let repo = Repo::new();
    for revision in 0..12 {
        repo.script("calc", &calc(false, GOOD, 0));
        repo.write("notes", format!("{revision}\n").as_bytes());
        repo.commit(&format!("main {revision}"));
    }
    repo.git(&["checkout", "-q", "-b", "feature"]);
    repo.script("calc", &calc(true, GOOD, 0));
    repo.commit("the feature");
    repo.script("calc", &calc(true, BAD, 0));
    repo.commit("the cause");
    repo.write("other", b"1\n");
    repo.commit("something else");
    repo.git(&["checkout", "-q", "-"]);
    repo.write("notes", b"12\n");
    repo.commit("main 12");
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge the feature", "feature"]);
    let answer = asked(&repo, CHECK);
    assert_eq!(answer["ending"], "found", "{answer:#}");
    let cause = [format!("-    {GOOD}"), format!("+    {BAD}")];
    assert_eq!(lines(&answer["finding"]["cause"]["patch"]), cause, "{answer:#}");
    assert_eq!(answer["finding"]["failing_commit"]["subject"], "merge the feature");
    assert_eq!(lines(&answer["finding"]["forward"]), [format!("-    {BAD}"), format!("+    {GOOD}")]);
}

/// `calc` with a command that came in three commits in a row: a function, a correction of it, and its use.
fn averaging(commits: usize, step: &str, revision: usize) -> String {
    let sum = if commits > 1 { "$(add \"$@\")" } else { "sum" };
    let average = match commits {
        0 => String::new(),
        _ => format!("average() {{\n    [ $# -gt 0 ] || return 3\n    echo $(({sum} / $#))\n}}\n\n\n"),
    };
    let used = if commits > 2 { "    average) shift; average \"$@\" ;;\n" } else { "" };
    format!(
        "#!/bin/sh\n# revision {revision}\n\n\nadd() {{\n    total=0\n    for n; do\n        {step}\n    done\n    echo $total\n}}\n\n\n{average}case $1 in\n    add) shift; add \"$@\" ;;\n{used}    *) exit 2 ;;\nesac\n"
    )
}

#[test]
fn a_feature_that_came_in_commits_in_a_row_is_back_ported_with_all_of_them() {
    let repo = Repo::new();
    for revision in 0..60_usize {
        let step = if revision < 20 { GOOD } else { BAD };
        repo.script("calc", &averaging(revision.saturating_sub(39), step, revision / 7));
        repo.write("notes.txt", format!("{revision}\n").as_bytes());
        repo.commit(&revision.to_string());
    }
    let check = "#!/bin/sh\ncase $(./calc average 2 4 6) in 4) exit 0 ;; 5) exit 1 ;; *) exit 2 ;; esac\n";
    let answer = asked(&repo, check);
    let finding = &answer["finding"];
    assert_eq!(finding["failing_commit"]["subject"], "20", "{answer:#}");
    assert_eq!(lines(&finding["cause"]["patch"]), [format!("-        {GOOD}"), format!("+        {BAD}")]);
    let wholes: Vec<bool> =
        finding["patches"].as_array().unwrap().iter().map(|made| made["least"] == false).collect();
    assert_eq!(wholes, [true; 3], "{answer:#}");
    assert!(answer["tests"]["told"].as_u64().unwrap() <= 35, "{answer:#}");
}

#[test]
fn revisions_with_missing_objects_are_skipped_and_named() {
    let repo = Repo::new();
    let mut commits = Vec::new();
    for revision in 0..20 {
        repo.script("calc", &calc(true, if revision < 8 { GOOD } else { BAD }, 0));
        repo.write("notes", format!("{revision}\n").as_bytes());
        commits.push(repo.commit(&revision.to_string()));
    }
    let remove = |object: &str| {
        let id = repo.git(&["rev-parse", object]);
        let (folder, file) = id.trim().split_at(2);
        fs::remove_file(repo.path(".git/objects").join(folder).join(file)).unwrap();
    };
    remove(&format!("{}:notes", commits[7]));
    remove(&format!("{}^{{tree}}", commits[8]));
    let answer = asked(&repo, CHECK);
    let finding = &answer["finding"];
    assert_eq!(finding["passing_commit"]["subject"], "6", "{answer:#}");
    assert_eq!(finding["failing_commit"]["subject"], "9", "{answer:#}");
    let skipped: Vec<&str> = finding["skipped_revisions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skipped| skipped["why"].as_str().unwrap())
        .collect();
    assert_eq!(skipped.len(), 2, "{skipped:?}");
    assert!(skipped.iter().all(|why| why.starts_with("it is not available: ")), "{skipped:?}");
}

#[test]
fn a_patch_follows_a_file_that_was_renamed() {
    let repo = Repo::new();
    let text = |has_sum: bool, step: &str| {
        let sum = if has_sum { "def total(numbers):\n    return add(numbers)\n\n\n" } else { "" };
        format!(
            "\"\"\"Numbers.\"\"\"\n\n\ndef first(numbers):\n    return numbers[0]\n\n\n{sum}def add(numbers):\n    result = 0\n    for number in numbers:\n        {step}\n    return result\n\n\ndef last(numbers):\n    return numbers[-1]\n"
        )
    };
    for revision in 0..30 {
        let step = if revision < 10 { "result += number" } else { "result += number + 1" };
        let path = if revision < 20 { "calc.py" } else { "calc/__init__.py" };
        if revision == 20 {
            fs::remove_file(repo.path("calc.py")).unwrap();
            fs::create_dir(repo.path("calc")).unwrap();
        }
        repo.write(path, text(revision >= 25, step).as_bytes());
        repo.write("notes", format!("{revision}\n").as_bytes());
        repo.commit(&revision.to_string());
    }
    // A shell can read these lines as well as Python, which a test must not depend on.
    let check = "#!/bin/sh
file=calc.py; [ -f $file ] || file=calc/__init__.py
grep -q 'return add' $file || exit 2
! grep -q 'number + 1' $file\n";
    let answer = asked(&repo, check);
    let finding = &answer["finding"];
    assert_eq!(finding["passing_commit"]["subject"], "9", "{answer:#}");
    assert_eq!(finding["failing_commit"]["subject"], "10", "{answer:#}");
    assert!(finding["backported"].as_str().unwrap().contains("+++ b/calc.py"), "{answer:#}");
    assert!(finding["forward"].as_str().unwrap().contains("+++ b/calc/__init__.py"), "{answer:#}");
}

#[test]
fn half_of_a_statement_is_undone_with_the_rest_of_its_hunk() {
    let repo = Repo::new();
    let text = |is_new: bool, revision: usize| {
        let body = match is_new {
            false => "if [ $n -gt 0 ]; then\n    total=$((total + n))\nfi\n",
            true => "if [ $n -gt 9 ]; then\n    total=$((total + n))\nelse\n    total=$((total + 1))\nfi\n",
        };
        format!(
            "#!/bin/sh\n# revision {revision}\n\n\ntotal=0\nfor n; do\n{body}done\n\n\necho \"sum $total\"\n"
        )
    };
    for revision in 0..20 {
        repo.script("calc", &text(revision >= 7, revision));
        repo.commit(&revision.to_string());
    }
    let answer = asked(&repo, "#!/bin/sh\nout=$(./calc 1 2 3) || exit 2\n[ \"$out\" = 'sum 6' ]\n");
    let finding = &answer["finding"];
    assert_eq!(finding["failing_commit"]["subject"], "7", "{answer:#}");
    let forward = lines(&finding["forward"]);
    let is_whole = forward.len() == 4 && forward.contains(&"-else");
    let is_line = forward == ["-if [ $n -gt 9 ]; then", "+if [ $n -gt 0 ]; then"];
    assert!(is_whole || is_line, "{answer:#}");
}
