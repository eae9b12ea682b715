//! Which commits probably broke the test, and which contain what a change needs in order to fail.

use super::cause_part::CausePart;
use super::commit_of_change::commits_of;
use super::plan::{Clue, SearchPlan};
use crate::candidates::revision_space::{RevisionSpace, TestedRevision};
use crate::deltas::change::DescribedChange;
use crate::deltas::change_set::ChangeSet;
use crate::knowledge::{ComplaintSort, complaints, names_in, related};
use crate::trees::tree_path::TreePath;
use crate::versions::compared::{CommitsBetween, ComparedVersions};
use crate::versions::revision_graph::RevisionGraph;
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Configuration, DeltaId};
use std::collections::HashMap;
use std::sync::Arc;

/// How probable it is for each commit that a part needs it. Half of the weight follows from the rare names that its lines share with
/// those of the part; if a compiler or interpreter has complained that names are missing, from these names.
pub(crate) fn commit_weights(
    versions: &ComparedVersions,
    plan: &SearchPlan,
    (between, space): (&CommitsBetween, &RevisionSpace),
    (part, complaint): (&CausePart, &[u8]),
    end: &RevisionId,
) -> Option<Arc<[u32]>> {
    if !plan.uses(Clue::Words) || space.revisions.len() < FEW_COMMITS {
        return None;
    }
    let range = space.source.range(&between.range.good, end).ok()?;
    let before = space.source.tree(end).ok()?;
    let changes = ChangeSet::by_lines(versions.good.base.tree(), before.tree()).ok()?;
    let found: Vec<DescribedChange<'_>> =
        part.chosen.iter().filter_map(|delta| part.changes.describe(delta)).collect();
    let lines = found.iter().flat_map(|change| change.added.iter().chain(&change.removed)).copied();
    let names = match missing_names(complaint) {
        missing if missing.is_empty() => names_in(lines).into_iter().collect(),
        missing => missing,
    };
    let related = related(&changes, &names);
    let mut nearest: Vec<usize> = (0..related.len()).filter(|delta| related[*delta] > 0).collect();
    nearest.sort_by_key(|delta| (std::cmp::Reverse(related[*delta]), *delta));
    nearest.truncate(MOST_RELATED);
    let chosen: Configuration = nearest.iter().map(|delta| DeltaId(*delta as u32)).collect();
    let commits = commits_of(&*space.source, &range, &changes, &chosen, false);
    let places = places(&between.range.revisions, &space.revisions);
    let mut weights = vec![0_u64; space.revisions.len()];
    for (delta, commit) in &commits {
        if let Some(place) = places.get(commit) {
            weights[*place] += u64::from(related[delta.index()]);
        }
    }
    let all: u64 = weights.iter().sum();
    let count = weights.len() as u64;
    let weight = |own: u64| (UNIFORM + (UNIFORM * count * own).checked_div(all).unwrap_or(0)) as u32;
    (all > 0).then(|| weights.into_iter().map(weight).collect())
}

/// How probable it is for each commit that it broke the test. One that changes only files that neither the good nor the bad version
/// reads hardly did. `None` if nearly all commits change other files: then it saves no test.
pub(crate) fn reading_weights(
    plan: &SearchPlan,
    between: &CommitsBetween,
    space: &RevisionSpace,
) -> Option<Arc<[u32]>> {
    let count = space.revisions.len();
    if !plan.uses(Clue::Unread) || plan.unread.is_empty() || count < FEWEST_TO_WEIGH {
        return None;
    }
    let is_read = |path: &TreePath| plan.unread.binary_search(path).is_err();
    let touching = space.source.touching(&between.range, &is_read).ok()?;
    let is_likely = |revision: &TestedRevision| match revision.commit() {
        Some(commit) => touching.contains(&commit),
        None => true,
    };
    let likely = space.revisions.iter().filter(|revision| is_likely(revision)).count();
    let weight = |revision| if is_likely(revision) { LIKELY } else { 1 };
    (0 < likely && 4 * likely <= 3 * count).then(|| space.revisions.iter().map(weight).collect())
}

/// The names that a version lacks, as far as its output says so.
fn missing_names(complaint: &[u8]) -> Vec<Vec<u8>> {
    let missing = complaints(complaint).into_iter().filter(|told| told.sort == ComplaintSort::Missing);
    missing.filter_map(|told| told.name).collect()
}

/// The position on the line of each commit: its own, or that of the merge that added it.
fn places(revisions: &RevisionGraph, tested: &[TestedRevision]) -> HashMap<RevisionId, usize> {
    let mut places = HashMap::new();
    for (place, revision) in tested.iter().enumerate() {
        let mut open: Vec<RevisionId> = revision.commit().into_iter().collect();
        while let Some(commit) = open.pop() {
            let Some(delta) = revisions.delta(&commit).filter(|_| !places.contains_key(&commit)) else {
                continue;
            };
            places.insert(commit, place);
            open.extend(
                revisions
                    .parents(delta)
                    .filter_map(|parent| revisions.get(parent))
                    .map(|parent| parent.id.clone()),
            );
        }
    }
    places
}

/// With fewer commits, weights save hardly a test, and the middle of them is easier to follow.
const FEWEST_TO_WEIGH: usize = 64;

/// How many times as probable as others a commit is that changes a file that is read.
const LIKELY: u32 = 32;

/// With fewer commits, weights save little.
const FEW_COMMITS: usize = 8;

/// At most this many changes are traced to their commits.
const MOST_RELATED: usize = 64;

/// What each commit weighs without any evidence.
const UNIFORM: u64 = 100;
