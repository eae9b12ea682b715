//! Runs each side several times and chooses the run that represents it.

use super::Session;
use super::conclusion::explain_no_verdict;
use super::sides::{BaselineTerms, SideNames};
use crate::{
    Condition, Execution, Judge, JudgingTerms, Lab, Look, LookError, Noise, NoiseUnknown, Oracle, Prepare,
    Refusal, Repeat, TestEnding, learn_noise, write_log,
};
use howcome_dd::{Configuration, Outcome};
use howcome_run::words::printable;
use howcome_run::{Because, Halt, Observation, Problem, ProblemKind, Purpose, StageName, Stop, Tally};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The runs of one side.
pub(super) struct SideRuns {
    /// The run that represents this side: it ends in a way that is more frequent here than on the other side.
    pub(super) typical: Execution,
    all: Vec<Execution>,
}

impl SideRuns {
    /// The observation of this side, including the runs that measured its noise.
    pub(super) fn observation(&self, judge: &Judge, mut tally: Tally) -> Observation {
        let verdict = judge.judge(&self.typical);
        let mut observation = Observation::new(verdict.outcome, verdict.because, self.typical.took);
        observation.is_cached = self.typical.is_cached;
        (observation.alone, observation.prepared) = (true, self.typical.prepared);
        self.all.iter().for_each(|execution| tally.add(judge.judge(execution).outcome));
        observation.tally = tally;
        observation
    }

    /// How long the build and the test took.
    pub(super) fn seconds(&self) -> f64 {
        (self.typical.took + self.typical.built).as_secs_f64()
    }

    /// Writes the output of the representative run to the log folder.
    pub(super) fn keep_log(&self, session: &Session, name: &str) -> Option<String> {
        write_log(&session.log()?, name, &self.typical)
    }
}

/// Runs one side several times.
pub(super) fn look(
    session: &Session,
    lab: &mut dyn Lab,
    subject: &Arc<dyn Prepare>,
    configuration: &Configuration,
    times: u32,
    sides: SideNames,
) -> Result<Vec<Execution>, Halt> {
    // The good version, or the only one, is tested last. The search continues from the files that it leaves.
    let comes_last = configuration.is_empty() || sides == SideNames::Revision;
    let is_elsewhere = lab.runs_apart();
    let look_once = |time| {
        let looked = match comes_last && time == times {
            true => lab.look_and_go_on(subject, configuration),
            false => lab.look(subject, configuration),
        };
        looked.map_err(|error| explain_side(error, session, configuration, sides, is_elsewhere))
    };
    (1..=times).map(look_once).collect()
}

/// Runs both sides once, at the same time if tests do not disturb each other: first all deltas, then none.
pub(super) fn look_at_both(
    session: &Session,
    lab: &mut dyn Lab,
    subject: &Arc<dyn Prepare>,
    configurations: [&Configuration; 2],
    sides: SideNames,
) -> Result<[Vec<Execution>; 2], Halt> {
    let [everything, nothing] = configurations;
    let last = Look { goes_on: true, ..Look::at(subject, nothing) };
    let is_elsewhere = lab.runs_apart();
    let mut looked = lab.look_at_all(&[Look::at(subject, everything), last]).into_iter();
    let mut side = |configuration| {
        let looked = looked.next().unwrap_or(Err(LookError::Interrupted));
        looked
            .map(|looked| vec![looked])
            .map_err(|error| explain_side(error, session, configuration, sides, is_elsewhere))
    };
    Ok([side(everything)?, side(nothing)?])
}

fn explain_side(
    error: LookError,
    session: &Session,
    configuration: &Configuration,
    sides: SideNames,
    is_elsewhere: bool,
) -> Halt {
    match error {
        LookError::Because(Because::DidNotBuild(why)) => {
            let is_passing = configuration.is_empty();
            let purpose = if is_passing { Purpose::BaselinePassing } else { Purpose::BaselineFailing };
            does_not_build(sides.name(purpose), &why, is_elsewhere).into()
        }
        other => explain_look_error(other, session.is_new()),
    }
}

