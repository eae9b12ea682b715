//! What is found besides the chain: the moments at which the cause changes, and where the two runs execute different lines. If the
//! question is stopped, what is known by then is reported.

use super::candidates::FoundTransitions;
use super::chain::Chain;
use super::further_runs::FurtherRuns;
use super::request::{PlaceChoice, StateRequest};
use crate::deciding_branch::find_deciding;
use crate::failure_slice::slice_from_failure;
use crate::tracee::TraceError;
use crate::variant_runs::find_varied;
use crate::{
    CauseTransition, CommonCalls, ComparedPlace, ControlFlow, Examiner, RunGoal, RunJudge, RunPair, Spectrum,
    StopPoint, Timeline,
};
use howcome_lab::inquiry::Session;
use howcome_run::{Driver, Halt};

/// At most this number of transitions is followed back.
const MOST_TRANSITIONS: usize = 12;
/// If the time is limited, at most this part of it is used to follow both runs line by line before the places are examined.
const SHARE_OF_LINES: u32 = 4;

/// What is known besides the chain.
#[derive(Default)]
pub(super) struct Evidence {
    pub(super) transitions: FoundTransitions,
    pub(super) flow: ControlFlow,
}

/// Examines place after place, then looks for the moments at which one variable takes over from another.
#[allow(clippy::too_many_arguments)]
pub(super) fn follow(
    session: &mut Session,
    request: &StateRequest,
    examiner: &Examiner<'_>,
    places: &[ComparedPlace],
    calls: Option<CommonCalls>,
    further: &FurtherRuns,
    chain: &mut Chain,
    known: &mut Evidence,
) -> Result<(), Halt> {
    let is_to_end = examiner.runs.settings.goal == RunGoal::End;
    // Where the runs part is known without a test, so it is reported even if the question is stopped at the first place.
    let mut course = None;
    if is_to_end {
        session.listener.now("following both runs");
        course = match session.driver.time_left() {
            None => Some(follow_lines(examiner.runs, calls.as_ref(), places, known)),
            Some(time) => {
                let runs = examiner.runs.limited_to(Some(time / SHARE_OF_LINES));
                known.flow = follow_roughly(&runs, calls.as_ref());
                None
            }
        };
    }
    for place in places {
        session.listener.now(&format!("at {place}"));
        chain.examine(&mut session.driver, examiner, place, calls.as_ref())?;
    }
    if chain.steps.is_empty() || !is_to_end {
        return Ok(());
    }
    if let Some(stop) = session.driver.out_of_time() {
        return Err(stop.into());
    }
    session.listener.now("looking for the moments at which the cause changes");
    let course = course.unwrap_or_else(|| follow_lines(examiner.runs, calls.as_ref(), places, known));
    if let Some(stop) = session.driver.out_of_time() {
        return Err(stop.into());
    }
    let course = match course {
        Ok(course) => course,
        Err(error) => {
            // The chain is as good without the moments in between.
            session.warn(&format!("the moments at which the cause changes were not looked for: {error}"))?;
            return Ok(());
        }
    };
    examine_flow(session, request, examiner, further, &mut known.flow)?;
    let course = course.as_ref().or(calls.as_ref());
    let wrong_output = match course {
        Some(course) => {
            let found = &mut known.transitions;
            find_transitions(&mut session.driver, request, examiner, course, chain, found)?
        }
        None => None,
    };
    if let Some(slice) = slice_from_failure(examiner.runs, &known.flow, wrong_output) {
        known.flow.add_slice(slice);
    }
    Ok(())
}

/// Follows both runs past all calls, unless these are all calls, and line by line.
fn follow_lines(
    runs: &RunPair,
    calls: Option<&CommonCalls>,
    places: &[ComparedPlace],
    known: &mut Evidence,
) -> Result<Option<CommonCalls>, TraceError> {
    let also: Vec<_> = places.iter().map(|place| place.failing.at).collect();
    let all_calls = calls.filter(|calls| !calls.is_first_only);
    let course = match all_calls {
        Some(_) => None,
        None => Some(CommonCalls::of(runs, &also)?),
    };
    // Without it there are fewer candidates, but the chain is as good.
    if let Some(Ok(flow)) = all_calls.or(course.as_ref()).map(|calls| ControlFlow::of(runs, calls)) {
        known.flow = flow;
    }
    Ok(course)
}

/// Follows both runs line by line, or at least finds out which lines they execute.
fn follow_roughly(runs: &RunPair, calls: Option<&CommonCalls>) -> ControlFlow {
    let first = match calls {
        Some(_) => None,
        None => CommonCalls::first_of(runs).ok(),
    };
    let Some(calls) = calls.or(first.as_ref()) else { return ControlFlow::default() };
    let covered = ControlFlow::of_coverage(runs, calls);
    ControlFlow::of(runs, calls).or(covered).unwrap_or_default()
}

