//! The executor that switches branches: each test is a run of its own, which goes on elsewhere at one branch.

use crate::copy_executor::StopFlag;
use crate::parting_branch::PartingBranch;
use crate::run_judge::RunJudge;
use crate::run_pair::{OriginalRun, RunPair};
use crate::run_result::RunResult;
use crate::run_settings::RunSettings;
use crate::tracee::{Output, TraceError};
use howcome_dd::Outcome;
use howcome_run::{Because, Event, Executor, Observation, TestId, TestOrder};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How soon a request to stop is noticed.
const GLANCE: Duration = Duration::from_millis(50);

/// Switches branches of the failing run.
pub(crate) struct BranchExecutor {
    settings: RunSettings,
    failing: OriginalRun,
    branches: Arc<[PartingBranch]>,
    judge: Arc<RunJudge>,
    workers: usize,
    stop: StopFlag,
    sender: Sender<(TestId, Observation)>,
    tested: Receiver<(TestId, Observation)>,
}

impl BranchExecutor {
    pub(crate) fn new(
        runs: &RunPair,
        branches: &[PartingBranch],
        judge: Arc<RunJudge>,
        workers: usize,
        stop: StopFlag,
    ) -> Self {
        let (sender, tested) = channel();
        let (settings, failing) = (runs.settings.clone(), runs.failing.clone());
        let workers = workers.max(1);
        Self { settings, failing, branches: branches.into(), judge, workers, stop, sender, tested }
    }
}

impl Executor for BranchExecutor {
    fn workers(&self) -> usize {
        self.workers
    }

    fn start(&mut self, order: TestOrder) {
        let (settings, failing) = (self.settings.clone(), self.failing.clone());
        let (branches, judge) = (Arc::clone(&self.branches), Arc::clone(&self.judge));
        let sender = self.sender.clone();
        thread::spawn(move || {
            let begun = Instant::now();
            let branch = order.configuration.iter().next().map(|delta| &branches[delta.index()]);
            let observation = match branch.map(|branch| switch(&settings, &failing, branch)) {
                Some(Ok(seen)) => {
                    let (outcome, because) = judge.judge(&seen);
                    Observation { alone: true, ..Observation::new(outcome, because, begun.elapsed()) }
                }
                Some(Err(error)) => unjudged(&error, begun.elapsed()),
                None => Observation::new(Outcome::Fail, failing.result.because(), begun.elapsed()),
            };
            // If nobody waits any more, nobody needs the result.
            let _ = sender.send((order.id, observation));
        });
    }

    fn cancel(&mut self, _: TestId) {
        // A run that was begun goes on to its end; the driver ignores its result.
    }

    fn wait(&mut self, until: Option<Instant>) -> Event {
        loop {
            if self.stop.is_interrupted() {
                return Event::Interrupted;
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Event::TimeIsUp;
            }
            match self.tested.recv_timeout(left.map_or(GLANCE, |left| left.min(GLANCE))) {
                Ok((id, observation)) => return Event::Finished(id, Box::new(observation)),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
    }
}

/// Lets the failing run go on where the passing run goes on.
fn switch(
    settings: &RunSettings,
    failing: &OriginalRun,
    branch: &PartingBranch,
) -> Result<RunResult, TraceError> {
    let begun = Instant::now();
    let output = Output::new()?;
    let mut tracee = settings.start(&failing.invocation, &output)?;
    tracee.limit(&settings.watchdog, settings.time_to_place)?;
    branch.failing.reach(&mut tracee, None, &settings.program)?;
    tracee.jump(branch.passing)?;
    let end = tracee.go_to_end(&settings.program)?;
    let exit_calls = tracee.exit_calls().to_vec();
    let printed = output.printed()?;
    Ok(RunResult { end, exit_calls, printed, arrived: true, returned: None, took: begun.elapsed() })
}

/// A switched run that could not be followed says nothing about its branch.
fn unjudged(error: &TraceError, took: Duration) -> Observation {
    Observation {
        alone: true,
        ..Observation::new(Outcome::Unresolved, Because::DidNotApply(error.to_string()), took)
    }
}
