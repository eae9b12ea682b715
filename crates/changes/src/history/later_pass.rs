//! A later revision that passes, because the change that a walk has found was undone in between.
//!
//! A walk between a pass and a failure finds one change from the one to the other. If that change was undone later and made again, the
//! failure of today is another one. Where a change is gone is known without a test.

use super::backport_patch::{BackportPatch, hunk_changes};
use super::cause_lines::CauseLines;
use super::explanation::Explanation;
use super::stages::HistoryStages;
use super::walk_state::{PassingRevision, WalkState};
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::{PatchSeries, PatchStep};
use crate::candidates::space::TreeStages;
use crate::test_code::finder::differing_paths;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId, Outcome, VersionOutcome};
use howcome_run::{Halt, Problem, RevisionOutcome};
use std::collections::BTreeSet;

/// At most this many revisions are tried.
const MOST_TRIALS: usize = 3;

/// A revision that changes more hunks is not followed.
const MOST_HUNKS: u32 = 64;

/// Looks for a revision after the front that passes, because it lacks a change between the passing revision and the front. Walks on from
/// there, so that the front is the first revision after the last pass that is known.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn look_for_later_pass(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    mut passing: PassingRevision,
) -> Result<PassingRevision, Halt> {
    if state.keeps_patch {
        return Ok(passing);
    }
    for _ in 0..MOST_TRIALS {
        let Some(later) = without_change(stages, passing.index, state.front)? else { break };
        let patch = state.patch.as_ref().filter(|_| passing.is_patched);
        let patch = patch.map(BackportPatch::lines_that_fit).unwrap_or_default();
        let Ok(candidate) = patch.apply_to(&stages.version(later)?) else { break };
        let what = format!("{}, in which the change is undone", stages.name(later));
        match stages.try_version(&what, candidate, later)? {
            Outcome::Pass => {}
            Outcome::Fail => break,
            Outcome::Unresolved => {
                state.undone_at = Some(later);
                break;
            }
        }
        state.outcomes.note(later, RevisionOutcome::Pass, true);
        let walked = stages.walk_forward(state, later, patch)?;
        let Some((failing, VersionOutcome::Opposite)) = walked.first_changed else { break };
        (state.front, passing.index) = (failing as usize, walked.last_same as usize);
        state.outcomes.note(state.front, RevisionOutcome::Fail, true);
        state.outcomes.note(passing.index, RevisionOutcome::Pass, true);
    }
    Ok(passing)
}

/// Walks on from a later revision that passes as it is, up to the next one that fails. `None` if there is none that can be tested.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn walk_on_from(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    later: usize,
) -> Result<Option<PassingRevision>, Halt> {
    state.outcomes.note(later, RevisionOutcome::Pass, true);
    let walked = stages.walk_forward(state, later, PatchSeries::default())?;
    let Some((failing, VersionOutcome::Opposite)) = walked.first_changed else { return Ok(None) };
    state.begin_after_pass(failing as usize);
    let passing = walked.last_same as usize;
    state.outcomes.note(passing, RevisionOutcome::Pass, true);
    // With the patch of the state, which is none.
    Ok(Some(PassingRevision { index: passing, is_patched: true }))
}

/// Looks for a revision after the front that lacks the cause that was found. If that does not fail, the cause was made again later, and what
/// was found is not why the newest revision fails. Neither is it if the newest revision lacks the cause.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn note_undone_cause(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    explanation: &Explanation,
) -> Result<(), Halt> {
    if state.keeps_patch {
        return Ok(());
    }
    let paths = explanation.paths();
    let lacks = |version: &Candidate| explanation.is_missing_in(version);
    let after = explanation.failing + 1..stages.newest();
    let newest = stages.version(stages.newest())?;
    if lacks(&newest) {
        let paths = paths.iter().collect();
        state.gone_since = find_version(stages, after, &paths, lacks).or(Some(stages.newest()));
        return Ok(());
    }
    // Lines that were moved to another file cannot be undone as they are, but they are known by their words.
    let lines = CauseLines::of(explanation);
    let failing = stages.version(explanation.failing)?;
    let places = places_of(stages, &lines, paths, explanation.failing);
    let tells = !lines.are_undone_in_files(&failing, &places) && !lines.are_undone_in_files(&newest, &places);
    let lacks_lines =
        |version: &Candidate| lacks(version) || tells && lines.are_undone_in_files(version, &places);
    let later = find_version(stages, after.rev(), &places.iter().collect(), lacks_lines);
    let Some(later) = later.filter(|later| state.undone_at != Some(*later)) else { return Ok(()) };
    let patch = explanation.patch.as_ref().map(BackportPatch::lines_that_fit).unwrap_or_default();
    let Ok(candidate) = patch.apply_to(&stages.version(later)?) else {
        // Whether it passes is not known, but the newest revision has the change from a later one.
        state.undone_at = Some(later);
        return Ok(());
    };
    let what = format!("{}, in which the cause is undone", stages.name(later));
    if stages.try_version(&what, candidate, later)? != Outcome::Fail {
        state.undone_at = Some(later);
    }
    Ok(())
}

