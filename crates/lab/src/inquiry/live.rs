//! Runs the stages of a procedure in a lab.

use super::Session;
use crate::worker::later_experiment;
use crate::{Lab, Noise, Oracle, Prepare, Repeat};
use howcome_dd::{Configuration, Difference, Outcome, Search};
use howcome_run::{
    EndedAfter, EndedStage, FlakyRates, ForeseenTest, Halt, LaterTest, Noticed, Observation, Purpose,
    StageForesight, StageLabel, StageName, StageRunner, check_stage, read_log,
};
use std::sync::Arc;

/// Turns the subject of a stage into something that can be run.
pub(super) type MakePrepare<V> = Arc<dyn Fn(&Arc<V>) -> Arc<dyn Prepare>>;

/// Runs stages in a lab and records them.
pub struct LiveStages<'a, V: ?Sized + 'static> {
    /// The record.
    pub session: &'a mut Session,
    /// Runs the tests.
    pub lab: &'a mut dyn Lab,
    /// Judges the tests.
    pub judge: Arc<dyn Oracle>,
    /// How often a test is repeated.
    pub repeat: Repeat,
    /// What is known about the failure rates of the test, if it is flaky.
    pub rates: Option<FlakyRates>,
    /// Turns the subject of a stage into something to run.
    pub prepare: MakePrepare<V>,
}

impl<V: ?Sized> LiveStages<'_, V> {
    /// How often a test is repeated in the next stage. What was told so far does not depend on the number of workers.
    fn repeat(&self) -> Repeat {
        self.repeat.knowing(&self.session.driver.told_runs())
    }

    fn set_experiment(&mut self, subject: &Arc<V>, repeat: Repeat) -> Arc<dyn Prepare> {
        let subject = (self.prepare)(subject);
        self.lab.set_experiment(Arc::clone(&subject), Arc::clone(&self.judge), repeat);
        subject
    }
}

impl<V: ?Sized> StageRunner for LiveStages<'_, V> {
    type Subject = V;

    fn search<S: Search>(
        &mut self,
        stage: &StageLabel,
        subject: &Arc<V>,
        search: S,
        keep: &mut dyn FnMut(&Configuration),
    ) -> Result<S::Finding, Halt<Difference>> {
        let subject = self.set_experiment(subject, self.repeat());
        self.session.driver.run(self.lab, &stage.over(&*subject), search, keep)
    }

    fn check(
        &mut self,
        stage: &StageLabel,
        subject: &Arc<V>,
        checks: &[(Purpose, Configuration)],
    ) -> Result<Vec<Observation>, Halt> {
        let expected = checks.first().and_then(|(purpose, _)| match purpose {
            Purpose::ConfirmAlone => Some(Outcome::Fail),
            Purpose::ConfirmWithout => Some(Outcome::Pass),
            _ => None,
        });
        let subject = self.set_experiment(subject, self.repeat().of_confirmation(expected));
        check_stage(&mut self.session.driver, self.lab, &stage.over(&*subject), checks)
    }

    fn looks_further(&self) -> bool {
        // How often a flaky test is repeated depends on what is told before it.
        self.lab.runs_apart() && self.lab.workers() > 1 && !matches!(self.repeat, Repeat::Flaky(_))
    }

    fn foresee(&mut self, mut foresight: StageForesight<V>) {
        if !self.looks_further() {
            return;
        }
        let (prepare, judge, repeat) = (Arc::clone(&self.prepare), Arc::clone(&self.judge), self.repeat);
        let later =
            move |ForeseenTest { stage, subject, configuration, purpose, chance }: ForeseenTest<V>| {
                let subject = prepare(&subject);
                let content = subject.content(&configuration)?;
                let is_proof = purpose != Purpose::Question;
                let experiment = later_experiment(subject, Arc::clone(&judge), repeat);
                Some(LaterTest { stage, configuration, content, is_proof, chance, experiment })
            };
        self.session.driver.foresee(Some(Box::new(move |number, known| {
            foresight(number, known).into_iter().filter_map(&later).collect()
        })));
    }

    fn seen(&self, stage: &StageName, configuration: &Configuration) -> Option<Observation> {
        self.session.driver.seen(stage, configuration).cloned()
    }

    fn count_only_exact(&mut self, exact: bool) -> bool {
        self.session.driver.count_only_exact(exact)
    }

    fn note_limit(&mut self, stage: &StageName, after: EndedAfter) {
        self.session.ended_stages.push(EndedStage { stage: stage.clone(), ended_after: after });
    }

    fn rates(&self) -> Option<FlakyRates> {
        self.rates
    }

    fn learn_rates(&mut self, rates: FlakyRates) {
        self.rates = Some(rates);
        self.repeat = Repeat::Flaky(Noise::knowing(&rates));
    }

    fn told(&self) -> u64 {
        self.session.driver.told()
    }

    fn take_noticed(&mut self) -> Vec<Noticed> {
        self.session.driver.take_noticed()
    }

    fn printed(&self, seen: &Observation) -> Vec<u8> {
        self.session.dir().map_or_else(Vec::new, |run| read_log(run, seen))
    }

    fn now(&self, text: &str) {
        self.session.listener.now(text);
    }

    fn milestone(&self, text: &str) {
        self.session.listener.milestone(text);
    }
}
