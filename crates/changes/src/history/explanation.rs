//! The cause between a revision that passes and one that fails.

use super::backport_patch::{BackportPatch, PatchExtent};
use super::smallest_patch::{PatchedRevisions, SmallestPatch, smallest_patch};
use super::stages::HistoryStages;
use super::walk_state::{PassingRevision, WalkState};
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::TreeStages;
use crate::search::again::test_again;
use crate::search::cause::{CauseSearch, CausesFound, CausesSoFar};
use crate::search::cause_part::undoing;
use crate::search::found_cause::FoundCause;
use crate::trees::tree_path::TreePath;
use crate::versions::compared::{CommitsBetween, ComparedVersions};
use howcome_dd::Outcome;
use howcome_run::{Halt, Problem};
use std::collections::BTreeSet;

/// The cause between a revision that passes and one that fails.
pub(super) struct Explanation {
    /// The revision that passes, with the patch if there is one.
    pub(super) passing: usize,
    /// The next newer revision that can be tested. It fails.
    pub(super) failing: usize,
    /// The patch for the passing revision.
    pub(super) patch: Option<BackportPatch>,
    /// Whether removing each single line of it was tried.
    pub(super) is_patch_minimal: bool,
    /// The patch as both revisions got it.
    pub(super) applied: PatchSeries,
    pub(super) versions: ComparedVersions,
    /// What the search for the cause has found. If it was stopped, what is known.
    pub(super) causes: Result<CausesFound, Halt<CausesSoFar>>,
}

impl Explanation {
    /// Tests the answer once more.
    pub(super) fn test_again(&mut self, stages: &mut impl TreeStages) {
        if let Ok(found) = &self.causes {
            self.causes = test_again(stages, &self.versions, found.clone());
        }
    }

    /// Whether a version lacks the cause: to undo it changes nothing.
    pub(super) fn is_missing_in(&self, version: &Candidate) -> bool {
        self.undone_in(version).is_some_and(|undone| undone.content() == version.content())
    }

    /// Whether the cause can be undone in a version that has it.
    pub(super) fn is_undone_in(&self, version: &Candidate) -> bool {
        self.undone_in(version).is_some_and(|undone| undone.content() != version.content())
    }

    /// A version without the cause; `None` if its lines have changed there.
    fn undone_in(&self, version: &Candidate) -> Option<Candidate> {
        PatchSeries(undoing(&self.cause()?.parts).collect()).apply_to(version).ok()
    }

    /// The files of the cause.
    pub(super) fn paths(&self) -> BTreeSet<TreePath> {
        let parts = self.cause().into_iter().flat_map(|cause| &cause.parts);
        parts.flat_map(|part| part.changes.paths_of(&part.chosen)).cloned().collect()
    }

    /// The answer, which is known before a fix for the newest revision is searched.
    pub(super) fn in_words(&self, stages: &HistoryStages<'_, impl TreeStages>) -> String {
        let (passing, failing) = (stages.name(self.passing), stages.position(self.failing));
        let patched =
            self.patch.as_ref().map_or_else(String::new, |patch| format!(" with {}", patch.in_words()));
        let place = self.cause().and_then(|cause| {
            let part = cause.parts.first()?;
            part.changes.describe(part.chosen.get(0)?).map(|change| format!(" ({})", change.place()))
        });
        format!("{failing} fails{}; {passing} passes{patched}", place.unwrap_or_default())
    }

    /// The cause, if it was found.
    pub(super) fn cause(&self) -> Option<&FoundCause> {
        match &self.causes {
            Ok(CausesFound::Causes(causes)) => causes.first(),
            _ => None,
        }
    }
}

/// Finds the smallest patch, and the cause between a revision that passes and the front of a walk, which fails.
///
/// # Errors
/// If the run is stopped before the cause is searched, or something is wrong.
pub(super) fn explain(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &WalkState,
    passing: PassingRevision,
    on_backport: &mut dyn FnMut(usize, &BackportPatch),
) -> Result<Explanation, Halt> {
    let PassingRevision { index: passing, is_patched } = passing;
    let failing = state.front;
    let (good, bad) = (stages.version(passing)?, stages.version(failing)?);
    let mut smallest = match &state.patch {
        Some(patch) if is_patched && !state.keeps_patch => {
            stages.runner.milestone(&format!(
                "looking for the smallest patch with which {} passes and {} fails",
                stages.name(passing),
                stages.name(failing)
            ));
            let revisions = PatchedRevisions { good: &good, bad: &bad, failing };
            smallest_patch(stages, patch, &revisions)?
        }
        _ => None,
    };
    if let Some(smaller) = &smallest {
        // Lines can fit the newer revision in another place than the hunks that they are in. What was tested before takes no test.
        let candidate = stages.patched(&smaller.as_applied_to(&bad), &bad)?;
        let what = format!("{} with the smallest patch", stages.name(failing));
        if stages.try_version(&what, candidate, failing)? != Outcome::Fail {
            smallest = None;
        }
    }
    let patch = match (&smallest, &state.patch) {
        (Some(smallest), _) => smallest.as_applied_to(&bad),
        (None, Some(patch)) => patch.lines_that_fit(),
        (None, None) => PatchSeries::default(),
    };
    let patched_bad = stages.patched(&patch, &bad)?;
    let applied = if is_patched { patch } else { PatchSeries::default() };
    let patched_good = stages.patched(&applied, &good)?;
    let backport = match is_patched {
        true => Some(BackportPatch::between(&good, &patched_good, PatchExtent::Part)?)
            .filter(|patch| !patch.is_empty()),
        false => None,
    };
    if let Some(patch) = &backport {
        on_backport(passing, patch);
    }
    stages.runner.milestone(&format!(
        "looking for the cause between {} and {}",
        stages.name(passing),
        stages.name(failing)
    ));
    let pair = stages.pair((patched_good, passing), (patched_bad, failing));
    let between = if is_patched { commits_between(stages, passing, failing)? } else { None };
    let is_least = |smallest: &SmallestPatch, shown: &BackportPatch| {
        smallest.is_minimal && smallest.patch.text() == shown.text()
    };
    let is_patch_minimal =
        smallest.as_ref().zip(backport.as_ref()).is_some_and(|(smallest, shown)| is_least(smallest, shown));
    let versions = ComparedVersions { between, ..stages.compared(&pair) };
    let search = CauseSearch { versions: &versions, plan: stages.plan, applied: applied.clone() };
    let causes = match search.run_from(stages.runner, stages.causes) {
        causes @ (Ok(_) | Err(Halt::Stopped { .. })) => causes,
        Err(halt) => return Err(halt.keeping(())),
    };
    stages.causes += match &causes {
        Ok(CausesFound::Causes(found)) => {
            found.len() as u32 + found.first().map_or(0, |cause| cause.fixed.len() as u32)
        }
        _ => 1,
    };
    Ok(Explanation { passing, failing, patch: backport, is_patch_minimal, applied, versions, causes })
}

/// The commits between two revisions, if these are commits.
fn commits_between(
    stages: &HistoryStages<'_, impl TreeStages>,
    passing: usize,
    failing: usize,
) -> Result<Option<CommitsBetween>, Problem> {
    let line = &stages.revisions.line;
    let commits = line.commit(passing).zip(line.commit(failing));
    let Some((good, bad)) = commits else { return Ok(None) };
    let range = line.source.range(&[good], &bad)?;
    Ok(Some(CommitsBetween { range, ends_uncommitted: false }))
}
