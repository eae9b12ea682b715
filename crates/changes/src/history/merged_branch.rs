//! A part of the branch that brought what the test needs.
//!
//! A merge brings all commits of its branch at once. The first of them are often enough for the test, and one of the later ones can be the
//! cause. So the merge is tried without the last commits of its branch.

use super::backport_patch::{BackportPatch, PatchExtent, line_changes};
use super::stages::HistoryStages;
use super::trial::find_failing_with;
use super::walk_state::{WalkEnd, WalkState};
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::{PatchSeries, PatchStep};
use crate::candidates::space::TreeStages;
use crate::versions::revision_id::RevisionId;
use howcome_dd::Outcome;
use howcome_run::Halt;

/// At most this many parts of a branch are tried.
const MOST_TRIALS: u32 = 8;

/// The older revision with the first commits of a branch.
pub(super) enum PartOfBranch {
    /// It passes.
    Pass(WalkEnd),
    /// It fails in the original way.
    Fail(Candidate),
}

/// If a newer revision is a merge, looks for the first commits of its branch with which the older revision fails or passes. `None` if it
/// is not a merge, or all of the branch is needed.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn try_part_of_branch(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    (older, front): (usize, usize),
) -> Result<Option<PartOfBranch>, Halt> {
    let is_first_patch = state.backports.iter().all(|backport| backport.newer == front);
    if !is_first_patch || older + 1 != front {
        return Ok(None);
    }
    let branch = branch_of(stages, older, front);
    if branch.len() < 2 {
        return Ok(None);
    }
    stages.runner.milestone(&format!("looking inside the branch that {} merged", stages.name(front)));
    let (unpatched, merged) = (stages.version(older)?, stages.version(front)?);
    // The test needs more than the commits before the first of these, and no more than those up to the last one.
    let mut needed = 0..branch.len() - 1;
    let mut failing = None;
    for _ in 0..MOST_TRIALS {
        if needed.is_empty() {
            break;
        }
        let middle = needed.start + needed.len() / 2;
        let outcome = match without_later(stages, &merged, &branch, middle) {
            Some(candidate) => {
                let title = stages.revisions.line.source.title(&branch[middle]);
                let what = format!("{} with its branch up to {title}", stages.name(front));
                let outcome = stages.try_version(&what, candidate.clone(), front)?;
                if outcome == Outcome::Pass {
                    let patch = BackportPatch::between(&unpatched, &candidate, PatchExtent::Part)?;
                    let end = find_failing_with(stages, state, patch, older, front)?;
                    return Ok(Some(PartOfBranch::Pass(end)));
                }
                if outcome == Outcome::Fail {
                    failing = Some(candidate);
                }
                outcome
            }
            None => Outcome::Unresolved,
        };
        match outcome {
            Outcome::Fail => needed.end = middle,
            _ => needed.start = middle + 1,
        }
    }
    Ok(failing.map(PartOfBranch::Fail))
}

/// The commits that a merge has brought, the oldest first, without the merge.
fn branch_of(stages: &HistoryStages<'_, impl TreeStages>, older: usize, front: usize) -> Vec<RevisionId> {
    let line = &stages.revisions.line;
    let Some((older, merge)) = line.commit(older).zip(line.commit(front)) else { return Vec::new() };
    let Ok(range) = line.source.range(&[older], &merge) else { return Vec::new() };
    let brought = range.revisions.iter().filter(|revision| revision.id != merge);
    brought.map(|revision| revision.id.clone()).collect()
}

/// A merge without what its branch changed after a commit; `None` if that cannot be undone there.
fn without_later(
    stages: &HistoryStages<'_, impl TreeStages>,
    merged: &Candidate,
    branch: &[RevisionId],
    last: usize,
) -> Option<Candidate> {
    let source = &stages.revisions.line.source;
    let (then, tip) = (source.tree(branch.get(last)?).ok()?, source.tree(branch.last()?).ok()?);
    let later = line_changes(&Candidate::of(then), &Candidate::of(tip)).ok()?;
    let step = PatchStep { undone: true, ..PatchStep::making(&later, later.all()) };
    let candidate = PatchSeries(vec![step]).apply_to(merged).ok()?;
    (candidate.content() != merged.content()).then_some(candidate)
}
