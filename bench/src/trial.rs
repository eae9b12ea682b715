//! One search, driven to its end by the real driver, and its figures.

use crate::random::mixed;
use crate::world::World;
use anyhow::Context;
use howcome_dd::{Configuration, DeltaId, Knowledge, Outcome, Search};
use howcome_run::{
    Algorithm, AnswerSource, Because, Budget, Content, Driver, Entry, Event, Executor, Halt, Journal,
    Observation, Purpose, Recorded, ScriptedExecutor, Stage, StageName, Subject, TestId, TestOrder, Unit,
    Watcher,
};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A search to measure.
pub(crate) struct SearchTrial<'a> {
    pub(crate) world: &'a World,
    /// The file of the journal; `None` for a journal in memory.
    pub(crate) journal: Option<&'a Path>,
    /// The record of an earlier session in that journal.
    pub(crate) recorded: Recorded,
    pub(crate) max_tests: Option<u64>,
    /// What is varied; `None` for numbers.
    pub(crate) subject: Option<&'a dyn Subject>,
}

/// The figures of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SearchFigures {
    /// Questions that tests answered.
    pub(crate) told: u64,
    /// Tests that ended.
    pub(crate) executed: u64,
    /// Tests that were cancelled.
    pub(crate) cancelled: u64,
    /// The total time.
    pub(crate) took: Duration,
    /// The time without the executor.
    pub(crate) planning: Duration,
    /// The longest time between two waits for a test.
    pub(crate) longest: Duration,
}

impl SearchFigures {
    /// Tests that ended without being used.
    pub(crate) fn wasted(&self) -> u64 {
        self.executed - self.told.min(self.executed)
    }

    pub(crate) fn planning_per_test(&self) -> Duration {
        self.planning / u32::try_from(self.told).unwrap_or(u32::MAX).max(1)
    }
}

impl<'a> SearchTrial<'a> {
    pub(crate) fn new(world: &'a World) -> Self {
        Self { world, journal: None, recorded: Recorded::default(), max_tests: None, subject: None }
    }

    /// Drives a search. Returns its finding if it came to its end.
    pub(crate) fn run<S: Search>(
        self,
        search: S,
        executor: &mut dyn Executor,
    ) -> anyhow::Result<(SearchFigures, Option<S::Finding>)> {
        let Self { world, journal, recorded, max_tests, subject } = self;
        let figures = Rc::new(RefCell::new(SearchFigures::default()));
        let watcher = Box::new(CountingWatcher(Rc::clone(&figures)));
        let is_new = recorded.entries.is_empty();
        let journal = match journal {
            None => Journal::in_memory(&[], watcher),
            Some(path) if is_new => Journal::create(path, watcher),
            Some(path) => Journal::resume(path, &recorded, watcher),
        };
        let budget = Budget { max_tests, max_time: None };
        let mut driver = Driver::new(journal, budget, &recorded);
        if is_new {
            for (purpose, configuration, outcome) in [
                (Purpose::BaselinePassing, Configuration::empty(), Outcome::Pass),
                (Purpose::BaselineFailing, world.all(), Outcome::Fail),
            ] {
                driver.baseline(&StageName::Items, purpose, &configuration, None, observation(outcome))?;
            }
        }
        let numbered = NumberedDeltas(world.deltas);
        let subject = subject.unwrap_or(&numbered);
        let knowledge = Knowledge::none();
        let stage = Stage {
            subject,
            name: &StageName::Items,
            search: Algorithm::Balanced,
            unit: Unit::Delta,
            knowledge,
        };
        let began = Instant::now();
        let mut stopwatch =
            Stopwatch { executor, inside: Duration::ZERO, longest: Duration::ZERO, waited: None };
        let end = driver.run(&mut stopwatch, &stage, search, &mut |_| {});
        let took = began.elapsed();
        let (inside, longest) = (stopwatch.inside, stopwatch.longest);
        if let Some(error) = driver.journal().take_lost() {
            return Err(error).context("the journal could not be written");
        }
        let counts = *figures.borrow();
        let figures = SearchFigures { took, planning: took.saturating_sub(inside), longest, ..counts };
        match end {
            Ok(finding) => Ok((figures, Some(finding))),
            Err(Halt::Stopped { .. }) if max_tests.is_some_and(|max| figures.told >= max) => {
                Ok((figures, None))
            }
            Err(halt) => anyhow::bail!("the search was stopped: {halt:?}"),
        }
    }
}

/// An executor that simulates tests of 20 to 180 milliseconds.
pub(crate) fn scripted(
    workers: usize,
    world: &World,
) -> ScriptedExecutor<impl FnMut(&TestOrder) -> Observation, impl FnMut(&Configuration) -> f64> {
    let test = |order: &TestOrder| observation(world.outcome(&order.configuration));
    ScriptedExecutor::new(workers, test, |configuration| duration_of(configuration).as_secs_f64())
}

/// The duration of the test of a configuration: 20 to 180 milliseconds.
pub(crate) fn duration_of(configuration: &Configuration) -> Duration {
    Duration::from_millis(20 + mixed(configuration.fingerprint(), 1) % 161)
}

pub(crate) fn observation(outcome: Outcome) -> Observation {
    let code = match outcome {
        Outcome::Pass => 0,
        Outcome::Fail => 1,
        Outcome::Unresolved => howcome_lab::SKIP,
    };
    Observation::new(outcome, Because::Exit(code), Duration::from_millis(1))
}

/// Deltas that are just numbers.
pub(crate) struct NumberedDeltas(pub(crate) u32);

impl Subject for NumberedDeltas {
    fn deltas(&self) -> u32 {
        self.0
    }

    fn describe(&self, delta: DeltaId) -> String {
        delta.to_string()
    }

    fn content(&self, _: &Configuration) -> Option<Content> {
        None
    }
}

/// Counts the entries of the journal.
struct CountingWatcher(Rc<RefCell<SearchFigures>>);

impl Watcher for CountingWatcher {
    fn entry(&mut self, entry: &Entry) {
        let mut figures = self.0.borrow_mut();
        match entry {
            Entry::Told { how: AnswerSource::Tested, .. } => figures.told += 1,
            Entry::Observed { purpose: Purpose::Question, .. } => figures.executed += 1,
            Entry::Cancelled { .. } => figures.cancelled += 1,
            _ => {}
        }
    }
}

/// Measures the time of an executor, so that the driver's own time is known.
struct Stopwatch<'a> {
    executor: &'a mut dyn Executor,
    inside: Duration,
    longest: Duration,
    /// When the last wait ended, and the executor's time until then.
    waited: Option<(Instant, Duration)>,
}

impl Stopwatch<'_> {
    fn time<T>(&mut self, call: impl FnOnce(&mut dyn Executor) -> T) -> T {
        let began = Instant::now();
        let result = call(self.executor);
        self.inside += began.elapsed();
        result
    }
}

impl Executor for Stopwatch<'_> {
    fn workers(&self) -> usize {
        self.executor.workers()
    }

    fn can_wait(&self) -> usize {
        self.executor.can_wait()
    }

    fn start(&mut self, order: TestOrder) {
        self.time(|executor| executor.start(order));
    }

    fn cancel(&mut self, id: TestId) {
        self.time(|executor| executor.cancel(id));
    }

    fn wait(&mut self, until: Option<Instant>) -> Event {
        if let Some((since, inside)) = self.waited {
            self.longest = self.longest.max(since.elapsed().saturating_sub(self.inside - inside));
        }
        let event = self.time(|executor| executor.wait(until));
        self.waited = Some((Instant::now(), self.inside));
        event
    }
}
