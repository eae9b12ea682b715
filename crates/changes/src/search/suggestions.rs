//! What is known about a pair of versions: what is tried before everything else, and what the user says about the changes.

use super::commit_of_change::{by_commit, by_time, commits_of};
use super::hunks::{HunkSearch, unreadable};
use super::knowledge::unread;
use super::known_changes::{KnownChanges, named};
use super::plan::Clue;
use super::version_pair::VersionPair;
use crate::coverage::unexecuted;
use crate::deltas::change_set::ChangeSet;
use crate::knowledge::{names_in, related};
use crate::trees::tree_path::TreePath;
use crate::versions::revision_id::RevisionId;
use crate::versions::revision_range::RevisionRange;
use howcome_dd::{Configuration, DeltaId, Knowledge};
use howcome_lab::inquiry::{KnownRelations, RelationsRequest};
use howcome_run::{Problem, RoundStep};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

impl HunkSearch<'_> {
    /// The changes of each commit, where they come from several.
    pub(super) fn by_commit(&self, pair: &VersionPair, changes: &ChangeSet) -> Vec<Configuration> {
        if !self.plan.uses(Clue::Commits) || changes.paths_of(&changes.all()).len() > MOST_FILES_TO_BLAME {
            return Vec::new();
        }
        self.commits_of(pair, changes, false).map(|(_, commits)| by_commit(&commits)).unwrap_or_default()
    }

    /// The changes of each commit, the oldest commit first.
    pub(super) fn by_time(&self, pair: &VersionPair, changes: &ChangeSet) -> Vec<Configuration> {
        self.commits_of(pair, changes, true)
            .map(|(range, commits)| by_time(&range, &commits))
            .unwrap_or_default()
    }

    /// The commit of each change, if the changes can come from several.
    fn commits_of(
        &self,
        pair: &VersionPair,
        changes: &ChangeSet,
        with_files: bool,
    ) -> Option<(RevisionRange, BTreeMap<DeltaId, RevisionId>)> {
        if pair.commit.is_some() && pair.suspects.len() < 2 {
            return None;
        }
        let source = &*self.versions.source;
        let (low, high) =
            pair.low_commit.as_ref().zip(pair.commit.as_ref().or(self.versions.bad_commit.as_ref()))?;
        let range = source.range(std::slice::from_ref(low), high).ok()?;
        let commits = commits_of(source, &range, changes, &changes.all(), with_files);
        Some((range, commits))
    }

    /// What the user knows of the changes between two versions. Lines of a hunk are not what the user knows something of.
    pub(super) fn known(
        &self,
        pair: &VersionPair,
        changes: &ChangeSet,
        step: &RoundStep,
    ) -> Result<KnownChanges, Problem> {
        let relations = &self.plan.relations;
        if *relations == RelationsRequest::default() || matches!(step, RoundStep::Blocks | RoundStep::Lines) {
            return Ok(KnownChanges::default());
        }
        // In other versions, lines have other numbers.
        let is_numbered = pair.high.content() == self.versions.bad.content();
        let whole = match is_numbered {
            true => None,
            false => {
                let [good, bad] = [&self.versions.good, &self.versions.bad].map(|version| version.tree());
                Some(ChangeSet::between(&good, &bad).map_err(unreadable)?)
            }
        };
        let known = relations.resolve(|name| named(changes, name, whole.as_ref()))?;
        let in_order = relations.order.then(|| self.by_time(pair, changes));
        let order = in_order.clone().map_or_else(Knowledge::none, Knowledge::in_order);
        Ok(KnownChanges { relations: KnownRelations { order, ..known }, in_order })
    }

    /// All but what the failing run never executes, or reads. Lines are known by their numbers in the bad version.
    pub(super) fn executed(&self, pair: &VersionPair, changes: &ChangeSet) -> Option<Configuration> {
        let coverage = self.plan.executed.as_ref().filter(|_| self.plan.uses(Clue::Coverage))?;
        let elsewhere: HashSet<TreePath> =
            pair.high.differences(&self.versions.bad).ok()?.into_iter().collect();
        let is_as_measured =
            |delta: &DeltaId| changes.describe(*delta).is_some_and(|change| !elsewhere.contains(change.path));
        let unexecuted: Configuration =
            unexecuted(changes, coverage, Path::new("")).iter().filter(is_as_measured).collect();
        if unexecuted.is_empty() {
            return None;
        }
        // Files that are not read at all are left out by the same question.
        let read = changes.all().without(&unread(changes, self.plan));
        let executed = read.without(&unexecuted);
        // A question that leaves out less than half of the changes tells less than one that cuts them into halves.
        (executed.len() * 2 < read.len()).then_some(executed)
    }

    /// What a merge has changed itself: lines that are in none of the versions that it merged.
    pub(super) fn of_the_merge(&self, pair: &VersionPair, changes: &ChangeSet) -> Option<Configuration> {
        let source = &self.versions.source;
        let merged: Vec<_> =
            pair.merged.iter().map(|merged| source.tree(merged).ok()).collect::<Option<_>>()?;
        if merged.is_empty() {
            return None;
        }
        let mut lines: HashMap<(usize, &TreePath), HashSet<Vec<u8>>> = HashMap::new();
        let mut is_own = |delta: &DeltaId| {
            let Some(change) = changes.describe(*delta) else { return false };
            (0..merged.len()).all(|which| {
                let lines = lines.entry((which, change.path)).or_insert_with(|| {
                    let entry = merged[which].tree().get(change.path);
                    let text = entry.and_then(|entry| entry.contents.read().ok()).unwrap_or_default();
                    text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
                });
                let comes =
                    change.added.iter().any(|line| !line.trim_ascii().is_empty() && !lines.contains(*line));
                let goes = change.added.is_empty() && change.removed.iter().all(|line| lines.contains(*line));
                comes || goes
            })
        };
        let own: Configuration = changes.all().iter().filter(|delta| is_own(delta)).collect();
        (!own.is_empty()).then_some(own)
    }

    /// The change that shares the rarest names with what was found before.
    pub(super) fn related(&self, changes: &ChangeSet) -> Option<Configuration> {
        if !self.plan.uses(Clue::Words) {
            return None;
        }
        let part = self.before.last()?;
        let found: Vec<_> = part.chosen.iter().filter_map(|delta| part.changes.describe(delta)).collect();
        let names: Vec<Vec<u8>> =
            names_in(found.iter().flat_map(|change| change.added.iter().chain(&change.removed)).copied())
                .into_iter()
                .collect();
        heaviest(&related(changes, &names))
    }

    /// The change that holds the rarest names that the low version complains of.
    pub(super) fn complained_of(&self, changes: &ChangeSet) -> Option<Configuration> {
        let names: Vec<Vec<u8>> = names_in([self.complaint]).into_iter().collect();
        let mut weights = related(changes, &names);
        // Documentation repairs nothing.
        for (delta, weight) in (0..).map(DeltaId).zip(&mut weights) {
            if changes.describe(delta).is_some_and(|change| change.path.is_for_people()) {
                *weight = 0;
            }
        }
        heaviest(&weights)
    }
}

/// The change of the greatest weight, if any has one; the last of several.
fn heaviest(weights: &[u32]) -> Option<Configuration> {
    let heaviest = (0..weights.len()).rev().max_by_key(|delta| weights[*delta])?;
    (weights[heaviest] > 0).then(|| Configuration::empty().with_delta(DeltaId(heaviest as u32)))
}

/// To trace the lines of more files takes longer than it saves.
const MOST_FILES_TO_BLAME: usize = 300;
