//! Where a hunt takes place: with workers that run tests, or in the record of a run alone.

use crate::failure::Failure;
use crate::session::Session;
use howcome_changes::{Recipe, Space, TreeTest};
use howcome_dd::{Configuration, Knowledge, Search};
use howcome_lab::{Oracle, Prepare, Repeat};
use howcome_run::{
    Budget, Driver, Event, Executor, Journal, Observation, Order, Purpose, Recorded, Stage, StageEnd, Stop,
    TestId,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A stage by its words.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// Its name, which no other stage over other deltas has.
    pub(crate) name: String,
    /// What searches.
    pub(crate) search: &'static str,
    /// What one delta is.
    pub(crate) unit: &'static str,
}

/// Why a hunt does not go on.
#[derive(Debug)]
pub(crate) enum Abort {
    Failure(Failure),
    /// The stage that was looked for has begun.
    Reached,
}

impl<E: Into<Failure>> From<E> for Abort {
    fn from(error: E) -> Self {
        Abort::Failure(error.into())
    }
}

pub(crate) trait Ground {
    /// Drives a search to its end. Each better candidate is kept as the patch that it is.
    fn search<S: Search>(
        &mut self,
        stage: &Named,
        space: &Arc<dyn Space>,
        search: S,
        best: &dyn Fn(&Configuration) -> Option<Vec<u8>>,
    ) -> Result<StageEnd<S::Finding>, Abort>;

    /// Tests some versions once more and from nothing.
    fn check(
        &mut self,
        stage: &Named,
        space: &Arc<dyn Space>,
        checks: &[(Purpose, Configuration)],
    ) -> Result<Result<Vec<Observation>, Stop>, Abort>;

    /// What was seen of a configuration of a stage, if it was tested.
    fn seen(&self, stage: &str, configuration: &Configuration) -> Option<Observation>;

    /// What a test printed, as far as that was kept.
    fn printed(&self, seen: &Observation) -> Vec<u8>;

    /// Says what is being done.
    fn now(&self, text: &str);

    /// Says how far it has come, also to those who read it later.
    fn milestone(&self, text: &str);
}

/// With workers.
pub(crate) struct Live<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) recipe: Arc<Recipe>,
    pub(crate) judge: Arc<dyn Oracle>,
    pub(crate) repeat: Repeat,
}

impl Live<'_> {
    fn set(&mut self, space: &Arc<dyn Space>) -> Arc<dyn Prepare> {
        let subject: Arc<dyn Prepare> = Arc::new(TreeTest::new(space, &self.recipe));
        self.session.local.set_experiment(Arc::clone(&subject), Arc::clone(&self.judge), self.repeat);
        subject
    }
}

impl Ground for Live<'_> {
    fn search<S: Search>(
        &mut self,
        stage: &Named,
        space: &Arc<dyn Space>,
        search: S,
        best: &dyn Fn(&Configuration) -> Option<Vec<u8>>,
    ) -> Result<StageEnd<S::Finding>, Abort> {
        let subject = self.set(space);
        let stage = in_full(stage, &*subject);
        let place = self.session.dir().map(|dir| dir.join("best"));
        let mut keep = |configuration: &Configuration| {
            if let (Some(place), Some(patch)) = (&place, best(configuration)) {
                // At any moment there is a whole patch; what cannot be written is said where the answer is.
                let new = place.join("changes.patch.new");
                let _ = fs::write(&new, patch).and_then(|()| fs::rename(&new, place.join("changes.patch")));
            }
        };
        Ok(self.session.driver.run(&mut self.session.local, &stage, search, &mut keep)?)
    }

    fn check(
        &mut self,
        stage: &Named,
        space: &Arc<dyn Space>,
        checks: &[(Purpose, Configuration)],
    ) -> Result<Result<Vec<Observation>, Stop>, Abort> {
        let subject = self.set(space);
        let Session { driver, local, .. } = &mut *self.session;
        check(driver, local, &in_full(stage, &*subject), checks)
    }

    fn seen(&self, stage: &str, configuration: &Configuration) -> Option<Observation> {
        self.session.driver.seen(stage, configuration).cloned()
    }

    fn printed(&self, seen: &Observation) -> Vec<u8> {
        self.session.dir().map_or_else(Vec::new, |run| logged(run, seen))
    }

    fn now(&self, text: &str) {
        self.session.talk.now(text);
    }

    fn milestone(&self, text: &str) {
        self.session.talk.milestone(text);
    }
}

