//! One question.

use crate::{Answer, Ask, Configuration, Outcome, Question, Search, Step};

/// Asks for the outcome of one configuration.
#[derive(Clone, Debug)]
pub struct Probe {
    configuration: Configuration,
    answer: Option<Outcome>,
}

impl Probe {
    /// Asks for the outcome of this configuration.
    #[must_use]
    pub fn new(configuration: Configuration) -> Self {
        Self { configuration, answer: None }
    }
}

impl Search for Probe {
    type Finding = Outcome;
    const SEES_UNRESOLVED: bool = true;

    fn ask(&self) -> Ask<Outcome> {
        match self.answer {
            Some(outcome) => Ask::Done(outcome),
            None => Ask::Test(Question::new(self.configuration.clone(), Step::Alone)),
        }
    }

    fn tell(&mut self, answer: Answer) {
        self.answer.get_or_insert(answer.outcome);
    }

    fn best_so_far(&self) -> &Configuration {
        &self.configuration
    }
}
