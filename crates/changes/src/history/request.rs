//! What is asked, as `run.json` keeps it, and the revisions that it names.

use super::revision_source::RevisionSource;
use super::revisions::{HistoryRevisions, SameFiles};
use super::same_request::SameRequest;
use crate::candidates::tree_test::Recipe;
use crate::question::preconditions::find_builder;
use crate::question::request::recipe;
use crate::search::plan::SearchPlan;
use crate::test_code::finder::TestFinder;
use crate::test_code::held_tests::HeldTests;
use crate::test_code::test_names::TestNames;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use crate::versions::git::Repository;
use crate::versions::left_out::left_out_folders;
use crate::versions::listed::HelperSetup;
use crate::versions::untracked::UntrackedFiles;
use howcome_lab::LeftOutFolders;
use howcome_lab::inquiry::{FailureRequest, Listener, Session, TestCommand, words};
use howcome_run::words::count;
use howcome_run::{Problem, QuestionName, RunFile};
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
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
    /// The files that every revision has as the bad one has them, in runs of earlier releases.
    #[serde(default)]
    pub same: Vec<String>,
    /// Paths that every revision has as the bad one has them, besides the tests.
    #[serde(default, with = "words")]
    pub hold: Vec<OsString>,
    /// Whether every revision has its own tests.
    #[serde(default)]
    pub vary_tests: bool,
    /// The code of the test, which is the same in every revision. [`HistoryRequest::open`] fills it in.
    #[serde(default)]
    pub held: Option<HeldTests>,
    /// Tests that are not as the bad revision has them: those of the working tree are meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed_tests: Vec<String>,
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
    /// The question that the user asked, if it was another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_as: Option<QuestionName>,
    /// Whether searches go on to their end, however little they gain.
    #[serde(default)]
    pub thorough: bool,
    /// Whether every revision is tested in turn.
    #[serde(default)]
    pub every_revision: bool,
    /// The names that the test uses. [`HistoryRequest::open`] fills it in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test_names: Vec<String>,
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
            hold: Vec::new(),
            vary_tests: false,
            held: None,
            changed_tests: Vec::new(),
            build: None,
            clean: None,
            copy: Vec::new(),
            failure,
            alike: SameRequest::default(),
            asked_as: None,
            thorough: false,
            every_revision: false,
            test_names: Vec::new(),
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
        let revisions = HistoryRevisions::open(&self.revisions, &self.same_files(), None, setup)?;
        let program = self.program_in(&revisions.bad);
        let untracked = match &self.revisions {
            RevisionSource::Git { repository, bad, .. } => UntrackedFiles::beside(repository, Some(&bad.id))?,
            RevisionSource::Listed(_) => UntrackedFiles::default(),
        };
        let finder = TestFinder {
            test: &self.test,
            program: program.as_ref(),
            hold: &self.hold,
            vary_tests: self.vary_tests,
            untracked: untracked.listed(),
            follows_scripts: true,
            filter: None,
        };
        let mut held = finder.find(revisions.oldest_commit().as_ref(), &revisions.bad)?;
        let rule = held.rule()?;
        let mut changed =
            revisions.changed_files(|path| rule.holds(path)).into_iter().map(|path| path.to_string());
        held.changed = changed.next();
        held.also_changed = changed.collect();
        if let Some(top) = self.repository() {
            held.take_from(top, &self.changed_tests);
        }
        self.held = Some(held);
        self.test_names = TestNames::read(&self.test);
        self.test_in_tree = program.map(|program| program.to_string());
        for (flag, words) in [("--clean", &mut self.clean), ("--build", &mut self.build)] {
            if let Some(words) = words {
                find_builder(flag, words, &revisions.bad, &self.test.directory)?;
            }
        }
        // From now on, every revision gets the code of the test.
        revisions.with_same(&self.revisions, &self.same_files(), setup)
    }

    /// Warns if the user might expect that changes of the working tree are tested.
    ///
    /// # Errors
    /// If the journal does not fit.
    pub fn warn(&self, session: &mut Session) -> Result<(), Problem> {
        let RevisionSource::Git { repository, bad, .. } = &self.revisions else { return Ok(()) };
        if bad.name != "HEAD" {
            return Ok(());
        }
        let changed = Repository::discover(repository).ok().and_then(|found| found.changed_files().ok());
        let changed = changed.unwrap_or_default();
        let Some(first) = changed.first() else { return Ok(()) };
        let files = match changed.len() {
            1 => String::from_utf8_lossy(first).into_owned(),
            more => count(more as u64, "file"),
        };
        session.warn(&format!(
            "the changes of {files} that are not committed are not tested: howcome history looks at commits only"
        ))
    }

    /// The path of the test in the bad revision, if it is part of it. A path that is not text cannot be recorded.
    fn program_in(&self, bad: &Tree) -> Option<TreePath> {
        let program =
            Some(&self.test.program).filter(|program| self.test.is_path && program.is_absolute())?;
        let (top, program) = (self.repository()?.canonicalize().ok()?, program.canonicalize().ok()?);
        let path = TreePath::new(program.strip_prefix(top).ok()?.as_os_str().as_bytes()).ok()?;
        (bad.get(&path).is_some() && std::str::from_utf8(path.as_bytes()).is_ok()).then_some(path)
    }

    /// How the search goes.
    pub(super) fn plan(&self) -> SearchPlan {
        SearchPlan {
            is_thorough: self.thorough,
            every_revision: self.every_revision,
            suspects_patches: self.asked_as.is_some(),
            holds_tests: self.held_tests().changes_good,
            test_names: self.names_of_test(),
            ..SearchPlan::default()
        }
    }

    /// The names that the test uses, unless the user says what the failure is.
    fn names_of_test(&self) -> Option<TestNames> {
        let is_described = self.failure.is_described();
        self.held_tests()
            .rule()
            .ok()
            .filter(|_| !is_described)
            .map(|held| TestNames::new(&self.test_names, held))
    }

    /// What is held: the code of the test.
    #[must_use]
    pub fn held_tests(&self) -> HeldTests {
        let same = HeldTests { files: self.same.clone(), shown: self.same.clone(), ..HeldTests::default() };
        self.held.clone().unwrap_or(same)
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
        let mut same_files = self.same_files();
        same_files.held.read_from(run);
        HistoryRevisions::open(&self.revisions, &same_files, Some(run), setup)
    }

    /// What is done with each revision. `make_flags` is what MAKEFLAGS is in the environment of the user.
    #[must_use]
    pub fn recipe(&self, make_flags: Option<&OsStr>) -> Recipe {
        let commands = [self.build.as_deref(), self.clean.as_deref()];
        recipe(&self.test, self.test_in_tree.as_deref(), commands, make_flags)
    }

    /// Keeps the files of the user's folder that every revision gets in the folder of a new run.
    pub fn keep(&self, run: &Path) {
        self.held_tests().keep_copied(run);
    }

    fn same_files(&self) -> SameFiles<'_> {
        SameFiles { held: self.held_tests(), copy: &self.copy, here: &self.test.directory }
    }

    /// Folders that the test might need, and that no revision has.
    pub(super) fn left_out(&self, bad: &Tree) -> LeftOutFolders {
        let here = &self.test.directory;
        self.repository().map_or_else(LeftOutFolders::default, |top| {
            left_out_folders(bad, top, here, &self.copy, self.build.is_some())
        })
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
