//! The revisions of a history, opened.

use super::revision_source::{NamedCommit, RevisionSource};
use crate::test_code::common_files::CommonFiles;
use crate::test_code::finder::differing_paths;
use crate::test_code::held_tests::HeldTests;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use crate::versions::copied::copied_files;
use crate::versions::git::{GitVersions, NoRange};
use crate::versions::listed::{HelperSetup, OpenedRevisions};
use crate::versions::revision_id::RevisionId;
use crate::versions::revision_line::RevisionLine;
use crate::versions::source::VersionSource;
use howcome_lab::inquiry::explain_no_verdict;
use howcome_run::{Because, Problem, ProblemKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The revisions of a history.
pub struct HistoryRevisions {
    /// All of them, the oldest first.
    pub(super) line: Arc<RevisionLine>,
    /// The tree of the bad revision.
    pub(super) bad: Tree,
    /// Listed revisions, if they are not commits.
    listed: Option<Arc<OpenedRevisions>>,
}

/// The files that are the same in every revision.
pub(super) struct SameFiles<'a> {
    /// The code of the test, as the bad revision has it.
    pub(super) held: HeldTests,
    /// Files that are copied from the user's folder.
    pub(super) copy: &'a [PathBuf],
    /// The user's folder.
    pub(super) here: &'a Path,
}

impl SameFiles<'_> {
    fn read(&self, bad: &Tree) -> Result<CommonFiles, Problem> {
        let copied = copied_files(self.copy, self.here)?.into_iter().chain(self.held.read_copied()?);
        CommonFiles::copied(copied.collect()).holding(&self.held, None, bad)
    }
}

impl HistoryRevisions {
    /// Revisions of any source, the oldest first. The last one is the bad one.
    ///
    /// # Errors
    /// If the bad revision is not available.
    pub fn new(source: Arc<dyn VersionSource>, revisions: Vec<RevisionId>) -> Result<Self, Problem> {
        let line = RevisionLine { source, revisions };
        let bad = line.base(line.len().saturating_sub(1)).map_err(|because| explain_no_verdict(&because))?;
        Ok(Self { bad: bad.tree().clone(), line: Arc::new(line), listed: None })
    }

    /// Opens revisions. Listed ones are kept in the folder of the run; before there is one, in a temporary folder.
    pub(super) fn open(
        source: &RevisionSource,
        same: &SameFiles<'_>,
        run: Option<&Path>,
        setup: &HelperSetup<'_>,
    ) -> Result<Self, Problem> {
        match source {
            RevisionSource::Git { repository, bad, back_to } => {
                Self::of_git(same, repository, bad, back_to.as_ref())
            }
            RevisionSource::Listed(listed) => Self::of_list(same, Arc::new(listed.open(run, setup)?)),
        }
    }

    /// The same revisions with other common files. Nothing is checked out twice.
    pub(super) fn with_same(
        self,
        source: &RevisionSource,
        same: &SameFiles<'_>,
        setup: &HelperSetup<'_>,
    ) -> Result<Self, Problem> {
        match self.listed {
            Some(listed) => Self::of_list(same, listed),
            None => Self::open(source, same, None, setup),
        }
    }

    fn of_git(
        same: &SameFiles<'_>,
        repository: &Path,
        bad: &NamedCommit,
        back_to: Option<&NamedCommit>,
    ) -> Result<Self, Problem> {
        let git = GitVersions::open(repository)?;
        let revisions = first_parents(&git, bad.commit()?, back_to.map(NamedCommit::commit).transpose()?)?;
        let tree = git.original_tree(&bad.commit()?)?;
        let git = git.with_common(same.read(&tree)?);
        let line = Arc::new(RevisionLine { source: Arc::new(git), revisions });
        Ok(Self { line, bad: tree, listed: None })
    }

