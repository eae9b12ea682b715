//! The change of a commit that makes a flaky test fail more often.

use super::hunks::{HunkSearch, Level, label};
use super::narrowed_changes::NarrowedChanges;
use crate::candidates::space::{Space, TreeStages};
use howcome_dd::{Ancestry, Configuration, Difference, FlakyBisect, Outcome, Probe};
use howcome_run::{Algorithm, Halt, Round, StageLabel};
use std::sync::Arc;

/// How sure the search among the changes of a commit must be. The change that it finds is tested alone, so it need not be very sure.
const CONFIDENCE: f64 = 0.95;

impl HunkSearch<'_> {
    /// The single change that makes a flaky test fail as often as all of them do. `None` if the test is not flaky, or no single change
    /// was found; then each question of another search has to be settled on its own.
    pub(super) fn flaky_change(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        level: &Level,
        space: &Arc<dyn Space>,
    ) -> Result<Option<Configuration>, Halt<Difference>> {
        let is_usual = self.plan.algorithm.is_none() && self.sought.is_none();
        let Some(rates) = stages.rates().filter(|_| is_usual) else { return Ok(None) };
        let stage = |search| label(round, level.step.clone(), search, level.unit);
        let search = FlakyBisect::new(Ancestry::Line(level.changes.len()), CONFIDENCE);
        let search = search.knowing(rates.passing, rates.failing);
        let found = stages.search(&stage(Algorithm::Bisect), space, search, &mut |_| {})?;
        let Some(change) = found.culprit.and_then(|culprit| culprit.decided()) else { return Ok(None) };
        let only = Configuration::empty().with_delta(change);
        let probe: StageLabel = stage(Algorithm::Probe);
        let alone = stages.search(&probe, space, Probe::new(only.clone()), &mut |_| {})?;
        Ok((alone == Outcome::Fail).then_some(only))
    }

    /// Whether a flaky test has shown already that a single change is necessary: without it, the version is the one that passes.
    pub(super) fn is_settled(
        &self,
        stages: &impl TreeStages,
        round: Round,
        narrowed: &NarrowedChanges,
    ) -> bool {
        let is_all = narrowed.chosen == narrowed.changes.all();
        let stage = label(round, narrowed.checked_in(), Algorithm::Probe, narrowed.unit);
        let fails =
            || stages.seen(&stage.name, &narrowed.chosen).is_some_and(|seen| seen.outcome == Outcome::Fail);
        stages.rates().is_some() && narrowed.chosen.len() == 1 && (is_all || fails())
    }
}
