//! Tests both sides before a search starts: everything applied, nothing applied.

use super::look::{
    look, look_at_both, look_in_turns, look_until_failure, measure, measure_failing, most_frequent, refuse,
    repeat_until_clear, tell_apart,
};
use super::sides::{BaselineTerms, SideNames};
use super::{FailureRequest, Session};
use crate::errors::{has_same_last_line, has_same_quoted_text, has_words_that_vary, missing_file};
use crate::runners::PrintedText;
use crate::{Baseline, Execution, Judge, Lab, Limits, Oracle, PATIENCE, Prepare, Repeat, TestEnding};
use howcome_dd::{Configuration, Outcome};
use howcome_run::words::{count, printable};
use howcome_run::{
    Because, Entry, FlakyRates, Halt, Observation, Problem, ProblemKind, Purpose, StageName, Tally, TestInfo,
};
use std::sync::Arc;

/// What is known when a search can start.
pub struct BaselineResult {
    /// Judges the tests.
    pub judge: Arc<dyn Oracle>,
    /// How often a test is run before its outcome is believed.
    pub repeat: Repeat,
    /// The outcome of the empty configuration.
    pub nothing: Outcome,
    /// How the test of the empty configuration ends.
    pub nothing_ends: Because,
    /// How the test of all deltas ends.
    pub everything_ends: Because,
    /// The last lines that the test of the empty configuration prints.
    pub nothing_prints: Vec<String>,
    /// Whether nothing but the exit code or the signal tells a failure from other runs.
    pub is_by_ending: bool,
    /// How long the slower side took, in seconds.
    pub seconds: f64,
    /// The executions of all deltas and of the empty configuration.
    pub executions: [Execution; 2],
    /// What the runs of both sides show about the failure rates, if the test is flaky.
    pub rates: Option<FlakyRates>,
}

impl BaselineResult {
    /// About how many times a test runs for each question of the search.
    #[must_use]
    pub fn runs_per_question(&self) -> f64 {
        match &self.repeat {
            // A search that learns from every run does not settle each question.
            Repeat::Times(_) if self.rates.is_some() => 10.0,
            Repeat::Times(times) => f64::from(*times),
            Repeat::Flaky(noise) => noise.expected_runs(),
        }
    }
}

/// What is known if only the failing side was run.
pub struct FailingSide {
    /// Judges the tests.
    pub judge: Arc<dyn Oracle>,
    /// How often a test is run before its outcome is believed.
    pub repeat: Repeat,
    /// How it ends.
    pub ends: Because,
    /// Its run. The folder in which it ran is kept until the next test.
    pub execution: Execution,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// What it printed.
    pub printed: Vec<u8>,
    /// Whether nothing but the exit code or the signal tells a failure from other runs.
    pub is_by_ending: bool,
}

/// How often each side of a noisy test is run: a test that fails in 3 of 10 runs almost certainly fails in some of
/// these.
const LOOKS_IF_FLAKY: u32 = 20;

