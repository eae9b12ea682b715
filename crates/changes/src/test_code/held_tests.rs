//! What is held, as `run.json` keeps it: the rule by which files of any revision belong to the test.

use super::checker_names::is_test_script;
use super::conventions::is_test_by_name;
use crate::deltas::path_filter::PathFilter;
use crate::trees::entry::TreeEntry;
use crate::trees::tree_path::TreePath;
use crate::versions::copied::copied_file;
use howcome_lab::inquiry::words;
use howcome_run::{Content, Problem};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The code of the test, which every version has as the bad version has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HeldTests {
    /// Whether files are held that are tests by their names.
    pub by_name: bool,
    /// Files that are held although their names alone do not say that they are tests.
    pub files: Vec<String>,
    /// Paths and patterns that the user holds.
    #[serde(with = "words")]
    pub patterns: Vec<OsString>,
    /// Files that are not held although their names are those of tests: the program uses them.
    pub program: Vec<String>,
    /// Source files of which only the tests are held.
    pub sources: Vec<String>,
    /// Files of the user's folder that no version has.
    pub copied: Vec<CopiedFile>,
    /// Whether everything outside of what may be varied is held, too.
    pub excluded: bool,
    /// Whether the good version gets other tests than its own.
    pub changes_good: bool,
    /// What of all that the user should know: it is named by the command, or differs between the versions.
    pub shown: Vec<String>,
    /// A file of the test that older revisions of a history have in another form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<String>,
    /// Further such files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_changed: Vec<String>,
    /// Tests that differ between the versions, if nothing but tests differs.
    #[serde(skip)]
    pub only_tests_differ: Vec<String>,
    /// The folder that holds the copied files as they were when the run began.
    #[serde(skip)]
    pub kept: Option<PathBuf>,
}

/// The folder of a run that holds the copied files, each by its content.
const KEPT: &str = "copied";

/// A file of the user's folder that every version gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedFile {
    /// Where it is.
    pub from: PathBuf,
    /// Its path in every version.
    pub to: String,
    /// What it held when the run began.
    pub content: Content,
}

impl CopiedFile {
    /// A file as it is now. `None` if it cannot be read.
    pub(super) fn new(from: &Path, to: &TreePath) -> Option<Self> {
        let content = content_of(&copied_file(from).ok()?)?;
        Some(Self { from: from.to_owned(), to: to.to_string(), content })
    }
}

fn content_of(entry: &TreeEntry) -> Option<Content> {
    entry.contents.read().ok().map(|bytes| Content::of([&*bytes]))
}

impl HeldTests {
    /// Only one file is held: the program of the test, if it is part of the versions.
    #[must_use]
    pub fn only(program: Option<&TreePath>) -> Self {
        let files: Vec<String> = program.into_iter().map(ToString::to_string).collect();
        Self { shown: files.clone(), files, ..Self::default() }
    }

    /// The same without the code of the test, except for its program and what the user holds.
    #[must_use]
    pub fn without_tests(&self, program: Option<&str>) -> Self {
        let files: Vec<String> = program.into_iter().map(str::to_owned).collect();
        Self {
            shown: files.clone(),
            files,
            patterns: self.patterns.clone(),
            copied: self.copied.clone(),
            excluded: self.excluded,
            kept: self.kept.clone(),
            ..Self::default()
        }
    }

    /// Holds tests as they are in the user's folder, not as the bad version has them.
    pub(crate) fn take_from(&mut self, top: &Path, tests: &[String]) {
        for test in tests {
            let Ok(path) = TreePath::new(test.as_bytes()) else { continue };
            self.copied.extend(CopiedFile::new(&top.join(path.as_path()), &path));
            if !self.shown.contains(test) {
                self.shown.push(test.clone());
            }
        }
    }

    /// Keeps the files that are copied from the user's folder in the folder of a run. A file that cannot be kept must stay as it is.
    pub(crate) fn keep_copied(&self, run: &Path) {
        let folder = run.join(KEPT);
        if self.copied.is_empty() || fs::create_dir_all(&folder).is_err() {
            return;
        }
        for copied in &self.copied {
            // A copy has the same permissions.
            let _ = fs::copy(&copied.from, folder.join(copied.content.to_string()));
        }
    }

    /// From now on, reads files that are kept in the folder of a run.
    pub(crate) fn read_from(&mut self, run: &Path) {
        self.kept = Some(run.join(KEPT));
    }

    /// A copied file, as it was when the run began if that is kept.
    fn read_kept(&self, copied: &CopiedFile) -> Result<TreeEntry, Problem> {
        let kept = self.kept.as_ref().map(|kept| kept.join(copied.content.to_string()));
        let kept = kept.and_then(|kept| copied_file(&kept).ok());
        match kept.filter(|kept| content_of(kept) == Some(copied.content)) {
            Some(kept) => Ok(kept),
            None => copied_file(&copied.from),
        }
    }

    /// Reads the files that are copied from the user's folder.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read_copied(&self) -> Result<Vec<(TreePath, TreeEntry)>, Problem> {
        let read = |copied: &CopiedFile| {
            let path = TreePath::new(copied.to.as_bytes());
            let path = path.map_err(|error| Problem::hinted(&error, Some(error.hint().to_owned())))?;
            let entry = self.read_kept(copied)?;
            match content_of(&entry) == Some(copied.content) {
                true => Ok((path, entry)),
                false => {
                    Err(Problem::new(format!("{} has changed since the run began", copied.from.display()))
                        .hint("restore it, or start a new run"))
                }
            }
        };
        self.copied.iter().map(read).collect()
    }

    /// The held paths that matter: those that the command names, and those that differ between the versions.
    #[must_use]
    pub fn paths(&self) -> &[String] {
        &self.shown
    }

    /// The rule by which files are held.
    ///
    /// # Errors
    /// If a pattern cannot be understood.
    pub fn rule(&self) -> Result<HoldingRule, Problem> {
        let patterns = match self.patterns.is_empty() {
            true => None,
            false => {
                let patterns = PathFilter::new(&self.patterns, &[]);
                Some(patterns.map_err(|error| Problem::hinted(&error, Some(error.hint().to_owned())))?)
            }
        };
        let paths =
            |names: &[String]| names.iter().filter_map(|name| TreePath::new(name.as_bytes()).ok()).collect();
        Ok(HoldingRule {
            by_name: self.by_name,
            files: paths(&self.files),
            program: paths(&self.program),
            patterns,
        })
    }
}

/// Which files are held.
#[derive(Clone, Debug, Default)]
pub struct HoldingRule {
    by_name: bool,
    files: BTreeSet<TreePath>,
    program: BTreeSet<TreePath>,
    patterns: Option<PathFilter>,
}

impl HoldingRule {
    /// Whether a file of any revision belongs to the test.
    #[must_use]
    pub fn holds(&self, path: &TreePath) -> bool {
        self.files.contains(path)
            || self.patterns.as_ref().is_some_and(|patterns| patterns.keeps(path))
            || self.by_name && !self.program.contains(path) && (is_test_by_name(path) || is_test_script(path))
    }
}
