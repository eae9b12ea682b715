//! The answer as it is recorded: the lines, where they come from, and the patch that undoes them.

use super::found_change::found_change;
use super::hunk_excerpts::{HunkExcerpts, hunk_count};
use super::line_origins::LineOrigins;
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::{PatchSeries, PatchStep};
use crate::deltas::change::DescribedChange;
use crate::deltas::change_set::ChangeSet;
use crate::patches::patch_text::{patch_of_bad, patch_of_good};
use crate::search::cause::ClosestVersions;
use crate::search::cause_part::CausePart;
use crate::search::found_cause::FoundCause;
use crate::versions::compared::ComparedVersions;
use crate::versions::origin::{VersionOrigin, VersionOrigins};
use crate::versions::revision_id::RevisionId;
use howcome_dd::Configuration;
use howcome_run::{
    ChangeExtent, ChangesFinding, CommitInfo, Finding, FoundChange, PatchBase, RecordedFinding,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Makes findings of what a search has found.
pub struct FindingBuilder<'a> {
    /// The versions.
    pub versions: &'a ComparedVersions,
    /// The versions as the user named them.
    pub origins: &'a VersionOrigins,
    /// The folder in which the user asks.
    pub here: &'a Path,
    /// Whether the question is which changes fixed the failure.
    pub fix: bool,
    /// Whether every version has its own test.
    pub is_test_varied: bool,
    /// What the bad version prints, as far as that is known.
    pub printed: &'a [u8],
    /// Where the patch goes.
    pub patch_file: Option<&'a Path>,
}

/// The file for the patch of a further cause.
#[must_use]
pub fn numbered(patch_file: &Path, cause: usize) -> PathBuf {
    if cause == 0 {
        return patch_file.to_owned();
    }
    let stem = patch_file.file_stem().unwrap_or_default().to_string_lossy();
    let extension =
        patch_file.extension().map_or_else(String::new, |end| format!(".{}", end.to_string_lossy()));
    patch_file.with_file_name(format!("{stem}-{}{extension}", cause + 1))
}

/// A finding, and the patches that go with it, one for each cause.
pub struct FindingWithPatches {
    /// The finding.
    pub finding: ChangesFinding,
    /// The patches.
    pub patches: Vec<Vec<u8>>,
}

impl FindingWithPatches {
    /// The finding as the journal holds it.
    #[must_use]
    pub fn recorded(&self) -> RecordedFinding {
        Finding::Changes(Box::new(self.finding.clone())).into()
    }
}

