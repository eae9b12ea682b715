//! The report for a terminal. It can be read without colour.

use crate::account::exhibit::Exhibit;
use crate::account::section::Section;
use crate::account::{Account, Claim};
use crate::{Summary, TrailStep};
use howcome_run::AnswerSource;
use howcome_run::words::{compact, count, cut, duration, pad, printable, size, thousands, width};
use std::fmt::{self, Write};

/// At most so many lines of an exhibit are shown: an answer that does not fit on some screens is read from a file.
const EXHIBIT_LINES: usize = 200;
/// What is only shown beside the answer gets less room.
const ASIDE_LINES: usize = 12;

/// The finding, its proof, what it took and what to do next.
#[must_use]
pub fn text(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_text(&mut text, summary);
    text
}

fn write_text(to: &mut String, summary: &Summary) -> fmt::Result {
    let account = Account::of(summary);
    writeln!(to, "{}", account.headline)?;
    for exhibit in &account.exhibits {
        let most = if exhibit.is_answer { EXHIBIT_LINES } else { ASIDE_LINES };
        write_exhibit(to, exhibit, most, summary)?;
    }
    let is_close = account.exhibits.last().is_some_and(|exhibit| exhibit.is_close);
    if !account.remarks.is_empty() && !is_close {
        writeln!(to)?;
    }
    for remark in &account.remarks {
        writeln!(to, "{remark}")?;
    }
    write_proof(to, &account.proof)?;
    account.sections.iter().try_for_each(|section| write_section(to, section, summary))?;
    writeln!(to, "\n{}", account.tests)?;
    if let Some(unresolved) = &account.unresolved {
        writeln!(to, "{unresolved}")?;
    }
    for warning in &summary.warnings {
        writeln!(to, "warning: {}", printable(warning))?;
    }
    if summary.run.is_empty() {
        return Ok(());
    }
    writeln!(to, "\nrecorded in {}", printable(&summary.run))?;
    let commands = account.next.iter().filter_map(|next| next.command.as_ref());
    let columns = commands.map(|command| width(command)).max().unwrap_or(0);
    for next in &account.next {
        match &next.command {
            Some(command) => writeln!(to, "  {}  {}", pad(command, columns), next.purpose)?,
            None => writeln!(to, "  {}", next.purpose)?,
        }
    }
    Ok(())
}

fn write_section(to: &mut String, section: &Section, summary: &Summary) -> fmt::Result {
    writeln!(to)?;
    for sentence in &section.sentences {
        writeln!(to, "{sentence}")?;
    }
    section.exhibits.iter().try_for_each(|exhibit| write_exhibit(to, exhibit, EXHIBIT_LINES, summary))
}

fn write_exhibit(to: &mut String, exhibit: &Exhibit, most: usize, summary: &Summary) -> fmt::Result {
    if !exhibit.is_close {
        writeln!(to)?;
    }
    if let Some(heading) = exhibit.heading() {
        writeln!(to, "{heading}:\n")?;
    }
    let indent = if exhibit.is_close { "  " } else { "    " };
    for line in exhibit.lines.iter().take(most) {
        writeln!(to, "{indent}{line}")?;
    }
    if exhibit.lines.len() > most {
        let more = thousands((exhibit.lines.len() - most) as u64);
        let run = howcome_run::words::shell_word(&summary.run);
        writeln!(to, "{indent}… and {more} more; `howcome show {run} --json` has them all")?;
    }
    match exhibit.source() {
        Some(source) => writeln!(to, "\n{source}"),
        None => Ok(()),
    }
}

fn write_proof(to: &mut String, proof: &[Claim]) -> fmt::Result {
    let columns = proof.iter().map(|claim| width(&claim.about)).max().unwrap_or(0);
    if !proof.is_empty() {
        writeln!(to)?;
    }
    for claim in proof {
        writeln!(to, "{}  {}", pad(&claim.about, columns), claim.seen)?;
    }
    Ok(())
}

/// The trail, a line for each question, none longer than the width where that can be helped.
#[must_use]
pub fn trail(summary: &Summary, width: usize) -> String {
    let steps: Vec<&TrailStep> = summary.trail.iter().collect();
    trail_of(summary, &steps, width)
}

/// Lines for some steps of the trail.
pub(crate) fn trail_of(summary: &Summary, steps: &[&TrailStep], width: usize) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_trail(&mut text, summary, steps, width);
    text
}

const REASON_WIDTH: usize = 28;

fn write_trail(to: &mut String, summary: &Summary, steps: &[&TrailStep], widest: usize) -> fmt::Result {
    let number_width = steps.iter().filter_map(|step| step.number).max().unwrap_or(0).to_string().len();
    let left_width = steps.iter().map(|step| thousands(step.left.into()).len()).max().unwrap_or(0);
    let reasons = steps.iter().map(|step| width(&reason(step))).max().unwrap_or(0);
    let reason_width = reasons.min(REASON_WIDTH);
    let size_width = steps.iter().map(|step| bytes(step).len()).max().unwrap_or(0);
    let took_width = steps.iter().map(|step| took(step).len()).max().unwrap_or(0);
    // Two spaces between columns, one around the sign, and the word "left".
    let others = number_width + left_width + reason_width + took_width + 14;
    let room = widest.saturating_sub(others).max(10);
    let whats: Vec<String> = steps
        .iter()
        .map(|step| step.configuration.as_ref().map_or_else(|| "-".to_owned(), |c| compact(c, room)))
        .collect();
    let what_width = whats.iter().map(|what| width(what)).max().unwrap_or(0);
    let mut stage = None;
    for (step, what) in steps.iter().zip(&whats) {
        if summary.stages.len() > 1 && stage != Some(step.stage) {
            stage = Some(step.stage);
            if let Some(stage) = summary.stage(step.stage) {
                let deltas = printable(&count(stage.deltas.into(), stage.unit.as_str()));
                writeln!(to, "{}: {deltas}, {}", printable(&stage.subject.to_string()), stage.search)?;
            }
        }
        let number = step.number.map(|number| number.to_string()).unwrap_or_default();
        let line = format!(
            "{number:>number_width$} {} {what:what_width$}  {:>left_width$} left{:size_width$}  {}  {:>took_width$}",
            step.outcome.sign(),
            thousands(step.left.into()),
            bytes(step),
            pad(&cut(&reason(step), reason_width), reason_width),
            took(step),
        );
        writeln!(to, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Why a step was answered as it was.
pub(crate) fn reason(step: &TrailStep) -> String {
    let because = step.because.as_ref().map(|because| printable(&because.to_string()));
    match (step.how, because) {
        (AnswerSource::Tested, because) => because.unwrap_or_default(),
        (AnswerSource::Predicted, _) => "predicted".to_owned(),
        (AnswerSource::Remembered, Some(because)) => format!("remembered: {because}"),
        (AnswerSource::Remembered, None) => "remembered".to_owned(),
    }
}

fn bytes(step: &TrailStep) -> String {
    step.bytes.map(|bytes| format!(", {}", size(bytes))).unwrap_or_default()
}

fn took(step: &TrailStep) -> String {
    step.took.map(duration).unwrap_or_default()
}
