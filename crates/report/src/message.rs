//! What is said at the place of a single change, for tools that show one place at a time.

use crate::Summary;
use crate::cause::Cause;
use crate::change::Change;
use crate::finding::Finding;
use crate::quantity::thousands;
use howcome_run::Ending;
use std::rc::Rc;

/// A change, and what to say about it.
pub(crate) struct Message {
    pub(crate) change: Change,
    /// What it builds on.
    pub(crate) needs: Rc<[Change]>,
    /// The commit that it comes from.
    pub(crate) commit: Option<String>,
    pub(crate) text: String,
    pub(crate) severity: Severity,
}

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    /// It makes the test fail.
    Error,
    /// It may be what makes the test fail.
    Warning,
    /// It mends the test.
    Note,
}

impl Severity {
    pub(crate) fn of(ending: Option<Ending>, cause: Option<&Cause>) -> Self {
        match (ending, cause) {
            (_, Some(cause)) if cause.is_mend => Severity::Note,
            (Some(Ending::Found), Some(_)) => Severity::Error,
            _ => Severity::Warning,
        }
    }
}

/// A message for each change that a run found.
pub(crate) fn messages(summary: &Summary) -> Vec<Message> {
    let finding = Finding::of_run(summary);
    let Some(cause) = finding.as_ref().and_then(Finding::cause) else { return Vec::new() };
    let severity = Severity::of(summary.ending, Some(cause));
    let mut messages = Vec::new();
    for (number, each) in (1_u64..).zip(cause.all()) {
        let claim = claim(summary.ending, cause, number, each.changes.len() as u64);
        let needs: Rc<[Change]> = each.needs.clone().into();
        for change in &each.changes {
            let commit = each.commit_of(change);
            let from = commit.as_ref().map(|commit| format!(" It comes from commit {}.", commit.title()));
            messages.push(Message {
                change: change.clone(),
                needs: Rc::clone(&needs),
                commit: commit.map(|commit| commit.id),
                text: format!("{claim}{}", from.unwrap_or_default()),
                severity,
            });
        }
    }
    messages
}

fn claim(ending: Option<Ending>, cause: &Cause, number: u64, changes: u64) -> String {
    let effect = cause.effect();
    match (ending, number, changes) {
        (Some(Ending::Found), 1, 1) => format!("This change makes the test {effect}."),
        (Some(Ending::Found), 1, _) => {
            format!("This is one of {} changes that make the test {effect} together.", thousands(changes))
        }
        (Some(Ending::Found), number, 1) => {
            format!("This change makes the test {effect}, too, independently of the others (cause {number}).")
        }
        (Some(Ending::Found), number, _) => {
            let changes = thousands(changes);
            format!(
                "This is one of {changes} further changes that make the test {effect} together (cause {number})."
            )
        }
        (Some(Ending::Flaky), ..) => {
            "The test contradicts itself, so do not trust that it led to this change.".to_owned()
        }
        _ => {
            let cause = if cause.is_mend { "What mended the test" } else { "The cause" };
            match changes {
                1 => format!("{cause} is probably this change, but that could not be decided."),
                _ => format!("{cause} is among {} changes, of which this is one.", thousands(changes)),
            }
        }
    }
}
