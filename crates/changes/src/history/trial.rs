//! Trials of a revision with less than the patch of the walk.

use super::backport_patch::BackportPatch;
use super::stages::HistoryStages;
use super::walk_state::{WalkDecision, WalkEnd, WalkState};
use crate::candidates::space::TreeStages;
use howcome_dd::{Outcome, VersionOutcome, WalkBack, WalkRoute};
use howcome_run::{Halt, RevisionOutcome};

/// Tries a revision without any patch. `None` if it neither fails nor passes.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn try_without_patch(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    index: usize,
) -> Result<Option<WalkDecision>, Halt> {
    let version = stages.version(index)?;
    let what = format!("{} without a patch", stages.name(index));
    match stages.try_version(&what, version, index)? {
        Outcome::Fail => {
            state.go_on_with(None, index);
            Ok(Some(WalkDecision::WalkOn))
        }
        Outcome::Pass => {
            state.outcomes.note(index, RevisionOutcome::Pass, true);
            Ok(Some(WalkDecision::End(WalkEnd::passes_unpatched(index))))
        }
        Outcome::Unresolved => Ok(None),
    }
}

/// Tries a revision with another patch. `None` if it neither fails nor passes.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn try_with_patch(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    index: usize,
    patch: BackportPatch,
) -> Result<Option<WalkDecision>, Halt> {
    let Ok(candidate) = patch.lines_that_fit().apply_to(&stages.version(index)?) else { return Ok(None) };
    let what = format!("{} with {}", stages.name(index), patch.in_words());
    match stages.try_version(&what, candidate, index)? {
        Outcome::Fail => {
            state.go_on_with(Some(patch), index);
            Ok(Some(WalkDecision::WalkOn))
        }
        Outcome::Pass => {
            let front = state.front;
            find_failing_with(stages, state, patch, index, front).map(|end| Some(WalkDecision::End(end)))
        }
        Outcome::Unresolved => Ok(None),
    }
}

/// Finds the revision that begins to fail with a patch with which an older one passes. It is probably the one that failed with the
/// patch before.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn find_failing_with(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    patch: BackportPatch,
    passing: usize,
    probably_failing: usize,
) -> Result<WalkEnd, Halt> {
    state.outcomes.note(passing, RevisionOutcome::Pass, true);
    let lines = patch.lines_that_fit();
    state.patch = Some(patch);
    let mut does_fail = false;
    if let Ok(candidate) = lines.apply_to(&stages.version(probably_failing)?) {
        let what = format!("{} with the patch", stages.name(probably_failing));
        does_fail = stages.try_version(&what, candidate, probably_failing)? == Outcome::Fail;
    }
    if does_fail && probably_failing <= passing + 1 {
        state.front = probably_failing;
        return Ok(WalkEnd::passes_patched(passing));
    }
    let route = WalkRoute { count: stages.count() as u32, from: passing as u32, is_forward: true };
    let search = WalkBack::new(route, Outcome::Pass, true).skipping(state.outcomes.skipped_numbers());
    // One of the revisions between the two can be the first that fails.
    let search = if does_fail { search.up_to(probably_failing as u32) } else { search };
    let space = stages.walk_space(lines);
    let walked = stages.next_walk(&space, search)?;
    match walked.first_changed {
        Some((failing, VersionOutcome::Opposite)) => {
            state.front = failing as usize;
            Ok(WalkEnd::passes_patched(walked.last_same as usize))
        }
        _ if does_fail => {
            state.front = probably_failing;
            Ok(WalkEnd::passes_patched(passing))
        }
        _ => Ok(WalkEnd::Unreachable),
    }
}
