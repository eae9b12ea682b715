//! What is asked, as `run.json` keeps it, and the versions that it names.

use super::held_parts::HeldParts;
use super::keep_going::{keep_going, make_keeps_going};
use super::preconditions::{
    check_differences, check_known, check_more_than_tests, check_script, differences, find_builder,
    warn_about_arguments,
};
use crate::candidates::tree_test::Recipe;
use crate::deltas::path_filter::PathFilter;
use crate::patches::patch_text::patch_of_good;
use crate::search::plan::{Clue, SearchPlan, SearchWithin};
use crate::test_code::common_files::CommonFiles;
use crate::test_code::finder::TestFinder;
use crate::test_code::held_tests::HeldTests;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use crate::versions::compared::ComparedVersions;
use crate::versions::copied::copied_files;
use crate::versions::left_out::left_out_folders;
use crate::versions::origin::{VersionOrigin, VersionOrigins};
use crate::versions::untracked::UntrackedFiles;
use howcome_lab::inquiry::{
    FailureRequest, Listener, RelationsRequest, SearchChoice, Session, TestCommand, words,
};
use howcome_lab::{LeftOutFolders, SideWords};
use howcome_run::{Algorithm, Algorithms, Content, Problem, RunFile};
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of a run that holds versions that are not commits.
const KEPT: &str = "versions";

/// Everything that the answer depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChangesRequest {
    /// The versions, as the user named them.
    pub origins: VersionOrigins,
    /// The test.
    pub test: TestCommand,
    /// The path of the test in the versions, if it is part of them. [`ChangesRequest::open`] fills it in.
    pub test_in_tree: Option<String>,
    /// The command that builds a version.
    pub build: Option<Vec<String>>,
    /// The command that runs before each build.
    pub clean: Option<Vec<String>>,
    /// Paths outside which nothing is varied.
    #[serde(with = "words")]
    pub only: Vec<OsString>,
    /// Paths in which nothing is varied.
    #[serde(with = "words")]
    pub except: Vec<OsString>,
    /// Files that are copied into every version.
    pub copy: Vec<PathBuf>,
    /// Paths that every version has as the bad version has them, besides the tests.
    #[serde(default, with = "words")]
    pub hold: Vec<OsString>,
    /// Whether tests are varied like everything else.
    #[serde(default)]
    pub vary_tests: bool,
    /// The code of the test, which is the same in every version. [`ChangesRequest::open`] fills it in. Without it, only the program of
    /// the test is.
    #[serde(default)]
    pub held: Option<HeldTests>,
    /// Whether the question is which changes fixed the failure.
    pub fix: bool,
    /// Whether the user named no good version, so that one has to be found. The good version is the first commit then.
    #[serde(default)]
    pub finds_good: bool,
    /// Whether all causes are wanted.
    pub all: bool,
    /// Whether searches go on to their end, however little they gain.
    #[serde(default)]
    pub thorough: bool,
    /// Where the search begins.
    pub within: SearchWithin,
    /// The knowledge that is not used.
    pub without: Vec<Clue>,
    /// How the lines that the failing run executes are measured: `gcov`, or a command.
    #[serde(default)]
    pub coverage: Option<String>,
    /// The algorithm below the commits, if the user wants another one.
    #[serde(default)]
    pub algorithm: Option<SearchChoice>,
    /// What the user knows of the changes.
    #[serde(default)]
    pub relations: RelationsRequest,
    /// Where the patch goes, if not into the folder of the run.
    pub output: Option<PathBuf>,
    /// What counts as the failure.
    pub failure: FailureRequest,
    /// What identifies the differences between versions that are not commits. [`ChangesRequest::open`] fills it in.
    pub fingerprint: Option<Content>,
}

impl ChangesRequest {
    /// Asks which changes between two versions make a test fail. Everything else has its default.
    #[must_use]
    pub fn new(origins: VersionOrigins, test: TestCommand, failure: FailureRequest) -> Self {
        Self {
            origins,
            test,
            test_in_tree: None,
            build: None,
            clean: None,
            only: Vec::new(),
            except: Vec::new(),
            copy: Vec::new(),
            hold: Vec::new(),
            vary_tests: false,
            held: None,
            fix: false,
            finds_good: false,
            all: false,
            thorough: false,
            within: SearchWithin::default(),
            without: Vec::new(),
            coverage: None,
            algorithm: None,
            relations: RelationsRequest::default(),
            output: None,
            failure,
            fingerprint: None,
        }
    }

    /// What was asked in a run.
    ///
    /// # Errors
    /// If `run.json` does not say so.
    pub fn of(file: &RunFile) -> Result<Self, Problem> {
        file.request()
    }

