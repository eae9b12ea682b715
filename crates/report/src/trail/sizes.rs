//! The size of the input during a run, and what each pass removed.

use crate::{Summary, TrailStep};
use howcome_run::PassYield;
use howcome_run::words::{percent, printable, size};
use std::fmt::Write;

/// What each pass removed, the one that removed most first.
#[must_use]
pub fn pass_yields(summary: &Summary) -> Vec<PassYield> {
    let mut yields: Vec<PassYield> = Vec::new();
    let mut steps = summary.trail.iter().peekable();
    for stage in summary.stages.iter().filter(|stage| stage.deltas > 0) {
        let Some(before) = stage.bytes else { continue };
        let (mut after, mut tests) = (before, 0);
        while let Some(step) = steps.next_if(|step| step.stage <= stage.number) {
            after = step.bytes.unwrap_or(after);
            tests += u64::from(step.number.is_some());
        }
        let (pass, bytes) = (stage.subject.without_turn(), before.saturating_sub(after));
        match yields.iter_mut().find(|known| known.name == pass) {
            Some(known) => (known.tests, known.bytes) = (known.tests + tests, known.bytes + bytes),
            None => yields.push(PassYield { name: pass, tests, bytes }),
        }
    }
    yields.sort_by(|a, b| b.bytes.cmp(&a.bytes).then(a.tests.cmp(&b.tests)));
    yields
}

/// The steps that made the input smaller, and its size after each. Empty if nothing is measured in bytes.
pub(crate) fn smaller(summary: &Summary) -> impl Iterator<Item = (&TrailStep, u64)> {
    summary.trail.iter().filter_map(|step| Some((step, step.bytes?)))
}

/// The size when the search began.
pub(crate) fn at_first(summary: &Summary) -> Option<u64> {
    summary.stages.iter().find_map(|stage| stage.bytes)
}

/// The steps that made the input smaller: the number of the test, the size, the pass.
#[must_use]
pub fn size_history(summary: &Summary) -> String {
    let mut text = String::new();
    let Some(whole) = at_first(summary) else { return "Nothing has become smaller yet.\n".to_owned() };
    let width = summary.counts.asked.to_string().len();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{:>width$}  {:>10}", "", size(whole));
    for (step, bytes) in smaller(summary) {
        let number = step.number.map(|number| number.to_string()).unwrap_or_default();
        let pass = summary.stage(step.stage).map_or_else(String::new, |stage| stage.subject.without_turn());
        let part = percent(bytes as f64 / whole.max(1) as f64);
        let _ = writeln!(text, "{number:>width$}  {:>10}  {part:>7}  {}", size(bytes), printable(&pass));
    }
    text
}