/// The stage in which the two versions are tested as they are.
pub(crate) fn baseline_stage() -> Named {
    Named { name: "versions".to_owned(), search: "baseline", unit: "version" }
}

pub(crate) fn in_full<'a>(stage: &'a Named, subject: &'a dyn Prepare) -> Stage<'a> {
    let Named { name, search, unit } = stage;
    Stage { subject, name, search, unit, knowledge: Knowledge::none() }
}

fn check(
    driver: &mut Driver,
    executor: &mut dyn Executor,
    stage: &Stage<'_>,
    checks: &[(Purpose, Configuration)],
) -> Result<Result<Vec<Observation>, Stop>, Abort> {
    driver.begin(stage)?;
    let mut seen = Vec::new();
    for (purpose, configuration) in checks {
        let content = stage.subject.content(configuration);
        match driver.confirm(executor, stage.name, *purpose, configuration, content)? {
            Ok(observation) => seen.push(observation),
            Err(stop) => return Ok(Err(stop)),
        }
    }
    Ok(Ok(seen))
}

/// In the record: the same way is gone again, until a certain stage begins, whose space is kept.
pub(crate) struct Replayed {
    run: PathBuf,
    driver: Driver,
    recipe: Arc<Recipe>,
    stages_before: u32,
    pub(crate) space: Option<Arc<dyn Space>>,
}

impl Replayed {
    pub(crate) fn new(run: &Path, recorded: &Recorded, recipe: Arc<Recipe>, stage: u32) -> Self {
        let journal = Journal::in_memory(&recorded.entries, Box::new(Silent));
        let driver = Driver::new(journal, Budget::default(), recorded);
        Self { run: run.to_owned(), driver, recipe, stages_before: stage, space: None }
    }

    /// The stage of the baseline comes before all others.
    pub(crate) fn begin(&mut self, stage: &Named, space: &Arc<dyn Space>) -> Result<(), Failure> {
        let subject = TreeTest::new(space, &self.recipe);
        Ok(self.driver.begin(&in_full(stage, &subject))?)
    }

    fn reaches(&mut self, space: &Arc<dyn Space>) -> bool {
        if self.stages_before == 0 {
            self.space = Some(Arc::clone(space));
            return true;
        }
        self.stages_before -= 1;
        false
    }
}

/// What the log of a run keeps of a test.
fn logged(run: &Path, seen: &Observation) -> Vec<u8> {
    let log = seen.log.as_ref().map(|log| run.join("log").join(log));
    log.and_then(|path| fs::read(path).ok()).unwrap_or_default()
}

struct Silent;

impl howcome_run::Watcher for Silent {}

/// Runs nothing: whatever is not in the record stays unknown.
struct Nobody;

impl Executor for Nobody {
    fn workers(&self) -> usize {
        1
    }
    fn start(&mut self, _: Order) {}
    fn cancel(&mut self, _: TestId) {}
    fn wait(&mut self, _: Option<Instant>) -> Event {
        Event::Interrupted
    }
}

impl Ground for Replayed {
    fn search<S: Search>(
        &mut self,
        stage: &Named,
        space: &Arc<dyn Space>,
        search: S,
        _: &dyn Fn(&Configuration) -> Option<Vec<u8>>,
    ) -> Result<StageEnd<S::Finding>, Abort> {
        if self.reaches(space) {
            return Err(Abort::Reached);
        }
        let subject = TreeTest::new(space, &self.recipe);
        Ok(self.driver.run(&mut Nobody, &in_full(stage, &subject), search, &mut |_| {})?)
    }

    fn check(
        &mut self,
        stage: &Named,
        space: &Arc<dyn Space>,
        checks: &[(Purpose, Configuration)],
    ) -> Result<Result<Vec<Observation>, Stop>, Abort> {
        if self.reaches(space) {
            return Err(Abort::Reached);
        }
        let subject = TreeTest::new(space, &self.recipe);
        check(&mut self.driver, &mut Nobody, &in_full(stage, &subject), checks)
    }

    fn seen(&self, stage: &str, configuration: &Configuration) -> Option<Observation> {
        self.driver.seen(stage, configuration).cloned()
    }

    fn printed(&self, seen: &Observation) -> Vec<u8> {
        logged(&self.run, seen)
    }

    fn now(&self, _: &str) {}

    fn milestone(&self, _: &str) {}
}
