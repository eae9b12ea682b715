//! `howcome history` finds revisions that pass although the oldest one fails as the newest one does.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Repo;
use serde_json::Value;

/// A history in which only the revisions with these numbers pass, counted from 1, and the ids of all. The test fails on `broken`.
fn history(
    revisions: u32,
    passes: impl Fn(u32) -> bool,
    subject: impl Fn(u32) -> String,
) -> (Repo, Vec<String>) {
    let repo = Repo::new();
    let mut ids = Vec::new();
    for number in 1..=revisions {
        let state = if passes(number) { "works" } else { "broken" };
        repo.write("code.txt", format!("head\n{state}\n\n\n\n\n{number}\n").as_bytes());
        ids.push(repo.commit(&subject(number)));
    }
    (repo, ids)
}

fn ask(repo: &Repo, flags: &[&str]) -> Value {
    let words = ["history", "--json", "-q", "-j2"];
    repo.json(&[&words[..], flags, &["--", "sh", "-c", "! grep -q broken code.txt"]].concat())
}

fn tests(answer: &Value) -> u64 {
    answer["tests"]["told"].as_u64().unwrap()
}

fn numbered(number: u32) -> String {
    format!("change {number}")
}

#[test]
fn a_range_that_passes_is_found_between_two_that_fail() {
    let (repo, ids) = history(40, |number| (26..=36).contains(&number), numbered);
    let answer = ask(&repo, &[]);
    assert_eq!(answer["ending"], "found", "{answer:#}");
    assert_eq!(answer["finding"]["cause"]["commit"], ids[36], "{answer:#}");
    assert!(tests(&answer) <= 15, "{answer:#}");
}

#[test]
fn a_revert_that_passes_is_found() {
    let subject = |number| if number == 18 { "Revert \"change 17\"".to_owned() } else { numbered(number) };
    let (repo, ids) = history(90, |number| number == 18, subject);
    let answer = ask(&repo, &[]);
    assert_eq!(answer["finding"]["cause"]["commit"], ids[18], "{answer:#}");
}

#[test]
fn revision_by_revision_none_is_missed() {
    let (repo, ids) = history(30, |number| number == 12, numbered);
    let answer = ask(&repo, &["--every-revision"]);
    assert_eq!(answer["finding"]["cause"]["commit"], ids[12], "{answer:#}");
    assert!(tests(&answer) >= 18, "{answer:#}");
}

#[test]
fn it_never_worked_is_said_after_at_most_fifteen_tests() {
    let (repo, _) = history(40, |_| false, numbered);
    // A test that prints nothing would not be enough for this answer.
    let words = ["history", "--json", "-q", "-j2", "--", "sh", "-c", "! grep broken code.txt"];
    let answer = repo.json(&words);
    assert_eq!(answer["ending"], "never-worked", "{answer:#}");
    assert!((10..=15).contains(&tests(&answer)), "{answer:#}");
}