    fn of_list(same: &SameFiles<'_>, listed: Arc<OpenedRevisions>) -> Result<Self, Problem> {
        let line = listed.line(CommonFiles::default());
        let bad = line.base(line.len().saturating_sub(1)).map_err(|because| {
            let is_stopped = listed.is_interrupted();
            let kind = if is_stopped { ProblemKind::Stopped } else { ProblemKind::WrongUse };
            listed.problem().unwrap_or_else(|| explain_no_verdict(&because)).of_kind(kind)
        })?;
        let bad = bad.tree().clone();
        let line = listed.line(same.read(&bad)?);
        Ok(Self { line, bad, listed: Some(listed) })
    }

    /// The files that the bad revision and an older commit have in different forms. Of a long history, a sample of commits is looked at.
    pub(super) fn changed_files(&self, is_wanted: impl Fn(&TreePath) -> bool) -> BTreeSet<TreePath> {
        const MOST: usize = 64;
        let commits = if self.line.source.has_history() { self.line.len() } else { 0 };
        let step = commits.div_ceil(MOST).max(1);
        let mut changed = BTreeSet::new();
        for base in (0..commits).step_by(step).filter_map(|number| self.line.base(number).ok()) {
            let is_changed = |path: &TreePath| {
                is_wanted(path) && base.tree().get(path).is_some() && self.bad.get(path).is_some()
            };
            changed.extend(differing_paths(base.tree(), &self.bad).into_iter().filter(is_changed));
        }
        changed
    }

    /// The tree of the oldest commit, if the revisions are commits: it can be read without a checkout.
    pub(super) fn oldest_commit(&self) -> Option<Tree> {
        let base = self.line.source.has_history().then(|| self.line.base(0).ok()).flatten();
        base.map(|base| base.tree().clone())
    }

    /// Keeps listed revisions in the folder of a run from now on, so that it can be resumed.
    ///
    /// # Errors
    /// If they cannot be written there.
    pub fn keep_in(&self, run: &Path) -> Result<(), Problem> {
        self.listed.as_ref().map_or(Ok(()), |listed| listed.keep_in(run))
    }

    /// The problem, if the last checkout failed although the revision can be available.
    pub(super) fn checkout_problem(&self) -> Option<Problem> {
        self.listed.as_ref().and_then(|listed| listed.problem())
    }

    /// The problem with a version that the search cannot go on without.
    pub(super) fn no_version(&self, because: &Because) -> Problem {
        let checkout = self.checkout_problem().filter(|_| matches!(because, Because::Broken(_)));
        checkout.unwrap_or_else(|| explain_no_verdict(because))
    }
}

/// The commits along the first parents, the oldest first.
fn first_parents(
    git: &GitVersions,
    bad: RevisionId,
    back_to: Option<RevisionId>,
) -> Result<Vec<RevisionId>, Problem> {
    let good: Vec<RevisionId> = back_to.iter().cloned().collect();
    let range = git.repository().range_of(&good, &bad).map_err(|error| match error {
        NoRange::Same(_) => {
            Problem::new("--bad and --back-to are the same commit, so there is nothing to walk through")
                .hint("leave --back-to out to go back to the first commit")
        }
        NoRange::Swapped { .. } => Problem::new("--back-to is newer than --bad").hint("swap the two"),
        NoRange::Shallow { .. } if good.is_empty() => Problem::hinted(
            &error,
            error.hint().map(|hint| format!("{hint}; or give the oldest commit that is there as --back-to")),
        ),
        NoRange::Unrelated { .. } => {
            Problem::new("--back-to is not an ancestor of --bad").hint("give a commit that --bad builds on")
        }
        error => Problem::hinted(&error, error.hint()),
    })?;
    if let (Some(base), false) = (&back_to, range.untested_bases.is_empty()) {
        return Err(Problem::new(format!("--back-to {} is not an ancestor of --bad", base.short()))
            .hint("give a commit that --bad builds on"));
    }
    let line = range.revisions.first_parents();
    // A commit of a branch that was merged later is not on the line, but older than all of it.
    Ok(back_to.into_iter().chain(line.iter().map(|revision| revision.id.clone())).collect())
}
