//! `howcome changes` names the lines that make the difference.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Repo, lines_of};
use insta::assert_snapshot;
use serde_json::json;

/// Lines that are numbered, some of them with something behind the number.
fn numbered(count: u32, with: &[(u32, &str)]) -> String {
    let word = |line| with.iter().find(|(at, _)| *at == line).map_or("", |(_, word)| *word);
    (1..=count).map(|line| format!("{line}{}\n", word(line))).collect()
}

/// A repository in which one line of one of many commits breaks the test, and its commits.
fn one_line_in_many_commits() -> (Repo, Vec<String>) {
    let repo = Repo::new();
    let mut commits = vec![repo.change("code.txt", &numbered(60, &[]))];
    for number in 1..=20 {
        repo.write(&format!("other{}.txt", number % 4), format!("{number}\n").as_bytes());
        if number == 13 {
            let lines =
                [(5, " harmless"), (20, " also harmless"), (40, " broken"), (41, " near"), (55, " x")];
            repo.write("code.txt", numbered(60, &lines).as_bytes());
        }
        commits.push(repo.commit(&format!("commit {number}")));
    }
    (repo, commits)
}

#[test]
fn one_line_of_one_of_many_commits() {
    let (repo, commits) = one_line_in_many_commits();
    let words = ["--good", "HEAD~20", "--bad", "HEAD", "-j1", "--", "sh", "-c", "! grep -q broken code.txt"];
    assert_snapshot!(repo.seen(&[&["changes"][..], &words].concat()));
    let json = repo.json(&[&["changes", "--json", "-q"][..], &words].concat());
    assert_eq!(lines_of(&json), ["code.txt: -40", "code.txt: +40 broken"]);
    assert_eq!(json["finding"]["commit"], json!(commits[13]));
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
    assert_eq!(json["minimal"], json!({"of": "lines", "checked": true}));
}

const BETWEEN: [&str; 5] = ["--good", "good", "--bad", "main", "-j2"];

#[test]
fn two_lines_of_one_commit_that_fail_together() {
    let repo = Repo::new();
    repo.change("code.txt", &numbered(60, &[]));
    repo.git(&["tag", "good"]);
    let lines = [(3, " x"), (10, " one"), (30, " x"), (31, " x"), (50, " two"), (58, " x")];
    let culprit = repo.change("code.txt", &numbered(60, &lines));
    repo.change("later.txt", "x\n");
    let json = repo.finds(&BETWEEN, "! { grep -q one code.txt && grep -q two code.txt; }");
    assert_eq!(lines_of(&json), ["code.txt: -10", "code.txt: +10 one", "code.txt: -50", "code.txt: +50 two"]);
    assert_eq!(json["finding"]["commit"], json!(culprit));
    assert_eq!(json["minimal"], json!({"of": "lines", "checked": true}));
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
}

