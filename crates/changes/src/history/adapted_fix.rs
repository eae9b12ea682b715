//! A fix that is adapted to a revision at which it is not enough.

use super::backport_patch::hunk_changes;
use super::changes_around::try_changes_around;
use super::completed_fix::completed;
use super::stages::HistoryStages;
use super::walk_space::WalkSpace;
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::{PatchSeries, PatchStep};
use crate::candidates::space::TreeStages;
use crate::search::version_pair::VersionPair;
use howcome_dd::Outcome;
use howcome_run::{Halt, Leg, RoundStep, Way};

/// Changes that make a revision pass.
pub(super) struct RevisionFix {
    pub(super) patch: PatchSeries,
    pub(super) hunks: usize,
}

/// A revision at which a fix is not enough.
pub(super) struct Obstacle {
    /// The newest revision that passes with the fix.
    pub(super) reached: usize,
    /// The revision after it.
    pub(super) next: usize,
    /// The number of the step.
    pub(super) number: u32,
}

/// Finds what else has to be changed at a revision at which the fix is not enough.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn adapt(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    space: &WalkSpace,
    obstacle: &Obstacle,
) -> Result<Option<RevisionFix>, Halt> {
    let Obstacle { reached, next, number } = *obstacle;
    let high: Candidate = space.patched(reached).map_err(|because| stages.no_version(&because))?;
    let low = space.with_optional_patch(next, stages.version(next)?);
    stages.runner.milestone(&format!("looking for what else fixes {}", stages.position(next)));
    let mut pair = stages.pair((low, next), (high, reached));
    let unfixed = space.with_optional_patch(reached, stages.version(reached)?);
    if let Some(around) = try_changes_around(stages, &pair, &unfixed, next)? {
        pair.high = around;
    }
    fewest_that_pass(stages, &pair, (number, next))
}

/// The fewest changes from the low version of a pair towards the high one with which it passes.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn fewest_that_pass(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    pair: &VersionPair,
    (number, revision): (u32, usize),
) -> Result<Option<RevisionFix>, Halt> {
    let leg = Leg { way: Way::Forward, number };
    let narrowed = stages.fewest_changes(leg, pair, (Outcome::Pass, RoundStep::Blocks), &[])?;
    let Some(narrowed) = narrowed else { return Ok(None) };
    let fixed = completed(stages, pair, narrowed.on(&pair.low).version(&narrowed.chosen), revision)?;
    let fix = hunk_changes(&pair.low, &fixed)?;
    let hunks = fix.len() as usize;
    Ok(Some(RevisionFix { patch: PatchSeries(vec![PatchStep::making(&fix, fix.all())]), hunks }))
}
