//! Tests of later stages that run on idle workers, if tests do not disturb each other.

use super::running::{cancelled, given_up};
use super::{Driver, RunningTest};
use crate::look_ahead::ExpectedQuestion;
use crate::memory::{ConfigurationKey, Memory};
use crate::{
    Content, Executor, Foresight, JournalError, LaterTest, Observation, Purpose, StageName, TestId, TestOrder,
};
use howcome_dd::Configuration;
use std::time::Instant;

/// The tests that later stages will probably ask for.
#[derive(Default)]
pub(super) struct LaterTests {
    foresight: Option<Foresight>,
    /// What it says, the most probable first. `None` if it was not asked yet.
    wanted: Option<Vec<LaterTest>>,
    running: Vec<RunningLater>,
    ended: Vec<(RunningLater, Observation)>,
}

/// A test of a later stage that has started.
struct RunningLater {
    id: TestId,
    test: LaterTest,
    started: Instant,
}

impl LaterTests {
    pub(super) fn finish(&mut self, id: TestId, seen: Observation) {
        if let Some(place) = self.running.iter().position(|running| running.id == id) {
            self.ended.push((self.running.swap_remove(place), Observation { ahead: true, ..seen }));
        }
    }

    /// Whether there is anything to do for workers that are idle.
    pub(super) fn has_any(&self) -> bool {
        self.foresight.is_some() || !self.running.is_empty() || !self.ended.is_empty()
    }

    fn take_ended(&mut self, is_it: impl Fn(&LaterTest) -> bool) -> Option<(TestId, Observation)> {
        let place = self.ended.iter().position(|(later, _)| is_it(&later.test))?;
        let (later, seen) = self.ended.swap_remove(place);
        Some((later.id, seen))
    }

    fn take_running(&mut self, is_it: impl Fn(&LaterTest) -> bool) -> Option<(TestId, Instant)> {
        let place = self.running.iter().position(|later| is_it(&later.test))?;
        let later = self.running.swap_remove(place);
        Some((later.id, later.started))
    }

    fn knows(&self, test: &LaterTest) -> bool {
        let ended = self.ended.iter().map(|(later, _)| later);
        self.running.iter().chain(ended).any(|later| later.test.is(test))
    }
}

impl Driver {
    /// From now on, idle workers run tests that later stages will probably ask for, as this says. It is asked when there are idle workers.
    /// It replaces what was said before.
    pub fn foresee(&mut self, foresight: Option<Foresight>) {
        (self.later.foresight, self.later.wanted) = (foresight, None);
    }

    /// How many of the `width` workers are for tests of later stages, because they are more probable than the questions of this stage.
    pub(super) fn workers_for_later(&mut self, expected: &[ExpectedQuestion], width: usize) -> usize {
        if self.later.wanted.is_none()
            && let Some(foresight) = &mut self.later.foresight
        {
            let (memory, exact) = (&self.memory, self.exact);
            let known = |content| {
                let seen = memory.seen_of(content)?;
                Some(if exact { seen.exact_outcome() } else { seen.outcome })
            };
            let mut wanted = foresight(width.saturating_sub(1), &known);
            wanted.sort_by(|one, other| other.chance.total_cmp(&one.chance));
            self.later.wanted = Some(wanted);
        }
        if let Some(mut wanted) = self.later.wanted.take() {
            wanted.retain(|test| !self.is_proven(test));
            self.later.wanted = Some(wanted);
        }
        let Some(wanted) = &self.later.wanted else { return 0 };
        let is_open = |test: &&LaterTest| !self.later.ended.iter().any(|(later, _)| later.test.is(test));
        let mut open = wanted.iter().filter(is_open);
        let mut guesses = expected.iter().skip(1).map(|expected| expected.chance).peekable();
        let mut number = 0;
        let mut next = open.next();
        for _ in 1..width {
            match (guesses.peek(), next) {
                (Some(guess), Some(test)) if *guess >= test.chance => drop(guesses.next()),
                (_, Some(_)) => (number, next) = (number + 1, open.next()),
                _ => break,
            }
        }
        number
    }

    /// Whether this confirmation runs already, or has been recorded.
    fn is_proven(&self, test: &LaterTest) -> bool {
        let subject = self.memory.known_subject(&test.stage).filter(|_| test.is_proof);
        let key = subject.map(|subject| Memory::key(subject, &test.configuration));
        key.is_some_and(|key| {
            let is_it = |(_, confirmed): &(Purpose, ConfigurationKey)| *confirmed == key;
            self.proofs.knows_any(key) || self.confirmations.keys().any(is_it)
        })
    }

