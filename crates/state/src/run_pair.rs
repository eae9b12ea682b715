//! The two runs, unaltered.

use crate::debug::{DebugError, Program};
use crate::run_result::RunResult;
use crate::run_settings::{RunGoal, RunSettings};
use crate::tracee::{Invocation, Output, RunEnd, RunLimits, TraceError, Tracee, Watchdog};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A passing run must end within this time, unless the user sets a limit.
const LONGEST: Duration = Duration::from_secs(60);
/// A failing run that takes this many times longer than the passing run, and longer than `LEAST_PATIENCE`, does not end.
const PATIENCE: u32 = 10;
const LEAST_PATIENCE: Duration = Duration::from_secs(1);
/// An altered run may take this many times longer than the slower of the two runs, and at least `LEAST`.
const SLACK: u32 = 5;
const LEAST: Duration = Duration::from_millis(150);

/// A run that is followed call by call may take this many times longer, and at least `LEAST_FOLLOWED`.
const FOLLOWED: u32 = 20;
const LEAST_FOLLOWED: Duration = Duration::from_millis(500);
/// If both runs end by themselves, they are followed for at least this time.
const LEAST_TO_END: Duration = Duration::from_secs(10);

/// The passing and the failing run of a program.
#[derive(Clone, Debug)]
pub struct RunPair {
    /// What all runs of the program have in common.
    pub settings: RunSettings,
    /// The run that passes.
    pub passing: OriginalRun,
    /// The run that fails.
    pub failing: OriginalRun,
}

impl RunPair {
    /// The same runs, followed for at most this time.
    pub(crate) fn limited_to(&self, time: Option<Duration>) -> Self {
        let mut limited = self.clone();
        let settings = &mut limited.settings;
        settings.time_to_place = time.map_or(settings.time_to_place, |time| settings.time_to_place.min(time));
        settings.time_to_follow =
            time.map_or(settings.time_to_follow, |time| settings.time_to_follow.min(time));
        settings.deadline = time.and_then(|time| Instant::now().checked_add(time));
        limited
    }

    /// Does the same with both runs at the same time: the passing one, then the failing one.
    pub(crate) fn in_both<T: Send>(
        &self,
        follow: impl Fn(&OriginalRun) -> Result<T, TraceError> + Sync,
    ) -> Result<(T, T), TraceError> {
        let (passing, failing) = std::thread::scope(|scope| {
            let passing = scope.spawn(|| follow(&self.passing));
            let failing = follow(&self.failing);
            let lost = || Err(TraceError::Broken("a thread was lost".to_owned()));
            (passing.join().unwrap_or_else(|_| lost()), failing)
        });
        Ok((passing?, failing?))
    }
}

/// One of the two runs.
#[derive(Clone, Debug)]
pub struct OriginalRun {
    /// How it is started.
    pub invocation: Invocation,
    /// What it does from its start to its end.
    pub result: RunResult,
}

/// How runs are traced.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// What a run may use.
    pub limits: RunLimits,
    /// How long an altered run may take.
    pub timeout: Option<Duration>,
    /// The folders with debug information that is not in the program.
    pub debug_folders: Vec<PathBuf>,
    /// How far runs go from a place.
    pub goal: RunGoal,
}

/// Why the two runs cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunsNotComparable {
    /// The debug information cannot be used.
    #[error(transparent)]
    Debug(#[from] DebugError),
    /// A run could not be traced: its name, and why.
    #[error("the {0} run: {1}")]
    Run(&'static str, TraceError),
    /// The passing run does not end.
    #[error("the passing run has not ended after {} s of work", .0.as_secs())]
    DoesNotEnd(Duration),
}

impl RunPair {
    /// Runs the program both ways.
    pub fn of(
        passing: Invocation,
        failing: Invocation,
        options: &TraceOptions,
    ) -> Result<Self, RunsNotComparable> {
        Program::check(&failing.program)?;
        let watchdog = Watchdog::new();
        let program = Arc::new(load(&failing, options)?);
        let mut settings = RunSettings {
            program,
            limits: options.limits,
            time_to_place: LONGEST,
            time_to_follow: LONGEST,
            time_to_end: LONGEST,
            goal: options.goal,
            watchdog,
            deadline: None,
        };
        let as_passing = |error| RunsNotComparable::Run("passing", error);
        let limit = options.timeout.unwrap_or(LONGEST);
        let passing_result = whole(&settings, &passing, limit).map_err(as_passing)?;
        if passing_result.end == RunEnd::TimedOut {
            return Err(RunsNotComparable::DoesNotEnd(limit));
        }
        let patience = (passing_result.took * PATIENCE).max(LEAST_PATIENCE);
        let patience = options.timeout.unwrap_or(patience);
        let failing_result =
            whole(&settings, &failing, patience).map_err(|error| RunsNotComparable::Run("failing", error))?;
        let slower = match failing_result.end {
            RunEnd::TimedOut => passing_result.took,
            _ => passing_result.took.max(failing_result.took),
        };
        settings.time_to_place = (slower * FOLLOWED).max(LEAST_FOLLOWED);
        // On a busy machine, a run that is cut short would lead to another answer.
        settings.time_to_follow = match failing_result.end {
            RunEnd::TimedOut => settings.time_to_place,
            _ => settings.time_to_place.max(LEAST_TO_END),
        };
        settings.time_to_end = options.timeout.unwrap_or((slower * SLACK).max(LEAST));
        Ok(Self {
            settings,
            passing: OriginalRun { invocation: passing, result: passing_result },
            failing: OriginalRun { invocation: failing, result: failing_result },
        })
    }
}

/// Runs the program from its start to its end.
fn whole(settings: &RunSettings, invocation: &Invocation, limit: Duration) -> Result<RunResult, TraceError> {
    let begun = Instant::now();
    let output = Output::new()?;
    let mut tracee = settings.start(invocation, &output)?;
    tracee.limit(&settings.watchdog, limit)?;
    let end = tracee.go_to_end(&settings.program)?;
    let exit_calls = tracee.exit_calls().to_vec();
    let printed = output.printed()?;
    Ok(RunResult { end, exit_calls, printed, arrived: true, returned: None, took: begun.elapsed() })
}

fn load(invocation: &Invocation, options: &TraceOptions) -> Result<Program, RunsNotComparable> {
    let as_failing = |error| RunsNotComparable::Run("failing", error);
    let output = Output::new().map_err(as_failing)?;
    let tracee = Tracee::start(invocation, options.limits, &output).map_err(as_failing)?;
    let loaded = tracee.loaded(&invocation.program).map_err(as_failing)?;
    drop(tracee);
    Ok(Program::load(&loaded, &options.debug_folders)?)
}
