//! From two runs to the cause-effect chain.

use super::candidates::FoundTransitions;
use super::chain::Chain;
use super::command_line::{RunHost, is_same_program};
use super::finding::conclude;
use super::further_runs::FurtherRuns;
use super::places::choose_places;
use super::request::{PlaceChoice, StateRequest};
use super::shown_place::ShownPlace;
use crate::deciding_branch::find_deciding;
use crate::failure_slice::slice_from_failure;
use crate::tracee::RunEnd;
use crate::variant_runs::find_varied;
use crate::{
    CauseTransition, CommonCalls, ComparedPlace, ControlFlow, Examiner, RunGoal, RunJudge, RunPair,
    RunsNotComparable, Spectrum, StopFlag, StopPoint, Timeline, TransferDirection, describe_end,
};
use howcome_lab::inquiry::{Concluded, Response, SearchChoice, Session};
use howcome_run::words::count;
use howcome_run::{Driver, Ending, Halt, Problem, ProblemKind};

/// At most this number of transitions is followed back.
const MOST_TRANSITIONS: usize = 12;

/// Draws a place, and tells the user where the drawing is.
pub type Draw<'a> = &'a dyn Fn(&ShownPlace<'_>) -> Result<String, Problem>;

/// How the question is asked; can differ from one session of a run to the next.
pub struct Asking<'a> {
    /// What runs get from this process.
    pub host: &'a RunHost,
    /// Tests at a time.
    pub workers: usize,
    /// Set if the user wants to stop.
    pub stop: StopFlag,
    /// Whether to report only what would be varied.
    pub dry_run: bool,
    /// Draws the memory graph of the last place at which a cause was found, else of the last place. `None` if no drawing is
    /// wanted.
    pub draw: Option<Draw<'a>>,
}

/// Runs the program both ways. Nothing is recorded yet: most of what can be wrong is wrong with the program.
///
/// # Errors
/// If the two runs cannot be compared.
pub fn run_both(request: &StateRequest, host: &RunHost) -> Result<RunPair, Problem> {
    let (passing, failing) = (request.passing(host)?, request.failing(host)?);
    if !is_same_program(&passing.program, &failing.program)? {
        return Err(Problem::new(format!(
            "{} and {} are different programs; both runs must be of the same program",
            passing.program.display(),
            failing.program.display()
        ))
        .hint("to compare two versions of a program, use `howcome changes`"));
    }
    Ok(RunPair::of(passing, failing, &request.options())?)
}

/// Finds the chain.
///
/// # Errors
/// If there is nothing to explain, or something is wrong.
pub fn ask(
    session: &mut Session,
    request: &StateRequest,
    runs: &RunPair,
    asking: Asking<'_>,
) -> Result<Response, Halt> {
    let between = matches!(request.places()?, PlaceChoice::Between(..));
    let terms = request.terms(asking.host)?;
    let (passing, failing) = (&runs.passing.result, &runs.failing.result);
    if !between && RunJudge::new(passing.clone(), failing.clone(), terms.clone()).is_none() {
        return Err(refuse_alike(runs, terms.says_nothing()));
    }
    if failing.end == RunEnd::Exited(0)
        && passing.end != RunEnd::Exited(0)
        && terms.says_nothing()
        && !between
    {
        session.listener.warn(
            "the failing run exits with 0, and the passing run does not: are --fail and --pass swapped?",
        );
    }
    let Asking { workers, stop, dry_run, draw, host } = asking;
    // No run takes longer than the whole question may take.
    let runs = &runs.limited_to(session.driver.time_left());
    let mut examiner = Examiner::new(runs, terms, workers, stop);
    let further = FurtherRuns::of(request, runs, host)?;
    session.listener.now("following both runs");
    let (places, calls) = match (choose_places(request, runs), session.driver.out_of_time()) {
        (Ok(chosen), _) => chosen,
        // The runs were not followed to their ends because the time is up.
        (Err(_), Some(why)) => {
            let nothing = (FoundTransitions::default(), ControlFlow::default());
            let conclusion = conclude(request, runs, &Chain::default(), &nothing.0, &nothing.1);
            return Ok(Concluded::stopped(why, Some(conclusion)).into());
        }
        (Err(problem), None) => return Err(problem.into()),
    };
    if dry_run {
        session.listener.finish();
        return Ok(Response::DryRun(estimate(&examiner, &places)));
    }
    examiner.set_mark(&places);
    let mut chain = Chain { is_drawn: draw.is_some(), ..Chain::default() };
    let followed = follow(session, request, &examiner, &places, calls, &further, &mut chain);
    for warning in examiner.unread.warnings() {
        // A run that was stopped goes on where it was, and is not over.
        match followed {
            Ok(_) => session.warn(&warning)?,
            Err(_) => session.listener.warn(&warning),
        }
    }
    let (transitions, flow) = match followed {
        Ok(found) => found,
        Err(Halt::Stopped { why, .. }) => {
            let conclusion =
                conclude(request, runs, &chain, &FoundTransitions::default(), &ControlFlow::default());
            return Ok(Concluded::stopped(why, Some(conclusion)).into());
        }
        Err(halt) => return Err(halt),
    };
    let conclusion = Some(conclude(request, runs, &chain, &transitions, &flow));
    let problem = match draw.and_then(|draw| draw_last(draw, &examiner, &chain, places.last())) {
        Some(Ok(drawn)) => {
            session.listener.note(&drawn);
            None
        }
        Some(Err(problem)) => Some(problem),
        None => None,
    };
    let concluded = match chain.steps.is_empty() {
        true => {
            Concluded::new(Ending::Undecided, conclusion).because("no cause was found at any of the places")
        }
        false => Concluded::new(Ending::Found, conclusion),
    };
    Ok(Concluded { problem, ..concluded }.into())
}

