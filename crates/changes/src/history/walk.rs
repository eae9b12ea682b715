//! The walk back through history until a revision passes, with a patch by which older revisions fail as the newest one does.

use super::backport_patch::BackportPatch;
use super::hidden_cause::look_for_hidden_cause;
use super::later_changes::{LaterChanges, try_later_changes};
use super::left_out_part::{LeftOutParts, try_left_out_parts};
use super::missing_names::bring_missing_names;
use super::reduced_patch::reduce_patch;
use super::restore::{add_all_changes, restore_failure};
use super::stages::{Exactness, FinishedWalk, HistoryStages};
use super::walk_state::{WalkDecision, WalkEnd, WalkState};
use super::without_hunk::try_without_hunks;
use crate::candidates::space::TreeStages;
use howcome_dd::{DeltaId, VersionOutcome, WalkedBack};
use howcome_run::Halt;

/// A revision that passed with a patch, and the front that failed with the same patch.
struct PassedEarlier {
    passing: usize,
    front: usize,
    patch: BackportPatch,
}

impl PassedEarlier {
    /// Goes back to that revision.
    fn end(self, state: &mut WalkState) -> WalkEnd {
        let Self { passing, front, patch } = self;
        (state.front, state.patch) = (front, Some(patch));
        WalkEnd::passes_patched(passing)
    }
}

/// No more patches than these are made.
const MOST_BACKPORTS: usize = 64;

/// No more patches are made after this many tests: those that were made do not get far enough.
const MOST_TESTS: u64 = 60;

/// If it looks as if it never worked, parts of the patch are left out until this many tests were run.
const MOST_TESTS_WITHOUT_PASS: u64 = 15;

/// If nothing is known otherwise, this many versions are tested without parts of a patch.
const MOST_LEFT_OUT: u64 = 24;

/// Walks back until a revision passes, or until it is clear that none does. If a revision fails differently, it gets changes of newer
/// revisions by which it fails in the original way.
///
/// # Errors
/// If the run is stopped, or something is wrong. The state says how far the walk has come.
pub(super) fn walk_until_pass(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
) -> Result<WalkEnd, Halt> {
    let end = walk_with_patches(stages, state)?;
    if end == WalkEnd::PrintsSomethingElse {
        return Ok(end);
    }
    let most = match end {
        // Smaller patches do not lead further than patches that were made until the limit was reached.
        WalkEnd::Passes(_) | WalkEnd::TooManyTests => 0,
        WalkEnd::NeverWorked { fit } if state.has_whole_patch(fit) => {
            MOST_TESTS_WITHOUT_PASS.saturating_sub(stages.tests()).max(1)
        }
        _ => MOST_LEFT_OUT,
    };
    let mut tried = state.clone();
    match try_left_out_parts(stages, &mut tried, most)? {
        LeftOutParts::Pass(end @ WalkEnd::Passes(_)) => {
            *state = tried;
            return Ok(end);
        }
        LeftOutParts::Untried => state.has_untried_parts = true,
        LeftOutParts::Pass(_) | LeftOutParts::Fail => {}
    }
    // In a walk that suspects its patches this was tried first.
    let is_untried = stages.plan.holds_tests && !stages.plan.suspects_patches;
    match end {
        WalkEnd::NeverWorked { .. } | WalkEnd::Unreachable if is_untried && state.cannot_run_older() => {
            Ok(try_parts_of_newest(stages, state)?.unwrap_or(end))
        }
        _ => Ok(end),
    }
}

