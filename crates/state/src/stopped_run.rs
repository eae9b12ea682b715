//! A thread with a run that is stopped at a place. Altered copies of the run go on from there.

use crate::debug::Program;
use crate::graph::ProgramState;
use crate::matching::Alterations;
use crate::run_result::RunResult;
use crate::run_settings::{RunGoal, RunSettings};
use crate::stop_point::StopPoint;
use crate::tracee::{Invocation, Output, RunEnd, TraceError, Tracee};
use crate::{Address, RunJudge};
use howcome_dd::Outcome;
use howcome_run::{Because, Observation, TestId};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What the thread is asked to do.
enum RunJob {
    Left(Sender<Result<Option<u32>, TraceError>>),
    Unmark,
    State(Sender<Result<ProgramState, TraceError>>),
    Allocate(Vec<u64>, Sender<Result<Vec<Address>, TraceError>>),
    Try(Box<Alterations>, Sender<Result<RunResult, TraceError>>),
    Test(TestId, Box<Alterations>, Arc<RunJudge>, Sender<TestObserved>),
}

/// A test, and what was observed.
pub(crate) type TestObserved = (TestId, Box<Observation>);

/// A stopped run. It ends when this value is dropped.
#[derive(Debug)]
pub struct StoppedRun {
    jobs: Option<Sender<RunJob>>,
    thread: Option<JoinHandle<()>>,
    /// Tests that are no longer needed.
    cancelled: Arc<Mutex<HashSet<TestId>>>,
}

impl StoppedRun {
    /// Starts a run and lets it go to a place. Returns before the run gets there. The output of the run counts from the mark
    /// on.
    #[must_use]
    pub fn open(
        settings: RunSettings,
        invocation: Invocation,
        stop_point: StopPoint,
        mark: Option<StopPoint>,
    ) -> Self {
        let (jobs, received) = channel();
        let cancelled = Arc::new(Mutex::new(HashSet::new()));
        let known = Arc::clone(&cancelled);
        let thread =
            thread::spawn(move || match StoppedProcess::at(settings, &invocation, stop_point, mark) {
                Ok(mut stopped) => stopped.work(&received, &known),
                Err(error) => received.into_iter().for_each(|job| job.fail(&error)),
            });
        Self { jobs: Some(jobs), thread: Some(thread), cancelled }
    }

    /// How many times the run has still to reach the mark until its output counts; `None` if the output counts from here on.
    pub(crate) fn left(&self) -> Result<Option<u32>, TraceError> {
        self.ask(RunJob::Left)
    }

    /// The output counts from here on.
    pub(crate) fn unmark(&self) {
        self.send(RunJob::Unmark);
    }

    /// The state at the place.
    pub fn state(&self) -> Result<ProgramState, TraceError> {
        self.ask(RunJob::State)
    }

    /// Allocates blocks of these sizes with the program's own allocator.
    pub fn allocate(&self, sizes: Vec<u64>) -> Result<Vec<Address>, TraceError> {
        self.ask(|reply| RunJob::Allocate(sizes, reply))
    }

    /// Lets an altered copy run to its end.
    pub fn run_on(&self, alterations: Alterations) -> Result<RunResult, TraceError> {
        self.ask(|reply| RunJob::Try(Box::new(alterations), reply))
    }

    pub(crate) fn test(
        &self,
        id: TestId,
        alterations: Alterations,
        judge: Arc<RunJudge>,
        reply: Sender<TestObserved>,
    ) {
        self.send(RunJob::Test(id, Box::new(alterations), judge, reply));
    }

    /// The test is no longer needed. If it is running, it still runs to its end.
    pub(crate) fn cancel(&self, id: TestId) {
        self.cancelled.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
    }

    fn send(&self, job: RunJob) {
        // If the thread has ended, nobody answers, and the caller of `ask` notices that.
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(job);
        }
    }

    fn ask<T>(&self, job: impl FnOnce(Sender<Result<T, TraceError>>) -> RunJob) -> Result<T, TraceError> {
        let (reply, answer) = channel();
        self.send(job(reply));
        answer.recv().unwrap_or_else(|_| Err(TraceError::Broken("a stopped run was lost".to_owned())))
    }
}

impl Drop for StoppedRun {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // The thread returns nothing.
            let _ = thread.join();
        }
    }
}

impl RunJob {
    fn fail(self, error: &TraceError) {
        let error = error.clone();
        // The caller may have gone; then nobody needs the answer.
        match self {
            RunJob::Left(reply) => drop(reply.send(Err(error))),
            RunJob::Unmark => {}
            RunJob::State(reply) => drop(reply.send(Err(error))),
            RunJob::Allocate(_, reply) => drop(reply.send(Err(error))),
            RunJob::Try(_, reply) => drop(reply.send(Err(error))),
            RunJob::Test(id, _, _, reply) => drop(reply.send((id, Box::new(broken(&error, Duration::ZERO))))),
        }
    }
}

/// The stopped process, in its thread.
struct StoppedProcess {
    settings: RunSettings,
    tracee: Tracee,
    /// The mark, and how many times the process has still to reach it.
    mark: Option<(Address, u32)>,
    /// What its copies print.
    printed: Output,
}

