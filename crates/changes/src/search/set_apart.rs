//! Of hunks that fail together: those without which the others cannot be judged, set apart from those that decide.
//!
//! The definition of a function that a hunk calls is there only to let the hunk run. Its lines are not searched: that would cost many
//! tests, and leave a torn function.

use super::hunks::{HunkSearch, Level, label, unreadable};
use super::narrowed_changes::{NarrowedChanges, PassedChanges};
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::space::{Space, TreeStages};
use crate::deltas::change_set::ChangeSet;
use howcome_dd::{Configuration, DeltaId, Outcome, Probe};
use howcome_run::{Algorithm, Halt, Round, StageName, Subject};
use std::sync::Arc;

impl HunkSearch<'_> {
    /// The hunks that decide, on the version that already has the hunks that they need. Everything as it was if no hunk is only needed,
    /// or the version with nothing but the needed hunks does not pass.
    pub(super) fn set_apart(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        (pair, low): (&VersionPair, &Candidate),
        hunks: NarrowedChanges,
        passed: &[PassedChanges],
    ) -> Result<(Candidate, NarrowedChanges), Halt<Option<NarrowedChanges>>> {
        // The hunks of several commits are parts of the answer, each with its commit.
        let is_possible = hunks.context.is_none()
            && pair.suspects.len() <= 1
            && self.sought.is_none()
            && self.plan.algorithm.is_none();
        let space = self.space(low, pair, &hunks.changes, None);
        let step = Level::step_of(hunks.unit);
        let stage = StageName::Round(round, step.clone());
        let is_needed = |hunk: &DeltaId| {
            let without = hunks.chosen.without_delta(*hunk);
            if let Some(seen) = stages.seen(&stage, &without) {
                return seen.outcome == Outcome::Unresolved;
            }
            let has_passed = passed
                .iter()
                .any(|(changes, passed)| Arc::ptr_eq(changes, &hunks.changes) && without.is_subset(passed));
            !has_passed && space.rejects(&without).is_some()
        };
        let needed: Configuration = match is_possible && hunks.chosen.len() > 1 {
            true => hunks.chosen.iter().filter(is_needed).collect(),
            false => Configuration::empty(),
        };
        if needed.is_empty() || needed == hunks.chosen {
            return Ok((low.clone(), hunks));
        }
        let [before, after] = [&needed, &hunks.chosen].map(|side| space.version(side));
        let probe = label(round, step, Algorithm::Probe, hunks.unit);
        let space: Arc<dyn Space> = Arc::new(space);
        let outcome = stages.search(&probe, &space, Probe::new(needed.clone()), &mut |_| {});
        if outcome.map_err(|halt| halt.keeping(Some(hunks.clone())))? != Outcome::Pass {
            return Ok((low.clone(), hunks));
        }
        let changes = ChangeSet::between(&before.tree(), &after.tree()).map_err(unreadable)?;
        let (all, changes) = (changes.all(), Arc::new(changes));
        let context = Some(Box::new((Arc::clone(&hunks.changes), needed)));
        let limit = hunks.limit;
        Ok((before, NarrowedChanges { context, limit, ..NarrowedChanges::of(&changes, all, hunks.unit) }))
    }
}
