//! The searches, by their names on the command line.

use clap::ValueEnum;
use howcome_dd::{Balanced, Configuration, Dd, DdPlus, Ddmin, Difference, Isolate, Search};
use howcome_run::{Driver, Executor, JournalError, Stage, StageEnd};
use serde::{Deserialize, Serialize};

/// A search that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Algorithm {
    /// Few tests for a minimal answer: the default
    Balanced,
    /// The simplifier of Zeller and Hildebrandt
    Ddmin,
    /// Zeller's first algorithm, for outcomes that are all resolved
    Dd,
    /// The same for outcomes that are not
    #[value(name = "dd+")]
    #[serde(rename = "dd+")]
    DdPlus,
    /// The smallest difference between passing and failing; what --isolate uses
    Isolate,
}

impl Algorithm {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Algorithm::Balanced => "balanced",
            Algorithm::Ddmin => "ddmin",
            Algorithm::Dd => "dd",
            Algorithm::DdPlus => "dd+",
            Algorithm::Isolate => "isolate",
        }
    }

    /// Searches all deltas of a subject.
    pub(crate) fn run(
        self,
        driver: &mut Driver,
        executor: &mut dyn Executor,
        stage: &Stage<'_>,
        keep: &mut dyn FnMut(&Configuration),
    ) -> Result<StageEnd<Difference>, JournalError> {
        let all = Configuration::all(stage.subject.deltas());
        match self {
            Algorithm::Balanced => driver.run(executor, stage, Balanced::new(all), keep),
            Algorithm::Ddmin => driver.run(executor, stage, Ddmin::new(all), keep),
            Algorithm::Dd => driver.run(executor, stage, Dd::new(all), keep),
            Algorithm::DdPlus => driver.run(executor, stage, DdPlus::new(all), keep),
            Algorithm::Isolate => {
                driver.run(executor, stage, Isolate::new(Configuration::empty(), all), keep)
            }
        }
    }

    /// About how many tests a search over so many deltas takes, where few of them matter.
    pub(crate) fn estimate(self, deltas: u32) -> f64 {
        let all = Configuration::all(deltas);
        let questions = match self {
            Algorithm::Balanced => Balanced::new(all).questions_left(),
            // Two rounds for each halving until one delta is left.
            Algorithm::Ddmin => Some(2.0 * f64::from(deltas.max(1)).log2()),
            Algorithm::Dd => Dd::new(all).questions_left(),
            Algorithm::DdPlus => DdPlus::new(all).questions_left(),
            Algorithm::Isolate => Isolate::new(Configuration::empty(), all).questions_left(),
        };
        questions.unwrap_or_default().ceil().max(1.0)
    }
}
