//! `howcome show RUN --before STEP`: how did this come to be?

use super::chain;
use super::request::{Places, Request};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::interrupt_by;
use crate::streams::answer;
use crate::talk::Talk;
use howcome_report::{Summary, printable};
use howcome_run::{Budget, Driver, Finding, Journal, Recorded, RunFile, RunPlace, Unwatched};
use howcome_state::{CommonCalls, Examination, Examiner, StopFlag, ComparedPlace, RunPair, Timeline, CauseTransition};
use std::fs;

/// Narrows the interval before a step of the chain, counted from 1: where its cause takes over, and from which other.
pub(crate) fn before(file: &RunFile, summary: &Summary, step: usize) -> Result<Exit, Failure> {
    let request = Request::of(file)?;
    let conclusion = summary.conclusion.as_ref();
    let steps = match conclusion.and_then(|conclusion| conclusion.finding.read(summary.question)) {
        Some(Finding::Chain(chain)) => chain.steps,
        _ => Vec::new(),
    };
    let wanted = step.checked_sub(1).and_then(|at| steps.get(at)).ok_or_else(|| {
        Failure::wrong_use(format!("the chain has no step {step}"))
            .hint(format!("its steps are numbered from 1 to {}", steps.len()))
    })?;
    if matches!(request.places()?, Places::Between(..)) {
        return Err(Failure::wrong_use(
            "two calls of one run were compared, and there is no way back between them",
        )
        .hint("compare a passing with a failing run: howcome state --fail CMD --pass CMD"));
    }
    let talk = Talk::new(false, false);
    let runs = chain::runs(&request, &talk)?;
    let interrupter = StopFlag::default();
    let stop = interrupter.clone();
    interrupt_by(move || stop.interrupt())?;
    let course = chain::followed(&runs, &[])?;
    let place = place(&runs, &course, &wanted.location).ok_or_else(|| {
        Failure::wrong_use(
            "the way back is known from calls only, and this place is none, or is not reached any more",
        )
        .hint("ask for a step at the entry of a function; --transitions follows the whole way back")
    })?;
    let mut examiner = Examiner { runs: &runs, terms: request.terms()?, workers: 1, interrupter, mark: None };
    let places: Vec<ComparedPlace> =
        steps.iter().filter_map(|step| self::place(&runs, &course, &step.location)).collect();
    examiner.set_mark(&places);
    let mut driver =
        Driver::new(Journal::in_memory(&[], Box::new(Unwatched)), Budget::default(), &Recorded::default());
    talk.now("going back");
    let examined = match examiner.examine(&mut driver, &place)? {
        Examination::Found(examined) => examined,
        Examination::Stopped(_) => return Ok(Exit::Stopped),
        Examination::Nothing(_) => {
            return Err(Failure::wrong_use("the runs do not do any more what they did when this was found")
                .hint("has the program been built anew? ask again with `howcome state`"));
        }
    };
    let mut timeline = Timeline::new(&examiner, &course);
    timeline.remember(&examined);
    let found = timeline.before(&mut driver, &place, 1)?;
    talk.finish();
    let Ok(transitions) = found else { return Ok(Exit::Stopped) };
    match transitions.last() {
        Some(transition) => tell(&place, transition),
        None => {
            let names: Vec<&str> = examined.causes.iter().map(|cause| cause.variable.as_str()).collect();
            answer!(
                "{} decides as far back as the two runs can be compared: nothing else was seen to decide before.\n",
                names.join(", ")
            );
        }
    }
    Ok(Exit::Found)
}

/// The place of a step in runs that were made again.
fn place(runs: &RunPair, course: &CommonCalls, location: &RunPlace) -> Option<ComparedPlace> {
    let mut places = course.common.iter().map(|common| ComparedPlace::of(&runs.settings.program, common));
    let is_there = |place: &ComparedPlace| {
        location.function == place.function
            && location.line == Some(place.line.into())
            && location.hit == Some(place.hit.into())
    };
    places.find(is_there)
}

fn tell(place: &ComparedPlace, transition: &CauseTransition) {
    let CauseTransition { from, to, before, after } = transition;
    answer!("How {} came to be the cause at {place}:\n", to.join(", "));
    answer!("  before  {} decides, at {before}\n", from.join(", "));
    answer!("  after   {} decides, at {after}\n", to.join(", "));
    let text = fs::read_to_string(&before.file).unwrap_or_default();
    let (first, last) = match before.file == after.file && before.line <= after.line {
        true => (before.line, after.line.min(before.line + 12)),
        false => (before.line, before.line),
    };
    let lines = text.lines().zip(1u32..).filter(|(_, number)| (first..=last).contains(number));
    answer!("What is run in between begins with\n");
    for (line, number) in lines {
        answer!("  {number:>5}  {}\n", printable(line));
    }
}