    /// Reads the versions of a new request, completes the request for the record, and checks everything that can be checked before a
    /// test.
    ///
    /// # Errors
    /// If the versions cannot be read, do not differ, or lack a program that the request names.
    pub fn open(&mut self, listener: &dyn Listener) -> Result<ComparedVersions, Problem> {
        let here = &self.test.directory;
        let test_in_tree = ComparedVersions::in_bad_version(&self.origins, &self.test.program)
            .filter(|_| self.test.is_path && self.test.program.is_absolute());
        let untracked = UntrackedFiles::of(&self.origins)?;
        let plan = self.plan()?;
        let mut found = None;
        let versions = ComparedVersions::read(&self.origins, self.within, |good, bad| {
            // A path that is not text cannot be recorded; the test is run from where it is.
            let is_usable =
                |path: &TreePath| bad.get(path).is_some() && std::str::from_utf8(path.as_bytes()).is_ok();
            let program = test_in_tree.filter(is_usable);
            let finder = TestFinder {
                test: &self.test,
                program: program.as_ref(),
                hold: &self.hold,
                vary_tests: self.vary_tests,
                untracked: untracked.listed(),
                follows_scripts: false,
                filter: plan.is_filtered.then_some(&plan.filter),
            };
            let held = finder.find(Some(good), bad)?;
            if !self.fix && !self.finds_good {
                check_more_than_tests(&self.origins, &held.only_tests_differ)?;
            }
            let common = self.common(&held, &HeldParts::ALL, bad)?;
            found = Some((held, program.as_ref().map(ToString::to_string)));
            Ok(common)
        })?;
        (self.held, self.test_in_tree) = found.map_or((None, None), |(held, program)| (Some(held), program));
        let bad = versions.bad.base.tree();
        self.fingerprint = fingerprint(&self.origins, &versions)?;
        for (flag, words) in [("--clean", &mut self.clean), ("--build", &mut self.build)] {
            if let Some(words) = words {
                find_builder(flag, words, bad, here)?;
            }
        }
        check_script(&self.test, [versions.good.base.tree(), bad], self.build.is_some())?;
        warn_about_arguments(&self.test, bad, listener);
        check_differences(&self.origins, self.test_in_tree.is_some(), &versions, &self.plan()?.filter)?;
        check_known(&self.relations, &versions)?;
        Ok(versions)
    }

    /// Keeps versions that are not commits in the folder of a new run, and the files of the user's folder that every version gets. The
    /// user can edit them while the run lasts, and afterwards. What is too large is not kept.
    pub fn keep(&mut self, run: &Path, versions: &ComparedVersions) {
        // Without a copy, the run needs the versions as they are, and says so if they have changed.
        if !matches!(versions.keep(&self.origins, &run.join(KEPT)), Ok(true)) {
            let _ = fs::remove_dir_all(run.join(KEPT));
        }
        if let Some(held) = &self.held {
            held.keep_copied(run);
        }
        self.read_kept(run);
    }

    /// From now on, reads what is kept in the folder of a run.
    fn read_kept(&mut self, run: &Path) {
        self.origins.kept = Some(run.join(KEPT)).filter(|kept| kept.is_dir());
        if let Some(held) = &mut self.held {
            held.read_from(run);
        }
    }

    /// Reads the versions of a request that was opened in an earlier session.
    ///
    /// # Errors
    /// If they cannot be read, or have changed since.
    pub fn reopen(&mut self, run: &Path) -> Result<ComparedVersions, Problem> {
        self.read_kept(run);
        let versions = self.read_with(&HeldParts::ALL)?;
        if fingerprint(&self.origins, &versions)? != self.fingerprint {
            return Err(Problem::new("the versions have changed since the run began")
                .hint("restore them, or start a new run"));
        }
        match HeldParts::recall(run) {
            Some(parts) if parts != HeldParts::ALL => self.read_with(&parts),
            _ => Ok(versions),
        }
    }

    /// Reads the versions of a request that was opened, with some parts of what is held.
    pub(super) fn read_with(&self, parts: &HeldParts) -> Result<ComparedVersions, Problem> {
        ComparedVersions::read(&self.origins_with(parts), self.within, |_, bad| {
            self.common(&self.held_tests(), parts, bad)
        })
    }

    /// The versions, with the good version that was found if it is not the one that the user named.
    pub(super) fn origins_with(&self, parts: &HeldParts) -> VersionOrigins {
        let mut origins = self.origins.clone();
        if let Some(id) = &parts.good {
            let name = id.chars().take(12).collect();
            origins.good = vec![VersionOrigin::Commit { name, id: id.clone() }];
        }
        origins
    }

    /// What is held: the code of the test, or in runs of earlier releases its program.
    #[must_use]
    pub fn held_tests(&self) -> HeldTests {
        self.held.clone().unwrap_or_else(|| {
            HeldTests::only(
                self.test_in_tree.as_ref().and_then(|path| TreePath::new(path.as_bytes()).ok()).as_ref(),
            )
        })
    }

