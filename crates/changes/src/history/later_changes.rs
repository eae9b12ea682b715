//! The oldest revision with all changes that came after a newer revision.
//!
//! A test that was written late needs changes that the oldest revision lacks. If these came after the cause, the oldest revision with
//! nothing but the later changes can run the test, and passes: it has what the test needs, and lacks the cause.

use super::backport_patch::{BackportPatch, PatchExtent};
use super::stages::HistoryStages;
use super::walk_state::{WalkEnd, WalkState};
use crate::candidates::space::TreeStages;
use howcome_dd::Outcome;
use howcome_run::{Halt, RevisionOutcome};

/// At most this many revisions are tried as the one after which the changes are taken.
const MOST_TRIALS: u32 = 7;

/// What a search among the later changes has found.
pub(super) enum LaterChanges {
    /// The oldest revision passes with them.
    Pass(WalkEnd),
    /// It passes with none of them. It fails with the changes of this revision and of those after it, if there is such a revision.
    Fail(Option<usize>),
}

/// Looks for a revision with whose later changes the oldest revision passes. `runs_since` is the oldest revision that is known to fail,
/// so it can run the test.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn try_later_changes(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    runs_since: usize,
) -> Result<LaterChanges, Halt> {
    // With the changes after the first of these revisions, the test fails; with those after the last one, it cannot be run.
    let mut revisions = 1..runs_since;
    let mut next = runs_since.saturating_sub(1);
    let mut brings_cause = None;
    for _ in 0..MOST_TRIALS {
        if !revisions.contains(&next) {
            break;
        }
        let patch = BackportPatch::between(
            &stages.version(next)?,
            &stages.version(stages.newest())?,
            PatchExtent::Whole,
        )?;
        let Ok(candidate) = patch.lines_that_fit().apply_to(&stages.version(0)?) else { break };
        let what = format!("{} with the changes since {}", stages.name(0), stages.name(next));
        match stages.try_version(&what, candidate, 0)? {
            Outcome::Pass => {
                state.outcomes.note(0, RevisionOutcome::Pass, true);
                (state.front, state.patch, state.keeps_patch) = (next, Some(patch), true);
                return Ok(LaterChanges::Pass(WalkEnd::passes_patched(0)));
            }
            Outcome::Fail => {
                brings_cause = Some(next + 1);
                revisions.start = next + 1;
            }
            Outcome::Unresolved => revisions.end = next,
        }
        next = revisions.start + revisions.len() / 2;
    }
    Ok(LaterChanges::Fail(brings_cause))
}