/// Runs both sides, makes a judge from what they did, and sets up the lab.
///
/// # Errors
/// If there is nothing to explain, the user wants to stop, or the test cannot be run.
pub fn prepare(
    session: &mut Session,
    lab: &mut dyn Lab,
    stage: &StageName,
    subject: &Arc<dyn Prepare>,
    failure: &FailureRequest,
    terms: &BaselineTerms,
) -> Result<BaselineResult, Halt> {
    let sides = terms.sides;
    set_first_limits(lab, failure);
    let looks = match failure.repeat {
        _ if failure.flaky => LOOKS_IF_FLAKY,
        repeat => (2 * repeat - 1).min(LOOKS_IF_FLAKY),
    };
    let (everything, nothing) = (Configuration::all(subject.deltas()), Configuration::empty());
    let [failing, passing] = match failure.flaky && terms.judging.zero_is_pass {
        true => look_in_turns(session, lab, subject, looks, terms)?,
        false if looks == 1 && lab.runs_apart() => {
            session.listener.now("baseline: both sides at the same time");
            look_at_both(session, lab, subject, [&everything, &nothing], sides)?
        }
        false => {
            announce(session, sides, Purpose::BaselineFailing);
            let failing = look(session, lab, subject, &everything, looks, sides)?;
            announce(session, sides, Purpose::BaselinePassing);
            [failing, look(session, lab, subject, &nothing, looks, sides)?]
        }
    };
    let [failing, passing] = tell_apart(&terms.judging, failing, passing, failure.flaky)?;
    if !terms.judging.program_varies
        && failing.typical.ending != TestEnding::Exit(0)
        && let Some(halt) = refuse_missing_file(&failing.typical)
    {
        return Err(halt);
    }
    for side in [&failing, &passing] {
        check_folders(terms, &side.typical)?;
    }
    let passing_side = terms.two_sided.then_some(&passing.typical);
    let mut judging = terms.judging.clone();
    if judging.quoted && judging.compares_messages() && has_words_that_vary(&failing.typical) {
        // What can differ from run to run counts if a second run repeats it.
        let again = look(session, lab, subject, &everything, 1, sides)?;
        judging.quoted = again.iter().all(|again| has_same_quoted_text(&failing.typical, again));
        judging.last_line = again.iter().all(|again| has_same_last_line(&failing.typical, again));
    }
    let baseline = match Baseline::of(&judging, &failing.typical, passing_side) {
        Ok(baseline) => baseline,
        Err(refusal) => {
            let both = [
                (Purpose::BaselineFailing, &failing, everything),
                (Purpose::BaselinePassing, &passing, Configuration::empty()),
            ];
            return Err(refuse(session, stage, terms, &refusal, &both)?);
        }
    };
    record_test(session, terms, &baseline.judge, &failing.typical)?;
    let judge: Arc<dyn Oracle> = Arc::new(baseline.judge.clone());
    set_limits(lab, failure, &baseline);
    let (repeat, measured) = match failure.flaky {
        false => (Repeat::Times(failure.repeat), [Tally::default(); 2]),
        true if terms.search_learns_rates => (Repeat::Times(1), [Tally::default(); 2]),
        true => measure(session, lab, subject, &judge, failure.confidence)?,
    };
    let everything_ends = failing.typical.ending.plain().into();
    let nothing_prints = passing.typical.last_lines(3);
    let executions = [failing.typical.clone(), passing.typical.clone()];
    let both = [
        (Purpose::BaselineFailing, everything, failing, measured[0]),
        (Purpose::BaselinePassing, nothing, passing, measured[1]),
    ];
    let (mut nothing_does, mut nothing_ends) = (Outcome::Pass, Because::Exit(0));
    let mut seconds: f64 = 0.0;
    let mut tallies = Vec::new();
    for (purpose, configuration, looked, measured) in both {
        let mut observation = looked.observation(&baseline.judge, measured);
        // A resumed search starts from the runs of the first session.
        tallies.push(recorded_tally(&session.recorded.entries, purpose).unwrap_or(observation.tally));
        observation.log = looked.keep_log(session, sides.file(purpose));
        if purpose == Purpose::BaselinePassing {
            (nothing_does, nothing_ends) = (observation.outcome, observation.because.clone());
        }
        seconds = seconds.max(looked.seconds());
        record(session, stage, subject, (purpose, sides), &configuration, observation)?;
    }
    lab.set_experiment(Arc::clone(subject), Arc::clone(&judge), repeat);
    Ok(BaselineResult {
        judge,
        repeat,
        nothing: nothing_does,
        nothing_ends,
        everything_ends,
        nothing_prints,
        is_by_ending: baseline.judge.is_by_ending(),
        seconds,
        executions,
        rates: failure.flaky.then(|| FlakyRates::of_sides(failure.confidence, [tallies[0], tallies[1]])),
    })
}

/// What is known about the failure rates of a flaky test when its search starts, read from the record.
#[must_use]
pub fn recorded_rates(entries: &[Entry], failure: &FailureRequest) -> Option<FlakyRates> {
    let tally = |purpose| recorded_tally(entries, purpose);
    let sides = tally(Purpose::BaselineFailing).zip(tally(Purpose::BaselinePassing));
    let (failing, passing) = sides.filter(|_| failure.flaky)?;
    Some(FlakyRates::of_sides(failure.confidence, [failing, passing]))
}

