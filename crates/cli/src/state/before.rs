//! `howcome show RUN --before STEP`: how did this step come about?

use super::{run_program, stop_by_interrupt};
use crate::exit::Exit;
use crate::streams::{answer, print_json};
use crate::talk::Talk;
use howcome_lab::inquiry::Listener;
use howcome_report::{SCHEMA, Summary};
use howcome_run::words::printable;
use howcome_run::{Finding, Halt, Problem, RunFile};
use howcome_state::question::{StateRequest, WayBack, choose_step, find_way_back};
use howcome_state::{CauseTransition, ComparedPlace};
use std::fs;

/// Narrows the interval before a step of the chain, counted from 1: where its cause takes over, and from which variable.
pub(super) fn before(file: &RunFile, summary: &Summary, step: usize, is_json: bool) -> Result<Exit, Problem> {
    let request = StateRequest::of(file)?;
    let conclusion = summary.conclusion.as_ref();
    let steps = match conclusion.and_then(|conclusion| conclusion.finding.read(summary.question)) {
        Some(Finding::Chain(chain)) => chain.steps,
        _ => Vec::new(),
    };
    let wanted = choose_step(&request, &steps, step)?;
    let talk = Talk::new(false, false);
    let (host, runs) = run_program(&request, &talk)?;
    let stop = stop_by_interrupt(false)?;
    talk.now("going back");
    let found = find_way_back(&request, &host, &runs, &steps, wanted, stop);
    talk.finish();
    let WayBack { place, variables, transition } = match found {
        Ok(found) => found,
        Err(Halt::Failed(problem) | Halt::Refused { problem, .. }) => return Err(problem),
        Err(Halt::Stopped { .. } | Halt::Reached) => return Ok(Exit::Stopped),
    };
    match transition {
        transition if is_json => print_json(&as_json(&place, &variables, transition.as_ref())),
        Some(transition) => print_transition(&place, &variables, &transition),
        None => answer!(
            "{} decides as far back as the two runs can be compared: no other variable was found to decide before.\n",
            variables.join(", ")
        ),
    }
    Ok(Exit::Found)
}

fn as_json(
    place: &ComparedPlace,
    variables: &[String],
    found: Option<&CauseTransition>,
) -> serde_json::Value {
    let transition = found.map(|CauseTransition { from, to, before, after, .. }| {
        let at = |place: &ComparedPlace| serde_json::json!({"file": place.file.display().to_string(), "line": place.line});
        serde_json::json!({"from": from, "to": to, "between": [at(before), at(after)]})
    });
    serde_json::json!({"howcome": env!("CARGO_PKG_VERSION"), "schema": SCHEMA, "place": place.to_string(), "variables": variables, "transition": transition})
}

fn print_transition(place: &ComparedPlace, variables: &[String], transition: &CauseTransition) {
    let CauseTransition { from, to, before, after, .. } = transition;
    answer!("How {} became the cause at {place}:\n", variables.join(", "));
    answer!("  before  {} decides, at {before}\n", from.join(", "));
    answer!("  after   {} decides, at {after}\n", to.join(", "));
    let text = fs::read_to_string(&before.file).unwrap_or_default();
    let (first, last) = match before.file == after.file && before.line <= after.line {
        true => (before.line, after.line.min(before.line + 12)),
        false => (before.line, before.line),
    };
    let lines = text.lines().zip(1u32..).filter(|(_, number)| (first..=last).contains(number));
    answer!("The code in between starts with\n");
    for (line, number) in lines {
        answer!("  {number:>5}  {}\n", printable(line));
    }
}
