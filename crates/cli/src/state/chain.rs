//! From two runs to the cause-effect chain.

use super::finding;
use super::graph::Shown;
use super::request::{Places, Request};
use super::started::same_program;
use crate::algorithm::Algorithm;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::investigate::why_stopped;
use crate::session::{Answered, Session, interrupt_by};
use crate::streams::answer;
use crate::talk::Talk;
use howcome_report::count;
use howcome_run::{BothOutcomes, ChainFinding, Conclusion, Ending, Finding, Minimal, Stop, Verified};
use howcome_state::tracee::RunEnd;
use howcome_state::{
    Address, CauseTransition, CommonCalls, CommonMoment, ComparedPlace, Examination, Examined, Examiner,
    NoCause, RunJudge, RunPair, RunsNotComparable, StopFlag, Stretch, Timeline, TransferDirection,
    difference,
};

/// Runs the program both ways.
pub(super) fn runs(request: &Request, talk: &Talk) -> Result<RunPair, Failure> {
    let (passing, failing) = (request.passing()?, request.failing()?);
    if !same_program(&passing.program, &failing.program)? {
        return Err(Failure::wrong_use(format!(
            "{} and {} are two programs; the two runs must be of one",
            passing.program.display(),
            failing.program.display()
        ))
        .hint("for two versions of a program there is `howcome changes`"));
    }
    talk.now("running the program both ways");
    // Nothing is recorded yet, so there is nothing to end in order.
    interrupt_by(|| {
        howcome_state::tracee::remove_copies();
        std::process::exit(Exit::Stopped as i32)
    })?;
    let runs = RunPair::of(passing, failing, &request.options())?;
    talk.finish();
    Ok(runs)
}

/// What came of the places.
#[derive(Default)]
struct Chain {
    steps: Vec<Examined>,
    skipped: Vec<(ComparedPlace, NoCause)>,
}

/// Finds the chain and gives the answer.
pub(super) fn answer(
    mut session: Session,
    request: &Request,
    runs: &RunPair,
    jobs: u32,
    dry_run: bool,
) -> Result<Exit, Failure> {
    let interrupter = StopFlag::default();
    let stop = interrupter.clone();
    interrupt_by(move || stop.interrupt())?;
    let between = matches!(request.places()?, Places::Between(..));
    let terms = request.terms()?;
    let (passing, failing) = (&runs.passing.seen, &runs.failing.seen);
    if !between && RunJudge::new(passing.clone(), failing.clone(), terms.clone()).is_none() {
        return session.end(alike(runs, terms.says_nothing()));
    }
    if failing.end == RunEnd::Exited(0)
        && passing.end != RunEnd::Exited(0)
        && terms.says_nothing()
        && !between
    {
        session.talk.warn(
            "the failing run exits with 0, and the passing one does not: is --fail what was meant as --pass?",
        );
    }
    let mut examiner = Examiner { runs, terms, workers: jobs as usize, interrupter, mark: None };
    session.talk.now("following both runs");
    let (places, course) = match places(request, runs) {
        Ok(found) => found,
        Err(failure) => {
            if session.is_new() {
                session.forget()?;
            }
            return Err(failure);
        }
    };
    if dry_run {
        session.talk.finish();
        estimate(&examiner, &places);
        return session.forget().map(|()| Exit::Found);
    }
    examiner.set_mark(&places);
    let mut chain = Chain::default();
    for place in &places {
        session.talk.now(&format!("at {place}"));
        if let Some(stop) = look_at(&mut session, &examiner, place, course.as_ref(), &mut chain)? {
            return session.end(stopped(stop, conclusion(request, runs, &chain, &[])));
        }
    }
    let transitions = match transitions(&mut session, &examiner, request, course, &chain)? {
        Ok(transitions) => transitions,
        Err(stop) => return session.end(stopped(stop, conclusion(request, runs, &chain, &[]))),
    };
    let conclusion = conclusion(request, runs, &chain, &transitions);
    let failure = draw(&session.talk, request, &examiner, &chain, places.last()).err();
    let (ending, why) = match chain.steps.is_empty() {
        true => (Ending::Undecided, Some("at none of the places a cause could be found".to_owned())),
        false => (Ending::Found, None),
    };
    session.end(Answered { ending, conclusion: Some(conclusion), answer: None, failure, why })
}

/// What would be varied where, and about how many tests that takes.
fn estimate(examiner: &Examiner<'_>, places: &[ComparedPlace]) {
    answer!("{} would be looked at:\n", count(places.len() as u64, "place"));
    for place in places {
        match examiner.differences(place, TransferDirection::Forward) {
            Ok(differences) => {
                let deltas = differences.deltas.len() as u32;
                let tests = Algorithm::Isolate.estimate(deltas) as u64;
                let variables = count(deltas.into(), "variable");
                answer!("  {place}: {variables}, about {} if one of them decides\n", count(tests, "test"));
            }
            Err(error) => answer!("  {place}: {error}\n"),
        }
    }
}

