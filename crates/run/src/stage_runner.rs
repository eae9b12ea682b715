//! Runs the stages of a procedure: in a lab, from the record of a run, or from a script.
//!
//! A procedure decides from its findings which stage comes next. It is written against [`StageRunner`], so the same
//! code runs tests, replays a journal ([`Replay`]), and is tested in milliseconds without processes
//! ([`ScriptedStages`]).

use crate::{
    Algorithm, Budget, Driver, EndedAfter, Event, Executor, FlakyRates, Halt, Journal, NoWatcher, Noticed,
    Observation, Purpose, Recorded, ScriptedExecutor, Stage, StageForesight, StageName, Subject, TestId,
    TestOrder, Unit,
};
use howcome_dd::{Configuration, Difference, Knowledge, Search};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A stage without its subject: its name, its algorithm, and what one delta is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageLabel {
    /// Its name. Stages with the same name share their deltas.
    pub name: StageName,
    /// The algorithm.
    pub search: Algorithm,
    /// What one delta is.
    pub unit: Unit,
}

impl StageLabel {
    /// The stage over the deltas of a subject about which nothing is known beforehand.
    #[must_use]
    pub fn over<'a>(&'a self, subject: &'a dyn Subject) -> Stage<'a> {
        let Self { name, search, unit } = self;
        Stage { subject, name, search: *search, unit: *unit, knowledge: Knowledge::none() }
    }
}

/// Runs one stage after another.
pub trait StageRunner {
    /// The subject of the stages.
    type Subject: ?Sized;

    /// Drives a search to its end. If candidates are real, `keep` is called with each better one.
    ///
    /// # Errors
    /// If the run is stopped, with the best difference so far, or if there is an error.
    fn search<S: Search>(
        &mut self,
        stage: &StageLabel,
        subject: &Arc<Self::Subject>,
        search: S,
        keep: &mut dyn FnMut(&Configuration),
    ) -> Result<S::Finding, Halt<Difference>>;

    /// Tests some configurations again, each from a clean start.
    ///
    /// # Errors
    /// If the run is stopped, or if there is an error.
    fn check(
        &mut self,
        stage: &StageLabel,
        subject: &Arc<Self::Subject>,
        checks: &[(Purpose, Configuration)],
    ) -> Result<Vec<Observation>, Halt>;

    /// Whether idle workers can run tests of later stages.
    fn looks_further(&self) -> bool {
        false
    }

    /// Says which tests will probably come after the present stage, for workers that are idle until then. It replaces what was said before.
    /// If it does not [look further](Self::looks_further), nobody needs to know.
    fn foresee(&mut self, _: StageForesight<Self::Subject>) {}

    /// The observation of a configuration in a stage, if it was tested.
    fn seen(&self, stage: &StageName, configuration: &Configuration) -> Option<Observation>;

    /// From now on, only a failure with the same details as that of the failing side counts as a failure, or any again.
    fn count_only_exact(&mut self, exact: bool) -> bool;

    /// Takes note of a limit that has ended the search of a stage.
    fn note_limit(&mut self, _: &StageName, _: EndedAfter) {}

    /// What is known about the failure rates of the test, if it is flaky.
    fn rates(&self) -> Option<FlakyRates>;

    /// Takes note of what a search has learnt about the failure rates. Further tests are repeated until they can be told apart.
    fn learn_rates(&mut self, rates: FlakyRates);

    /// How many questions were answered by tests so far.
    fn told(&self) -> u64;

    /// What tests showed in addition to their outcomes since the last call, in the order of the trail.
    fn take_noticed(&mut self) -> Vec<Noticed>;

    /// The output of a test, as far as it was kept.
    fn printed(&self, seen: &Observation) -> Vec<u8>;

    /// Shows the current activity.
    fn now(&self, text: &str);

    /// Shows the current activity, and keeps it in the log of a long run.
    fn milestone(&self, text: &str);
}

