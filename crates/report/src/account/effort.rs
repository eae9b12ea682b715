//! What a run took, and why tests could not be judged.

use crate::Summary;
use howcome_run::QuestionName;
use howcome_run::words::{count, printable, seconds, thousands};

/// At most this many reasons are told.
const ENOUGH: usize = 5;

pub(super) fn tests(summary: &Summary) -> String {
    let counts = &summary.counts;
    let mut parts = match counts.told {
        // Where the two sides differ in one variable there is nothing to search.
        0 if summary.question == QuestionName::State => Vec::new(),
        0 => vec!["no test told the search anything".to_owned()],
        told => vec![format!(
            "{}: {} pass, {} fail, {} unresolved",
            count(told, "test"),
            thousands(counts.pass),
            thousands(counts.fail),
            thousands(counts.unresolved)
        )],
    };
    let beside: Vec<String> =
        [(counts.predicted, "predicted"), (counts.remembered, "remembered"), (counts.cancelled, "cancelled")]
            .into_iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| format!("{} {what}", thousands(number)))
            .collect();
    if !beside.is_empty() {
        parts.push(beside.join(", "));
    }
    if counts.executed > 0 || summary.question != QuestionName::State {
        parts.push(format!("{} in all", count(counts.executed, "run")));
    }
    let time = seconds(summary.seconds);
    parts.push(format!("{time}, {} at a time, {}", summary.jobs, printable(&summary.algorithm)));
    parts.join("; ")
}

pub(super) fn unresolved(summary: &Summary) -> Option<String> {
    let reasons = summary.reasons_for_unresolved();
    let told: Vec<String> = reasons
        .iter()
        .take(ENOUGH)
        .map(|(reason, times)| format!("{} ({})", printable(reason), thousands(*times)))
        .collect();
    let more = if reasons.len() > ENOUGH { ", and others" } else { "" };
    (!told.is_empty()).then(|| format!("why unresolved: {}{more}", told.join(", ")))
}