impl FindingBuilder<'_> {
    /// All causes: the first is the answer, the others are further ones.
    #[must_use]
    pub fn causes(&self, causes: &[FoundCause]) -> Option<FindingWithPatches> {
        let mut written = Vec::new();
        let mut bad = self.versions.bad.clone();
        for (number, cause) in causes.iter().enumerate() {
            let mut own = self.cause(cause, &bad);
            own.finding.patch_file = self.patch_file.map(|path| self.shown(&numbered(path, number)));
            written.push(own);
            if let Some(fixed) = &cause.proof.fixed {
                bad = fixed.clone();
            }
        }
        let mut written = written.into_iter();
        let mut first = written.next()?;
        for written in written {
            first.patches.extend(written.patches);
            first.finding.further.push(written.finding);
        }
        Some(first)
    }

    fn cause(&self, cause: &FoundCause, bad: &Candidate) -> FindingWithPatches {
        let (parts, needed): (Vec<&CausePart>, Vec<&CausePart>) =
            cause.parts.iter().partition(|part| !part.is_needed_only);
        // As they are in the bad version, where people will look for them; otherwise as they are in their commits.
        let fixed =
            cause.proof.fixed.as_ref().and_then(|fixed| ChangeSet::between(&fixed.tree(), &bad.tree()).ok());
        let (mut changes, mut commits) = (Vec::new(), BTreeSet::new());
        let is_edit = parts.iter().any(|part| part.forms.is_some());
        let patch = match &fixed {
            Some(set) if is_edit => {
                for part in &parts {
                    commits.extend(part.commit.clone());
                    changes.extend(found_changes(&part.changes, &part.chosen, part.commit.as_ref()));
                }
                patch_of_good(set, &set.all())
            }
            Some(set) => {
                let hunks = whole_hunks(&parts, bad);
                let excerpts = HunkExcerpts::within(set, hunks.as_ref());
                let origins = LineOrigins { versions: self.versions, fixed: cause.proof.fixed.as_ref(), bad };
                for change in described(set, &set.all()) {
                    let commit = commit_of(&change, &parts).or_else(|| origins.commit_of(&change));
                    changes.push(found_change(&change, commit.as_ref(), excerpts.around(&change)));
                    commits.extend(commit);
                }
                patch_of_good(set, &set.all())
            }
            None => {
                for part in &parts {
                    commits.extend(part.commit.clone());
                    changes.extend(found_changes(&part.changes, &part.chosen, part.commit.as_ref()));
                }
                let patch = |part: &&CausePart| match &part.forms {
                    Some(forms) => patch_of_good(&forms.undone, &forms.undone.all()),
                    None => patch_of_bad(&part.changes, &part.chosen),
                };
                parts.iter().flat_map(patch).collect()
            }
        };
        let mut needs = Vec::new();
        for part in needed {
            commits.extend(part.commit.clone());
            needs.extend(
                described(&part.changes, &part.chosen)
                    .map(|change| found_change(&change, part.commit.as_ref(), Vec::new())),
            );
        }
        // If the lines tell which commit it was, it does not matter that the commit could not be tested.
        let is_told = changes.iter().all(|change| change.commit.is_some());
        let are_suspected = cause.suspects.len() > 1 && !is_told;
        if are_suspected {
            // The lines that decide can be those of which nothing is known.
            changes.iter_mut().for_each(|change| change.commit = None);
            commits.clear();
        }
        let commit = parts.first().and_then(|part| part.commit.clone()).or(one(&commits));
        let finding = ChangesFinding {
            needs,
            commit: commit.map(|id| id.to_string()),
            patch_for: Some(if fixed.is_some() { PatchBase::Bad } else { PatchBase::Commit }),
            at_commit: cause.at_commit,
            in_mix: cause.in_mix,
            suspects: if are_suspected { self.commits(&cause.suspects) } else { Vec::new() },
            commits: self.commits(&commits.into_iter().collect::<Vec<_>>()),
            ..self.finding(changes, &patch)
        };
        FindingWithPatches { finding, patches: vec![patch] }
    }

    /// The finding of a search that did not come to its end.
    #[must_use]
    pub fn closest(&self, closest: &ClosestVersions) -> FindingWithPatches {
        let ClosestVersions { pair, changes: narrowed } = closest;
        let whole = || ChangeSet::between(&pair.low.tree(), &pair.high.tree()).ok();
        let commit = pair.commit.as_ref().filter(|_| pair.suspects.len() < 2);
        let (changes, patch) = match narrowed {
            Some(narrowed) => (
                found_changes(&narrowed.changes, &narrowed.chosen, commit),
                patch_of_good(&narrowed.changes, &narrowed.chosen),
            ),
            None => match whole() {
                Some(set) => (found_changes(&set, &set.all(), commit), patch_of_good(&set, &set.all())),
                None => (Vec::new(), Vec::new()),
            },
        };
        let finding = ChangesFinding {
            patch_for: Some(PatchBase::Commit),
            commit: commit.map(|id| id.to_string()),
            commits: self.commits(commit.map_or(&[], std::slice::from_ref)),
            suspects: if pair.suspects.len() > 1 { self.commits(&pair.suspects) } else { Vec::new() },
            ..self.finding(changes, &patch)
        };
        FindingWithPatches { finding, patches: vec![patch] }
    }

    fn finding(&self, changes: Vec<FoundChange>, patch: &[u8]) -> ChangesFinding {
        let files: BTreeSet<&str> = changes.iter().map(|change| change.path.as_str()).collect();
        ChangesFinding {
            files: files.len() as u64,
            hunks: hunk_count(&changes),
            lines_removed: changes.iter().map(|change| change.removed.len() as u64).sum(),
            lines_added: changes.iter().map(|change| change.added.len() as u64).sum(),
            patch: String::from_utf8_lossy(patch).into_owned(),
            patch_file: self.patch_file.map(|path| self.shown(path)),
            of: self.extent(),
            good: self.origins.good.first().map(VersionOrigin::name),
            bad: Some(self.origins.bad.name()),
            top: self.top(),
            bad_folder: match &self.origins.bad {
                VersionOrigin::Folder(folder) => Some(folder.display().to_string()),
                _ => None,
            },
            fix: self.fix,
            changes,
            ..ChangesFinding::default()
        }
    }

    /// A path as the command for it needs it.
    fn shown(&self, path: &Path) -> String {
        let path = if self.top().is_some() { self.here.join(path) } else { path.to_owned() };
        path.display().to_string()
    }

    /// The top of the repository, in which `git apply` has to be run, if the user asks in another folder.
    fn top(&self) -> Option<String> {
        let top = self.origins.repository.as_ref()?.canonicalize().ok()?;
        let is_elsewhere = self.here.canonicalize().ok().as_ref() != Some(&top);
        is_elsewhere.then(|| top.display().to_string())
    }

    /// How much differs between the two versions.
    fn extent(&self) -> ChangeExtent {
        let all = ChangeSet::between(&self.versions.good.tree(), &self.versions.bad.tree()).ok();
        let past = self.versions.between.as_ref();
        ChangeExtent {
            hunks: all.as_ref().map(|all| all.len() as u64),
            files: all.as_ref().map(|all| all.paths_of(&all.all()).len() as u64),
            commits: past.map(|past| past.range.revisions.len() as u64),
        }
    }

    fn commits(&self, ids: &[RevisionId]) -> Vec<CommitInfo> {
        ids.iter().filter_map(|id| self.versions.source.commit_info(id)).collect()
    }
}