#[test]
fn two_commits_that_fail_together() {
    let repo = Repo::new();
    repo.change("code.txt", &numbered(60, &[]));
    repo.git(&["tag", "good"]);
    repo.change("other.txt", "1\n");
    let first = repo.change("code.txt", &numbered(60, &[(10, " one"), (20, " x")]));
    for number in 2..6 {
        repo.change("other.txt", &format!("{number}\n"));
    }
    let second =
        repo.change("code.txt", &numbered(60, &[(10, " one"), (20, " x"), (50, " two"), (55, " x")]));
    repo.change("other.txt", "9\n");
    let test = "! { grep -q one code.txt && grep -q two code.txt; }";
    let json = repo.finds(&BETWEEN, test);
    let mut lines = lines_of(&json);
    lines.sort();
    assert_eq!(lines, ["code.txt: +10 one", "code.txt: +50 two", "code.txt: -10", "code.txt: -50"]);
    let commits: Vec<&str> = json["finding"]["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["commit"].as_str().unwrap())
        .collect();
    assert!(commits.contains(&first.as_str()) && commits.contains(&second.as_str()), "{commits:?}");
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
    assert_snapshot!(repo.tells(&["--good", "good", "--bad", "main"], test));
    repo.is_fixed_by("run/culprit.patch", "main", test);
}

/// A branch of four commits, one of which breaks the test, merged into a line that goes on meanwhile.
fn with_a_branch() -> (Repo, String) {
    let repo = Repo::new();
    repo.change("code.txt", &numbered(40, &[]));
    repo.git(&["tag", "good"]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.change("side.txt", "1\n");
    let culprit = repo.change("code.txt", &numbered(40, &[(9, " x"), (20, " broken")]));
    repo.change("side.txt", "2\n");
    repo.change("side.txt", "3\n");
    repo.git(&["checkout", "-q", "main"]);
    repo.change("main.txt", "1\n");
    repo.change("main.txt", "2\n");
    repo.merge("side", || repo.sh("git checkout -q side -- code.txt side.txt"));
    repo.change("main.txt", "3\n");
    repo.change("main.txt", "4\n");
    (repo, culprit)
}

#[test]
fn a_commit_inside_a_merged_branch() {
    let (repo, culprit) = with_a_branch();
    let json = repo.finds(&BETWEEN, "! grep -q broken code.txt");
    assert_eq!(json["finding"]["commit"], json!(culprit));
    assert_eq!(lines_of(&json), ["code.txt: -20", "code.txt: +20 broken"]);
}

#[test]
fn a_commit_inside_a_branch_of_a_merged_branch() {
    let (repo, culprit) = with_a_branch();
    repo.git(&["checkout", "-q", "-b", "outer", "good"]);
    repo.change("outer.txt", "1\n");
    repo.merge("main", || repo.sh("git checkout -q main -- ."));
    repo.git(&["checkout", "-q", "-b", "last", "good"]);
    repo.change("last.txt", "1\n");
    repo.merge("outer", || repo.sh("git checkout -q outer -- ."));
    let json = repo.finds(&["--good", "good", "--bad", "last"], "! grep -q broken code.txt");
    assert_eq!(json["finding"]["commit"], json!(culprit));
    assert_eq!(lines_of(&json), ["code.txt: -20", "code.txt: +20 broken"]);
}

#[test]
fn a_merge_that_breaks_what_both_parents_can_do() {
    let repo = Repo::new();
    repo.change("code.txt", &numbered(40, &[]));
    repo.git(&["tag", "good"]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.change("side.txt", "1\n");
    repo.change("side.txt", "2\n");
    repo.git(&["checkout", "-q", "main"]);
    repo.change("main.txt", "1\n");
    let merge = repo.merge("side", || {
        repo.sh("git checkout -q side -- side.txt");
        repo.write("code.txt", numbered(40, &[(12, " evil")]).as_bytes());
    });
    repo.change("main.txt", "2\n");
    let json = repo.finds(&BETWEEN, "! grep -q evil code.txt");
    assert_eq!(json["finding"]["commit"], json!(merge));
    assert_eq!(lines_of(&json), ["code.txt: -12", "code.txt: +12 evil"]);
}

#[test]
fn two_branches_that_fail_only_once_they_are_merged() {
    let repo = Repo::new();
    repo.change("a.txt", &numbered(20, &[]));
    repo.change("b.txt", &numbered(20, &[]));
    repo.git(&["tag", "good"]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.change("a.txt", &numbered(20, &[(4, " x"), (12, " one")]));
    repo.change("side.txt", "2\n");
    repo.git(&["checkout", "-q", "main"]);
    repo.change("b.txt", &numbered(20, &[(4, " x"), (15, " two")]));
    repo.change("main.txt", "2\n");
    repo.merge("side", || repo.sh("git checkout -q side -- a.txt side.txt"));
    let json = repo.finds(&BETWEEN, "! { grep -q one a.txt && grep -q two b.txt; }");
    let mut lines = lines_of(&json);
    lines.sort();
    assert_eq!(lines, ["a.txt: +12 one", "a.txt: -12", "b.txt: +15 two", "b.txt: -15"]);
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
}

#[test]
fn commits_that_cannot_be_tested_are_stepped_over() {
    let repo = Repo::new();
    repo.change("code.txt", &numbered(40, &[]));
    repo.git(&["tag", "good"]);
    let mut culprit = String::new();
    for number in 1..=16 {
        // Not testable: 3, 4, 5, and 8 before the culprit, which is 11.
        repo.write("state.txt", if [3, 4, 5, 8].contains(&number) { b"skip\n" } else { b"fine\n" });
        repo.write("other.txt", format!("{number}\n").as_bytes());
        if number == 11 {
            repo.write("code.txt", numbered(40, &[(7, " x"), (30, " broken")]).as_bytes());
        }
        let commit = repo.commit(&format!("commit {number}"));
        if number == 11 {
            culprit = commit;
        }
    }
    let test = "grep -q skip state.txt 2>/dev/null && exit 125; ! grep -q broken code.txt";
    let json = repo.finds(&BETWEEN, test);
    assert_eq!(json["finding"]["commit"], json!(culprit));
    assert_eq!(lines_of(&json), ["code.txt: -30", "code.txt: +30 broken"]);
}

#[test]
fn a_culprit_among_commits_that_cannot_be_tested_is_found_by_its_lines() {
    let repo = Repo::new();
    repo.change("code.txt", &numbered(40, &[]));
    repo.git(&["tag", "good"]);
    repo.change("other.txt", "1\n");
    // From here to the last one the test cannot run.
    repo.change("state.txt", "skip\n");
    let culprit = repo.change("code.txt", &numbered(40, &[(7, " x"), (30, " broken")]));
    repo.change("other.txt", "2\n");
    repo.change("state.txt", "fine\n");
    repo.change("other.txt", "3\n");
    let test = "grep -q skip state.txt 2>/dev/null && exit 125; ! grep -q broken code.txt";
    let json = repo.finds(&BETWEEN, test);
    assert_eq!(lines_of(&json), ["code.txt: -30", "code.txt: +30 broken"]);
    assert_eq!(json["finding"]["changes"][0]["commit"], json!(culprit));
    assert_snapshot!(repo.tells(&["--good", "good", "--bad", "main"], test));
}

#[test]
fn changes_that_cannot_be_judged_apart_are_named_together() {
    let repo = Repo::new();
    repo.sh("echo 0 >a; echo 0 >b");
    repo.commit("good");
    repo.git(&["tag", "good"]);
    repo.sh("echo 1 >a");
    repo.commit("one");
    repo.sh("echo 1 >b");
    repo.commit("two");
    // Passes with none, fails with both, and cannot tell with one of them.
    let test = "case $(cat a b | tr -d '\\n') in 00) exit 0;; 11) exit 1;; esac; exit 125";
    let json = repo.finds(&BETWEEN, test);
    assert_eq!(lines_of(&json), ["a: -0", "a: +1", "b: -0", "b: +1"]);
    assert_eq!(json["tests"]["pass"], json!(0));
    assert_snapshot!(repo.tells(&["--good", "good", "--bad", "main"], test));
}

#[test]
fn all_causes_are_found_when_asked_for() {
    let repo = Repo::new();
    repo.sh("seq 20 >a.txt; seq 20 >b.txt");
    repo.commit("good");
    repo.git(&["tag", "good"]);
    repo.change("other.txt", "1\n");
    repo.sh("sed -i -e s/^5$/broken/ -e s/^15$/x/ a.txt");
    let one = repo.commit("one");
    repo.change("other.txt", "2\n");
    repo.sh("sed -i -e s/^6$/broken/ -e s/^16$/x/ b.txt");
    let two = repo.commit("two");
    repo.change("other.txt", "3\n");
    let test = "! grep -q broken a.txt b.txt";
    let json = repo.finds(&[&BETWEEN[..], &["--all"]].concat(), test);
    let first = json["finding"]["commit"].as_str().unwrap();
    let further = json["finding"]["further"].as_array().unwrap();
    assert_eq!(further.len(), 1, "{json:#}");
    assert_eq!((first, further[0]["commit"].as_str().unwrap()), (one.as_str(), two.as_str()));
    assert_snapshot!(repo.tells(&["--good", "good", "--bad", "main", "--all"], test));
    repo.sh("git apply -R run/culprit.patch run/culprit-2.patch; ! grep broken a.txt b.txt; grep -q x b.txt");
}

#[test]
fn without_history_the_lines_are_found_among_all_changes() {
    let (repo, _) = one_line_in_many_commits();
    let flags = ["--good", "HEAD~20", "--bad", "HEAD", "--within", "hunk", "-j2"];
    let json = repo.finds(&flags, "! grep -q broken code.txt");
    assert_eq!(lines_of(&json), ["code.txt: -40", "code.txt: +40 broken"]);
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
}

#[test]
fn a_mix_that_fails_with_another_value_is_not_the_answer() {
    let repo = Repo::new();
    repo.sh("printf 'x=4\\ny=6\\necho $((x + y))\\n' >calc.sh");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.sh("printf 'x=7\\ny=3\\necho $((x + y + 1))\\n' >calc.sh");
    repo.commit("other numbers");
    let test = "total=$(sh calc.sh); [ $total = 10 ] || { echo total is $total; exit 1; }";
    let found = repo.finds(&["--good", "good", "--bad", "HEAD"], test);
    assert_eq!(lines_of(&found), ["calc.sh: -echo $((x + y))", "calc.sh: +echo $((x + y + 1))"]);
}

#[test]
fn a_mix_that_complains_as_neither_version_does_is_not_the_answer() {
    let repo = Repo::new();
    repo.sh("echo 'set -u; limit=5; echo $limit' >run.sh");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.sh("echo limit=50 >limits; echo 'set -u; . ./limits; echo $limit' >run.sh");
    repo.commit("a file of limits");
    let found = repo.finds(&["--good", "good", "--bad", "HEAD"], "[ \"$(sh run.sh)\" = 5 ]");
    assert!(lines_of(&found).contains(&"limits: +limit=50".to_owned()), "{:?}", lines_of(&found));
}

#[test]
fn a_failure_that_was_fixed_before_the_bad_version_is_passed_over() {
    let repo = Repo::new();
    repo.write("code.txt", b"start\nend\n");
    repo.commit("good");
    repo.git(&["tag", "good"]);
    let first = repo.change("code.txt", "start\nthe first mistake\nend\n");
    for number in 0..3 {
        repo.change("notes.txt", &format!("{number}\n"));
    }
    let fix = repo.change("code.txt", "start\nend\n");
    let second = repo.change("code.txt", "start\nend\nthe second mistake\n");
    repo.change("notes.txt", "last\n");
    let json = repo.finds(&["--good", "good", "--bad", "HEAD"], "! grep -q mistake code.txt");
    assert_eq!(json["finding"]["commit"], json!(second));
    assert_eq!(lines_of(&json), ["code.txt: +the second mistake"]);
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
    let warning = json["warnings"].as_array().unwrap().iter().filter_map(|warning| warning.as_str());
    let warning = warning.collect::<Vec<_>>().join("\n");
    assert!(warning.contains(&first[..12]) && warning.contains(&fix[..12]), "{warning}");
}

/// The first line makes the version before the commit fail. But the commit cannot be judged without it, and neither the good nor the bad
/// version has these lines.
#[test]
fn the_whole_hunk_if_nothing_confirms_a_part_of_it() {
    let repo = Repo::new();
    let write = |word: &str| {
        repo.write("code.txt", format!("start\n{word} one\n{word} two\nend\n").as_bytes());
        repo.commit(word)
    };
    write("ancient");
    repo.git(&["tag", "good"]);
    write("old");
    let culprit = write("new");
    write("rewritten");
    let test =
        "! grep -q -e rewritten -e 'new one' code.txt || exit 1; ! grep -q 'new two' code.txt || exit 3";
    let json = repo.finds(&["--good", "good", "--bad", "HEAD", "-j1"], test);
    assert_eq!(json["finding"]["commit"], json!(culprit), "{json:#}");
    assert_eq!(json["finding"]["at_commit"], "holds", "{json:#}");
    let expected = ["code.txt: -old one", "code.txt: -old two", "code.txt: +new one", "code.txt: +new two"];
    assert_eq!(lines_of(&json), expected);
}
