//! A patch with which a revision passes, made smaller so that it fits the revisions up to one that fails.
//!
//! If a revision between a pass and a failure fails differently, a part of the patch that has nothing to do with the test is often the reason.
//! The pass shows which hunks matter.

use super::backport_patch::{BackportPatch, PatchExtent};
use super::smallest_patch::fewest_hunks;
use super::stages::HistoryStages;
use super::walk_state::WalkState;
use crate::candidates::space::TreeStages;
use howcome_dd::Outcome;
use howcome_run::Halt;

/// Makes the patch of a walk smaller: with the rest, an older revision still passes and the front still fails. Says whether that was
/// possible.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn reduce_patch(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    passing: usize,
) -> Result<bool, Halt> {
    let Some(patch) = state.patch.clone().filter(|patch| !patch.is_reduced && patch.hunks() > 1) else {
        return Ok(false);
    };
    stages.runner.milestone(&format!("making the patch smaller with which {} passes", stages.name(passing)));
    let good = stages.version(passing)?;
    let patched = stages.patched(&patch.lines_that_fit(), &good)?;
    let fewer = match fewest_hunks(stages, &good, &patched)? {
        Some(version) if version.content() != patched.content() => version,
        _ => return Ok(false),
    };
    let reduced = BackportPatch::between(&good, &fewer, PatchExtent::Part)?.reduced();
    let front = state.front;
    let Ok(candidate) = reduced.lines_that_fit().apply_to(&stages.version(front)?) else { return Ok(false) };
    let what = format!("{} with {}", stages.name(front), reduced.in_words());
    if stages.try_version(&what, candidate, front)? != Outcome::Fail {
        return Ok(false);
    }
    state.patch = Some(reduced);
    Ok(true)
}
