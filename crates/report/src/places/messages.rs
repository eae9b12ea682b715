//! All messages of a run, for tools that show one place at a time.

use crate::Summary;
use crate::finding::FindingReport;
use crate::finding::changes::{ChangeWords, ChangesReport, CommitWords};
use crate::finding::history::HistoryReport;
use crate::places::message::{Message, Severity};
use crate::places::span::SourceSpan;
use howcome_run::Ending;
use howcome_run::FoundChange;
use howcome_run::words::thousands;
use std::rc::Rc;

/// A message for each change that a run found, or for each cause transition.
pub(crate) fn messages(summary: &Summary) -> Vec<Message> {
    let finding = FindingReport::of_run(summary);
    match &finding {
        Some(FindingReport::Changes(cause)) => about_changes(summary, cause),
        Some(FindingReport::History(history)) => about_history(summary, history),
        Some(FindingReport::Chain(chain)) => chain.messages(summary),
        _ => Vec::new(),
    }
}

/// The line numbers are those of the revision that broke it, not of the newest one.
fn about_history(summary: &Summary, history: &HistoryReport) -> Vec<Message> {
    let mut messages = history.cause.as_ref().map(|cause| about_changes(summary, cause)).unwrap_or_default();
    for message in &mut messages {
        if let Some(failing) = history.failing() {
            message.text.push_str(&format!(" The line number is that of revision {failing}."));
        }
    }
    messages
}

fn about_changes(summary: &Summary, cause: &ChangesReport) -> Vec<Message> {
    let severity = severity(summary.ending, cause);
    let mut messages = Vec::new();
    for (number, each) in (1_u64..).zip(cause.all()) {
        let claim = claim(summary.ending, cause, number, each.changes.len() as u64);
        let needs: Rc<[(SourceSpan, String)]> = each.needs.iter().map(needed).collect();
        for change in &each.changes {
            let commit = each.commit_of(change);
            let from = commit.as_ref().map(|commit| format!(" It comes from commit {}.", commit.title()));
            messages.push(Message {
                lines: change.shown().into_iter().map(|(_, line)| line).collect(),
                related: Rc::clone(&needs),
                commit: commit.map(|commit| commit.id),
                ..Message::at(
                    SourceSpan::of_change(change),
                    title(severity, summary.ending),
                    format!("{claim}{}", from.unwrap_or_default()),
                    severity,
                )
            });
        }
    }
    messages
}

fn severity(ending: Option<Ending>, cause: &ChangesReport) -> Severity {
    match ending {
        _ if cause.fix => Severity::Note,
        Some(Ending::Found) => Severity::Error,
        _ => Severity::Warning,
    }
}

fn needed(need: &FoundChange) -> (SourceSpan, String) {
    (SourceSpan::of_change(need), format!("To build, it needs {}.", need.described()))
}

fn title(severity: Severity, ending: Option<Ending>) -> &'static str {
    match (severity, ending) {
        (Severity::Error, _) => "makes the test fail",
        (Severity::Note, Some(Ending::Found)) => "makes the test pass",
        (Severity::Note, _) => "may make the test pass",
        (Severity::Warning, _) => "may make the test fail",
    }
}

fn claim(ending: Option<Ending>, cause: &ChangesReport, number: u64, changes: u64) -> String {
    let effect = cause.effect();
    match (ending, number, changes) {
        (Some(Ending::Found), 1, 1) => format!("This change makes the test {effect}."),
        (Some(Ending::Found), 1, _) => {
            format!("This is one of {} changes that make the test {effect} together.", thousands(changes))
        }
        (Some(Ending::Found), number, 1) => {
            format!("This change also makes the test {effect}, independently of the others (cause {number}).")
        }
        (Some(Ending::Found), number, _) => {
            let changes = thousands(changes);
            format!(
                "This is one of {changes} further changes that make the test {effect} together (cause {number})."
            )
        }
        (Some(Ending::Flaky), ..) => "The test contradicts itself, so do not trust this result.".to_owned(),
        _ => {
            let cause = if cause.fix { "The fix" } else { "The cause" };
            match changes {
                1 => format!("{cause} is probably this change, but that could not be decided."),
                _ => format!("{cause} is among {} changes, of which this is one.", thousands(changes)),
            }
        }
    }
}