/// The runs of one side that were recorded first.
fn recorded_tally(entries: &[Entry], purpose: Purpose) -> Option<Tally> {
    entries.iter().find_map(|entry| match entry {
        Entry::Observed { purpose: recorded, observation, .. } if *recorded == purpose => {
            Some(observation.tally)
        }
        _ => None,
    })
}

/// Runs the failing side alone, makes a judge from what it did, and sets the limits.
///
/// # Errors
/// If it does not fail, the user wants to stop, or the test cannot be run.
pub fn prepare_failing(
    session: &mut Session,
    lab: &mut dyn Lab,
    stage: &StageName,
    (subject, configuration): (&Arc<dyn Prepare>, &Configuration),
    failure: &FailureRequest,
    terms: &BaselineTerms,
) -> Result<FailingSide, Halt> {
    let purpose = Purpose::BaselineFailing;
    set_first_limits(lab, failure);
    announce(session, terms.sides, purpose);
    let looked = match failure.flaky {
        true => look_until_failure(session, lab, (subject, configuration), LOOKS_IF_FLAKY, terms)?,
        false => {
            let looks = (2 * failure.repeat - 1).min(LOOKS_IF_FLAKY);
            most_frequent(look(session, lab, subject, configuration, looks, terms.sides)?)?
        }
    };
    check_folders(terms, &looked.typical)?;
    let baseline = match Baseline::of_failing(&terms.judging, &looked.typical) {
        Ok(baseline) => baseline,
        Err(refusal) => {
            let side = [(purpose, &looked, configuration.clone())];
            return Err(refuse(session, stage, terms, &refusal, &side)?);
        }
    };
    record_test(session, terms, &baseline.judge, &looked.typical)?;
    set_limits(lab, failure, &baseline);
    let judge: Arc<dyn Oracle> = Arc::new(baseline.judge.clone());
    let recorded = recorded_tally(&session.recorded.entries, purpose);
    // A resumed search starts from the runs of the first session.
    let measured = match failure.flaky && recorded.is_none() {
        true => measure_failing(session, lab, subject, configuration, &judge)?,
        false => Tally::default(),
    };
    let mut observation = looked.observation(&baseline.judge, measured);
    let repeat = match failure.flaky {
        false => Repeat::Times(failure.repeat),
        true => repeat_until_clear(session, recorded.unwrap_or(observation.tally), failure.confidence)?,
    };
    observation.log = looked.keep_log(session, terms.sides.file(purpose));
    let ends = observation.because.clone();
    record(session, stage, subject, (purpose, terms.sides), configuration, observation)?;
    Ok(FailingSide {
        judge,
        repeat,
        ends,
        seconds: looked.seconds(),
        printed: looked
            .typical
            .stdout
            .pieces()
            .chain(looked.typical.stderr.pieces())
            .collect::<Vec<_>>()
            .join(&b'\n'),
        execution: looked.typical,
        is_by_ending: baseline.judge.is_by_ending(),
    })
}

/// Refuses a test that needs a folder that is left out: it fails, but not because of what is varied.
fn check_folders(terms: &BaselineTerms, execution: &Execution) -> Result<(), Halt> {
    terms.needs_folder(execution).map_or(Ok(()), |needed| Err(needed.refuse(execution)))
}

/// Refuses a test that does not find a file of the user's folder: it fails, but not because of what is varied.
fn refuse_missing_file(failing: &Execution) -> Option<Halt> {
    let user_folder = std::env::current_dir().ok()?;
    let printed = PrintedText::of(failing);
    let name = missing_file(&printed, &failing.ran_in, &user_folder)?;
    let why =
        format!("the test does not find {name}: it runs in a folder of its own, not in the current folder");
    let lines: Vec<String> = failing.last_lines(5).iter().map(|line| printable(line)).collect();
    let problem = Problem::new(format!("{why}\nit printed:\n    {}", lines.join("\n    ")))
        .of_kind(ProblemKind::NothingToExplain)
        .hint("begin the test with `cd \"$HOWCOME_DIR\"`, as in `-- sh -c 'cd \"$HOWCOME_DIR\" && …'`, or give full paths");
    Some(Halt::Refused { problem, why })
}

