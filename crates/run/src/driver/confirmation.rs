//! Confirms answers: tests from scratch, whatever memory says.

use super::Driver;
use super::running::StartTerms;
use crate::look_ahead::ExpectedQuestion;
use crate::memory::{ConfigurationKey, Memory, RememberedTest};
use crate::{Because, Content, Executor, Halt, Observation, Purpose, StageName, Stop, TestId};
use howcome_dd::{Configuration, Outcome};

impl Driver {
    /// Tests a configuration from scratch while no other test runs, whatever memory says.
    ///
    /// # Errors
    /// If the run is stopped, or if the journal of an earlier session does not match.
    pub fn confirm(
        &mut self,
        executor: &mut dyn Executor,
        subject: &StageName,
        purpose: Purpose,
        configuration: &Configuration,
        content: Option<Content>,
    ) -> Result<Observation, Halt> {
        let key = Memory::key(self.memory.subject(subject), configuration);
        self.adopt_later_proof(subject, (purpose, key), configuration, content);
        let looks_further = executor.runs_apart() && executor.workers() > 1 && self.later.has_any();
        let expected = match purpose {
            Purpose::ConfirmWithout => Outcome::Pass,
            Purpose::ConfirmAgain => {
                let before = content.and_then(|content| self.memory.seen_of(content));
                before.map_or(Outcome::Fail, |before| before.outcome)
            }
            _ => Outcome::Fail,
        };
        if looks_further && self.running.is_empty() && self.is_to_be_started(purpose, key) {
            // Others can run at the same time.
            let proof = Some(purpose);
            let (repeat, chance, configuration) = (None, 1.0, configuration.clone());
            self.start_proof(
                executor,
                ExpectedQuestion { key, configuration, repeat, content, chance, proof },
            )?;
        }
        loop {
            if let Some((test, seen)) = self.confirmations.get(&(purpose, key)).cloned() {
                return Ok(self.confirmed(test, key, content, seen)?);
            }
            if let Some(seen) = self.no_verdict.get(&key) {
                return Err(Stop::NoVerdict(Box::new(seen.clone())).into());
            }
            if let Some((test, seen)) = self.proofs.take(purpose, key, expected) {
                self.journal.leave_record();
                self.remember(test, purpose, &[key], content, seen.clone());
                self.observed(test, purpose, (configuration.clone(), None), content, seen)?;
                self.journal.flush();
                continue;
            }
            if let Some(id) = self.proofs.running(purpose, key) {
                executor.expect(id);
                if looks_further {
                    let room = executor.workers().saturating_sub(self.proofs.number_running());
                    let number = self.workers_for_later(&[], room + 1).min(room);
                    self.run_later(executor, number)?;
                }
            } else if self.running.is_empty() {
                // No other test runs beside it.
                self.cancel_proofs(executor, |_| false)?;
                self.run_later(executor, 0)?;
                self.journal.leave_record();
                let configuration = configuration.clone();
                let what =
                    ExpectedQuestion { key, configuration, repeat: None, content, chance: 1.0, proof: None };
                self.start(executor, what, StartTerms { alone: true, from_scratch: true, ahead: false })?;
            }
            let stop = self.wait(executor, purpose)?;
            if stop.is_some() {
                self.cancel(executor, |_| true)?;
                self.cancel_proofs(executor, |_| false)?;
                self.end_later(executor)?;
            }
            self.journal.flush();
            if let Some(stop) = stop {
                return Err(stop.into());
            }
        }
    }

    /// Whether nothing is known of this confirmation yet, and nothing runs for it.
    fn is_to_be_started(&self, purpose: Purpose, key: ConfigurationKey) -> bool {
        let is_known = self.confirmations.contains_key(&(purpose, key)) || self.no_verdict.contains_key(&key);
        !is_known && !self.proofs.knows(purpose, key) && !self.journal.is_replaying()
    }

    /// Remembers a confirmation by its content, so that no later stage tests it again. The same candidate cannot both
    /// pass and fail.
    fn confirmed(
        &mut self,
        test: TestId,
        key: ConfigurationKey,
        content: Option<Content>,
        seen: Observation,
    ) -> Result<Observation, Stop> {
        if content.is_none() {
            return Ok(seen);
        }
        self.memory.recognise(key, content);
        let before = self.memory.look_up(key).filter(|before| before.is_told && before.test != test);
        let contradicts = |before: &RememberedTest<'_>| {
            let outcomes = [before.observation.outcome, seen.outcome];
            outcomes[0] != outcomes[1] && !outcomes.contains(&Outcome::Unresolved)
        };
        if let Some(before) = before.filter(contradicts) {
            let mut tally = before.observation.tally;
            tally += seen.tally;
            let contradiction = Observation { because: Because::Contradiction, tally, ..seen };
            return Err(Stop::NoVerdict(Box::new(contradiction)));
        }
        self.memory.remember(test, &[key], content, seen.clone());
        self.memory.tell(Some(test));
        Ok(seen)
    }
}
