//! What is asked, as `run.json` keeps it, and the revisions that it names.

use super::revision_source::RevisionSource;
use super::revisions::{HistoryRevisions, PinnedFiles};
use super::same_request::SameRequest;
use super::test_files::TestFiles;
use crate::candidates::tree_test::Recipe;
use crate::question::preconditions::find_builder;
use crate::question::request::recipe;
use crate::versions::listed::HelperSetup;
use howcome_lab::inquiry::{FailureRequest, Listener, TestCommand};
use howcome_run::{Problem, RunFile};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Everything that the answer depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HistoryRequest {
    /// Where the revisions come from.
    pub revisions: RevisionSource,
    /// The test.
    pub test: TestCommand,
    /// The path of the test in the revisions, if it is part of them. [`HistoryRequest::open`] fills it in.
    pub test_in_tree: Option<String>,
    /// The files that every revision has as the bad one has them: those of the test. [`HistoryRequest::open`] fills it in.
    pub same: Vec<String>,
    /// The command that builds a revision.
    pub build: Option<Vec<String>>,
    /// The command that runs before each build.
    pub clean: Option<Vec<String>>,
    /// Files that are copied into every revision.
    pub copy: Vec<PathBuf>,
    /// What counts as the failure.
    pub failure: FailureRequest,
    /// What else must be the same in a failure.
    #[serde(default)]
    pub alike: SameRequest,
}

impl HistoryRequest {
    /// Asks which change broke a test that fails on the newest of some revisions. Everything else has its default.
    #[must_use]
    pub fn new(revisions: RevisionSource, test: TestCommand, failure: FailureRequest) -> Self {
        Self {
            revisions,
            test,
            test_in_tree: None,
            same: Vec::new(),
            build: None,
            clean: None,
            copy: Vec::new(),
            failure,
            alike: SameRequest::default(),
        }
    }

    /// What was asked in a run.
    ///
    /// # Errors
    /// If `run.json` does not say so.
    pub fn of(file: &RunFile) -> Result<Self, Problem> {
        file.request()
    }

    /// Opens the revisions of a new request, and adds to it what the record needs to know of the test.
    ///
    /// # Errors
    /// If the revisions are not available, or a program that the request names is not.
    pub fn open(&mut self, setup: &HelperSetup<'_>) -> Result<HistoryRevisions, Problem> {
        let revisions = HistoryRevisions::open(&self.revisions, &self.pinned(), None, setup)?;
        let files = TestFiles::find(&self.test, self.repository(), &revisions.bad);
        (self.test_in_tree, self.same) = (files.program, files.paths);
        for (flag, words) in [("--clean", &mut self.clean), ("--build", &mut self.build)] {
            if let Some(words) = words {
                find_builder(flag, words, &revisions.bad, &self.test.directory)?;
            }
        }
        // From now on, every revision gets the files of the test.
        revisions.with_pinned(&self.revisions, &self.pinned(), setup)
    }

    /// Opens the revisions of a run that goes on. Listed ones must still be the same.
    ///
    /// # Errors
    /// If they are not available, or have changed.
    pub fn resume(
        &self,
        run: &Path,
        listener: &dyn Listener,
        setup: &HelperSetup<'_>,
    ) -> Result<HistoryRevisions, Problem> {
        if let RevisionSource::Listed(listed) = &self.revisions {
            listed.check_unchanged(listener, setup)?;
        }
        self.reopen(run, setup)
    }

    /// Opens the revisions of a recorded run.
    ///
    /// # Errors
    /// If they are not available.
    pub fn reopen(&self, run: &Path, setup: &HelperSetup<'_>) -> Result<HistoryRevisions, Problem> {
        HistoryRevisions::open(&self.revisions, &self.pinned(), Some(run), setup)
    }

    /// What is done with each revision. `make_flags` is what MAKEFLAGS is in the environment of the user.
    #[must_use]
    pub fn recipe(&self, make_flags: Option<&OsStr>) -> Recipe {
        let commands = [self.build.as_deref(), self.clean.as_deref()];
        recipe(&self.test, self.test_in_tree.as_deref(), commands, make_flags)
    }

    fn pinned(&self) -> PinnedFiles<'_> {
        PinnedFiles { same: &self.same, copy: &self.copy, here: &self.test.directory }
    }

    /// The name of the newest revision.
    pub(super) fn bad_name(&self) -> String {
        match &self.revisions {
            RevisionSource::Git { bad, .. } => bad.name.clone(),
            RevisionSource::Listed(listed) => listed.bad_name(),
        }
    }

    /// The repository, if the revisions are commits.
    pub(super) fn repository(&self) -> Option<&Path> {
        match &self.revisions {
            RevisionSource::Git { repository, .. } => Some(repository),
            RevisionSource::Listed(_) => None,
        }
    }
}
