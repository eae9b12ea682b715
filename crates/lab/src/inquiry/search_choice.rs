//! The searches that a user can choose from.

use super::KnownRelations;
use howcome_dd::{Balanced, Configuration, Dd, DdPlus, Ddmin, Difference, GroupsFirst, Isolate, Search};
use howcome_run::{Algorithm, Driver, Executor, Halt, Stage};
use serde::{Deserialize, Serialize};

/// A search that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchChoice {
    /// Few tests for a minimal answer.
    Balanced,
    /// The simplifier of Zeller and Hildebrandt.
    Ddmin,
    /// Zeller's first algorithm, for tests whose outcomes are all resolved.
    Dd,
    /// Zeller's algorithm for tests with unresolved outcomes.
    #[serde(rename = "dd+")]
    DdPlus,
    /// The smallest difference between passing and failing.
    Isolate,
}

impl SearchChoice {
    /// The name of the algorithm in the record.
    #[must_use]
    pub fn algorithm(self) -> Algorithm {
        match self {
            SearchChoice::Balanced => Algorithm::Balanced,
            SearchChoice::Ddmin => Algorithm::Ddmin,
            SearchChoice::Dd => Algorithm::Dd,
            SearchChoice::DdPlus => Algorithm::DdPlus,
            SearchChoice::Isolate => Algorithm::Isolate,
        }
    }

    /// Searches all deltas of a subject. Of what is known of them, it uses the groups; the subject predicts outcomes from the rest.
    ///
    /// # Errors
    /// If the run is stopped, with the best difference so far, or if the journal of an earlier session does not match.
    pub fn run(
        self,
        driver: &mut Driver,
        executor: &mut dyn Executor,
        stage: &Stage<'_>,
        known: &KnownRelations,
        keep: &mut dyn FnMut(&Configuration),
    ) -> Result<Difference, Halt<Difference>> {
        let all = Configuration::all(stage.subject.deltas());
        let split = known.split();
        match self {
            SearchChoice::Balanced if known.groups.is_empty() => {
                driver.run(executor, stage, Balanced::new(all), keep)
            }
            SearchChoice::Balanced => {
                let search = GroupsFirst::new(all, &known.groups, Balanced::new);
                driver.run(executor, stage, search, keep)
            }
            SearchChoice::Ddmin => driver.run(executor, stage, Ddmin::with_split(all, split), keep),
            SearchChoice::Dd => driver.run(executor, stage, Dd::with_split(all, split), keep),
            SearchChoice::DdPlus => {
                let search = DdPlus::with_split(all, split);
                let search = if known.predicts() { search.keeping_context() } else { search };
                driver.run(executor, stage, search, keep)
            }
            SearchChoice::Isolate => {
                let search = Isolate::with_split(Configuration::empty(), all, split);
                driver.run(executor, stage, search, keep)
            }
        }
    }

    /// About how many tests a search over this many deltas takes if few of them matter.
    #[must_use]
    pub fn estimate(self, deltas: u32) -> f64 {
        let all = Configuration::all(deltas);
        let questions = match self {
            SearchChoice::Balanced => Balanced::new(all).questions_left(),
            // Two rounds for each halving until one delta is left.
            SearchChoice::Ddmin => Some(2.0 * f64::from(deltas.max(1)).log2()),
            SearchChoice::Dd => Dd::new(all).questions_left(),
            SearchChoice::DdPlus => DdPlus::new(all).questions_left(),
            SearchChoice::Isolate => Isolate::new(Configuration::empty(), all).questions_left(),
        };
        questions.unwrap_or_default().ceil().max(1.0)
    }
}
