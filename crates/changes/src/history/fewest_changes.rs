//! The fewest changes of a newer revision that make an older one fail.

use super::backport_patch::{BackportPatch, PatchExtent};
use super::stages::HistoryStages;
use super::walk_state::WalkState;
use crate::candidates::candidate::Candidate;
use crate::candidates::space::TreeStages;
use howcome_dd::Outcome;
use howcome_run::{Halt, RoundStep};

/// The result of a search for the fewest changes that make a revision fail.
pub(super) enum FewestChanges {
    /// With these changes the revision fails.
    Fail(BackportPatch),
    /// With these changes it passes. That tells more than the fewest that fail.
    Pass(BackportPatch),
}

/// The fewest changes of the last patch, in the revision that it was made for. `None` if it has no more than these.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn fewest_of_last_backport(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
) -> Result<Option<FewestChanges>, Halt> {
    let Some(last) = state.backports.last().filter(|last| !last.patch.is_least()) else { return Ok(None) };
    let (revision, newer, all) = (last.revision, last.newer, last.patch.all_hunks());
    let unpatched = stages.version(revision)?;
    // A patch that cannot be made there again tells nothing.
    let Ok(patched) = all.apply_to(&unpatched) else { return Ok(None) };
    let low = OlderVersion { revision, unpatched: &unpatched, version: &unpatched };
    let fewest = fewest_changes(stages, state, &low, (&patched, newer))?;
    if let (Some(FewestChanges::Fail(patch)), Some(last)) = (&fewest, state.backports.last_mut()) {
        last.patch = patch.clone();
    }
    Ok(fewest)
}

/// An older revision that fails differently.
pub(super) struct OlderVersion<'a> {
    pub(super) revision: usize,
    pub(super) unpatched: &'a Candidate,
    /// The revision with the lines of the patch that fit, or without any.
    pub(super) version: &'a Candidate,
}

/// The fewest hunks of a newer version with which an older one fails. `None` if nothing between the two could be judged. The patch is for
/// the unpatched revision.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn fewest_changes(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &WalkState,
    older: &OlderVersion<'_>,
    (high, high_index): (&Candidate, usize),
) -> Result<Option<FewestChanges>, Halt> {
    let OlderVersion { revision: low_index, unpatched, version: low } = *older;
    stages.runner.milestone(&format!(
        "looking for changes that make {} fail as {} does",
        stages.position(low_index),
        stages.name(high_index)
    ));
    let pair = stages.pair((low.clone(), low_index), (high.clone(), high_index));
    let leg = stages.next_patch_search();
    let differing = state.outcomes.difference_of(low_index);
    let complaint = differing.map_or_else(Vec::new, |seen| stages.runner.printed(seen));
    let narrowed = stages.fewest_changes(leg, &pair, (Outcome::Fail, RoundStep::Hunks), &complaint)?;
    let Some(narrowed) = narrowed else { return Ok(None) };
    let space = narrowed.on(low);
    Ok(Some(match narrowed.opposite {
        Some(passing) => FewestChanges::Pass(BackportPatch::between(
            unpatched,
            &space.version(&passing),
            PatchExtent::Part,
        )?),
        None => {
            let failing = space.version(&narrowed.chosen);
            // What the older patch has was not varied.
            let is_least = low.content() == unpatched.content();
            let extent = if is_least { PatchExtent::Least } else { PatchExtent::Part };
            FewestChanges::Fail(BackportPatch::between(unpatched, &failing, extent)?)
        }
    }))
}