/// What is known when a run is stopped.
fn stopped(stop: Stop, conclusion: Conclusion) -> Answered {
    let (ending, why, failure) = why_stopped(stop);
    Answered { ending, conclusion: Some(conclusion), answer: None, failure, why: Some(why) }
}

/// The graph that was asked for: of the last place where something was found, else of the last place.
fn draw(
    talk: &Talk,
    request: &Request,
    examiner: &Examiner<'_>,
    chain: &Chain,
    last: Option<&ComparedPlace>,
) -> Result<(), Failure> {
    let program = &examiner.runs.settings.program;
    if !request.graph.is_wanted()? {
        return Ok(());
    }
    match (chain.steps.last(), last) {
        (Some(examined), _) => request.graph.write(&Shown::found(examined), program, talk),
        (None, Some(place)) => {
            let look = examiner
                .look(place)
                .map_err(|error| Failure::from(RunsNotComparable::Run("failing", error)))?;
            request.graph.write(&Shown::looked_at(place, &look), program, talk)
        }
        (None, None) => Ok(()),
    }
}

/// The two runs can't be told apart, or not by what the user calls passing and failing.
fn alike(runs: &RunPair, by_themselves: bool) -> Answered {
    let [passing, failing] = [&runs.passing, &runs.failing].map(|run| howcome_state::ending(&run.seen.end));
    let (message, hint) = match by_themselves {
        true => (
            format!("both runs do the same: {failing}"),
            "the runs must differ in their ending or in what they print; --fails-when says what else counts",
        ),
        false => (
            format!(
                "by what was given as passing and failing, the passing run does not pass or the failing run does not fail; \
                 the failing run: {failing}; the passing run: {passing}"
            ),
            "look at --fails-when, --passes-when and the test; conditions on output are about what is printed from a stop on",
        ),
    };
    let failure = Failure::wrong_use(format!("{message}; there is nothing to explain"));
    Answered::refused(failure.exit(Exit::NothingToExplain).hint(hint), message)
}

/// So often the way back is followed.
const MOST_TRANSITIONS: usize = 12;

/// Where the cause changes hands: the last time, or, if the user wants to know, all the way back.
fn transitions(
    session: &mut Session,
    examiner: &Examiner<'_>,
    request: &Request,
    course: Option<CommonCalls>,
    chain: &Chain,
) -> Result<Result<Vec<CauseTransition>, Stop>, Failure> {
    let Some(last) = chain.steps.last() else { return Ok(Ok(Vec::new())) };
    if examiner.runs.settings.until_return {
        return Ok(Ok(Vec::new()));
    }
    let also: Vec<_> = chain.steps.iter().map(|step| step.place.failing.at).collect();
    let course = course.map_or_else(|| followed(examiner.runs, &also), Ok)?;
    let most = if request.transitions { MOST_TRANSITIONS } else { 1 };
    session.talk.now("looking for the moments where the cause changes hands");
    let mut timeline = Timeline::new(examiner, &course);
    chain.steps.iter().for_each(|step| timeline.remember(step));
    Ok(timeline.before(&mut session.driver, &last.place, most)?)
}

pub(super) fn followed(runs: &RunPair, also: &[Address]) -> Result<CommonCalls, Failure> {
    CommonCalls::of(runs, also).map_err(|error| Failure::from(RunsNotComparable::Run("failing", error)))
}

/// The places to look at, and the course that both runs have in common where it was followed.
fn places(request: &Request, runs: &RunPair) -> Result<(Vec<ComparedPlace>, Option<CommonCalls>), Failure> {
    let program = &runs.settings.program;
    let place = |common: &CommonMoment| ComparedPlace::of(program, common);
    match request.places()? {
        Places::Named(locations) => {
            let places: Result<Vec<ComparedPlace>, _> =
                locations.iter().map(|location| location.find(runs)).collect();
            Ok((in_order(runs, places?)?, None))
        }
        Places::Between(passing, failing) => Ok((vec![passing.pair(&failing, runs)?], None)),
        Places::Usual | Places::EveryFunction => {
            let course = followed(runs, &[])?;
            let chosen = if request.every_function { course.first_calls() } else { course.usual() };
            if chosen.is_empty() {
                return Err(Failure::wrong_use("the two runs have no call in common")
                    .hint("--at names a place; both runs must come there out of the same calls"));
            }
            Ok((chosen.iter().map(place).collect(), Some(course)))
        }
    }
}

/// Places in the order in which the failing run comes by them.
fn in_order(runs: &RunPair, mut places: Vec<ComparedPlace>) -> Result<Vec<ComparedPlace>, Failure> {
    let addresses: Vec<_> = places.iter().map(|place| place.failing.at).collect();
    let hits = places.iter().map(|place| place.hit).max().unwrap_or(0);
    let stretch = Stretch { hits, ..Stretch::default() };
    let trace = howcome_state::trace(&runs.settings, &runs.failing.invocation, &addresses, stretch)
        .map_err(|error| Failure::from(RunsNotComparable::Run("failing", error)))?;
    let rank =
        |place: &ComparedPlace| trace.moments.iter().position(|moment| moment.stop_point == place.failing);
    places.sort_by_cached_key(|place| rank(place).unwrap_or(usize::MAX));
    Ok(places)
}

