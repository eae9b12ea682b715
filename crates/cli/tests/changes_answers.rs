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
