//! Tells the search what is known, and records it.

use super::Driver;
use crate::active_search::{ActiveSearch, KnownAnswer};
use crate::memory::{ConfigurationKey, RememberedTest};
use crate::{AnswerSource, Because, Entry, JournalError, Rejection, Subject};
use howcome_dd::{Answer, Configuration, Question, Search};

impl Driver {
    /// The known answer to the current question, if there is one.
    pub(super) fn known<S: Search>(
        &self,
        key: ConfigurationKey,
        question: &Question,
        asking: &ActiveSearch<S>,
        subject: &dyn Subject,
    ) -> Option<KnownAnswer> {
        let remembered = self.memory.look_up(key);
        // An observation that is not on the trail yet must not count, so a prediction comes first. Otherwise the trail
        // would depend on the number of workers.
        if let Some(seen) = remembered.as_ref().filter(|seen| seen.is_told) {
            let (test, is_of_another) = (Some(seen.test), seen.is_of_another);
            return Some(KnownAnswer {
                how: AnswerSource::Remembered,
                test,
                is_of_another,
                answer: self.answer(seen),
                because: self.unlike(seen),
            });
        }
        let predicted = asking.knowledge.predict(&question.configuration).map(Answer::predicted);
        let predicted = predicted.map(|answer| (answer, None)).or_else(|| {
            let Rejection { why, hints } = subject.rejects(&question.configuration)?;
            Some((Answer::rejected(hints), Some(Because::DidNotApply(why))))
        });
        if let Some((answer, because)) = predicted {
            let how = if asking.predicted.contains(&key) {
                AnswerSource::Remembered
            } else {
                AnswerSource::Predicted
            };
            return Some(KnownAnswer { how, test: None, is_of_another: true, answer, because });
        }
        // Hints from another configuration with the same content are not about this configuration. And which of the two
        // ran first depends on the number of workers.
        let is_own = |seen: &RememberedTest<'_>| !seen.is_of_another || seen.observation.hints.is_empty();
        let seen = remembered.filter(RememberedTest::is_believable).filter(is_own)?;
        let (test, is_of_another) = (Some(seen.test), seen.is_of_another);
        let how = AnswerSource::Tested;
        let (answer, because) = (self.answer(&seen), self.unlike(&seen));
        Some(KnownAnswer { how, test, is_of_another, answer, because })
    }

    /// The answer for the search. Hints from the test of another configuration name other deltas.
    fn answer(&self, seen: &RememberedTest<'_>) -> Answer {
        let answer = match seen.is_of_another {
            true => seen.observation.answer_without_hints(),
            false => seen.observation.answer(),
        };
        match self.exact {
            true => Answer { outcome: seen.observation.exact_outcome(), ..answer },
            false => answer,
        }
    }

    /// Why a failure does not count, if only one with the same details does.
    fn unlike(&self, seen: &RememberedTest<'_>) -> Option<Because> {
        let is_unlike = self.exact && seen.observation.differs;
        is_unlike.then(|| Because::SaidOtherwise(seen.observation.because.to_string()))
    }

    pub(super) fn tell<S: Search>(
        &mut self,
        asking: &mut ActiveSearch<S>,
        subject: &dyn Subject,
        (key, question): (ConfigurationKey, Question),
        KnownAnswer { how, test, is_of_another, answer, because }: KnownAnswer,
        keep: &mut dyn FnMut(&Configuration),
    ) -> Result<(), JournalError> {
        let (step, outcome) = (question.step, answer.outcome);
        match how {
            AnswerSource::Tested => {
                self.told += 1;
                asking.odds.learn(step, outcome);
                let also = self.memory.look_up(key).map(|seen| &seen.observation.also);
                if let Some(seen) = self.memory.look_up(key) {
                    self.told_runs.add(outcome, seen.observation.tally);
                }
                if let Some(also) = also.filter(|also| !also.is_empty()) {
                    self.noticed.push((question.configuration.clone(), also.to_vec()));
                }
            }
            AnswerSource::Predicted => {
                asking.predicted.insert(key);
            }
            AnswerSource::Remembered => {}
        }
        self.memory.tell(test);
        match answer.hints.is_empty() {
            true => asking.ahead.follow(&answer),
            false => asking.ahead.clear(),
        }
        asking.knowledge.learn(&answer.hints);
        asking.search.tell(answer);
        let left = asking.search.left() as u32;
        // An earlier session has already named its candidates.
        let is_first_run = question.repeat.is_none_or(|repeat| repeat == 0);
        let is_new = how != AnswerSource::Remembered && is_first_run && !self.journal.is_replaying();
        if let Some(name) = is_new.then(|| subject.name(&question.configuration)).flatten() {
            let (stage, configuration) = (self.stages.saturating_sub(1), question.configuration.clone());
            self.journal.add(Entry::Named { stage, configuration, name })?;
        }
        let configuration = is_of_another.then_some(question.configuration);
        let best = asking.search.best_so_far();
        let is_better = best.len() < asking.smallest;
        let bytes = if is_better { subject.bytes(best) } else { None };
        self.journal.add(Entry::Told { how, test, configuration, step, outcome, because, left, bytes })?;
        self.recall_up_to_next_step();
        asking.smallest = best.len().min(asking.smallest);
        // An earlier session has already kept its candidates. Only its last one can be missing.
        let was_replaying = std::mem::replace(&mut asking.is_replaying, self.journal.is_replaying());
        if !asking.is_replaying && (is_better || was_replaying) {
            keep(best);
        }
        Ok(())
    }
}
