//! What the command answers, held against what is true.

use super::repository::History;
use serde_json::Value;

impl History {
    /// All that is wrong with an answer to the question where it was broken; nothing if it is exactly right.
    pub fn wrong(&self, answer: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut is = |what: &str, said: Value, wanted: Value| {
            if said != wanted {
                wrong.push(format!("{what}: {said} instead of {wanted}"));
            }
        };
        let (finding, truth) = (&answer["finding"], &self.truth);
        let Some(passing) = truth.passing else {
            is("ending", answer["ending"].clone(), "never-worked".into());
            is("passing revision", finding["passing_revision"].clone(), Value::Null);
            is("oldest", self.index(&finding["never_worked"]["revision"]), truth.failing.into());
            return wrong;
        };
        is("ending", answer["ending"].clone(), "found".into());
        is("passing revision", self.index(&finding["passing_revision"]), passing.into());
        is("failing revision", self.index(&finding["failing_revision"]), truth.failing.into());
        is("cause", lines_of_changes(&finding["cause"]).into(), truth.cause.clone().into());
        let backported = finding["backported"].as_str().map(lines_of_patch).unwrap_or_default();
        is("backported", backported.into(), truth.backported.clone().into());
        let forward = finding["forward"].as_str().map(lines_of_patch).unwrap_or_default();
        is("forward", forward.into(), truth.forward.clone().into());
        wrong
    }

    /// The place of a revision in the history, by a name of it.
    pub fn index(&self, name: &Value) -> Value {
        let place = match name.as_str() {
            Some("HEAD" | "main") => Some(self.plan.newest()),
            Some(name) if name.len() > 6 => self.names.iter().position(|full| full.starts_with(name)),
            _ => None,
        };
        place.map_or(Value::Null, Value::from)
    }
}

/// The lines of a finding like that of `changes`.
pub fn lines_of_changes(cause: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for change in cause["changes"].as_array().into_iter().flatten() {
        let path = change["path"].as_str().unwrap_or_default();
        for (sign, side) in [('-', "removed"), ('+', "added")] {
            for line in change[side].as_array().into_iter().flatten() {
                let line = line.as_str().unwrap_or_default().trim_end_matches('\n');
                lines.push(format!("{path}: {sign}{line}"));
            }
        }
    }
    lines.sort();
    lines
}

/// The lines of a patch that go and come.
pub fn lines_of_patch(patch: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut path = "";
    for line in patch.lines() {
        if let Some(new) = line.strip_prefix("+++ ") {
            path = new.strip_prefix("b/").unwrap_or(new);
        } else if line.starts_with(['+', '-']) && !line.starts_with("--- ") {
            lines.push(format!("{path}: {line}"));
        }
    }
    lines.sort();
    lines
}
