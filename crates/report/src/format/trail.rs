//! The trail as lines of a terminal.

use crate::format::form::TextForm;
use crate::{Summary, TrailStep};
use howcome_run::words::{compact, count, cut, duration, pad, printable, size, thousands, width};
use howcome_run::{AnswerSource, Because};
use std::fmt::{self, Write};

/// The trail, a line for each question. No line is longer than the form allows if that can be avoided.
#[must_use]
pub fn trail(summary: &Summary, form: TextForm) -> String {
    let steps: Vec<&TrailStep> = summary.trail.iter().collect();
    trail_of(summary, &steps, form)
}

/// Lines for some steps of the trail.
pub(crate) fn trail_of(summary: &Summary, steps: &[&TrailStep], form: TextForm) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_trail(&mut text, summary, steps, form);
    text
}

/// Of a narrow line this much is for the reason.
const LEAST_REASON: usize = 28;

/// Of a narrow line this much is for the name of a commit.
const LEAST_NAME: usize = 24;

fn write_trail(to: &mut String, summary: &Summary, steps: &[&TrailStep], form: TextForm) -> fmt::Result {
    let TextForm { columns: widest, paint, .. } = form;
    let number_width = steps.iter().filter_map(|step| step.number).max().unwrap_or(0).to_string().len();
    let left_width = steps.iter().map(|step| thousands(step.left.into()).len()).max().unwrap_or(0);
    let reasons = steps.iter().map(|step| width(&reason(step))).max().unwrap_or(0);
    let reason_width = reasons.min(LEAST_REASON.max(widest / 3));
    let size_width = steps.iter().map(|step| bytes(step).len()).max().unwrap_or(0);
    let took_width = steps.iter().map(|step| took(step).len()).max().unwrap_or(0);
    // Two spaces between columns, one around the sign, and the word "left".
    let others = number_width + left_width + size_width + reason_width + took_width + 14;
    let names = steps.iter().filter_map(|step| step.name.as_ref()).map(|name| width(&printable(name)) + 2);
    let for_names = names.max().unwrap_or(0).min(LEAST_NAME + 2);
    let room = widest.saturating_sub(others + for_names).max(10);
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
                let heading =
                    format!("{}: {deltas}, {}", printable(&stage.subject.to_string()), stage.search);
                writeln!(to, "{}", paint.bold(&heading))?;
            }
        }
        let number = step.number.map(|number| number.to_string()).unwrap_or_default();
        let line = format!(
            "{what:what_width$}  {:>left_width$} left{:size_width$}  {}  {:>took_width$}",
            thousands(step.left.into()),
            bytes(step),
            pad(&cut(&reason(step), reason_width), reason_width),
            took(step),
        );
        let sign = paint.outcome(step.outcome, &step.outcome.sign().to_string());
        let room = widest.saturating_sub(number_width + 3 + width(&line) + 2).max(LEAST_NAME);
        let name = step.name.as_ref().map(|name| format!("  {}", cut(&printable(name), room)));
        let rest = format!("{line}{}", name.unwrap_or_default());
        writeln!(to, "{number:>number_width$} {sign} {}", rest.trim_end())?;
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
