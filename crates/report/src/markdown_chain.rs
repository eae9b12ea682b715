//! A cause-effect chain as a table of Markdown.

use crate::chain::{Chain, ChainStep};
use crate::markdown::{code, escape};
use crate::printable::printable;
use crate::quantity::thousands;
use std::fmt::{self, Write};

/// Trackers refuse long texts.
const ROWS: usize = 200;

/// A row for each cause, the outcome last.
pub(crate) fn write_chain(to: &mut String, chain: &Chain) -> fmt::Result {
    if chain.steps.is_empty() {
        return Ok(());
    }
    writeln!(to, "\n| | at | cause | instead of | confirmed | tests |")?;
    writeln!(to, "|--:|---|---|---|---|--:|")?;
    for (number, step) in (1..).zip(chain.steps.iter().take(ROWS)) {
        write_step(to, number, step)?;
    }
    if let Some(more) = chain.steps.len().checked_sub(ROWS).filter(|more| *more > 0) {
        writeln!(to, "| | … and {} more places | | | | |", thousands(more as u64))?;
    }
    if !chain.outcome.failing.is_empty() {
        let (failing, passing) = (escape(&printable(&chain.outcome.failing)), escape(&chain.other_outcome()));
        writeln!(to, "| | therefore | **{failing}** | {passing} | | |")?;
    }
    Ok(())
}

fn write_step(to: &mut String, number: u64, step: &ChainStep) -> fmt::Result {
    let tests = thousands(step.tests);
    let place = match step.location.place() {
        Some(place) if !step.location.function.is_empty() => {
            format!("{} {}", escape(&step.location.moment()), cell(&place))
        }
        _ => escape(&step.location.moment()),
    };
    if step.causes.is_empty() {
        writeln!(to, "| {number} | {place} | not narrowed down | | | {tests} |")?;
    }
    for (row, cause) in step.causes.iter().enumerate() {
        let doubts = cause.doubts();
        let confirmed = if doubts.is_empty() { vec!["yes"] } else { doubts };
        let confirmed: Vec<&str> = confirmed.into_iter().chain(step.aside()).collect();
        let confirmed = confirmed.join("; ");
        let (number, place, tests) =
            if row == 0 { (number.to_string(), place.as_str(), tests.as_str()) } else { Default::default() };
        writeln!(
            to,
            "| {number} | {place} | {} | {} | {confirmed} | {tests} |",
            cell(&cause.statement()),
            cell(&cause.passing_value())
        )?;
    }
    Ok(())
}

/// Code within a table, where a bar would end the cell even so.
fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}