/// Records that a stage begins, and tests some of its configurations from a clean start.
///
/// # Errors
/// If the run is stopped, or if the journal of an earlier session does not match.
pub fn check_stage(
    driver: &mut Driver,
    executor: &mut dyn Executor,
    stage: &Stage<'_>,
    checks: &[(Purpose, Configuration)],
) -> Result<Vec<Observation>, Halt> {
    driver.begin(stage)?;
    driver.confirm_soon(executor, stage.name, checks)?;
    let mut seen = Vec::new();
    for (purpose, configuration) in checks {
        let content = stage.subject.content(configuration);
        seen.push(driver.confirm(executor, stage.name, *purpose, configuration, content)?);
    }
    Ok(seen)
}

/// The output of a test in the log folder of a run.
#[must_use]
pub fn read_log(run: &Path, seen: &Observation) -> Vec<u8> {
    let log = seen.log.as_ref().map(|log| run.join("log").join(log));
    log.and_then(|path| fs::read(path).ok()).unwrap_or_default()
}

/// Replays the stages of a recorded run up to a certain stage, and keeps the subject of that stage.
pub struct Replay<V: ?Sized> {
    run: PathBuf,
    driver: Driver,
    stages_before: u32,
    as_subject: fn(&V) -> &dyn Subject,
    /// What is known about the failure rates of a flaky test.
    pub rates: Option<FlakyRates>,
    /// The subject of the stage in question, once that stage has begun.
    pub reached: Option<Arc<V>>,
}

impl<V: ?Sized> Replay<V> {
    /// Looks for the stage with this many other stages before it, not counting those that are [skipped](Self::skip).
    pub fn new(
        run: &Path,
        recorded: &Recorded,
        stages_before: u32,
        as_subject: fn(&V) -> &dyn Subject,
    ) -> Self {
        let journal = Journal::in_memory(&recorded.entries, Box::new(NoWatcher));
        let driver = Driver::new(journal, Budget::default(), recorded);
        Self { run: run.to_owned(), driver, stages_before, as_subject, rates: None, reached: None }
    }

    /// Passes over a stage that does not count, such as the baseline.
    ///
    /// # Errors
    /// If the record has another stage at this point.
    pub fn skip(&mut self, stage: &StageLabel, subject: &V) -> Result<(), Halt> {
        Ok(self.driver.begin(&stage.over((self.as_subject)(subject)))?)
    }

    fn begin(&mut self, subject: &Arc<V>) -> Result<(), Halt> {
        if self.stages_before == 0 {
            self.reached = Some(Arc::clone(subject));
            return Err(Halt::Reached);
        }
        self.stages_before -= 1;
        Ok(())
    }
}

/// An executor that runs nothing: results that are not in the record stay unknown.
struct NoExecutor;

impl Executor for NoExecutor {
    fn workers(&self) -> usize {
        1
    }
    fn start(&mut self, _: TestOrder) {}
    fn cancel(&mut self, _: TestId) {}
    fn wait(&mut self, _: Option<Instant>) -> Event {
        Event::Interrupted
    }
}

impl<V: ?Sized> StageRunner for Replay<V> {
    type Subject = V;

    fn search<S: Search>(
        &mut self,
        stage: &StageLabel,
        subject: &Arc<V>,
        search: S,
        _: &mut dyn FnMut(&Configuration),
    ) -> Result<S::Finding, Halt<Difference>> {
        self.begin(subject).map_err(|halt| halt.keeping(search.best_difference()))?;
        let stage = stage.over((self.as_subject)(subject));
        self.driver.run(&mut NoExecutor, &stage, search, &mut |_| {})
    }

    fn check(
        &mut self,
        stage: &StageLabel,
        subject: &Arc<V>,
        checks: &[(Purpose, Configuration)],
    ) -> Result<Vec<Observation>, Halt> {
        self.begin(subject)?;
        let stage = stage.over((self.as_subject)(subject));
        check_stage(&mut self.driver, &mut NoExecutor, &stage, checks)
    }

    fn seen(&self, stage: &StageName, configuration: &Configuration) -> Option<Observation> {
        self.driver.seen(stage, configuration).cloned()
    }

    fn count_only_exact(&mut self, exact: bool) -> bool {
        self.driver.count_only_exact(exact)
    }

