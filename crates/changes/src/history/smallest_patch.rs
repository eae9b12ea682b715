//! The smallest patch with which an older revision still passes and a newer one still fails.

use super::backport_patch::{BackportPatch, PatchExtent, hunk_changes, line_changes};
use super::patched_sides::PatchedSides;
use super::stages::HistoryStages;
use crate::candidates::candidate::Candidate;
use crate::candidates::change_space::ChangeSpace;
use crate::candidates::patch_series::{PatchSeries, PatchStep};
use crate::candidates::space::{Space, TreeStages};
use crate::deltas::change_set::ChangeSet;
use crate::search::version_pair::VersionPair;
use howcome_dd::{
    Balanced, Configuration, DeltaId, FailsHerePassesThere, FoundWithinLimit, Outcome, Probe, SearchLimit,
    StopEarly, TargetOutcome,
};
use howcome_run::{Algorithm, BackportStep, Halt, RoundStep, StageLabel, StageName, Unit};
use std::sync::Arc;

/// A patch of this many lines or more is made smaller by hunks first.
const MANY_LINES: u32 = 24;

/// A patch of more lines is not made smaller line by line: it would take more tests than all of the rest.
const TOO_MANY_LINES: u32 = 64;

/// A search for fewer lines ends after this many tests in a row that leave hardly fewer.
const MOST_WITHOUT_PROGRESS: u32 = 25;

/// A patch that was made smaller.
pub(super) struct SmallestPatch {
    pub(super) patch: BackportPatch,
    /// Whether removing each single line was tried.
    pub(super) is_minimal: bool,
}

impl SmallestPatch {
    /// Its hunks if all of them fit the newer revision, or else the lines that fit.
    pub(super) fn as_applied_to(&self, newer: &Candidate) -> PatchSeries {
        let hunks = self.patch.all_hunks();
        if hunks.apply_to(newer).is_ok() { hunks } else { self.patch.lines_that_fit() }
    }
}

/// An older revision that passes with a patch, and a newer one that fails with it.
pub(super) struct PatchedRevisions<'a> {
    pub(super) good: &'a Candidate,
    pub(super) bad: &'a Candidate,
    /// The number of the newer revision.
    pub(super) failing: usize,
}

/// A way to make a patch smaller.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reduction {
    WithoutComments,
    ByHunks,
    ByLines,
}

impl Reduction {
    /// The stage in which the newer revision is tested with the result.
    fn check_in_newer(self) -> StageName {
        StageName::Backport(match self {
            Reduction::WithoutComments => BackportStep::CommentsInNewer,
            Reduction::ByHunks => BackportStep::HunksInNewer,
            Reduction::ByLines => BackportStep::LinesInNewer,
        })
    }
}

/// Removes from a patch what is not needed: with the rest, the older revision still passes and the newer one still fails. That
/// the older one passes keeps the test from losing its meaning. `None` if it could not be made smaller.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn smallest_patch(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    patch: &BackportPatch,
    revisions: &PatchedRevisions<'_>,
) -> Result<Option<SmallestPatch>, Halt> {
    let PatchedRevisions { good, bad, failing } = revisions;
    let mut patched = stages.patched(&patch.lines_that_fit(), good)?;
    // A version passes for fewer reasons than it fails. So the older revision guides the search, and the newer one is tested at the end.
    let (mut is_minimal, mut is_smaller, mut is_by_lines) = (false, false, false);
    for reduction in [Reduction::WithoutComments, Reduction::ByHunks, Reduction::ByLines] {
        let found = match reduction {
            Reduction::WithoutComments => without_comments(stages, good, &patched)?,
            Reduction::ByHunks => large_patch_by_hunks(stages, good, &patched)?,
            Reduction::ByLines => fewest_lines(stages, good, &patched)?,
        };
        let Some(FewerLines { version: smaller, is_minimal: is_least }) = found else { continue };
        let hunks = BackportPatch::between(good, &smaller, PatchExtent::Least)?.all_hunks();
        let Ok(newer) = hunks.apply_to(bad) else { continue };
        let outcome = stages.probe(reduction.check_in_newer(), "with the patch", newer, *failing)?;
        if outcome == Outcome::Fail {
            (patched, is_minimal, is_smaller) = (smaller, is_least, true);
            is_by_lines = reduction == Reduction::ByLines;
        }
    }
    if !is_by_lines {
        match fewest_lines_in_both(stages, good, bad, &patched)? {
            Some(FewerLines { version, is_minimal: is_least }) => (patched, is_minimal) = (version, is_least),
            None if !is_smaller => return Ok(None),
            None => {}
        }
    }
    let patch = BackportPatch::between(good, &patched, PatchExtent::Least)?;
    Ok(Some(SmallestPatch { patch, is_minimal }))
}

/// A version with fewer lines of a patch.
struct FewerLines {
    version: Candidate,
    /// Whether removing each single line was tried.
    is_minimal: bool,
}

impl FewerLines {
    fn not_minimal(version: Candidate) -> Self {
        Self { version, is_minimal: false }
    }
}

