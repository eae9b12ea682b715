//! The trail as lines of a terminal.

use crate::{Summary, TrailStep};
use howcome_run::words::{compact, count, cut, duration, pad, printable, size, thousands, width};
use howcome_run::{AnswerSource, Because};
use std::fmt::{self, Write};

/// The trail, a line for each question. No line is longer than the width if that can be avoided, apart from the name of a
/// commit at its end.
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

/// The names of commits come last, so that they can be longer than the other columns.
const NAME_WIDTH: usize = 64;

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
        let name = step.name.as_ref().map(|name| format!("  {}", cut(&printable(name), NAME_WIDTH)));
        writeln!(to, "{}", format!("{line}{}", name.unwrap_or_default()).trim_end())?;
    }
    Ok(())
}

/// How a question was answered.
pub(crate) fn reason(step: &TrailStep) -> String {
    let printed = |because: &Because| printable(&because.to_string());
    match (step.how, &step.because) {
        (AnswerSource::Tested, because) => because.as_ref().map(printed).unwrap_or_default(),
        (AnswerSource::Predicted, Some(Because::DidNotApply(why))) => {
            format!("predicted: {}", printable(why))
        }
        (AnswerSource::Predicted, _) => "predicted".to_owned(),
        (AnswerSource::Remembered, Some(because)) => format!("remembered: {}", printed(because)),
        (AnswerSource::Remembered, None) => "remembered".to_owned(),
    }
}

fn bytes(step: &TrailStep) -> String {
    step.bytes.map(|bytes| format!(", {}", size(bytes))).unwrap_or_default()
}

fn took(step: &TrailStep) -> String {
    step.took.map(duration).unwrap_or_default()
}
