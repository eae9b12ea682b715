//! What `run.json` keeps of the command line, and the versions that it means.

use super::origin::{self, Origins};
use super::plan::{Clue, Plan, Within};
use super::sources::Sources;
use crate::algorithm::Algorithm;
use crate::failure::Failure;
use crate::options::FailureOptions;
use crate::test_command::TestCommand;
use howcome_changes::{ChangeSet, PathFilter, Recipe, TreePath, patch_of_good};
use howcome_run::{Content, RunFile};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;

/// What `run.json` keeps of the command line: everything that the answer depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) origins: Origins,
    pub(super) test: TestCommand,
    /// The test, where it is part of the versions.
    pub(super) test_in_tree: Option<String>,
    pub(super) build: Option<Vec<String>>,
    pub(super) clean: Option<Vec<String>>,
    #[serde(with = "crate::test_command::words")]
    pub(super) only: Vec<OsString>,
    #[serde(with = "crate::test_command::words")]
    pub(super) except: Vec<OsString>,
    pub(super) copy: Vec<PathBuf>,
    pub(super) fix: bool,
    pub(super) all: bool,
    pub(super) within: Within,
    pub(super) without: Vec<Clue>,
    #[serde(default)]
    pub(super) coverage: Option<String>,
    #[serde(default)]
    pub(super) algorithm: Option<Algorithm>,
    pub(super) output: Option<PathBuf>,
    pub(super) failure: FailureOptions,
    /// What identifies the differences between versions that are no commits.
    pub(super) fingerprint: Option<Content>,
}

impl Request {
    pub(super) fn recipe(&self) -> Recipe {
        recipe(&self.test, self.test_in_tree.as_deref(), self.build.as_ref(), self.clean.as_ref())
    }

    pub(super) fn plan(&self) -> Result<Plan, Failure> {
        let filter = PathFilter::new(&self.only, &self.except)
            .map_err(|error| Failure::wrong_use(error.to_string()).hint(error.hint()))?;
        Ok(Plan {
            within: self.within,
            all: self.all,
            filter,
            is_filtered: !self.only.is_empty() || !self.except.is_empty(),
            without: self.without.clone(),
            algorithm: self.algorithm,
            outputs: None,
            unread: Vec::new(),
            executed: None,
        })
    }
}

/// What is done with a version. A test that is part of the versions is known by its path in them.
pub(crate) fn recipe(
    test: &TestCommand,
    test_in_tree: Option<&str>,
    build: Option<&Vec<String>>,
    clean: Option<&Vec<String>>,
) -> Recipe {
    let os = |words: Option<&Vec<String>>| words.map(|words| words.iter().map(OsString::from).collect());
    Recipe {
        clean: os(clean),
        build: os(build),
        program: test_in_tree.map_or_else(|| test.program.clone(), |path| PathBuf::from(format!("./{path}"))),
        arguments: test.arguments.clone(),
        directory: test.directory.clone(),
        environment: Vec::new(),
        build_variables: super::make::keep_going(std::env::var_os("MAKEFLAGS").as_deref()),
    }
}

pub(super) fn request_of(file: &RunFile) -> Result<Request, Failure> {
    serde_json::from_value(file.request.clone())
        .map_err(|error| Failure::wrong_use(format!("run.json does not say what was asked for: {error}")))
}

/// The versions as they were when the run began.
pub(super) fn sources_of(request: &Request) -> Result<Sources, Failure> {
    let same = request.test_in_tree.as_ref().and_then(|path| TreePath::new(path.as_bytes()).ok());
    let sources = Sources::read(
        &request.origins,
        same.as_ref(),
        &request.copy,
        &request.test.directory,
        request.within,
    )?;
    if fingerprint(&request.origins, &sources)? != request.fingerprint {
        return Err(Failure::wrong_use("the versions have changed since the run began")
            .hint("restore them, or start a new run"));
    }
    Ok(sources)
}

/// Commits stay what they are; folders and the working tree may change.
pub(super) fn fingerprint(origins: &Origins, sources: &Sources) -> Result<Option<Content>, Failure> {
    if origins.bad.commit().is_some() && origins.good.iter().all(|good| good.commit().is_some()) {
        return Ok(None);
    }
    let changes = differences(sources)?;
    Ok(Some(Content::of([patch_of_good(&changes, &changes.all()).as_slice()])))
}

pub(super) fn differences(sources: &Sources) -> Result<ChangeSet, Failure> {
    ChangeSet::between(sources.good.base.tree(), sources.bad.base.tree())
        .map_err(|error| origin::failure(&error, Some(error.hint().to_owned())))
}