/// The patch without comments, blank lines and texts for people, if the older revision passes without them.
fn without_comments(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    good: &Candidate,
    patched: &Candidate,
) -> Result<Option<FewerLines>, Halt> {
    let lines = line_changes(good, patched)?;
    let is_comment = |delta: &DeltaId| lines.describe(*delta).is_some_and(|change| change.is_remark());
    let comments: Configuration = lines.all().iter().filter(is_comment).collect();
    if comments.is_empty() {
        return Ok(None);
    }
    let (changes, space) = change_space(good, &lines);
    let others = lines.all().without(&comments);
    let stage = stage(BackportStep::Comments, Algorithm::Probe);
    let outcome = stages.runner.search(&stage, &space, Probe::new(others.clone()), &mut |_| {})?;
    Ok((outcome == Outcome::Pass).then(|| FewerLines::not_minimal(changes.version(&others))))
}

/// The fewest lines of a patch with which the older revision passes; `None` if there are too many.
fn fewest_lines(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    good: &Candidate,
    patched: &Candidate,
) -> Result<Option<FewerLines>, Halt> {
    let lines = line_changes(good, patched)?;
    if is_too_large(stages, &lines) {
        return Ok(None);
    }
    let (changes, space) = change_space(good, &lines);
    let stage = stage(BackportStep::Lines, Algorithm::Balanced);
    let search = TargetOutcome::new(Outcome::Pass, Balanced::new(lines.all()));
    let search = StopEarly::new(search, line_limit(stages));
    let FoundWithinLimit { found, limit } = stages.runner.search(&stage, &space, search, &mut |_| {})?;
    let version = changes.version(&found.failing);
    Ok(Some(FewerLines { version, is_minimal: limit.is_none() }))
}

fn is_too_large(stages: &HistoryStages<'_, impl TreeStages>, lines: &ChangeSet) -> bool {
    lines.len() > TOO_MANY_LINES && !stages.plan.is_thorough
}

fn line_limit(stages: &HistoryStages<'_, impl TreeStages>) -> SearchLimit {
    match stages.plan.is_thorough {
        true => SearchLimit::of_progress(u32::MAX),
        false => SearchLimit::of_progress(MOST_WITHOUT_PROGRESS).by_eighths(),
    }
}

/// The fewest hunks of a large patch with which the older revision passes; `None` if the patch is not large.
fn large_patch_by_hunks(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    good: &Candidate,
    patched: &Candidate,
) -> Result<Option<FewerLines>, Halt> {
    if hunk_changes(good, patched)?.len() < 2 || line_changes(good, patched)?.len() < MANY_LINES {
        return Ok(None);
    }
    Ok(fewest_hunks(stages, good, patched)?.map(FewerLines::not_minimal))
}

/// The fewest hunks of a patch with which the older revision passes.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn fewest_hunks(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    good: &Candidate,
    patched: &Candidate,
) -> Result<Option<Candidate>, Halt> {
    let (low, high) = (good.clone(), patched.clone());
    let pair = VersionPair {
        low,
        low_commit: None,
        high,
        commit: None,
        suspects: Vec::new(),
        merged: Vec::new(),
        fails_like_bad: false,
    };
    let leg = stages.next_reduction();
    let narrowed = stages.fewest_changes(leg, &pair, (Outcome::Pass, RoundStep::Hunks), &[])?;
    Ok(narrowed.map(|narrowed| narrowed.on(good).version(&narrowed.chosen)))
}

/// The fewest lines with which the older revision passes and the newer one fails, each tested in both. `None` if the patch does not
/// apply to the newer one, or has too many lines.
fn fewest_lines_in_both(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    good: &Candidate,
    bad: &Candidate,
    patched: &Candidate,
) -> Result<Option<FewerLines>, Halt> {
    let lines = line_changes(good, patched)?;
    let all = lines.all();
    if is_too_large(stages, &lines) {
        return Ok(None);
    }
    if PatchSeries(vec![PatchStep::making(&lines, all.clone())]).apply_to(bad).is_err() {
        return Ok(None);
    }
    let sides = PatchedSides { changes: Arc::clone(&lines), newer: bad.clone(), older: good.clone() };
    let space: Arc<dyn Space> = Arc::new(sides);
    let stage = stage(BackportStep::Both, Algorithm::Balanced);
    let search = FailsHerePassesThere::new(Balanced::new(all), lines.len());
    let search = StopEarly::new(search, line_limit(stages));
    let FoundWithinLimit { found, limit } = stages.runner.search(&stage, &space, search, &mut |_| {})?;
    let version = ChangeSpace::on(good, &lines).version(&found.failing);
    Ok(Some(FewerLines { version, is_minimal: limit.is_none() }))
}

/// Changes on a version, as they are and as a stage varies them.
fn change_space(low: &Candidate, changes: &Arc<ChangeSet>) -> (Arc<ChangeSpace>, Arc<dyn Space>) {
    let changes = Arc::new(ChangeSpace::on(low, changes));
    (Arc::clone(&changes), changes)
}

fn stage(step: BackportStep, search: Algorithm) -> StageLabel {
    StageLabel { name: StageName::Backport(step), search, unit: Unit::Line }
}