/// Runs both sides of a flaky test in turns until it is clear what the failure is: the failing side has failed twice more often than
/// the passing side, in the same way, and the passing side has passed. Only for tests in which the exit code 0 is a pass.
pub(super) fn look_in_turns(
    session: &Session,
    lab: &mut dyn Lab,
    subject: &Arc<dyn Prepare>,
    most: u32,
    terms: &BaselineTerms,
) -> Result<[Vec<Execution>; 2], Halt> {
    session.listener.now("baseline: both versions in turns");
    let sides = [Configuration::all(subject.deltas()), Configuration::empty()];
    let mut runs: [Vec<Execution>; 2] = [Vec::new(), Vec::new()];
    let is_elsewhere = lab.runs_apart();
    for _ in 0..most {
        for (side, runs) in sides.iter().zip(&mut runs) {
            let looked = lab.look(subject, side);
            runs.push(looked.map_err(|error| explain_side(error, session, side, terms.sides, is_elsewhere))?);
        }
        if is_failure_clear(&terms.judging, &runs) {
            break;
        }
    }
    Ok(runs)
}

/// Whether a run fails, if the exit code 0 is a pass.
fn fails(terms: &JudgingTerms, execution: &Execution) -> bool {
    match terms.fails_when.is_empty() {
        true => execution.ending != TestEnding::Exit(0),
        false => terms.fails_when.iter().all(|condition| condition.holds(execution)),
    }
}

/// Runs the only side of a flaky test until it has failed twice in the same way. Only for tests in which the exit code 0 is a pass.
pub(super) fn look_until_failure(
    session: &Session,
    lab: &mut dyn Lab,
    (subject, configuration): (&Arc<dyn Prepare>, &Configuration),
    most: u32,
    terms: &BaselineTerms,
) -> Result<SideRuns, Halt> {
    let mut all: Vec<Execution> = Vec::new();
    for _ in 0..most {
        all.extend(look(session, lab, subject, configuration, 1, terms.sides)?);
        let failures = || all.iter().filter(|execution| fails(&terms.judging, execution));
        let twice = failures().find(|one| failures().filter(|other| other.ending == one.ending).count() > 1);
        if let Some(typical) = twice.cloned() {
            return Ok(SideRuns { typical, all });
        }
    }
    let failure = all.iter().find(|execution| fails(&terms.judging, execution)).cloned();
    match failure {
        Some(typical) => Ok(SideRuns { typical, all }),
        None => Ok(most_frequent(all)?),
    }
}

/// Runs the only side of a flaky test many times.
pub(super) fn measure_failing(
    session: &Session,
    lab: &mut dyn Lab,
    subject: &Arc<dyn Prepare>,
    configuration: &Configuration,
    judge: &Arc<dyn Oracle>,
) -> Result<Tally, Halt> {
    session.listener.now("baseline: measuring how often the test fails");
    let mut tally = Tally::default();
    while !Noise::is_enough_of_failing_side(&tally) {
        tally += lab
            .measure(subject, judge, configuration, Noise::RUNS_OF_FAILING_SIDE)
            .map_err(|error| explain_look_error(error, session.is_new()))?;
    }
    Ok(tally)
}

/// How often a test is repeated if only its failing side is known.
pub(super) fn repeat_until_clear(session: &Session, failing: Tally, confidence: f64) -> Result<Repeat, Halt> {
    let noise = Noise::of_failing_side(failing, confidence).map_err(|seldom| -> Halt {
        let problem = Problem::hinted(&seldom, seldom.hint()).of_kind(ProblemKind::Flaky);
        Halt::Refused { problem, why: seldom.to_string() }
    })?;
    session.listener.note(&format!(
        "the test fails in {} of {} runs of the bad revision; each question takes about {:.0} runs",
        failing.fail,
        failing.runs(),
        noise.expected_runs().ceil(),
    ));
    Ok(Repeat::Flaky(noise))
}

