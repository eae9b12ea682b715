//! Revisions that lack a name which the test uses.
//!
//! A test that exits with 1 whatever is wrong fails there as it does today, but for another reason. So such a revision counts as one that fails
//! differently: it gets the changes that brought the name.

use super::backport_patch::BackportPatch;
use super::restore::add_all_changes;
use super::stages::HistoryStages;
use super::walk_state::{MissingName, WalkState};
use crate::candidates::candidate::Candidate;
use crate::candidates::space::TreeStages;
use howcome_dd::Outcome;
use howcome_run::{Because, Halt, Problem};

/// At most this many patches are made because of names.
const MOST_PATCHES: u32 = 4;

/// If the oldest revision lacks a name that the test uses, gives all changes of the revision that brought the name to the one before it.
/// Says whether the walk can go on from there.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn bring_missing_names(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
) -> Result<bool, Halt> {
    if tells_apart(stages, state)? {
        return Ok(false);
    }
    let Some(name) = first_missing(stages, state, state.front)? else { return Ok(false) };
    state.missing_name.get_or_insert(MissingName { name: name.clone(), revision: state.front });
    if state.patches_for_names >= MOST_PATCHES {
        return Ok(false);
    }
    state.patches_for_names += 1;
    // The older of the two lacks a name, and the newer one has them all.
    let (mut lacking, mut having) = (state.front, stages.newest());
    while having - lacking > 1 {
        let middle = lacking + (having - lacking) / 2;
        match first_missing(stages, state, middle)? {
            Some(_) => lacking = middle,
            None => having = middle,
        }
    }
    if having > patched_up_to(state) {
        // The patches so far were made for revisions that do not have what is tested.
        state.backports.clear();
        state.patch = None;
    }
    let patch = patch_at(state, having).map(BackportPatch::lines_that_fit).unwrap_or_default();
    let candidate = stages.patched(&patch, &stages.version(having)?)?;
    let what = format!("{}, the oldest revision that has `{name}`", stages.name(having));
    if having != stages.newest() && stages.try_version(&what, candidate, having)? != Outcome::Fail {
        return Ok(false);
    }
    state.go_on_with(state.patch.clone(), having);
    add_all_changes(stages, state, lacking)?;
    if let Some(backport) = state.backports.last_mut() {
        backport.lacks = Some(name);
    }
    Ok(true)
}

/// Whether the test ends with another exit code, or does not run at all, where something is missing: a revision ended so, and its patch
/// brought a name. It can also end so because a file is broken.
fn tells_apart(stages: &HistoryStages<'_, impl TreeStages>, state: &WalkState) -> Result<bool, Problem> {
    let Some(names) = &stages.plan.test_names else { return Ok(true) };
    let newest = stages.version(stages.newest())?;
    let missing = |version: &Candidate| {
        names.missing_in(&version.tree(), &newest.tree()).map_err(|error| Problem::hinted(&error, None))
    };
    for backport in &state.backports {
        match backport.without.as_ref().map(|seen| &seen.because) {
            Some(Because::DidNotRun(_)) => return Ok(true),
            Some(Because::Exit(_) | Because::Signal(_)) => {}
            _ => continue,
        }
        let unpatched = stages.version(backport.revision)?;
        let Ok(patched) = backport.patch.lines_that_fit().apply_to(&unpatched) else { return Ok(true) };
        if missing(&unpatched)? != missing(&patched)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The newest revision that the walk tests with its patch.
fn patched_up_to(state: &WalkState) -> usize {
    state.backports.last().map_or(0, |backport| backport.revision)
}

fn patch_at(state: &WalkState, index: usize) -> Option<&BackportPatch> {
    state.patch.as_ref().filter(|_| index <= patched_up_to(state))
}

/// A name that a revision lacks, with the patch of the walk if it gets one.
fn first_missing(
    stages: &HistoryStages<'_, impl TreeStages>,
    state: &WalkState,
    index: usize,
) -> Result<Option<String>, Problem> {
    let Some(names) = &stages.plan.test_names else { return Ok(None) };
    let patch = patch_at(state, index).map(BackportPatch::lines_that_fit).unwrap_or_default();
    let Ok(version) = patch.apply_to(&stages.version(index)?) else { return Ok(None) };
    let newest = stages.version(stages.newest())?;
    let missing = names.missing_in(&version.tree(), &newest.tree());
    missing.map(|names| names.into_iter().next()).map_err(|error| Problem::hinted(&error, None))
}