impl StoppedProcess {
    fn at(
        settings: RunSettings,
        invocation: &Invocation,
        stop_point: StopPoint,
        mark: Option<StopPoint>,
    ) -> Result<Self, TraceError> {
        let own = Output::new()?;
        let mut tracee = settings.start(invocation, &own)?;
        tracee.limit(&settings.watchdog, settings.time_to_place)?;
        let passed = stop_point.reach(&mut tracee, mark.map(|mark| mark.at), &settings.program)?;
        let left = mark.map(|mark| (mark.at, mark.hit.saturating_sub(passed))).filter(|(_, left)| *left > 0);
        flush(&mut tracee, &settings.program)?;
        tracee.unlimit();
        Ok(Self { settings, tracee, mark: left, printed: Output::new()? })
    }

    fn work(&mut self, jobs: &Receiver<RunJob>, cancelled: &Mutex<HashSet<TestId>>) {
        for job in jobs {
            match job {
                RunJob::Left(reply) => drop(reply.send(Ok(self.mark.map(|(_, left)| left)))),
                RunJob::Unmark => self.mark = None,
                RunJob::State(reply) => drop(reply.send(self.tracee.state(&self.settings.program))),
                RunJob::Allocate(sizes, reply) => drop(reply.send(self.allocate(&sizes))),
                RunJob::Try(alterations, reply) => drop(reply.send(self.run_on(&alterations))),
                RunJob::Test(id, alterations, judge, reply) => {
                    if cancelled.lock().unwrap_or_else(PoisonError::into_inner).remove(&id) {
                        continue;
                    }
                    // The executor waits for an answer even if this test panics.
                    let test = AssertUnwindSafe(|| self.test(&alterations, &judge));
                    let tested = catch_unwind(test).unwrap_or_else(|_| {
                        broken(&TraceError::Broken("a test panicked".to_owned()), Duration::ZERO)
                    });
                    drop(reply.send((id, Box::new(tested))));
                }
            }
        }
    }

    fn allocate(&mut self, sizes: &[u64]) -> Result<Vec<Address>, TraceError> {
        if sizes.is_empty() {
            return Ok(Vec::new());
        }
        let malloc = self.settings.program.symbol("malloc");
        let malloc = malloc.ok_or_else(|| TraceError::Broken("the program has no malloc".to_owned()))?;
        self.tracee.limit(&self.settings.watchdog, self.settings.time_to_place)?;
        let block = |size: &u64| match self.tracee.call(malloc, "malloc", (*size).max(1))? {
            0 => Err(TraceError::Broken(format!("no room for {size} bytes in the program"))),
            block => Ok(Address(block)),
        };
        let blocks = sizes.iter().map(block).collect();
        self.tracee.unlimit();
        blocks
    }

    fn run_on(&mut self, alterations: &Alterations) -> Result<RunResult, TraceError> {
        let begun = Instant::now();
        self.printed.clear()?;
        let settings = &self.settings;
        let mut copy = self.tracee.altered(&self.printed, alterations)?;
        copy.limit(&settings.watchdog, settings.time_to_end)?;
        let mut counted = [0, 0];
        let mut arrived = true;
        let mut returned = None;
        let end = if settings.goal != RunGoal::End {
            let end = match settings.goal {
                RunGoal::Round => copy.go_round(&settings.program)?,
                _ => copy.go_until_return(&settings.program)?,
            };
            if matches!(end, RunEnd::Returned | RunEnd::Round(_)) {
                returned = (end == RunEnd::Returned).then_some(copy.process().registers()?[0]);
                copy.clear_breakpoints()?;
                flush(&mut copy, &settings.program)?;
            }
            end
        } else {
            if let Some((at, left)) = self.mark {
                arrived = match copy.go_to(at, left, None, &settings.program) {
                    Ok(_) => true,
                    Err(TraceError::Ended) => false,
                    Err(error) => return Err(error),
                };
                if arrived {
                    copy.clear_breakpoints()?;
                    flush(&mut copy, &settings.program)?;
                    counted = self.printed.lengths()?;
                }
            }
            if arrived { copy.go_to_end(&settings.program)? } else { copy.end() }
        };
        let exit_calls = copy.exit_calls().to_vec();
        drop(copy);
        let mut printed = self.printed.printed()?;
        for (printed, counted) in printed.iter_mut().zip(counted) {
            printed.drain(..(counted as usize).min(printed.len()));
        }
        Ok(RunResult { end, exit_calls, printed, arrived, returned, took: begun.elapsed() })
    }

    fn test(&mut self, alterations: &Alterations, judge: &RunJudge) -> Observation {
        let begun = Instant::now();
        match self.run_on(alterations) {
            Ok(seen) => {
                let (outcome, because) = judge.tell(&seen);
                // The limit counts time on the processor, so a timeout is right even if other tests ran at the same time.
                Observation { alone: true, ..Observation::new(outcome, because, begun.elapsed()) }
            }
            Err(error) => broken(&error, begun.elapsed()),
        }
    }
}

/// Text that was printed before the place can still be in a buffer. It must not count as printed after the place.
pub(crate) fn flush(tracee: &mut Tracee, program: &Program) -> Result<(), TraceError> {
    match program.symbol("fflush") {
        Some(flush) => tracee.call(flush, "fflush", 0).map(|_| ()),
        None => Ok(()),
    }
}

/// A test that could not be run. If the altered program is the reason, the test is unresolved; an error of ours ends the
/// run.
fn broken(error: &TraceError, took: Duration) -> Observation {
    let because = match error {
        TraceError::Refused(_)
        | TraceError::NotWritable(_)
        | TraceError::DidNotReturn(_)
        | TraceError::Ended => Because::DidNotApply(error.to_string()),
        error => Because::Broken(error.to_string()),
    };
    Observation::new(Outcome::Unresolved, because, took)
}