    /// The paths of what is held, for reports.
    pub(super) fn held_paths(&self, parts: &HeldParts) -> Vec<String> {
        let held = self.held_tests();
        let held = if parts.tests { held } else { held.without_tests(self.test_in_tree.as_deref()) };
        held.paths().iter().filter(|path| !parts.left_out.contains(path)).cloned().collect()
    }

    /// What every version has in common.
    fn common(&self, held: &HeldTests, parts: &HeldParts, bad: &Tree) -> Result<CommonFiles, Problem> {
        let filter = match parts.excluded && held.excluded {
            true => Some(self.plan()?.filter),
            false => None,
        };
        let copied = copied_files(&self.copy, &self.test.directory)?.into_iter().chain(held.read_copied()?);
        let common = CommonFiles::copied(copied.collect());
        let common = match parts.tests {
            true => common.holding(held, filter, bad),
            false => common.holding(&held.without_tests(self.test_in_tree.as_deref()), filter, bad),
        };
        Ok(common?.leaving_out(&[&parts.left_out[..], &parts.regenerated].concat()))
    }

    /// Records what the user of a new run should know about the versions.
    ///
    /// # Errors
    /// If the journal does not fit.
    pub fn warn(&self, session: &mut Session, versions: &ComparedVersions) -> Result<(), Problem> {
        versions.warnings.iter().try_for_each(|warning| session.warn(warning))
    }

    /// Folders that the test might need, and that no version has.
    pub(super) fn left_out(&self, versions: &ComparedVersions) -> LeftOutFolders {
        let (bad, here) = (versions.bad.base.tree(), &self.test.directory);
        self.origins.repository.as_ref().map_or_else(LeftOutFolders::default, |top| {
            left_out_folders(bad, top, here, &self.copy, self.build.is_some())
        })
    }

    /// What the two versions are called, with some parts of what is held.
    pub(super) fn side_words(&self, parts: &HeldParts) -> SideWords {
        let origins = self.origins_with(parts);
        let good = origins.good.first().map(VersionOrigin::name).unwrap_or_default();
        let [newer, older] = if self.fix { ["newer", "older"] } else { ["bad", "good"] };
        let failing = format!("the {newer} version ({})", origins.bad.name());
        SideWords { bad: failing.clone(), failing, passing: format!("the {older} version ({good})") }
    }

    /// The algorithms of the search.
    #[must_use]
    pub fn algorithms(&self, versions: &ComparedVersions) -> Algorithms {
        let below = self.algorithm.map_or(Algorithm::Narrow, SearchChoice::algorithm);
        let is_by_commits = versions.between.is_some() && self.within == SearchWithin::Commit;
        match is_by_commits {
            true => Algorithms(vec![Algorithm::Bisect, below]),
            false => below.into(),
        }
    }

    /// How each version is built and tested. `make_flags` is the value of MAKEFLAGS in the user's environment.
    #[must_use]
    pub fn recipe(&self, make_flags: Option<&OsStr>) -> Recipe {
        let commands = [self.build.as_deref(), self.clean.as_deref()];
        recipe(&self.test, self.test_in_tree.as_deref(), commands, make_flags)
    }

    /// How the search goes, as far as the user decides it.
    ///
    /// # Errors
    /// If a path cannot be understood.
    pub fn plan(&self) -> Result<SearchPlan, Problem> {
        let filter = PathFilter::new(&self.only, &self.except)
            .map_err(|error| Problem::hinted(&error, Some(error.hint().to_owned())))?;
        Ok(SearchPlan {
            within: self.within,
            all: self.all,
            is_thorough: self.thorough,
            filter,
            is_filtered: !self.only.is_empty() || !self.except.is_empty(),
            without: self.without.clone(),
            algorithm: self.algorithm,
            relations: self.relations.clone(),
            ..SearchPlan::default()
        })
    }
}

/// How each version is built and tested: the test, perhaps by its path in the versions, and the commands that build and clean.
#[must_use]
pub fn recipe(
    test: &TestCommand,
    test_in_tree: Option<&str>,
    [build, clean]: [Option<&[String]>; 2],
    make_flags: Option<&OsStr>,
) -> Recipe {
    let os = |words: Option<&[String]>| words.map(|words| words.iter().map(OsString::from).collect());
    Recipe {
        clean: os(clean),
        build: os(build.map(keep_going).as_deref()),
        program: test_in_tree.map_or_else(|| test.program.clone(), |path| PathBuf::from(format!("./{path}"))),
        arguments: test.arguments.clone(),
        directory: test.directory.clone(),
        environment: Vec::new(),
        build_variables: make_keeps_going(make_flags),
    }
}

/// Commits do not change; folders and the working tree do.
fn fingerprint(origins: &VersionOrigins, versions: &ComparedVersions) -> Result<Option<Content>, Problem> {
    if origins.bad.commit().is_some() && origins.good.iter().all(|good| good.commit().is_some()) {
        return Ok(None);
    }
    let changes = differences(versions)?;
    Ok(Some(Content::of([patch_of_good(&changes, &changes.all()).as_slice()])))
}
