//! From two runs to the cause-effect chain.

use super::chain::Chain;
use super::command_line::{RunHost, is_same_program};
use super::evidence::{Evidence, follow};
use super::finding::conclude;
use super::further_runs::FurtherRuns;
use super::places::choose_places;
use super::request::{PlaceChoice, StateRequest};
use super::shown_place::ShownPlace;
use crate::tracee::RunEnd;
use crate::{
    ComparedPlace, Examiner, RunJudge, RunPair, RunsNotComparable, StopFlag, TransferDirection, describe_end,
};
use howcome_lab::inquiry::{Concluded, Response, SearchChoice, Session};
use howcome_run::words::count;
use howcome_run::{Ending, Halt, Problem, ProblemKind};

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
            let conclusion = conclude(request, runs, &Chain::default(), &Evidence::default());
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
    let mut known = Evidence::default();
    let followed = follow(session, request, &examiner, &places, calls, &further, &mut chain, &mut known);
    for warning in examiner.unread.warnings() {
        // A run that was stopped goes on where it was, and is not over.
        match followed {
            Ok(_) => session.warn(&warning)?,
            Err(_) => session.listener.warn(&warning),
        }
    }
    let conclusion = Some(conclude(request, runs, &chain, &known));
    match followed {
        Ok(()) => {}
        Err(Halt::Stopped { why, .. }) => return Ok(Concluded::stopped(why, conclusion).into()),
        Err(halt) => return Err(halt),
    }
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
