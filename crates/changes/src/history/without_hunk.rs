//! The newest revision without one of the changes that came with what the test needs.
//!
//! If the revision that can first run the test has brought the cause, too, no revision passes, and no patch of whole revisions helps.
//! But without the right hunk, or the right lines, the newest revision passes.

use super::backport_patch::{BackportPatch, hunk_changes, line_changes};
use super::stages::HistoryStages;
use super::trial::find_failing_with;
use super::walk_state::{WalkEnd, WalkState};
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::{PatchSeries, PatchStep};
use crate::candidates::space::TreeStages;
use crate::deltas::change_set::ChangeSet;
use crate::knowledge::{names_in, related};
use howcome_dd::{Configuration, DeltaId, Outcome};
use howcome_run::Halt;
use std::sync::Arc;

/// At most this many versions are tried.
const MOST_TRIALS: usize = 16;

/// The changes that a revision has made.
struct RevisionChanges {
    revision: usize,
    old: Candidate,
    /// Its hunks, or its lines.
    changes: Arc<ChangeSet>,
    /// What the revision before it printed.
    complaint: Vec<u8>,
}

/// Tries the newest revision without each hunk, then without each line, of revisions that have probably brought the cause.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn try_without_hunks(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    revisions: &[usize],
) -> Result<Option<WalkEnd>, Halt> {
    let (mut hunks, mut lines) = (Vec::new(), Vec::new());
    for revision in revisions.iter().copied().filter(|revision| *revision > 0) {
        let (Ok(old), Ok(new)) = (stages.version(revision - 1), stages.version(revision)) else { continue };
        let differing = state.outcomes.difference_of(revision - 1);
        let complaint = differing.map_or_else(Vec::new, |seen| stages.runner.printed(seen));
        let (by_hunks, by_lines) = (hunk_changes(&old, &new)?, line_changes(&old, &new)?);
        let of = |changes: Arc<ChangeSet>| RevisionChanges {
            revision,
            old: old.clone(),
            changes,
            complaint: complaint.clone(),
        };
        if by_lines.len() > by_hunks.len() {
            lines.push(of(by_lines));
        }
        hunks.push(of(by_hunks));
    }
    let newest = stages.version(stages.newest())?;
    let mut trials = 0;
    for RevisionChanges { revision, old, changes, complaint } in hunks.into_iter().chain(lines) {
        for delta in least_needed_first(&changes, &complaint) {
            let Some(candidate) = without(&changes, delta, &newest) else { continue };
            if trials == MOST_TRIALS {
                return Ok(None);
            }
            trials += 1;
            let what = format!("{} without {}", stages.name(stages.newest()), describe(&changes, delta));
            if stages.try_version(&what, candidate.clone(), stages.newest())? == Outcome::Pass {
                let patch = BackportPatch::between(&old, &candidate, false)?;
                let end = find_failing_with(stages, state, patch, revision - 1, revision)?;
                state.keeps_patch = true;
                return Ok(Some(end));
            }
        }
    }
    Ok(None)
}

/// A version without one change; `None` if it cannot be undone there, or makes no difference.
fn without(changes: &Arc<ChangeSet>, delta: DeltaId, version: &Candidate) -> Option<Candidate> {
    let only = Configuration::empty().with_delta(delta);
    let step = PatchStep { undone: true, ..PatchStep::making(changes, only) };
    let made = PatchSeries(vec![step]).apply_to(version).ok()?;
    (made.content() != version.content()).then_some(made)
}

/// The changes that can be the cause, those first that have the fewest of the names that an older revision complains of: the others
/// are what the test needs.
fn least_needed_first(changes: &ChangeSet, complaint: &[u8]) -> Vec<DeltaId> {
    let names: Vec<Vec<u8>> = names_in([complaint]).into_iter().collect();
    let needed = related(changes, &names);
    let is_remark = |delta: &DeltaId| {
        changes.describe(*delta).is_none_or(|change| change.is_remark() || change.path.is_for_people())
    };
    let mut deltas: Vec<DeltaId> = changes.all().iter().filter(|delta| !is_remark(delta)).collect();
    deltas.sort_by_key(|delta| needed.get(delta.index()).copied().unwrap_or_default());
    deltas
}

fn describe(changes: &ChangeSet, delta: DeltaId) -> String {
    howcome_run::Subject::describe(changes, delta)
}
