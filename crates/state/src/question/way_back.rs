//! One step back in a chain that was found: which variable decided before, and where the next one took over.

use super::command_line::RunHost;
use super::places::follow_calls;
use super::request::{PlaceChoice, StateRequest};
use crate::deciders::Deciders;
use crate::{
    Address, CauseTransition, CommonCalls, CommonMoment, ComparedPlace, Examination, Examiner, RunPair,
    StopFlag, Timeline,
};
use howcome_run::{Budget, ChainStep, Driver, Halt, Journal, NoWatcher, Problem, Recorded, RunPlace};

/// What is before a step of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayBack {
    /// The place of the step.
    pub place: ComparedPlace,
    /// The variables that decide there.
    pub variables: Vec<String>,
    /// Where they take over from other variables; `None` if they decide as far back as the runs can be compared.
    pub transition: Option<CauseTransition>,
}

/// A step of the chain, counted from 1, if there is a way back from it.
///
/// # Errors
/// If the chain has no such step, or two calls of one run were compared.
pub fn choose_step<'a>(
    request: &StateRequest,
    steps: &'a [ChainStep],
    step: usize,
) -> Result<&'a ChainStep, Problem> {
    let wanted = step.checked_sub(1).and_then(|at| steps.get(at)).ok_or_else(|| {
        Problem::new(format!("the chain has no step {step}"))
            .hint(format!("its steps are numbered from 1 to {}", steps.len()))
    })?;
    if matches!(request.places()?, PlaceChoice::Between(..)) {
        return Err(Problem::new(
            "this run compared two calls of one run, so there is no way back between them",
        )
        .hint("compare a passing with a failing run: howcome state --fail CMD --pass CMD"));
    }
    Ok(wanted)
}

/// Narrows the interval before a place of the chain that was found in these runs.
///
/// # Errors
/// If the runs no longer behave as they did, or the user wants to stop.
pub fn find_way_back(
    request: &StateRequest,
    host: &RunHost,
    runs: &RunPair,
    steps: &[ChainStep],
    wanted: &ChainStep,
    stop: StopFlag,
) -> Result<WayBack, Halt> {
    let calls = follow_calls(runs, &named_addresses(request, runs)?)?;
    let mut examiner = Examiner::new(runs, request.terms(host)?, 1, stop);
    let places: Vec<ComparedPlace> =
        steps.iter().filter_map(|step| find_place(runs, &calls.moments, &step.location)).collect();
    examiner.set_mark(&places);
    let mut driver =
        Driver::new(Journal::in_memory(&[], Box::new(NoWatcher)), Budget::default(), &Recorded::default());
    let mut timeline = Timeline::new(&examiner, &calls);
    let place = find_step(runs, &calls, &mut timeline, wanted).ok_or_else(|| {
        Problem::new("the runs no longer reach the place of this step, or not in the same way")
            .hint("was the program rebuilt? choose another step, or run `howcome state` again")
    })?;
    let changed = || {
        Problem::new("the runs no longer behave as they did when this was found")
            .hint("was the program rebuilt? run `howcome state` again")
    };
    let examined = match examiner.examine(&mut driver, &place)? {
        Examination::Found(examined) => examined,
        Examination::Nothing(_) => return Err(changed().into()),
    };
    let found = examined.causes.iter().map(|cause| &cause.variable);
    if !found.eq(wanted.causes.iter().map(|cause| &cause.name)) {
        return Err(changed().into());
    }
    timeline.remember(&examined.place, Deciders::of(&examined));
    let transition = timeline.before(&mut driver, &place, 1)?.pop();
    let variables = examined.causes.iter().map(|cause| cause.variable.clone()).collect();
    Ok(WayBack { place, variables, transition })
}

/// The places that the user chose need not be calls.
fn named_addresses(request: &StateRequest, runs: &RunPair) -> Result<Vec<Address>, Problem> {
    let PlaceChoice::Named(names) = request.places()? else { return Ok(Vec::new()) };
    let places: Result<Vec<ComparedPlace>, _> = names.iter().map(|name| name.find(runs)).collect();
    Ok(places?.iter().map(|place| place.failing.at).collect())
}

/// The place of a step in the repeated runs. If it is a line that was reached after a call, the lines after the call are followed again.
fn find_step(
    runs: &RunPair,
    calls: &CommonCalls,
    timeline: &mut Timeline<'_, '_>,
    step: &ChainStep,
) -> Option<ComparedPlace> {
    let Some(call) = &step.counted_from else { return find_place(runs, &calls.moments, &step.location) };
    if let Some(place) =
        find_place(runs, &calls.moments, &step.location).filter(|place| place.failing.after.is_some())
    {
        return Some(place);
    }
    let call = find_place(runs, &calls.moments, call)?;
    find_place(runs, &timeline.lines_after(&call), &step.location)
}

/// A place among some moments of the repeated runs.
fn find_place(runs: &RunPair, moments: &[CommonMoment], location: &RunPlace) -> Option<ComparedPlace> {
    let mut places = moments.iter().map(|common| ComparedPlace::of(&runs.settings.program, common));
    let is_there = |place: &ComparedPlace| {
        location.function == place.function
            && location.line == Some(place.line.into())
            && location.hit == Some(place.hit.into())
    };
    places.find(is_there)
}
