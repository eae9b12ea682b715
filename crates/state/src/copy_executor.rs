//! The executor of this question: each worker is a stopped run, each test an altered copy of it.

use crate::matching::Differences;
use crate::run_result::RunResult;
use crate::stopped_run::{StoppedRun, TestObserved};
use crate::tracee::TraceError;
use crate::{Address, RunJudge};
use howcome_dd::{Configuration, DeltaId};
use howcome_run::{Content, Event, Executor, Subject, TestId, TestOrder};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

/// Makes a [`CopyExecutor`] stop waiting; can be set from any thread.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<std::sync::atomic::AtomicBool>);

impl StopFlag {
    /// The user wants to stop.
    pub fn interrupt(&self) {
        self.0.store(true, std::sync::atomic::Ordering::SeqCst);
    }

    /// Whether the user wants to stop.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::SeqCst)
    }
}

/// The differences between two states, as something that can be varied.
#[derive(Clone, Debug)]
pub struct StateSubject(pub Arc<Differences>);

impl Subject for StateSubject {
    fn deltas(&self) -> u32 {
        self.0.deltas.len() as u32
    }

    fn describe(&self, delta: DeltaId) -> String {
        let delta = &self.0.deltas[delta.0 as usize];
        format!("{} = {} (instead of {})", delta.variable, delta.other, delta.base)
    }

    fn content(&self, _: &Configuration) -> Option<Content> {
        None
    }
}

/// Runs tests on copies of stopped runs.
pub struct CopyExecutor {
    stopped_runs: Vec<StoppedRun>,
    /// The blocks that were allocated in each stopped run, for [`Differences::allocations`].
    allocated: Vec<Vec<Address>>,
    differences: Arc<Differences>,
    judge: Arc<RunJudge>,
    stop: StopFlag,
    running: HashMap<TestId, usize>,
    busy: Vec<u32>,
    sender: Sender<TestObserved>,
    tested: Receiver<TestObserved>,
}

impl CopyExecutor {
    /// Tests these differences on these runs, which are all stopped at the same place of the same run.
    #[must_use]
    pub fn new(
        stopped_runs: Vec<(StoppedRun, Vec<Address>)>,
        differences: Arc<Differences>,
        judge: Arc<RunJudge>,
        stop: StopFlag,
    ) -> Self {
        let (sender, tested) = channel();
        let (stopped_runs, allocated): (Vec<_>, Vec<_>) = stopped_runs.into_iter().unzip();
        let busy = vec![0; stopped_runs.len()];
        Self {
            stopped_runs,
            allocated,
            differences,
            judge,
            stop,
            running: HashMap::new(),
            busy,
            sender,
            tested,
        }
    }

    /// The stopped runs, for further use.
    #[must_use]
    pub fn into_stopped_runs(self) -> Vec<StoppedRun> {
        self.stopped_runs
    }

    /// Lets an altered copy of the first stopped run go to its end.
    pub(crate) fn run_now(&self, configuration: &Configuration) -> Result<RunResult, TraceError> {
        self.stopped_runs[0].run_on(self.differences.alterations(configuration, &self.allocated[0]))
    }

    fn finished(&mut self, (id, observation): TestObserved) -> Option<Event> {
        let stopped_run = self.running.remove(&id)?;
        self.busy[stopped_run] -= 1;
        Some(Event::Finished(id, observation))
    }
}

impl Executor for CopyExecutor {
    fn workers(&self) -> usize {
        self.stopped_runs.len()
    }

    fn start(&mut self, order: TestOrder) {
        let Some(stopped_run) =
            (0..self.stopped_runs.len()).min_by_key(|stopped_run| self.busy[*stopped_run])
        else {
            return;
        };
        let alterations = self.differences.alterations(&order.configuration, &self.allocated[stopped_run]);
        self.running.insert(order.id, stopped_run);
        self.busy[stopped_run] += 1;
        let (judge, reply) = (Arc::clone(&self.judge), self.sender.clone());
        self.stopped_runs[stopped_run].test(order.id, alterations, judge, reply);
    }

    fn cancel(&mut self, id: TestId) {
        if let Some(stopped_run) = self.running.remove(&id) {
            self.busy[stopped_run] -= 1;
            self.stopped_runs[stopped_run].cancel(id);
        }
    }

    fn wait(&mut self, until: Option<Instant>) -> Event {
        // How soon a request to stop is noticed.
        const GLANCE: std::time::Duration = std::time::Duration::from_millis(50);
        loop {
            if self.stop.is_interrupted() {
                return Event::Interrupted;
            }
            let now = Instant::now();
            let left = until.map(|until| until.saturating_duration_since(now));
            if left.is_some_and(|left| left.is_zero()) {
                return Event::TimeIsUp;
            }
            match self.tested.recv_timeout(left.map_or(GLANCE, |left| left.min(GLANCE))) {
                Ok(tested) => match self.finished(tested) {
                    Some(event) => return event,
                    None => continue,
                },
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
    }
}