fn one(commits: &BTreeSet<RevisionId>) -> Option<RevisionId> {
    commits.first().cloned().filter(|_| commits.len() == 1)
}

fn described<'a>(
    changes: &'a ChangeSet,
    chosen: &'a Configuration,
) -> impl Iterator<Item = DescribedChange<'a>> {
    chosen.iter().filter_map(|delta| changes.describe(delta))
}

/// More changes than this are not an answer yet, so their hunks are not recorded.
const MOST_WITH_HUNKS: usize = 100;

/// Some changes of a set as they are recorded, each with the hunk that it is a part of.
fn found_changes(
    changes: &ChangeSet,
    chosen: &Configuration,
    commit: Option<&RevisionId>,
) -> Vec<FoundChange> {
    let excerpts = match chosen.len() <= MOST_WITH_HUNKS {
        true => HunkExcerpts::of_chosen(changes, chosen),
        false => HunkExcerpts::default(),
    };
    described(changes, chosen).map(|change| found_change(&change, commit, excerpts.around(&change))).collect()
}

/// The whole hunks that the lines of some parts belong to, as they are in the bad version.
fn whole_hunks(parts: &[&CausePart], bad: &Candidate) -> Option<ChangeSet> {
    let undone = |part: &&CausePart| {
        let hunks = part.changes.hunks_with(&part.chosen);
        PatchStep { undone: true, ..PatchStep::making(&part.changes, hunks) }
    };
    let without = PatchSeries(parts.iter().rev().map(undone).collect()).apply_to(bad).ok()?;
    ChangeSet::between(&without.tree(), &bad.tree()).ok()
}

/// The commit of the part that a change belongs to.
fn commit_of(change: &DescribedChange<'_>, parts: &[&CausePart]) -> Option<RevisionId> {
    let share = |one: &[&[u8]], other: &[&[u8]]| one.iter().any(|line| other.contains(line));
    let belongs = |part: &&&CausePart| {
        described(&part.changes, &part.chosen).any(|own| {
            let same_lines = share(&own.added, &change.added) || share(&own.removed, &change.removed);
            same_lines
                || (own.path == change.path
                    && own.what == change.what
                    && own.added.len() + own.removed.len() == 0)
        })
    };
    match parts {
        [only] => only.commit.clone(),
        _ => parts.iter().find(belongs)?.commit.clone(),
    }
}