    fn rates(&self) -> Option<FlakyRates> {
        self.rates
    }

    fn learn_rates(&mut self, rates: FlakyRates) {
        self.rates = Some(rates);
    }

    fn told(&self) -> u64 {
        self.driver.told()
    }

    fn take_noticed(&mut self) -> Vec<Noticed> {
        self.driver.take_noticed()
    }

    fn printed(&self, seen: &Observation) -> Vec<u8> {
        read_log(&self.run, seen)
    }

    fn now(&self, _: &str) {}

    fn milestone(&self, _: &str) {}
}

/// Runs stages with a function that gives the observation of each candidate, for tests of whole procedures.
pub struct ScriptedStages<V: ?Sized, T> {
    driver: Driver,
    test: T,
    as_subject: fn(&V) -> &dyn Subject,
    /// What is known about the failure rates, if the function is to be asked for each run of a flaky test.
    pub rates: Option<FlakyRates>,
    /// Every configuration that was tested, in order.
    pub asked: Vec<(StageName, Configuration, Observation)>,
}

impl<V: ?Sized, T> ScriptedStages<V, T>
where
    T: FnMut(&V, &Configuration) -> Observation,
{
    /// With a function from a candidate to its observation, and a budget.
    pub fn new(test: T, budget: Budget, as_subject: fn(&V) -> &dyn Subject) -> Self {
        let journal = Journal::in_memory(&[], Box::new(NoWatcher));
        let driver = Driver::new(journal, budget, &Recorded::default());
        Self { driver, test, as_subject, rates: None, asked: Vec::new() }
    }

    /// Calls `run` with the driver and an executor that calls the function.
    fn with_executor<F>(
        &mut self,
        stage: &StageLabel,
        subject: &Arc<V>,
        run: impl FnOnce(&mut Driver, &mut dyn Executor, &Stage<'_>) -> F,
    ) -> F {
        let Self { driver, test, as_subject, asked, .. } = self;
        let answer = |order: &TestOrder| {
            let seen = test(subject, &order.configuration);
            asked.push((stage.name.clone(), order.configuration.clone(), seen.clone()));
            seen
        };
        let mut executor = ScriptedExecutor::new(1, answer, |_: &Configuration| 1.0);
        run(driver, &mut executor, &stage.over(as_subject(subject)))
    }
}

impl<V: ?Sized, T> StageRunner for ScriptedStages<V, T>
where
    T: FnMut(&V, &Configuration) -> Observation,
{
    type Subject = V;

    fn search<S: Search>(
        &mut self,
        stage: &StageLabel,
        subject: &Arc<V>,
        search: S,
        _: &mut dyn FnMut(&Configuration),
    ) -> Result<S::Finding, Halt<Difference>> {
        self.with_executor(stage, subject, |driver, executor, stage| {
            driver.run(executor, stage, search, &mut |_| {})
        })
    }

    fn check(
        &mut self,
        stage: &StageLabel,
        subject: &Arc<V>,
        checks: &[(Purpose, Configuration)],
    ) -> Result<Vec<Observation>, Halt> {
        self.with_executor(stage, subject, |driver, executor, stage| {
            check_stage(driver, executor, stage, checks)
        })
    }

    fn seen(&self, stage: &StageName, configuration: &Configuration) -> Option<Observation> {
        self.driver.seen(stage, configuration).cloned()
    }

    fn count_only_exact(&mut self, exact: bool) -> bool {
        self.driver.count_only_exact(exact)
    }

    fn rates(&self) -> Option<FlakyRates> {
        self.rates
    }

    fn learn_rates(&mut self, rates: FlakyRates) {
        self.rates = Some(rates);
    }

    fn told(&self) -> u64 {
        self.driver.told()
    }

    fn take_noticed(&mut self) -> Vec<Noticed> {
        self.driver.take_noticed()
    }

    fn printed(&self, _: &Observation) -> Vec<u8> {
        Vec::new()
    }

    fn now(&self, _: &str) {}

    fn milestone(&self, _: &str) {}
}
