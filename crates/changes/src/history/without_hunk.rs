//! The newest revision without one of the changes that came with what the test needs.
//!
//! If the revision that can first run the test has brought the cause, too, no revision passes, and no patch of whole revisions helps.
//! But without the right hunk, or the right lines, the newest revision passes.

use super::backport_patch::{BackportPatch, PatchExtent, hunk_changes, line_changes};
use super::stages::HistoryStages;
use super::trial::find_failing_with;
use super::walk_state::{WalkEnd, WalkState};
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::{PatchSeries, PatchStep};
use crate::candidates::space::TreeStages;
use crate::deltas::blocks::blocks;
use crate::deltas::change_set::ChangeSet;
use crate::knowledge::{names_in, related};
use howcome_dd::{Configuration, DeltaId, Outcome};
use howcome_run::{Halt, Subject};
use std::sync::Arc;

/// At most this many versions are tried.
const MOST_TRIALS: usize = 16;

/// The changes that a revision has made, in groups that are left out together.
struct RevisionChanges {
    revision: usize,
    old: Candidate,
    changes: Arc<ChangeSet>,
    groups: Vec<Configuration>,
}

/// Tries the newest revision without each hunk, then without each block of lines and each line, of revisions that have probably brought
/// the cause.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn try_without_hunks(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    revisions: &[usize],
) -> Result<Option<WalkEnd>, Halt> {
    let mut levels: [Vec<RevisionChanges>; 3] = Default::default();
    for revision in revisions.iter().copied().filter(|revision| *revision > 0) {
        let (Ok(old), Ok(new)) = (stages.version(revision - 1), stages.version(revision)) else { continue };
        let differing = state.outcomes.difference_of(revision - 1);
        let complaint = differing.map_or_else(Vec::new, |seen| stages.runner.printed(seen));
        let (hunks, lines) = (hunk_changes(&old, &new)?, line_changes(&old, &new)?);
        let grouped = [(&hunks, singles(&hunks)), (&lines, blocks(&lines)), (&lines, singles(&lines))];
        for (level, (changes, groups)) in levels.iter_mut().zip(grouped) {
            let groups = least_needed_first(changes, groups, &complaint);
            level.push(RevisionChanges { revision, old: old.clone(), changes: Arc::clone(changes), groups });
        }
    }
    let newest = stages.version(stages.newest())?;
    let mut tried = vec![newest.content()];
    for RevisionChanges { revision, old, changes, groups } in levels.into_iter().flatten() {
        for group in groups {
            let Some(candidate) = without(&changes, &group, &newest) else { continue };
            if tried.contains(&candidate.content()) {
                continue;
            }
            if tried.len() > MOST_TRIALS {
                return Ok(None);
            }
            tried.push(candidate.content());
            let what = format!("{} without {}", stages.name(stages.newest()), describe(&changes, &group));
            if stages.try_version(&what, candidate.clone(), stages.newest())? == Outcome::Pass {
                let patch = BackportPatch::between(&old, &candidate, PatchExtent::Part)?;
                let end = find_failing_with(stages, state, patch, revision - 1, revision)?;
                state.keeps_patch = true;
                return Ok(Some(end));
            }
        }
    }
    Ok(None)
}

/// A version without some changes; `None` if they cannot be undone there.
fn without(changes: &Arc<ChangeSet>, group: &Configuration, version: &Candidate) -> Option<Candidate> {
    let step = PatchStep { undone: true, ..PatchStep::making(changes, group.clone()) };
    PatchSeries(vec![step]).apply_to(version).ok()
}

fn singles(changes: &ChangeSet) -> Vec<Configuration> {
    changes.all().iter().map(|delta| Configuration::empty().with_delta(delta)).collect()
}

/// The groups that can be the cause, those first that have the fewest of the names that an older revision complains of: the others are
/// what the test needs.
fn least_needed_first(
    changes: &ChangeSet,
    mut groups: Vec<Configuration>,
    complaint: &[u8],
) -> Vec<Configuration> {
    let names: Vec<Vec<u8>> = names_in([complaint]).into_iter().collect();
    let needed = related(changes, &names);
    let is_remark = |delta: DeltaId| {
        changes.describe(delta).is_none_or(|change| change.is_remark() || change.path.is_for_people())
    };
    groups.retain(|group| !group.iter().all(is_remark));
    let weight = |delta: DeltaId| needed.get(delta.index()).copied().unwrap_or_default();
    groups.sort_by_key(|group| group.iter().map(weight).max());
    groups
}

fn describe(changes: &ChangeSet, group: &Configuration) -> String {
    let described: Vec<String> = group.iter().map(|delta| Subject::describe(changes, delta)).collect();
    described.join(", ")
}