/// Whether the runs show what the failure is and what a pass is.
fn is_failure_clear(terms: &JudgingTerms, [failing, passing]: &[Vec<Execution>; 2]) -> bool {
    let fails = |execution: &Execution| fails(terms, execution);
    let passes = |execution: &Execution| match terms.passes_when.is_empty() {
        true => !fails(execution),
        false => terms.passes_when.iter().all(|condition| condition.holds(execution)),
    };
    let count = |runs: &[Execution], ending: TestEnding| {
        runs.iter().filter(|execution| fails(execution) && execution.ending == ending).count()
    };
    let is_frequent = |execution: &Execution| {
        let [often, elsewhere] = [failing, passing].map(|runs| count(runs, execution.ending));
        often >= elsewhere + 2
    };
    failing.iter().any(is_frequent) && passing.iter().any(passes)
}

/// Chooses the run that represents a side without a counterpart: one with the most frequent ending.
pub(super) fn most_frequent(all: Vec<Execution>) -> Result<SideRuns, Problem> {
    let share = |ending: TestEnding| all.iter().filter(|execution| execution.ending == ending).count();
    let typical = all.iter().max_by_key(|execution| share(execution.ending)).cloned();
    typical.map(|typical| SideRuns { typical, all }).ok_or_else(not_run)
}

/// Chooses the run that represents each side: one with the most frequent ending. For a noisy test, the frequency on the
/// other side is subtracted, and a run that meets the user's conditions comes first.
pub(super) fn tell_apart(
    terms: &JudgingTerms,
    failing: Vec<Execution>,
    passing: Vec<Execution>,
    flaky: bool,
) -> Result<[SideRuns; 2], Problem> {
    let share = |all: &[Execution], ending: TestEnding| {
        all.iter().filter(|execution| execution.ending == ending).count() as f64 / all.len().max(1) as f64
    };
    let choose = |own: &[Execution], other: &[Execution], conditions: &[Condition]| {
        let meets_conditions = |execution: &&Execution| {
            flaky && !conditions.is_empty() && conditions.iter().all(|condition| condition.holds(execution))
        };
        let elsewhere = |ending: TestEnding| if flaky { share(other, ending) } else { 0.0 };
        let by_share = |execution: &&Execution| share(own, execution.ending) - elsewhere(execution.ending);
        let most = own.iter().max_by(|a, b| by_share(a).total_cmp(&by_share(b)));
        own.iter().find(meets_conditions).or(most).cloned()
    };
    let fails = choose(&failing, &passing, &terms.fails_when).ok_or_else(not_run)?;
    let passes = choose(&passing, &failing, &terms.passes_when).ok_or_else(not_run)?;
    Ok([SideRuns { typical: fails, all: failing }, SideRuns { typical: passes, all: passing }])
}

fn not_run() -> Problem {
    Problem::bug("the baseline was not run")
}

pub(super) fn explain_look_error(error: LookError, is_new: bool) -> Halt {
    match error {
        LookError::Interrupted if is_new => Stop::Interrupted.into(),
        // The ending that an earlier session recorded remains valid.
        LookError::Interrupted => {
            Problem::new("interrupted before the search continued").of_kind(ProblemKind::Stopped).into()
        }
        LookError::Because(because) => explain_no_verdict(&because).into(),
    }
}

/// The problem if one side cannot be built, so there is nothing to compare with.
fn does_not_build(side: &str, why: &str, is_elsewhere: bool) -> Problem {
    let mut lines = why.lines().map(printable);
    let mut message = format!("{side} does not build: {}", lines.next().unwrap_or_default());
    let printed: Vec<String> = lines.collect();
    if !printed.is_empty() {
        message += &format!("\nit printed:\n    {}", printed.join("\n    "));
    }
    let hint =
        "the build runs in the top folder of a clean copy that contains only the files of that version";
    let hint = match is_elsewhere {
        true => format!("{hint}, on another machine, which needs the compiler and the libraries, too"),
        false => format!("{hint}; try it in such a copy"),
    };
    Problem::new(message).hint(hint).of_kind(ProblemKind::NothingToExplain)
}

