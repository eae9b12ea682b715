//! Whether an answer is right.

use crate::case::{Truth, plain};
use serde_json::Value;
use std::fmt;
use std::fs;
use std::path::Path;

/// What became of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Answered {
    /// The answer is the known cause.
    Right,
    /// The answer has the known cause and its commit, but also lines that do not belong to it.
    Wide,
    /// There is no answer, and howcome says so.
    Honest,
    /// The answer is wrong, or the run failed.
    Wrong,
}

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Answered::Right => "right",
            Answered::Wide => "wide",
            Answered::Honest => "honest",
            Answered::Wrong => "wrong",
        })
    }
}

/// Compares an answer with the truth.
pub(crate) fn judge(truth: &Truth, code: Option<i32>, json: &Value, here: &Path) -> (Answered, String) {
    let refuses = matches!(code, Some(1..=5));
    if truth.never_worked && code == Some(0) && json["ending"] == "never-worked" {
        return (Answered::Right, String::new());
    }
    match (code, truth.has_no_answer || truth.never_worked) {
        (_, true) if refuses => (Answered::Right, String::new()),
        (Some(0), true) => {
            (Answered::Wrong, format!("an answer that cannot be right: {:#}", json["finding"]))
        }
        (Some(0), false) => compare(truth, &json["finding"], here),
        _ if refuses => (Answered::Honest, format!("{}: {}", json["ending"], json["why"])),
        _ => (Answered::Wrong, format!("exit code {code:?}")),
    }
}

fn compare(truth: &Truth, finding: &Value, here: &Path) -> (Answered, String) {
    if let Some(items) = finding["items"].as_array() {
        let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
        let keeps = truth.keeps.iter().all(|text| items.iter().any(|item| item.contains(text)));
        let is_small = truth.at_most.is_none_or(|most| items.len() <= most);
        return verdict(keeps && is_small, format!("{items:?}"));
    }
    if let Some(output) = finding["output"].as_str() {
        let text = String::from_utf8_lossy(&fs::read(here.join(output)).unwrap_or_default()).into_owned();
        let keeps = truth.keeps.iter().all(|kept| text.contains(kept));
        let is_small = truth.at_most.is_none_or(|most| text.len() <= most);
        return verdict(keeps && is_small, text);
    }
    let cause = if finding["cause"].is_object() { &finding["cause"] } else { finding };
    let lines = lines_of(cause);
    let is_commit = truth.commit.as_ref().is_none_or(|subject| {
        cause["commits"]
            .as_array()
            .is_some_and(|commits| commits.iter().any(|commit| commit["subject"] == **subject))
    });
    let has_cause = lines.iter().any(|line| truth.cause.contains(line));
    let is_known = |line: &(String, String)| truth.cause.contains(line) || truth.may.contains(line);
    match is_commit && has_cause {
        true if lines.iter().all(is_known) => (Answered::Right, String::new()),
        true => (Answered::Wide, format!("{lines:#?}")),
        false => (Answered::Wrong, format!("{lines:#?}")),
    }
}

fn verdict(is_right: bool, shown: String) -> (Answered, String) {
    if is_right { (Answered::Right, String::new()) } else { (Answered::Wrong, shown) }
}

/// The lines of a cause, each with its path, without those that have no letter and no digit: a bracket belongs to what it closes.
/// Removed lines begin with `-`.
fn lines_of(cause: &Value) -> Vec<(String, String)> {
    let texts = |change: &Value, key: &str| -> Vec<String> {
        let lines = change[key].as_array().cloned().unwrap_or_default();
        lines.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut lines = Vec::new();
    for change in cause["changes"].as_array().into_iter().flatten() {
        let path = change["path"].as_str().unwrap_or_default();
        let removed = texts(change, "removed").into_iter().map(|line| format!("-{}", plain(&line)));
        let added = texts(change, "added").into_iter().map(|line| plain(&line));
        let shown = removed.chain(added).filter(|line| line.contains(char::is_alphanumeric));
        lines.extend(shown.map(|line| (path.to_owned(), line)));
    }
    lines
}