    /// Runs this many tests of later stages, and cancels all others of them.
    pub(super) fn run_later(
        &mut self,
        executor: &mut dyn Executor,
        number: usize,
    ) -> Result<(), JournalError> {
        let wanted = self.later.wanted.take().unwrap_or_default();
        let is_wanted = |test: &LaterTest| wanted.iter().any(|wanted| wanted.is(test));
        let mut room = number;
        let mut kept = Vec::new();
        for test in &wanted {
            if room > 0 && !self.later.ended.iter().any(|(later, _)| later.test.is(test)) {
                (room, kept) = (room - 1, [kept, vec![test]].concat());
            }
        }
        let is_kept = |test: &LaterTest| kept.iter().any(|kept| kept.is(test));
        for later in self.later.running.extract_if(.., |later| !is_kept(&later.test)) {
            executor.cancel(later.id);
            self.journal.add(cancelled(later.id, later.started))?;
        }
        for (later, seen) in self.later.ended.extract_if(.., |(later, _)| !is_wanted(&later.test)) {
            self.journal.add(given_up(later.id, seen.took))?;
        }
        for test in kept {
            if self.later.knows(test) {
                continue;
            }
            let id = TestId(self.next_test);
            self.next_test += 1;
            executor.start(TestOrder {
                id,
                configuration: test.configuration.clone(),
                alone: false,
                from_scratch: test.is_proof,
                repeat: None,
                ahead: true,
                experiment: Some(test.experiment.clone()),
            });
            self.later.running.push(RunningLater { id, test: test.clone(), started: Instant::now() });
        }
        self.later.wanted = self.later.foresight.is_some().then_some(wanted);
        Ok(())
    }

    /// Cancels the least probable test of a later stage if all workers are busy.
    pub(super) fn make_room(&mut self, executor: &mut dyn Executor) -> Result<(), JournalError> {
        let busy = self.running.len() + self.proofs.number_running() + self.later.running.len();
        let by_chance = |one: &&(usize, f64), other: &&(usize, f64)| one.1.total_cmp(&other.1);
        let chances: Vec<_> =
            self.later.running.iter().enumerate().map(|(place, later)| (place, later.test.chance)).collect();
        if busy >= executor.workers()
            && let Some((place, _)) = chances.iter().min_by(by_chance)
        {
            let later = self.later.running.swap_remove(*place);
            executor.cancel(later.id);
            self.journal.add(cancelled(later.id, later.started))?;
        }
        Ok(())
    }

    /// Cancels all tests of later stages, and forgets those that have ended.
    ///
    /// # Errors
    /// If the journal of an earlier session does not match.
    pub fn end_later(&mut self, executor: &mut dyn Executor) -> Result<(), JournalError> {
        self.foresee(None);
        self.run_later(executor, 0)
    }

    /// If this question was tested for a stage that was still to come, and the present stage is that one: remembers the result, and
    /// returns whether there was one.
    pub(super) fn recall_later(
        &mut self,
        key: ConfigurationKey,
        configuration: &Configuration,
        content: Option<Content>,
    ) -> Result<bool, JournalError> {
        let Some(stage) = &self.stage else { return Ok(false) };
        let is_it = |test: &LaterTest| test.is_for(stage, configuration, content, false);
        let Some((id, seen)) = self.later.take_ended(is_it) else { return Ok(false) };
        self.later.forget_wanted(is_it);
        if seen.because.is_no_verdict() {
            // It is tested again as if nothing had happened.
            self.journal.add(given_up(id, seen.took))?;
            return Ok(false);
        }
        self.remember(id, Purpose::Question, &[key], content, seen.clone());
        self.observed(id, Purpose::Question, (configuration.clone(), None), content, seen)?;
        Ok(true)
    }

    /// Lets a running test that was started for this stage be a test of this stage.
    pub(super) fn adopt_later(&mut self, expected: &ExpectedQuestion) -> bool {
        let ExpectedQuestion { key, configuration, content, repeat, .. } = expected;
        let Some(stage) = self.stage.as_ref().filter(|_| repeat.is_none()) else { return false };
        let is_it = |test: &LaterTest| test.is_for(stage, configuration, *content, false);
        let Some((id, started)) = self.later.take_running(is_it) else { return false };
        self.later.forget_wanted(is_it);
        self.running.push(RunningTest {
            id,
            keys: vec![*key],
            content: *content,
            configuration: configuration.clone(),
            repeat: None,
            alone: false,
            ahead: true,
            started,
        });
        true
    }

    /// Lets a test that was started for this confirmation be one that was started ahead.
    pub(super) fn adopt_later_proof(
        &mut self,
        subject: &StageName,
        (purpose, key): (Purpose, ConfigurationKey),
        configuration: &Configuration,
        content: Option<Content>,
    ) {
        let is_it = |test: &LaterTest| test.is_for(subject, configuration, content, true);
        if let Some((id, started)) = self.later.take_running(is_it) {
            self.proofs.add_running(id, (purpose, key), started);
        } else if let Some((id, seen)) = self.later.take_ended(is_it) {
            self.proofs.add_running(id, (purpose, key), Instant::now());
            self.proofs.finish(id, seen);
        }
        self.later.forget_wanted(is_it);
    }
}

impl LaterTests {
    /// What was asked for need not be tested for a later stage any more.
    fn forget_wanted(&mut self, is_it: impl Fn(&LaterTest) -> bool) {
        if let Some(wanted) = &mut self.wanted {
            wanted.retain(|test| !is_it(test));
        }
    }
}
