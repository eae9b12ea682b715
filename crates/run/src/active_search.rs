//! A search in the middle of its stage, and the answers that it gets.

use crate::memory::ConfigurationKey;
use crate::odds::Odds;
use crate::{AnswerSource, Because, Content, Halt, Stop, Subject, TestId};
use howcome_dd::{Answer, Configuration, Difference, Knowledge, Search};
use std::collections::{HashMap, HashSet};

/// A search in the middle of its stage.
pub(crate) struct ActiveSearch<S> {
    pub(crate) search: S,
    pub(crate) subject: u32,
    pub(crate) knowledge: Knowledge,
    pub(crate) odds: Odds,
    pub(crate) predicted: HashSet<ConfigurationKey>,
    pub(crate) contents: HashMap<ConfigurationKey, Option<Content>>,
    pub(crate) smallest: usize,
    /// The current answers come from the record of an earlier session.
    pub(crate) is_replaying: bool,
}

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
            predicted: HashSet::new(),
            contents: HashMap::new(),
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
        *self.contents.entry(key).or_insert_with(|| subject.content(configuration))
    }

    pub(crate) fn stopped(&self, why: Stop) -> Halt<Difference> {
        Halt::Stopped { why, best: self.search.best_difference() }
    }
}