/// Looks at a place, and at its neighbours where nothing can be carried over.
fn look_at(
    session: &mut Session,
    examiner: &Examiner<'_>,
    place: &ComparedPlace,
    course: Option<&CommonCalls>,
    chain: &mut Chain,
) -> Result<Option<Stop>, Failure> {
    let nothing = match examiner.examine(&mut session.driver, place)? {
        Examination::Found(examined) => {
            chain.steps.push(*examined);
            return Ok(None);
        }
        Examination::Stopped(stop) => return Ok(Some(stop)),
        Examination::Nothing(nothing) => nothing,
    };
    let neighbours = match (course, &nothing) {
        (Some(course), NoCause::NotTransferable { .. }) => neighbours(examiner.runs, course, place),
        (Some(course), NoCause::DecidedBefore) => earlier(examiner.runs, course, place),
        _ => Vec::new(),
    };
    chain.skipped.push((place.clone(), nothing));
    for neighbour in neighbours {
        if chain.steps.iter().any(|step| step.place == neighbour) {
            continue;
        }
        match examiner.examine(&mut session.driver, &neighbour)? {
            Examination::Found(examined) => {
                chain.steps.push(*examined);
                // An earlier neighbour may be earlier than what was found before.
                let moments = course.map_or(&[][..], |course| &course.failing.moments);
                let rank = |step: &Examined| {
                    moments.iter().position(|moment| moment.stop_point == step.place.failing)
                };
                chain.steps.sort_by_cached_key(|step| rank(step).unwrap_or(usize::MAX));
                return Ok(None);
            }
            Examination::Stopped(stop) => return Ok(Some(stop)),
            Examination::Nothing(_) => {}
        }
    }
    Ok(None)
}

/// The next call and the one before.
fn neighbours(runs: &RunPair, course: &CommonCalls, place: &ComparedPlace) -> Vec<ComparedPlace> {
    let Some(at) = course.common.iter().position(|common| common.failing.stop_point == place.failing) else {
        return Vec::new();
    };
    let near = [Some(at + 1), at.checked_sub(1)].into_iter().flatten();
    let near = near.filter_map(|at| course.common.get(at));
    near.map(|common| ComparedPlace::of(&runs.settings.program, common)).collect()
}

/// So many calls before a place that comes too late are tried, further apart each time.
const STEPS_BACK: u32 = 5;

/// Calls before a place at which all is decided.
fn earlier(runs: &RunPair, course: &CommonCalls, place: &ComparedPlace) -> Vec<ComparedPlace> {
    let at = course.common.iter().position(|common| common.failing.stop_point == place.failing);
    let back = (0..STEPS_BACK).filter_map(|step| at?.checked_sub(1 << step));
    back.map(|at| ComparedPlace::of(&runs.settings.program, &course.common[at])).collect()
}

fn conclusion(
    request: &Request,
    runs: &RunPair,
    chain: &Chain,
    transitions: &[CauseTransition],
) -> Conclusion {
    let last = chain.steps.last().map(|step| (&step.ends.failing, &step.ends.passing));
    let (failing, passing) = last.unwrap_or((&runs.failing.seen, &runs.passing.seen));
    let (failing, passing) = difference(failing, passing);
    let all = |claim: fn(&howcome_state::StateCause) -> Option<bool>| {
        let claims = chain.steps.iter().flat_map(|step| &step.causes).map(claim);
        let all: Option<Vec<bool>> = claims.collect();
        all.filter(|claims| !claims.is_empty()).map(|claims| claims.into_iter().all(|claim| claim))
    };
    let verified = Verified {
        alone_fails: all(|cause| cause.alone_fails),
        without_passes: all(|cause| cause.without_passes),
    };
    let finding = ChainFinding {
        program: request.failing().map(|run| run.called.to_string_lossy().into_owned()).unwrap_or_default(),
        failing_run: request.fail.clone(),
        passing_run: request.pass.clone().unwrap_or_else(|| request.fail.clone()),
        outcome: BothOutcomes { passing, failing },
        steps: chain.steps.iter().map(|step| finding::step(step, &runs.settings.program)).collect(),
        skipped: chain.skipped.iter().map(|(place, why)| finding::skipped(place, why)).collect(),
        transitions: finding::transitions(transitions),
    };
    let checked = !chain.steps.is_empty() && chain.steps.iter().all(|step| step.is_minimal);
    let minimal = Minimal { of: "variables".to_owned(), checked };
    Conclusion { finding: Finding::Chain(Box::new(finding)).into(), minimal, verified, confidence: None }
}