/// The most lines of the failing side's output that a report shows: its first and its last ones.
const SHOWN_LINES: [usize; 2] = [10, 20];

/// Records what is known about the test, once in a run.
fn record_test(
    session: &mut Session,
    terms: &BaselineTerms,
    judge: &Judge,
    failing: &Execution,
) -> Result<(), Problem> {
    if session.recorded.entries.iter().any(|entry| matches!(entry, Entry::Test(_))) {
        return Ok(());
    }
    let info = TestInfo {
        command: terms.command.clone(),
        signature: judge.to_string(),
        held: terms.held.clone(),
        in_copy: terms.in_copy,
        failing_output: first_and_last_lines(failing),
    };
    session.driver.journal().add(Entry::Test(info))?;
    let others = judge.other_failing_tests();
    if !others.is_empty() {
        let names: Vec<String> = others.iter().take(3).cloned().collect();
        let more = if others.len() > names.len() { ", …" } else { "" };
        let verbs = if others.len() == 1 { "fails as well and is" } else { "fail as well and are" };
        session.warn(&format!(
            "{} {verbs} not looked at: {}{more}; to find its cause, name the test in the test command",
            count(others.len() as u64, "other test"),
            names.join(", "),
        ))?;
    }
    Ok(())
}

/// What a run printed, shortened to its first and its last lines.
fn first_and_last_lines(execution: &Execution) -> String {
    let printed = PrintedText::of(execution);
    let lines: Vec<String> = printed.lines().map(printable).collect();
    let [first, last] = SHOWN_LINES;
    if lines.len() <= first + last {
        return lines.join("\n");
    }
    let left_out = format!("… {} …", count((lines.len() - first - last) as u64, "line"));
    let shown = lines[..first].iter().chain([&left_out]).chain(&lines[lines.len() - last..]);
    shown.map(String::as_str).collect::<Vec<_>>().join("\n")
}

pub(super) fn announce(session: &Session, sides: SideNames, purpose: Purpose) {
    session.listener.now(&format!("baseline: the test with {}", sides.name(purpose)));
}

/// The limits for the first tests, when nothing is known about the test yet.
pub(super) fn set_first_limits(lab: &mut dyn Lab, failure: &FailureRequest) {
    let timeout = failure.timeout.unwrap_or(PATIENCE);
    lab.set_limits(Limits { timeout, memory: failure.memory, ..Limits::default() });
}

fn set_limits(lab: &mut dyn Lab, failure: &FailureRequest, baseline: &Baseline) {
    lab.set_limits(Limits {
        timeout: baseline.timeout,
        build_timeout: baseline.build_timeout,
        memory: failure.memory,
        ..Limits::default()
    });
}

/// Records what one side did, unless the journal of a resumed run says something else.
fn record(
    session: &mut Session,
    stage: &StageName,
    subject: &Arc<dyn Prepare>,
    (purpose, sides): (Purpose, SideNames),
    configuration: &Configuration,
    observation: Observation,
) -> Result<(), Problem> {
    compare_with_recorded(session, purpose, sides.name(purpose), &observation)?;
    let content = subject.content(configuration);
    Ok(session.driver.baseline(stage, purpose, configuration, content, observation)?)
}

/// Refuses a test that no longer behaves as recorded: the rest of the record would not apply to it.
fn compare_with_recorded(
    session: &Session,
    purpose: Purpose,
    with: &str,
    now: &Observation,
) -> Result<(), Problem> {
    let recorded = session.recorded.entries.iter().find_map(|entry| match entry {
        Entry::Observed { purpose: recorded, observation, .. } if *recorded == purpose => Some(observation),
        _ => None,
    });
    match recorded {
        Some(then) if then.because != now.because => {
            let (then, now) = (&then.because, &now.because);
            let message = format!(
                "the test has changed since the run began: with {with} it ended with {then}, now with {now}"
            );
            let hint = "undo the change, or start a new run";
            Err(Problem::new(message).hint(hint).of_kind(ProblemKind::Flaky))
        }
        _ => Ok(()),
    }
}
