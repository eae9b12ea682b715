//! Files of a patch that older revisions get as a whole.
//!
//! A patch is applied line by line where it fits. If a file was rewritten, some lines fit an older revision and others do not, and the result
//! does not run. Then that revision, and each older one, gets the file as it is in the newest revision that fails with the patch.

use super::backport_patch::{BackportPatch, PatchExtent};
use super::stages::HistoryStages;
use super::trial::find_failing_with;
use super::walk_state::{WalkDecision, WalkState};
use crate::candidates::space::TreeStages;
use crate::trees::entry::LoadedEntry;
use crate::trees::mix::Mix;
use howcome_dd::Outcome;
use howcome_run::{Halt, Problem};

/// Gives an older revision those files of the front as a whole to which lines of the patch do not fit. `None` if there are none, or the
/// revision neither fails nor passes with them.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn try_whole_files(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    older: usize,
) -> Result<Option<WalkDecision>, Halt> {
    let Some(patch) = state.patch.clone().filter(|_| !state.refuses_whole_files) else { return Ok(None) };
    let (unpatched, newer) = (stages.version(older)?, stages.patched_front(state)?);
    let mut files = Vec::new();
    for path in patch.misfits(&unpatched) {
        let entry = newer.tree().get(&path).map(|entry| LoadedEntry::read(&path, entry)).transpose();
        let unreadable = |error| Problem::hinted(&error, None);
        files.push((path, entry.map_err(unreadable)?));
    }
    let files: Mix = patch.files_as_a_whole().then(&files.into_iter().collect());
    if files == *patch.files_as_a_whole() {
        return Ok(None);
    }
    let front = state.front;
    let candidate = stages.patched(&patch.clone().with_files(files.clone()).lines_that_fit(), &unpatched)?;
    let what = format!("{} with whole files of {}", stages.name(older), stages.name(front));
    let outcome = stages.try_version(&what, candidate.clone(), older)?;
    if outcome == Outcome::Unresolved {
        return Ok(None);
    }
    let patch = BackportPatch::between(&unpatched, &candidate, PatchExtent::Part)?.with_files(files);
    if outcome == Outcome::Pass {
        return find_failing_with(stages, state, patch, older, front).map(|end| Some(WalkDecision::End(end)));
    }
    state.keep_for_retry();
    stages.add_backport(state, patch, older)?;
    Ok(Some(WalkDecision::WalkOn))
}