/// Runs both sides many times to measure how noisy the test is.
pub(super) fn measure(
    session: &Session,
    lab: &mut dyn Lab,
    subject: &Arc<dyn Prepare>,
    judge: &Arc<dyn Oracle>,
    confidence: f64,
) -> Result<(Repeat, [Tally; 2]), Halt> {
    session.listener.now("baseline: measuring how noisy the test is");
    let (everything, nothing) = (Configuration::all(subject.deltas()), Configuration::empty());
    let learnt = learn_noise(lab, subject, judge, &everything, &nothing);
    let (noise, [failing, passing]) = learnt.map_err(|unknown| match unknown {
        NoiseUnknown::NotRun(error) => explain_look_error(error, session.is_new()),
        NoiseUnknown::Indistinct(indistinct) => {
            let problem = Problem::hinted(&indistinct, indistinct.hint());
            let problem = problem.of_kind(ProblemKind::Flaky);
            Halt::Refused { problem, why: indistinct.to_string() }
        }
    })?;
    let noise = noise.with_confidence(confidence);
    session.listener.note(&format!(
        "the test fails in {} of {} runs with everything and in {} of {} with nothing; each question takes about {:.0} runs",
        failing.fail,
        failing.runs(),
        passing.fail,
        passing.runs(),
        noise.expected_runs().ceil(),
    ));
    Ok((Repeat::Flaky(noise), [failing, passing]))
}

/// The folder of a run that holds both sides of a refused baseline. Test runners do not look for tests in a folder with such a name.
pub const KEPT_SIDES: &str = ".baseline";

/// Records a refused baseline, keeps the workspaces of both sides, and explains why there is nothing to search for.
pub(super) fn refuse(
    session: &mut Session,
    stage: &StageName,
    terms: &BaselineTerms,
    refusal: &Refusal,
    sides: &[(Purpose, &SideRuns, Configuration)],
) -> Result<Halt, Problem> {
    let mut message = refusal.to_string();
    let lines: Vec<String> = refusal.lines().iter().map(|line| printable(line)).collect();
    if !lines.is_empty() {
        message += &format!("\nit printed:\n    {}", lines.join("\n    "));
    }
    let mut hints: Vec<String> = refusal.hint().map(str::to_owned).into_iter().collect();
    hints.extend(terms.if_alike.clone().filter(|_| refusal.is_alike() && !refusal.is_pass()));
    hints.extend(terms.if_refused.clone().filter(|_| !refusal.is_swapped()));
    let kept = session.dir().map(|run| run.join(KEPT_SIDES));
    let mut is_kept = true;
    for (purpose, looked, configuration) in sides {
        let (purpose, execution) = (*purpose, &looked.typical);
        let mut observation =
            Observation::new(Outcome::Unresolved, execution.ending.plain().into(), execution.took);
        observation.tally = Tally { unresolved: looked.all.len() as u32, ..Tally::default() };
        observation.log = looked.keep_log(session, terms.sides.file(purpose));
        if !terms.is_tentative {
            session.driver.baseline(stage, purpose, configuration, None, observation)?;
        }
        if let Some(kept) = &kept {
            // The explanation matters more than the copy.
            is_kept &= copy_folder(&execution.workspace, &kept.join(terms.sides.file(purpose))).is_ok();
        }
    }
    let kept = kept.filter(|_| is_kept);
    hints
        .extend(kept.map(|kept| format!("the folders in which the test ran are kept in {}", kept.display())));
    let kind = if refusal.is_pass() { ProblemKind::BothPass } else { ProblemKind::NothingToExplain };
    let problem = Problem::new(message).of_kind(kind).hint(hints.join("\nhint: "));
    let why = refusal.to_string();
    let why = why.strip_suffix(", so there is nothing to explain").unwrap_or(&why).to_owned();
    Ok(Halt::Refused { problem, why })
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    let mut folders = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = folders.pop() {
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let target = to.join(entry.file_name());
            match entry.file_type()? {
                kind if kind.is_dir() => folders.push((entry.path(), target)),
                kind if kind.is_file() => drop(fs::copy(entry.path(), target)?),
                // Links and devices are not worth a look.
                _ => {}
            }
        }
    }
    Ok(())
}
