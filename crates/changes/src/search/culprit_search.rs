//! The commit of a history that broke the test, or that made a flaky test fail more often.

use crate::candidates::space::{Space, TreeStages};
use howcome_dd::{Ancestry, Bisect, Culprit, DeltaId, Difference, FailureCount, FlakyBisect, FlakyCulprit};
use howcome_lab::IndistinctSides;
use howcome_run::{FlakyRates, Halt, Problem, ProblemKind, StageLabel, Tally};
use std::sync::Arc;

/// The commits to search, the last of which fails.
pub(super) struct CulpritSearch {
    pub(super) ancestry: Ancestry,
    pub(super) last: DeltaId,
    /// How likely each commit is the culprit, if that is known.
    pub(super) weights: Option<Arc<[u32]>>,
    /// If the test is flaky: the share of this search in the errors that the answer may have.
    pub(super) share_of_errors: f64,
}

impl CulpritSearch {
    /// The search for the culprit of a test that is not flaky.
    pub(super) fn bisect(self) -> Bisect {
        let search = Bisect::between(self.ancestry, &[], self.last).giving_up(IN_A_ROW, AMONG);
        match self.weights {
            Some(weights) => search.favouring(weights),
            None => search,
        }
    }

    /// Finds the culprit.
    ///
    /// # Errors
    /// If the run is stopped, with the nearest versions so far; or if a flaky test fails about as often everywhere.
    pub(super) fn run(
        self,
        stages: &mut impl TreeStages,
        stage: &StageLabel,
        space: &Arc<dyn Space>,
    ) -> Result<Culprit, Halt<Difference>> {
        let Some(rates) = stages.rates() else {
            return stages.search(stage, space, self.bisect(), &mut |_| {});
        };
        let confidence = rates.confidence_of_search(self.share_of_errors);
        let search = FlakyBisect::new(self.ancestry, confidence).knowing(rates.passing, rates.failing);
        let search = match self.weights {
            Some(weights) => search.favouring(&weights),
            None => search,
        };
        let FlakyCulprit { culprit, confidence, without, with } =
            stages.search(stage, space, search, &mut |_| {})?;
        let Some(culprit) = culprit else { return Err(indistinct(without, with)) };
        stages.learn_rates(rates.after(confidence, without, with));
        stages.milestone(&describe(&stages.rates().unwrap_or(rates)));
        Ok(culprit)
    }
}

/// How often the test fails with the culprit and without it.
fn describe(rates: &FlakyRates) -> String {
    let of = |runs: FailureCount| format!("{} of {} runs", runs.fails, runs.runs());
    format!(
        "the test fails in {} before the culprit and in {} from it on",
        of(rates.passing),
        of(rates.failing)
    )
}

fn indistinct(without: FailureCount, with: FailureCount) -> Halt<Difference> {
    let tally = |runs: FailureCount| Tally { fail: runs.fails, pass: runs.passes, unresolved: 0 };
    let sides = IndistinctSides { failing: tally(with), passing: tally(without) };
    let problem = Problem::hinted(&sides, sides.hint()).of_kind(ProblemKind::Flaky);
    Halt::Refused { problem, why: sides.to_string() }
}

/// After this many commits in a row that cannot be tested, with at most `AMONG` commits left, the search looks for both ends of the
/// range that cannot be tested, and goes on with its hunks: mixes of hunks can often be tested.
const IN_A_ROW: u32 = 2;
const AMONG: usize = 64;
