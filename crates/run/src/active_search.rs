//! A search in the middle of its stage, and the answers that it gets.

use crate::look_ahead::LookAhead;
use crate::memory::ConfigurationKey;
use crate::odds::Odds;
use crate::{AnswerSource, Because, Content, Halt, Observation, Stop, Subject, TestId};
use howcome_dd::{Answer, Configuration, Difference, Knowledge, Search};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// A search in the middle of its stage.
pub(crate) struct ActiveSearch<S> {
    pub(crate) search: S,
    pub(crate) subject: u32,
    pub(crate) knowledge: Knowledge,
    pub(crate) odds: Odds,
    pub(crate) ahead: LookAhead<S>,
    pub(crate) predicted: HashSet<ConfigurationKey>,
    pub(crate) contents: HashMap<ConfigurationKey, Option<Content>>,
    /// How long it took to find out the contents.
    finding_contents: Duration,
    pub(crate) smallest: usize,
    /// The current answers come from the record of an earlier session.
    pub(crate) is_replaying: bool,
}

/// What a test spends its time on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TestPace {
    /// How long it took to prepare it.
    prepared: Duration,
    /// How long it ran.
    ran: Duration,
    /// How long it took in all, if it was of this stage.
    took_in_stage: Option<Duration>,
}

impl TestPace {
    /// The pace of a test that has just ended.
    pub(crate) fn of(seen: &Observation) -> Self {
        let ran = seen.took.saturating_sub(seen.prepared);
        Self { prepared: seen.prepared, ran, took_in_stage: Some(seen.took) }
    }

    /// The pace of a side of the baseline, whose time does not include its preparation.
    pub(crate) fn of_baseline(seen: &Observation) -> Self {
        Self { prepared: seen.prepared, ran: seen.took, took_in_stage: None }
    }

    /// The same for a new stage, in which no test has ended yet.
    pub(crate) fn before_stage(self) -> Self {
        Self { took_in_stage: None, ..self }
    }

    /// Whether a test of this stage took less than this.
    pub(crate) fn is_below(self, time: Duration) -> bool {
        self.took_in_stage.is_some_and(|took| took < time)
    }

    /// Whether it takes long to prepare a test that is soon over. Several tests are not prepared faster at once than one after the other:
    /// all of them read the same repository and write to the same disk, so the current test would wait for the guesses.
    fn is_mostly_preparation(self) -> bool {
        self.prepared > SLOW && self.prepared > self.ran
    }
}

/// Preparing a test in less than this never matters.
const SLOW: Duration = Duration::from_millis(20);

/// Finding out a content in less than this never matters.
const FAST: Duration = Duration::from_millis(2);

/// An answer, and where it comes from.
pub(crate) struct KnownAnswer {
    pub(crate) how: AnswerSource,
    pub(crate) test: Option<TestId>,
    /// No test has exactly this configuration: the answer is predicted, or comes from another configuration with the
    /// same content.
    pub(crate) is_of_another: bool,
    pub(crate) answer: Answer,
    /// Why the subject rejects the configuration, if it does.
    pub(crate) because: Option<Because>,
}

impl<S: Search> ActiveSearch<S> {
    pub(crate) fn new(search: S, subject: u32, knowledge: Knowledge) -> Self {
        let smallest = search.best_so_far().len();
        Self {
            search,
            subject,
            knowledge,
            odds: Odds::default(),
            ahead: LookAhead::default(),
            predicted: HashSet::new(),
            contents: HashMap::new(),
            finding_contents: Duration::ZERO,
            smallest,
            is_replaying: false,
        }
    }

    pub(crate) fn content(
        &mut self,
        key: ConfigurationKey,
        configuration: &Configuration,
        subject: &dyn Subject,
    ) -> Option<Content> {
        *self.contents.entry(key).or_insert_with(|| {
            let began = Instant::now();
            let content = subject.content(configuration);
            self.finding_contents += began.elapsed();
            content
        })
    }

    /// Whether a test that is started ahead can save time. Nobody hears of the end of the current test while the content of a guess is
    /// found out, so guesses are of no use if tests are about as fast as that.
    pub(crate) fn is_worth_guessing(&self, pace: TestPace) -> bool {
        let content_took = self.finding_contents / (self.contents.len() as u32).max(1);
        let is_content_fast =
            content_took < FAST || pace.took_in_stage.is_none_or(|took| took > 2 * content_took);
        is_content_fast && !pace.is_mostly_preparation()
    }

    pub(crate) fn stopped(&self, why: Stop) -> Halt<Difference> {
        Halt::Stopped { why, best: self.search.best_difference() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_dd::{Ddmin, DeltaId};

    struct Slow;

    impl Subject for Slow {
        fn deltas(&self) -> u32 {
            8
        }

        fn describe(&self, _: DeltaId) -> String {
            String::new()
        }

        fn content(&self, _: &Configuration) -> Option<Content> {
            let began = Instant::now();
            while began.elapsed() < 2 * FAST {}
            None
        }
    }

    #[test]
    fn guesses_are_of_no_use_if_a_test_is_as_fast_as_finding_out_a_content() {
        let mut asking = ActiveSearch::new(Ddmin::new(Configuration::all(8)), 0, Knowledge::default());
        let after = |took: Duration| TestPace { took_in_stage: Some(took), ..TestPace::default() };
        assert!(asking.is_worth_guessing(after(Duration::ZERO)), "nothing is known yet");
        asking.content(crate::memory::Memory::key(0, &Configuration::all(8)), &Configuration::all(8), &Slow);
        assert!(!asking.is_worth_guessing(after(FAST)));
        assert!(asking.is_worth_guessing(after(Duration::from_secs(1000))));
        assert!(asking.is_worth_guessing(TestPace::default()), "no test has ended yet");
    }

    #[test]
    fn guesses_are_of_no_use_if_a_test_takes_longer_to_prepare_than_to_run() {
        let asking = ActiveSearch::new(Ddmin::new(Configuration::all(8)), 0, Knowledge::default());
        let is_worth = |prepared, ran| {
            let [prepared, ran] = [prepared, ran].map(Duration::from_millis);
            asking.is_worth_guessing(TestPace { prepared, ran, took_in_stage: None })
        };
        assert!(!is_worth(100, 5));
        assert!(is_worth(100, 200));
        assert!(is_worth(2, 1), "little time is lost");
    }
}
