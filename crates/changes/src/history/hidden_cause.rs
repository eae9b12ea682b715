//! Looks for a cause that a patch has brought to older revisions.
//!
//! A patch that holds the cause makes every older revision fail. So before the answer is that it never worked, the oldest revision is
//! tried with less.

use super::backport_patch::BackportPatch;
use super::fewest_changes::{FewestChanges, fewest_of_last_backport};
use super::merged_branch::{PartOfBranch, try_part_of_branch};
use super::stages::HistoryStages;
use super::trial::find_failing_with;
use super::walk_state::{WalkDecision, WalkState};
use crate::candidates::space::TreeStages;
use howcome_dd::Outcome;
use howcome_run::Halt;

/// Looks for a patch that has brought the cause to older revisions. `None` if there is no sign of it.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn look_for_hidden_cause(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
) -> Result<Option<WalkDecision>, Halt> {
    let Some(last) = state.backports.last().filter(|last| !last.is_reduced) else { return Ok(None) };
    let (revision, newer) = (last.revision, last.newer);
    if let Some(next) = try_additions(stages, state)? {
        return Ok(Some(next));
    }
    if let Some(PartOfBranch::Pass(end)) = try_part_of_branch(stages, state, (revision, newer))? {
        return Ok(Some(WalkDecision::End(end)));
    }
    // If several patches were made, one of them has probably passed over the cause. A single one has, too, if the test came with it.
    if state.is_patch_in_a_row() && !stages.plan.suspects_patches {
        return Ok(None);
    }
    match fewest_of_last_backport(stages, state)? {
        Some(FewestChanges::Pass(patch)) => {
            find_failing_with(stages, state, patch, revision, newer).map(|end| Some(WalkDecision::End(end)))
        }
        Some(FewestChanges::Fail(patch)) => {
            if revision == state.front {
                state.patch = Some(patch);
            }
            Ok(None)
        }
        None => Ok(None),
    }
}

/// The lines that a patch only adds, and the revisions that it was made for and from.
#[derive(Clone)]
struct PatchAdditions {
    revision: usize,
    newer: usize,
    patch: BackportPatch,
}

/// Tries the oldest revision with lines that are only added. If it passes, one of the patches has brought the cause along.
fn try_additions(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
) -> Result<Option<WalkDecision>, Halt> {
    let mut all: Vec<PatchAdditions> = Vec::new();
    for backport in &state.backports {
        let (revision, newer) = (backport.revision, backport.newer);
        let additions = backport.patch.additions(&stages.version(revision)?)?;
        all.extend(additions.map(|patch| PatchAdditions { revision, newer, patch }));
    }
    let Some(last) = all.last().cloned() else { return Ok(None) };
    if outcome_with(stages, state.front, &last.patch)? != Outcome::Pass {
        return Ok(None);
    }
    for PatchAdditions { revision, newer, patch } in all {
        match outcome_with(stages, revision, &patch)? {
            Outcome::Pass => {
                let end = find_failing_with(stages, state, patch, revision, newer)?;
                return Ok(Some(WalkDecision::End(end)));
            }
            Outcome::Fail if revision == last.revision => {
                state.reduce_last_backport(patch);
                return Ok(Some(WalkDecision::WalkOn));
            }
            _ => {}
        }
    }
    Ok(None)
}

/// The outcome of a revision with lines that are only added.
fn outcome_with(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    index: usize,
    additions: &BackportPatch,
) -> Result<Outcome, Halt> {
    let Ok(candidate) = additions.lines_that_fit().apply_to(&stages.version(index)?) else {
        return Ok(Outcome::Unresolved);
    };
    let what = format!("{} with only the lines that the patch adds", stages.name(index));
    stages.try_version(&what, candidate, index)
}
