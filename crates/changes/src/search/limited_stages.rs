//! Stages that together may run a number of tests only.

use crate::candidates::space::{Space, TreeStages};
use howcome_dd::{Configuration, Difference, Search, StopEarly, TestLimit, TestLimitFinding};
use howcome_run::{
    EndedAfter, FlakyRates, Halt, Noticed, Observation, Purpose, StageForesight, StageLabel, StageName,
    StageRunner, Stop,
};
use std::sync::Arc;

/// Runs stages until their tests are used up. Then a search stops with the best so far, like a run whose tests are used up.
/// Confirmations do not count.
pub(crate) struct LimitedStages<'a, R> {
    stages: &'a mut R,
    left: Option<u32>,
    is_cut: bool,
}

impl<'a, R: TreeStages> LimitedStages<'a, R> {
    /// Stages without a limit.
    pub(crate) fn new(stages: &'a mut R) -> Self {
        Self { stages, left: None, is_cut: false }
    }

    /// From now on, the searches may run this many tests.
    pub(crate) fn limit(&mut self, most: u32) {
        self.left = Some(most);
    }

    /// The same stages without the limit.
    pub(crate) fn stages(&mut self) -> &mut R {
        self.stages
    }

    /// Whether the limit has ended a search.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }
}

impl<R: TreeStages> StageRunner for LimitedStages<'_, R> {
    type Subject = dyn Space;

    fn search<S: Search>(
        &mut self,
        stage: &StageLabel,
        subject: &Arc<dyn Space>,
        search: S,
        keep: &mut dyn FnMut(&Configuration),
    ) -> Result<S::Finding, Halt<Difference>> {
        let Some(left) = self.left else { return self.stages.search(stage, subject, search, keep) };
        let TestLimitFinding { finding, tests } =
            self.stages.search(stage, subject, StopEarly::new(search, TestLimit::new(left)), keep)?;
        self.left = Some(left.saturating_sub(tests));
        finding.map_err(|best| {
            self.is_cut = true;
            self.stages.note_limit(&stage.name, EndedAfter::Tests(tests));
            Halt::Stopped { why: Stop::MaxTests(left.into()), best }
        })
    }

    fn check(
        &mut self,
        stage: &StageLabel,
        subject: &Arc<dyn Space>,
        checks: &[(Purpose, Configuration)],
    ) -> Result<Vec<Observation>, Halt> {
        self.stages.check(stage, subject, checks)
    }

    fn looks_further(&self) -> bool {
        self.stages.looks_further()
    }

    fn foresee(&mut self, foresight: StageForesight<dyn Space>) {
        self.stages.foresee(foresight);
    }

    fn seen(&self, stage: &StageName, configuration: &Configuration) -> Option<Observation> {
        self.stages.seen(stage, configuration)
    }

    fn count_only_exact(&mut self, exact: bool) -> bool {
        self.stages.count_only_exact(exact)
    }

    fn note_limit(&mut self, stage: &StageName, after: EndedAfter) {
        self.stages.note_limit(stage, after);
    }

    fn rates(&self) -> Option<FlakyRates> {
        self.stages.rates()
    }

    fn learn_rates(&mut self, rates: FlakyRates) {
        self.stages.learn_rates(rates);
    }

    fn told(&self) -> u64 {
        self.stages.told()
    }

    fn take_noticed(&mut self) -> Vec<Noticed> {
        self.stages.take_noticed()
    }

    fn printed(&self, seen: &Observation) -> Vec<u8> {
        self.stages.printed(seen)
    }

    fn now(&self, text: &str) {
        self.stages.now(text);
    }

    fn milestone(&self, text: &str) {
        self.stages.milestone(text);
    }
}
