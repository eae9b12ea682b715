//! Starts tests, cancels those that are no longer of use, and waits for them.

use super::{Driver, RunningTest};
use crate::active_search::TestPace;
use crate::look_ahead::ExpectedQuestion;
use crate::memory::ConfigurationKey;
use crate::{Entry, Event, Executor, JournalError, Observation, Purpose, Stop, TestId, TestOrder};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// The record of a test that is no longer needed.
pub(super) fn cancelled(test: TestId, started: Instant) -> Entry {
    given_up(test, started.elapsed())
}

/// The record of a test that nobody needs, with the time that it took.
pub(super) fn given_up(test: TestId, took: Duration) -> Entry {
    let seconds = (took.as_secs_f64() * 1e3).round() / 1e3;
    Entry::Cancelled { test, seconds }
}

/// How a test is started.
pub(super) struct StartTerms {
    pub(super) alone: bool,
    pub(super) from_scratch: bool,
    pub(super) ahead: bool,
}

impl Driver {
    /// Cancels tests that are no longer expected.
    pub(super) fn cancel_unexpected(
        &mut self,
        executor: &mut dyn Executor,
        expected: &[ExpectedQuestion],
        alone: bool,
    ) -> Result<(), JournalError> {
        let keys: HashSet<ConfigurationKey> = expected.iter().map(|expected| expected.key).collect();
        self.cancel(executor, |running| {
            !running.keys.iter().any(|key| keys.contains(key)) || (alone && !running.alone)
        })
    }

    /// Starts the test of an expected question, unless it runs already.
    pub(super) fn start_if_missing(
        &mut self,
        executor: &mut dyn Executor,
        (expected, is_ahead): (&ExpectedQuestion, bool),
        alone: bool,
        doubted: bool,
    ) -> Result<(), JournalError> {
        let same = |running: &&mut RunningTest| {
            let same_content = expected.content.is_some() && running.content == expected.content;
            same_content || running.keys.contains(&expected.key)
        };
        if let Some(running) = self.running.iter_mut().find(same) {
            if !running.keys.contains(&expected.key) {
                running.keys.push(expected.key);
            }
            if !is_ahead {
                executor.expect(running.id);
            }
        } else if !alone && self.adopt_later(expected) {
            if let (false, Some(running)) = (is_ahead, self.running.last()) {
                executor.expect(running.id);
            }
        } else if doubted || !self.no_verdict.contains_key(&expected.key) {
            let terms = StartTerms { alone, from_scratch: false, ahead: is_ahead };
            self.start(executor, expected.clone(), terms)?;
        }
        Ok(())
    }

    /// Starts a test on the terms of this order.
    pub(super) fn start(
        &mut self,
        executor: &mut dyn Executor,
        what: ExpectedQuestion,
        terms: StartTerms,
    ) -> Result<(), JournalError> {
        self.make_room(executor)?;
        let ExpectedQuestion { key, configuration, repeat, content, .. } = what;
        let StartTerms { alone, from_scratch, ahead } = terms;
        let id = TestId(self.next_test);
        self.next_test += 1;
        let experiment = None;
        let order = TestOrder {
            id,
            configuration: configuration.clone(),
            alone,
            from_scratch,
            repeat,
            ahead,
            experiment,
        };
        executor.start(order);
        let (keys, started) = (vec![key], Instant::now());
        self.running.push(RunningTest { id, keys, content, configuration, repeat, alone, ahead, started });
        Ok(())
    }

    pub(super) fn cancel(
        &mut self,
        executor: &mut dyn Executor,
        unwanted: impl Fn(&RunningTest) -> bool,
    ) -> Result<(), JournalError> {
        for running in self.running.extract_if(.., |running| unwanted(running)) {
            executor.cancel(running.id);
            self.journal.add(cancelled(running.id, running.started))?;
        }
        Ok(())
    }

    /// Waits for one event and processes it. Returns a reason to stop, if the event is one.
    pub(super) fn wait(
        &mut self,
        executor: &mut dyn Executor,
        purpose: Purpose,
    ) -> Result<Option<Stop>, JournalError> {
        let max_time = self.budget.max_time;
        let until = max_time.and_then(|max| self.began.checked_add(max.saturating_sub(self.earlier)));
        let mut event = executor.wait(until);
        loop {
            match event {
                Event::Interrupted => return Ok(Some(Stop::Interrupted)),
                Event::TimeIsUp => return Ok(max_time.map(Stop::MaxTime)),
                Event::Finished(id, observation) => self.finish(id, purpose, *observation)?,
            }
            match executor.next_ready() {
                Some(next) => event = next,
                None => return Ok(None),
            }
        }
    }

    fn finish(&mut self, id: TestId, purpose: Purpose, observation: Observation) -> Result<(), JournalError> {
        self.pace = TestPace::of(&observation);
        let Some(place) = self.running.iter().position(|running| running.id == id) else {
            // It was started ahead, or it is the late result of a cancelled test.
            self.proofs.finish(id, observation.clone());
            self.later.finish(id, observation);
            return Ok(());
        };
        let RunningTest { keys, content, configuration, repeat, ahead, .. } = self.running.swap_remove(place);
        let observation = Observation { ahead, ..observation };
        if observation.because.is_no_verdict() {
            self.no_verdict.extend(keys.iter().map(|key| (*key, observation.clone())));
        }
        self.remember(id, purpose, &keys, content, observation.clone());
        self.observed(id, purpose, (configuration, repeat), content, observation)
    }
}
