//! The answer of the command, and whether it is right.

use super::case::{BUILD, ChangesCase};
use super::cause::{ChangedLines, Truth};
use crate::howcome;
use anyhow::Context;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The answer to one case.
#[derive(Clone, Debug)]
pub(crate) struct ChangesAnswer {
    pub(crate) told: u32,
    pub(crate) unresolved: u32,
    pub(crate) took: Duration,
    /// `None` if the answer is right.
    pub(crate) wrong: Option<String>,
}

/// Runs the command as a user would, with one test at a time.
pub(crate) fn ask(case: &ChangesCase, run: &Path, further: &[&str]) -> anyhow::Result<ChangesAnswer> {
    let began = Instant::now();
    let output = Command::new(howcome::program()?)
        .args(["changes", "--json", "--jobs", "1", "--build", BUILD])
        .args(["--good", &case.good, "--bad", &case.bad])
        .args(further)
        .arg("--repo")
        .arg(&case.repository)
        .arg("--run-dir")
        .arg(run)
        .args(["--", "sh"])
        .arg(&case.test)
        .current_dir(&case.repository)
        .output()?;
    let took = began.elapsed();
    let said: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)))?;
    let count = |name: &str| said["tests"][name].as_u64().unwrap_or_default() as u32;
    let wrong = match said["ending"].as_str() {
        Some("found") => differs(&case.cause.truth, &said["finding"]["changes"]),
        ending => Some(format!("{}, ending {ending:?}", output.status)),
    };
    Ok(ChangesAnswer { told: count("told"), unresolved: count("unresolved"), took, wrong })
}

/// How the named changes differ from the seeded ones.
fn differs(truth: &Truth, changes: &Value) -> Option<String> {
    let mut files: BTreeMap<String, ChangedLines> = BTreeMap::new();
    for change in changes.as_array().into_iter().flatten() {
        let lines = files.entry(change["path"].as_str().unwrap_or_default().to_owned()).or_default();
        lines.removed.extend(texts(&change["removed"]));
        lines.added.extend(texts(&change["added"]));
    }
    let is_true = match truth {
        Truth::Lines(truth) => *truth == files,
        Truth::Renamed { old, new } => {
            !files.is_empty() && files.keys().all(|path| path == old || path == new)
        }
    };
    (!is_true).then(|| format!("{files:?} instead of {truth:?}"))
}

fn texts(lines: &Value) -> impl Iterator<Item = String> {
    let text = |line: &Value| line.as_str().unwrap_or_default().trim_end_matches('\n').to_owned();
    lines.as_array().into_iter().flatten().map(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn truth() -> Truth {
        let lines = ChangedLines { removed: vec!["a".to_owned(), "b".to_owned()], added: Vec::new() };
        Truth::Lines([("f".to_owned(), lines)].into())
    }

    #[test]
    fn lines_can_be_named_as_one_change_or_as_two() {
        let one = json!([{"path": "f", "removed": ["a", "b"], "added": []}]);
        let two = json!([{"path": "f", "removed": ["a"], "added": []}, {"path": "f", "removed": ["b"], "added": []}]);
        assert_eq!(differs(&truth(), &one), None);
        assert_eq!(differs(&truth(), &two), None);
    }

    #[test]
    fn a_line_too_many_or_too_few_is_wrong() {
        let more = json!([{"path": "f", "removed": ["a", "b"], "added": ["c"]}]);
        let less = json!([{"path": "f", "removed": ["a"], "added": []}]);
        assert!(differs(&truth(), &more).is_some());
        assert!(differs(&truth(), &less).is_some());
        assert!(differs(&truth(), &json!([])).is_some());
    }
}