/// What tells which of the lines matter: switched branches, further runs, variants of the inputs.
fn examine_flow(
    session: &mut Session,
    request: &StateRequest,
    examiner: &Examiner<'_>,
    further: &FurtherRuns,
    flow: &mut ControlFlow,
) -> Result<(), Halt> {
    let RunPair { passing, failing, .. } = examiner.runs;
    // If only the outputs differ, an altered run that prints what the passing run prints is not right for that: it has another input.
    let is_by_output = examiner.terms.says_nothing() && failing.result.ends_like(&passing.result);
    let judge = RunJudge::new(passing.result.clone(), failing.result.clone(), examiner.terms.clone());
    let judge = judge.filter(|_| !is_by_output);
    if !matches!(request.places()?, PlaceChoice::Named(_)) {
        session.listener.now("switching branches of the failing run");
        let asked = (examiner.workers, examiner.stop.clone());
        flow.deciding =
            find_deciding(&mut session.driver, examiner.runs, &examiner.terms, &flow.branches, asked)?;
    }
    let is_over = || session.driver.out_of_time().is_some() || examiner.stop.is_interrupted();
    if !further.is_empty() {
        session.listener.now("looking at further runs");
        let mut spectrum = Spectrum::new(&examiner.runs.settings, judge, &flow.lines);
        let originals = [(&passing.invocation, false), (&failing.invocation, true)];
        let added =
            originals.iter().try_for_each(|(run, is_failing)| spectrum.add_original(run, *is_failing));
        let remarks = match added {
            Ok(()) => further.count(&mut spectrum, is_over),
            Err(error) => vec![format!("the further runs were not looked at: {error}")],
        };
        flow.suspicious = spectrum.most_suspicious();
        flow.unusual = spectrum.most_unusual();
        remarks.iter().for_each(|remark| session.listener.warn(remark));
    }
    if further.is_empty() && !matches!(request.places()?, PlaceChoice::Named(_)) {
        session.listener.now("varying the inputs of both runs");
        flow.varied = find_varied(examiner.runs, &examiner.terms, flow, is_over);
    }
    Ok(())
}

/// The last transition before the last place, or all transitions if the user wants them. Unless the user chose the places, the last return
/// before the failure and the crash or exit itself become the last steps of the chain. If both runs end alike, the failure is what was
/// printed, and that becomes the last step; where that is, is returned too.
fn find_transitions(
    driver: &mut Driver,
    request: &StateRequest,
    examiner: &Examiner<'_>,
    calls: &CommonCalls,
    chain: &mut Chain,
    found: &mut FoundTransitions,
) -> Result<Option<StopPoint>, Halt> {
    let Some(last) = chain.steps.last().map(|step| step.place.clone()) else { return Ok(None) };
    let mut timeline = Timeline::new(examiner, calls);
    if !request.transitions {
        timeline = timeline.briefly();
    }
    chain.steps.iter().for_each(|step| timeline.remember(&step.place, step.deciders.clone()));
    let mut nearby = timeline.before(driver, &last, 1)?;
    let RunPair { passing, failing, .. } = examiner.runs;
    let is_chosen = matches!(request.places()?, PlaceChoice::Named(_));
    *found = FoundTransitions::of(nearby.clone(), false, is_chosen);
    let has_failure = !is_chosen && !failing.result.ends_like(&passing.result);
    let mut start = last.clone();
    if !is_chosen {
        chain.add_return(driver, examiner, &mut timeline, &last)?;
    }
    let wrong_output = match !is_chosen && !has_failure {
        true => chain.add_wrong_output(driver, examiner, &mut timeline, &last)?.map(|place| place.failing),
        false => None,
    };
    // That the input is read says little: what becomes of it?
    let is_open = nearby.iter().all(|transition| transition.is_reading);
    let mut is_late = false;
    if (has_failure || is_open)
        && let Some(nearest) = timeline.nearest_to_failure(driver, &last)?
    {
        start = nearest.place;
        let later = if is_open { timeline.before(driver, &start, 1)? } else { Vec::new() };
        if !later.is_empty() {
            (nearby, is_late) = (later, true);
        }
        if let Some(examined) = nearest.examined.filter(|_| has_failure) {
            chain.add_failure(examiner, *examined);
        }
    }
    *found = FoundTransitions::of(nearby, is_late, is_chosen);
    if request.transitions {
        found.all = find_all(&mut timeline, driver, &last, &start)?;
        timeline.check_stopped()?;
    }
    Ok(wrong_output)
}

/// The transitions before the last place, which most often tell more, then those between it and the failure.
fn find_all(
    timeline: &mut Timeline<'_, '_>,
    driver: &mut Driver,
    last: &ComparedPlace,
    failure: &ComparedPlace,
) -> Result<Vec<CauseTransition>, Halt> {
    let mut all = timeline.before(driver, last, MOST_TRANSITIONS)?;
    if failure != last {
        let later = timeline.between_places(driver, Some(last), failure, MOST_TRANSITIONS)?;
        let is_new = |transition: &CauseTransition| all.iter().all(|known| known.before != transition.before);
        all.extend(later.into_iter().filter(is_new).collect::<Vec<_>>());
    }
    Ok(all)
}