fn walk_with_patches(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
) -> Result<WalkEnd, Halt> {
    let mut passed_earlier = None;
    let mut has_retried_skipped = false;
    let mut has_tried_parts = !stages.plan.suspects_patches;
    loop {
        let walked = walk_back(stages, state)?;
        let passed_now = passed_with_patch(&walked, state);
        let differs = walked.first_changed.is_some_and(|(_, outcome)| outcome == VersionOutcome::Different);
        if let Some(passed) = passed_now.as_ref().filter(|_| differs)
            && reduce_patch(stages, state, passed.passing)?
        {
            passed_earlier = passed_with_patch(&walked, state);
            continue;
        }
        passed_earlier = passed_now.or(passed_earlier);
        let passes = walked.first_changed.is_some_and(|(_, outcome)| outcome == VersionOutcome::Opposite);
        if !std::mem::replace(&mut has_tried_parts, true)
            && !passes
            && let Some(end) = try_parts_of_newest(stages, state)?
        {
            return Ok(end);
        }
        if let Some((index, outcome)) = walked.first_changed {
            if outcome == VersionOutcome::Opposite {
                return Ok(WalkEnd::passes_patched(index as usize));
            }
            let is_over = stages.tests() >= MOST_TESTS && !stages.plan.is_thorough;
            if is_over || state.backports.len() >= MOST_BACKPORTS {
                return Ok(match passed_earlier {
                    Some(passed) => passed.end(state),
                    None => WalkEnd::TooManyTests,
                });
            }
            match restore_failure(stages, state, index as usize)? {
                WalkDecision::WalkOn => continue,
                WalkDecision::End(WalkEnd::Unreachable) if state.retry_without_files() => continue,
                WalkDecision::End(end) => return Ok(end),
            }
        }
        let is_over = stages.tests() >= MOST_TESTS && !stages.plan.is_thorough;
        if passed_earlier.is_none() && !is_over && state.retry_without_files() {
            continue;
        }
        // A revision that passed earlier tells more than older ones that fail with another patch, or cannot be tested.
        if let Some(passed) = passed_earlier {
            return Ok(passed.end(state));
        }
        if prints_something_else(stages, state)? {
            return Ok(WalkEnd::PrintsSomethingElse);
        }
        if !is_over && state.backports.len() < MOST_BACKPORTS && bring_missing_names(stages, state)? {
            continue;
        }
        if walked.reaches_the_end {
            match look_for_hidden_cause(stages, state)? {
                Some(WalkDecision::WalkOn) => continue,
                Some(WalkDecision::End(end)) => return Ok(end),
                None => {
                    let oldest = stages.version(state.front)?;
                    let fit = state.patch.as_ref().and_then(|patch| patch.fit(&oldest));
                    return Ok(WalkEnd::NeverWorked { fit });
                }
            }
        }
        // Perhaps all older revisions lack something that the front has. One attempt with all of its changes is enough.
        let skipped = state.front.checked_sub(1).filter(|older| {
            let is_first_attempt = !has_retried_skipped && state.outcomes.is_skipped(*older);
            is_first_attempt && stages.revisions.line.base(*older).is_ok()
        });
        let Some(skipped) = skipped else { return Ok(WalkEnd::Unreachable) };
        has_retried_skipped = true;
        state.outcomes.unskip_up_to(skipped);
        add_all_changes(stages, state, skipped)?;
    }
}

/// Whether the oldest revision fails with another output than the newest one, although a revision between them has the same. Then the test
/// tells more than its ending.
fn prints_something_else(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &WalkState,
) -> Result<bool, Halt> {
    if stages.exactness != Exactness::AnyOutput {
        return Ok(false);
    }
    let newest = stages.newest();
    match newest.checked_sub(1) {
        // Perhaps the strides were too long to see that.
        Some(before) if state.outcomes.all_print_something_else(newest) => {
            stages.runner.milestone("older revisions fail with another output");
            stages.prints_the_same(before)
        }
        _ => Ok(state.outcomes.prints_something_else(state.front)),
    }
}

/// Tries versions that have what the test needs, and perhaps not the cause: the oldest revision with later changes, and the newest one
/// without a change.
fn try_parts_of_newest(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
) -> Result<Option<WalkEnd>, Halt> {
    let runs_since = state.backports.first().map_or(state.front, |backport| backport.newer);
    stages.runner.milestone(&format!(
        "looking for a version that passes among those with parts of {}",
        stages.name(stages.newest())
    ));
    let mut tried = state.clone();
    let end = match try_later_changes(stages, &mut tried, runs_since)? {
        LaterChanges::Pass(end) => Some(end),
        LaterChanges::Fail(brings_cause) => {
            let other = brings_cause.filter(|revision| *revision != runs_since);
            let revisions: Vec<usize> = [Some(runs_since), other].into_iter().flatten().collect();
            try_without_hunks(stages, &mut tried, &revisions)?
        }
    };
    let end = end.filter(|end| matches!(end, WalkEnd::Passes(_)));
    if end.is_some() {
        *state = tried;
    }
    Ok(end)
}

/// Walks back for as long as revisions fail in the same way, and records what was seen.
fn walk_back(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
) -> Result<WalkedBack, Halt> {
    let FinishedWalk { stage, route, walked } = stages.walk_back(state).map_err(|halt| {
        halt.map_best(|best| {
            state.front = best.failing.last().map_or(state.front, DeltaId::index);
            state.passes_at = best.passing.last().map(DeltaId::index);
        })
    })?;
    let is_patched = state.patch.is_some();
    for (revision, outcome) in walked.versions.iter().filter(|(revision, _)| **revision != route.from) {
        let was_unpatched = *outcome == VersionOutcome::Skipped && is_patched;
        let unpatched = was_unpatched.then(|| route.unpatched(*revision));
        let seen = unpatched.and_then(|asked| stages.runner.seen(&stage, &asked));
        let seen = seen.or_else(|| stages.runner.seen(&stage, &route.patched(*revision)));
        state.outcomes.record(*revision as usize, *outcome, seen, is_patched);
    }
    state.front = walked.last_same as usize;
    Ok(walked)
}

/// The newest revision that passed with the patch of a walk.
fn passed_with_patch(walked: &WalkedBack, state: &WalkState) -> Option<PassedEarlier> {
    let patch = state.patch.clone()?;
    let passing = walked.versions.iter().rfind(|(_, outcome)| **outcome == VersionOutcome::Opposite);
    passing.map(|(passing, _)| PassedEarlier { passing: *passing as usize, front: state.front, patch })
}
