//! Tests that confirm an answer before it is certain, if there are idle workers and tests do not disturb each other.
//!
//! Such a test is recorded when the answer that it confirms asks for it. Nobody ever hears of the others, except that they were cancelled.
//! One that does not show what was expected is not believed: it is repeated while no other test runs.

use super::Driver;
use super::running::{cancelled, given_up};
use crate::look_ahead::ExpectedQuestion;
use crate::memory::{ConfigurationKey, Memory};
use crate::{Because, Executor, JournalError, Observation, Purpose, StageName, TestId, TestOrder};
use howcome_dd::{Configuration, Difference, Outcome};
use std::time::Instant;

/// Says which tests confirm a finding.
type ProofsOf = Box<dyn Fn(&Difference) -> Vec<(Purpose, Configuration)>>;

/// The tests of answers that are not certain yet.
#[derive(Default)]
pub(super) struct ProofsAhead {
    proofs_of: Option<ProofsOf>,
    running: Vec<ProofAhead>,
    ended: Vec<(ProofAhead, Observation)>,
}

/// A test that confirms an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofAhead {
    id: TestId,
    purpose: Purpose,
    key: ConfigurationKey,
    started: Instant,
}

impl ProofAhead {
    pub(super) fn confirms(&self, purpose: Purpose, key: ConfigurationKey) -> bool {
        self.purpose == purpose && self.key == key
    }

    pub(super) fn is_for(&self, expected: &ExpectedQuestion) -> bool {
        expected.proof.is_some_and(|purpose| self.confirms(purpose, expected.key))
    }
}

impl ProofsAhead {
    pub(super) fn are_foreseen(&self) -> bool {
        self.proofs_of.is_some()
    }

    /// The tests that confirm a finding.
    pub(super) fn of(&self, found: &Difference) -> Vec<(Purpose, Configuration)> {
        self.proofs_of.as_ref().map(|proofs_of| proofs_of(found)).unwrap_or_default()
    }

    pub(super) fn finish(&mut self, id: TestId, seen: Observation) {
        if let Some(place) = self.running.iter().position(|running| running.id == id) {
            self.ended.push((self.running.swap_remove(place), Observation { ahead: true, ..seen }));
        }
    }

    /// The running test that confirms this, if there is one.
    pub(super) fn running(&self, purpose: Purpose, key: ConfigurationKey) -> Option<TestId> {
        self.running.iter().find(|running| running.confirms(purpose, key)).map(|running| running.id)
    }

    /// The result of a test that has ended, if it shows what was expected.
    pub(super) fn take(
        &mut self,
        purpose: Purpose,
        key: ConfigurationKey,
        expected: Outcome,
    ) -> Option<(TestId, Observation)> {
        let place = self.ended.iter().position(|(proof, seen)| {
            let is_sure = seen.because != Because::TimedOut && !seen.was_disturbed;
            proof.confirms(purpose, key) && seen.outcome == expected && is_sure
        })?;
        let (proof, seen) = self.ended.swap_remove(place);
        Some((proof.id, seen))
    }

    pub(super) fn add_running(
        &mut self,
        id: TestId,
        (purpose, key): (Purpose, ConfigurationKey),
        started: Instant,
    ) {
        self.running.push(ProofAhead { id, purpose, key, started });
    }

    pub(super) fn number_running(&self) -> usize {
        self.running.len()
    }

    /// Whether a test for this configuration runs or has ended, whatever it confirms.
    pub(super) fn knows_any(&self, key: ConfigurationKey) -> bool {
        let ended = self.ended.iter().map(|(proof, _)| proof);
        self.running.iter().chain(ended).any(|proof| proof.key == key)
    }

    pub(super) fn knows(&self, purpose: Purpose, key: ConfigurationKey) -> bool {
        let has_ended = self.ended.iter().any(|(proof, _)| proof.confirms(purpose, key));
        has_ended || self.running(purpose, key).is_some()
    }
}

impl Driver {
    /// From now on, tests that will confirm a likely answer of a search can start before the search has ended.
    pub fn foresee_proofs(
        &mut self,
        proofs_of: impl Fn(&Difference) -> Vec<(Purpose, Configuration)> + 'static,
    ) {
        self.proofs.proofs_of = Some(Box::new(proofs_of));
    }

    /// The same if an answer is tested alone, and everything without it.
    pub fn foresee_both_proofs(&mut self, deltas: u32) {
        let all = Configuration::all(deltas);
        self.foresee_proofs(move |found| {
            let alone = found.deltas();
            let without = all.without(&alone);
            vec![(Purpose::ConfirmAlone, alone), (Purpose::ConfirmWithout, without)]
        });
    }

    /// Starts several confirmations at the same time, if tests do not disturb each other. [`Driver::confirm`] returns them.
    pub fn confirm_soon(
        &mut self,
        executor: &mut dyn Executor,
        subject: &StageName,
        checks: &[(Purpose, Configuration)],
    ) -> Result<(), JournalError> {
        if !executor.runs_apart() || !self.running.is_empty() || checks.len() < 2 {
            return Ok(());
        }
        let subject = self.memory.subject(subject);
        for (purpose, configuration) in checks {
            let key = Memory::key(subject, configuration);
            let has_room = self.proofs.running.len() < executor.workers();
            if has_room && *purpose != Purpose::ConfirmAgain {
                let (configuration, proof) = (configuration.clone(), Some(*purpose));
                let (repeat, content, chance) = (None, None, 1.0);
                self.start_proof(
                    executor,
                    ExpectedQuestion { key, configuration, repeat, content, chance, proof },
                )?;
                if let Some(id) = self.proofs.running(*purpose, key) {
                    executor.expect(id);
                }
            }
        }
        Ok(())
    }

    /// Starts a test that will probably confirm the answer, unless it has been started already.
    pub(super) fn start_proof(
        &mut self,
        executor: &mut dyn Executor,
        expected: ExpectedQuestion,
    ) -> Result<(), JournalError> {
        let ExpectedQuestion { key, configuration, proof, .. } = expected;
        let Some(purpose) = proof else { return Ok(()) };
        let is_known = self.confirmations.contains_key(&(purpose, key)) || self.proofs.knows(purpose, key);
        if is_known {
            return Ok(());
        }
        self.make_room(executor)?;
        let id = TestId(self.next_test);
        self.next_test += 1;
        let (alone, from_scratch, repeat, ahead, experiment) = (false, true, None, true, None);
        executor.start(TestOrder { id, configuration, alone, from_scratch, repeat, ahead, experiment });
        self.proofs.running.push(ProofAhead { id, purpose, key, started: Instant::now() });
        Ok(())
    }

    /// Cancels tests of answers that have become improbable.
    pub(super) fn cancel_proofs(
        &mut self,
        executor: &mut dyn Executor,
        wanted: impl Fn(&ProofAhead) -> bool,
    ) -> Result<(), JournalError> {
        for running in self.proofs.running.extract_if(.., |running| !wanted(running)) {
            executor.cancel(running.id);
            self.journal.add(cancelled(running.id, running.started))?;
        }
        for (ended, seen) in self.proofs.ended.extract_if(.., |(ended, _)| !wanted(ended)) {
            self.journal.add(given_up(ended.id, seen.took))?;
        }
        Ok(())
    }
}
