//! Makes a revision that fails differently fail in the original way, with changes of newer revisions.

use super::backport_patch::{BackportPatch, PatchExtent};
use super::fewest_changes::{FewestChanges, OlderVersion, fewest_changes, fewest_of_last_backport};
use super::merged_branch::{PartOfBranch, try_part_of_branch};
use super::stages::HistoryStages;
use super::trial::{find_failing_with, try_with_patch, try_without_patch};
use super::walk_state::{Backport, WalkDecision, WalkEnd, WalkState};
use super::whole_files::try_whole_files;
use crate::candidates::space::TreeStages;
use howcome_run::{Halt, Problem};

/// Makes a revision that fails differently fail in the original way.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn restore_failure(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    differing: usize,
) -> Result<WalkDecision, Halt> {
    if state.patch.is_none() {
        return add_changes(stages, state, differing);
    }
    // Perhaps the patch is not needed any more.
    if let Some(next) = try_without_patch(stages, state, differing)? {
        return Ok(next);
    }
    if goes_on_in_a_row(state, differing) {
        add_all_changes(stages, state, differing)?;
        return Ok(WalkDecision::WalkOn);
    }
    if let Some(next) = try_whole_files(stages, state, differing)? {
        return Ok(next);
    }
    let last = state.backports.last();
    let is_stuck = last.is_some_and(|last| last.revision == state.front && !last.patch.is_least());
    if !is_stuck {
        return add_changes(stages, state, differing);
    }
    let unpatched = stages.version(differing)?;
    let newer = stages.patched_front(state)?;
    // All changes of the newer revision did not get any further. So perhaps the fewest do, here or where the patch was made.
    match fewest_of_last_backport(stages, state)? {
        Some(FewestChanges::Fail(patch)) => {
            if let Some(next) = try_with_patch(stages, state, differing, patch)? {
                return Ok(next);
            }
        }
        Some(FewestChanges::Pass(patch)) => {
            let (revision, newer) =
                state.backports.last().map_or((differing, state.front), |last| (last.revision, last.newer));
            return find_failing_with(stages, state, patch, revision, newer).map(WalkDecision::End);
        }
        None => {}
    }
    let front = state.front;
    let older = OlderVersion { revision: differing, unpatched: &unpatched, version: &unpatched };
    match fewest_changes(stages, state, &older, (&newer, front))? {
        Some(FewestChanges::Fail(patch)) => {
            stages.add_backport(state, patch, differing)?;
            Ok(WalkDecision::WalkOn)
        }
        Some(FewestChanges::Pass(patch)) => {
            find_failing_with(stages, state, patch, differing, front).map(WalkDecision::End)
        }
        None => Ok(WalkDecision::End(WalkEnd::Unreachable)),
    }
}

/// What a test needs is often made in several commits in a row. All changes of this many are applied before fewer are tried.
const MOST_IN_A_ROW: usize = 4;

/// Whether the patch was made for the front, and the revision before that fails differently with it. Then the changes of the front are missing
/// there: with them, it is the same as the front.
fn goes_on_in_a_row(state: &WalkState, differing: usize) -> bool {
    let is_whole = |backport: &Backport| backport.patch.extent == PatchExtent::Whole;
    let is_made_for_front = state.backports.last().is_some_and(|last| last.revision == state.front);
    is_made_for_front
        && differing + 1 == state.front
        && state.backports.len() < MOST_IN_A_ROW
        && state.is_patch_in_a_row()
        && state.backports.iter().all(is_whole)
}

/// With fewer hunks, a patch of all changes fits many older revisions, and only one that passes shows which of them matter.
const MANY_HUNKS: u32 = 32;

/// Gives changes of the front to an older revision: all of them, or of many the fewest with which it fails.
fn add_changes(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    older: usize,
) -> Result<WalkDecision, Halt> {
    let (unpatched, mut newer) = (stages.version(older)?, stages.patched_front(state)?);
    let front = state.front;
    // The patch so far stays: without it, the test cannot run. Only what is missing is added.
    let patch = state.patch.as_ref().map(BackportPatch::lines_that_fit).unwrap_or_default();
    let version = stages.patched(&patch, &unpatched)?;
    if BackportPatch::between(&version, &newer, PatchExtent::Whole)?.hunks() >= MANY_HUNKS {
        match try_part_of_branch(stages, state, (older, front))? {
            Some(PartOfBranch::Pass(end)) => return Ok(WalkDecision::End(end)),
            Some(PartOfBranch::Fail(part)) => newer = part,
            None => {}
        }
        let low = OlderVersion { revision: older, unpatched: &unpatched, version: &version };
        match fewest_changes(stages, state, &low, (&newer, front))? {
            Some(FewestChanges::Fail(patch)) => {
                // A search that ends with most of the changes did not get far.
                let all = BackportPatch::between(&unpatched, &newer, PatchExtent::Whole)?;
                if 2 * patch.hunks() <= all.hunks() {
                    stages.add_backport(state, patch, older)?;
                    return Ok(WalkDecision::WalkOn);
                }
            }
            Some(FewestChanges::Pass(patch)) => {
                return find_failing_with(stages, state, patch, older, front).map(WalkDecision::End);
            }
            None => {}
        }
    }
    let patch = BackportPatch::between(&unpatched, &newer, PatchExtent::Whole)?;
    stages.add_backport(state, patch, older)?;
    Ok(WalkDecision::WalkOn)
}

/// Gives all changes of the front to an older revision. It fails with them, for then it is the same as the front.
///
/// # Errors
/// If one of the two revisions is not available.
pub(super) fn add_all_changes(
    stages: &HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    older: usize,
) -> Result<(), Problem> {
    let patch =
        BackportPatch::between(&stages.version(older)?, &stages.patched_front(state)?, PatchExtent::Whole)?;
    stages.add_backport(state, patch, older)
}