/// The files that the lines of a cause are in, in any revision from the one that fails to the newest.
fn places_of(
    stages: &HistoryStages<'_, impl TreeStages>,
    lines: &CauseLines,
    mut places: BTreeSet<TreePath>,
    failing: usize,
) -> BTreeSet<TreePath> {
    let Ok(mut before) = stages.version(failing) else { return places };
    for index in failing + 1..=stages.newest() {
        let Ok(version) = stages.version(index) else { continue };
        // Lines come to another file when their own one changes.
        let has_changed =
            differing_paths(&before.tree(), &version.tree()).intersection(&places).next().is_some();
        if has_changed {
            places.extend(lines.places_in(&version, &before));
        }
        before = version;
    }
    places
}

/// The newest revision that lacks one of the changes between two revisions, if the newest revision of all has that change. If that has
/// none of them, the oldest revision that has none.
fn without_change(
    stages: &HistoryStages<'_, impl TreeStages>,
    older: usize,
    newer: usize,
) -> Result<Option<usize>, Problem> {
    let hunks = hunk_changes(&stages.version(older)?, &stages.version(newer)?)?;
    if hunks.len() > MOST_HUNKS {
        return Ok(None);
    }
    let undone_in = |delta: DeltaId, version: &Candidate| {
        let chosen = Configuration::empty().with_delta(delta);
        let step = PatchStep { undone: true, ..PatchStep::making(&hunks, chosen) };
        PatchSeries(vec![step]).apply_to(version)
    };
    let is_in = |delta: DeltaId, version: &Candidate| {
        undone_in(delta, version).is_ok_and(|undone| undone.content() != version.content())
    };
    let lacks = |delta: DeltaId, version: &Candidate| {
        undone_in(delta, version).is_ok_and(|undone| undone.content() == version.content())
    };
    let newest = stages.version(stages.newest())?;
    let is_code = |delta: &DeltaId| {
        hunks.describe(*delta).is_some_and(|change| !change.is_remark() && !change.path.is_for_people())
    };
    let all = hunks.all();
    let code: Vec<DeltaId> = all.iter().filter(is_code).collect();
    let after = newer + 1..stages.newest();
    if !code.is_empty() && code.iter().all(|delta| lacks(*delta, &newest)) {
        let paths = hunks.paths_of(&code.iter().copied().collect());
        let lacks_all = |version: &Candidate| code.iter().all(|delta| lacks(*delta, version));
        return Ok(find_version(stages, after, &paths, lacks_all));
    }
    let followed: Vec<DeltaId> = code.into_iter().filter(|delta| is_in(*delta, &newest)).collect();
    let paths = hunks.paths_of(&followed.iter().copied().collect());
    let lacks_one = |version: &Candidate| followed.iter().any(|delta| lacks(*delta, version));
    Ok(find_version(stages, after.rev(), &paths, lacks_one))
}

/// The first of some revisions of which something is true that depends on some files.
fn find_version(
    stages: &HistoryStages<'_, impl TreeStages>,
    revisions: impl Iterator<Item = usize>,
    paths: &BTreeSet<&TreePath>,
    is_so: impl Fn(&Candidate) -> bool,
) -> Option<usize> {
    // Between two revisions with the same files, nothing is undone.
    let files = |version: &Candidate| {
        let tree = version.tree();
        paths
            .iter()
            .map(|path| tree.get(path).and_then(|entry| entry.contents.identity().map(<[u8]>::to_vec)))
            .collect::<Vec<_>>()
    };
    let mut files_before = None;
    for index in revisions {
        let Ok(version) = stages.version(index) else { continue };
        let now = Some(files(&version)).filter(|files| files.iter().all(Option::is_some));
        if now.is_some() && now == files_before {
            continue;
        }
        if is_so(&version) {
            return Some(index);
        }
        files_before = now;
    }
    None
}