/// Examines place after place, then looks for the moments at which one variable takes over from another.
fn follow(
    session: &mut Session,
    request: &StateRequest,
    examiner: &Examiner<'_>,
    places: &[ComparedPlace],
    calls: Option<CommonCalls>,
    further: &FurtherRuns,
    chain: &mut Chain,
) -> Result<(FoundTransitions, ControlFlow), Halt> {
    for place in places {
        session.listener.now(&format!("at {place}"));
        chain.examine(&mut session.driver, examiner, place, calls.as_ref())?;
    }
    if chain.steps.is_empty() || examiner.runs.settings.goal != RunGoal::End {
        return Ok(Default::default());
    }
    if let Some(stop) = session.driver.out_of_time() {
        return Err(stop.into());
    }
    session.listener.now("looking for the moments at which the cause changes");
    let also: Vec<_> = chain.steps.iter().map(|step| step.place.failing.at).collect();
    let all_calls = calls.filter(|calls| !calls.is_first_only);
    let calls = match all_calls.map_or_else(|| CommonCalls::of(examiner.runs, &also), Ok) {
        Ok(calls) => calls,
        Err(error) => {
            if let Some(stop) = session.driver.out_of_time() {
                return Err(stop.into());
            }
            // The chain is as good without the moments in between.
            session.warn(&format!("the moments at which the cause changes were not looked for: {error}"))?;
            return Ok(Default::default());
        }
    };
    // Without it there are fewer candidates, but the chain is as good.
    let mut flow = ControlFlow::of(examiner.runs, &calls).unwrap_or_default();
    if let Some(stop) = session.driver.out_of_time() {
        return Err(stop.into());
    }
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
        flow.varied = find_varied(examiner.runs, &examiner.terms, &flow, is_over);
    }
    let (transitions, wrong_output) =
        find_transitions(&mut session.driver, request, examiner, &calls, chain)?;
    if let Some(slice) = slice_from_failure(examiner.runs, &flow, wrong_output) {
        flow.add_slice(slice);
    }
    Ok((transitions, flow))
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
) -> Result<(FoundTransitions, Option<StopPoint>), Halt> {
    let Some(last) = chain.steps.last().map(|step| step.place.clone()) else { return Ok(Default::default()) };
    let mut timeline = Timeline::new(examiner, calls);
    chain.steps.iter().for_each(|step| timeline.remember(&step.place, step.deciders.clone()));
    let mut nearby = timeline.before(driver, &last, 1)?;
    let RunPair { passing, failing, .. } = examiner.runs;
    let is_chosen = matches!(request.places()?, PlaceChoice::Named(_));
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
    let is_computed = |found: &&CauseTransition| !found.is_copy && !found.is_reading;
    let decisive = nearby.iter().rfind(is_computed).or(nearby.last()).cloned();
    let nearby = FoundTransitions { all: nearby, decisive, is_late, is_near_chosen: is_chosen };
    if request.transitions {
        let all = find_all(&mut timeline, driver, &last, &start)?;
        return Ok((FoundTransitions { all, ..nearby }, wrong_output));
    }
    Ok((nearby, wrong_output))
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

/// What would be varied where, and about how many tests that takes.
fn estimate(examiner: &Examiner<'_>, places: &[ComparedPlace]) -> String {
    let mut text = format!("{} would be looked at:\n", count(places.len() as u64, "place"));
    for place in places {
        text += &match examiner.find_differences(place, TransferDirection::Forward) {
            Ok(differences) => {
                let deltas = differences.deltas.len() as u32;
                let tests = SearchChoice::Isolate.estimate(deltas) as u64;
                let variables = count(deltas.into(), "variable");
                format!("  {place}: {variables}, about {} if one of them decides\n", count(tests, "test"))
            }
            Err(error) => format!("  {place}: {error}\n"),
        };
    }
    text
}

/// Draws the last place at which something was found, else the last place.
fn draw_last(
    draw: Draw<'_>,
    examiner: &Examiner<'_>,
    chain: &Chain,
    last: Option<&ComparedPlace>,
) -> Option<Result<String, Problem>> {
    let program = &examiner.runs.settings.program;
    match (chain.steps.iter().find_map(|step| step.shown.as_ref()), last) {
        (Some(examined), _) => Some(draw(&ShownPlace::found(program, examined))),
        (None, Some(place)) => Some(match examiner.compare_states(place) {
            Ok(states) => draw(&ShownPlace::compared(program, place, &states)),
            Err(error) => Err(RunsNotComparable::Run("failing", error).into()),
        }),
        (None, None) => None,
    }
}

/// The two runs cannot be told apart, or not by the user's conditions.
fn refuse_alike(runs: &RunPair, by_themselves: bool) -> Halt {
    let [passing, failing] = [&runs.passing, &runs.failing].map(|run| describe_end(&run.result.end));
    let (why, hint) = match by_themselves {
        true => (
            format!("both runs do the same: {failing}"),
            "the runs must end differently or print something different; --fails-when defines the failure in another way",
        ),
        false => (
            format!(
                "by these conditions, the passing run does not pass or the failing run does not fail; \
                 the failing run: {failing}; the passing run: {passing}"
            ),
            "check --fails-when, --passes-when and the test; conditions on output apply to the output after a stop",
        ),
    };
    let problem = Problem::new(format!("{why}; there is nothing to explain"));
    Halt::Refused { problem: problem.of_kind(ProblemKind::NothingToExplain).hint(hint), why }
}
