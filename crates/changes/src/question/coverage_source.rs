//! Where it is known from which lines the failing run executes.

use super::request::ChangesRequest;
use crate::search::plan::{Clue, SearchPlan, SearchWithin};
use crate::trees::tree_path::TreePath;
use crate::versions::compared::ComparedVersions;
use howcome_lab::Execution;
use howcome_lab::inquiry::split_words;
use howcome_run::Problem;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A way to learn which lines the failing run executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CoverageSource<'a> {
    /// The user asks for it, with a compiler of C.
    Gcov,
    /// The user asks for it, with a command that prints a report.
    Report(&'a str),
    /// The build of the user measures it already, with a compiler of C.
    GcovOfBuild,
    /// One more run of a program in Python.
    Python,
}

/// The test is run once more only if it takes at most this much processor time, which hardly depends on what else runs.
const QUICK: Duration = Duration::from_secs(3);

/// With fewer changed files in Python that the test reads, other questions find out as much.
const FEWEST_FILES: usize = 4;

/// More files of a folder are not looked at.
const MOST_FILES: usize = 20_000;

/// What runs before a program in Python, and writes down the lines that it executes.
const PYTHON: &str = include_str!("python_coverage.py");

impl<'a> CoverageSource<'a> {
    /// What the user asks for, or what hardly costs anything.
    pub(super) fn of(
        request: &'a ChangesRequest,
        versions: &ComparedVersions,
        plan: &SearchPlan,
        failing: &Execution,
    ) -> Option<Self> {
        match request.coverage.as_deref() {
            Some("gcov") => return Some(Self::Gcov),
            Some(command) => return Some(Self::Report(command)),
            None => {}
        }
        // Lines are known by their numbers in the bad version, so this is for changes that lead to it.
        let is_between_versions = versions.between.is_none() || plan.within == SearchWithin::Hunk;
        let is_possible = plan.uses(Clue::Coverage) && !request.failure.flaky && is_between_versions;
        if !is_possible || failing.cpu > QUICK {
            return None;
        }
        if request.build.is_some() && has_data_of_gcov(&failing.workspace) {
            return Some(Self::GcovOfBuild);
        }
        let differing = versions.good.differences(&versions.bad).unwrap_or_default();
        let is_executed =
            |path: &&TreePath| path.as_bytes().ends_with(b".py") && plan.unread.binary_search(path).is_err();
        (differing.iter().filter(is_executed).count() >= FEWEST_FILES).then_some(Self::Python)
    }

    /// Whether the user asks for it, and so wants to know if it does not work.
    pub(super) fn is_asked_for(self) -> bool {
        matches!(self, Self::Gcov | Self::Report(_))
    }

    /// What a shell runs before the test, and what prints the report after it.
    pub(super) fn commands(self) -> Result<(String, String), Problem> {
        Ok(match self {
            Self::Gcov | Self::GcovOfBuild => {
                let gcov = "find . -name '*.gcda' -exec gcov --json-format --stdout {} + 2>/dev/null";
                (String::new(), gcov.to_owned())
            }
            Self::Report(command) => {
                let words = split_words(command, "--coverage")?;
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let joined = shlex::try_join(words);
                (String::new(), joined.map_err(|error| Problem::new(format!("--coverage: {error}")))?)
            }
            Self::Python => {
                let before = "mkdir -p .howcome-python && printf '%s' \"$HOWCOME_PYTHON\" >.howcome-python/sitecustomize.py\n\
                    export HOWCOME_LINES=\"$PWD/.howcome-python/lines\" PYTHONPATH=\"$PWD/.howcome-python${PYTHONPATH:+:$PYTHONPATH}\"\n\
                    unset HOWCOME_PYTHON\n";
                (before.to_owned(), "cat .howcome-python/lines.* 2>/dev/null".to_owned())
            }
        })
    }

    /// Further variables of the test.
    pub(super) fn variable(self) -> Option<(&'static str, &'static str)> {
        (self == Self::Python).then_some(("HOWCOME_PYTHON", PYTHON))
    }
}

/// Whether programs that were compiled with `--coverage` ran in a folder.
fn has_data_of_gcov(folder: &Path) -> bool {
    let mut open = vec![folder.to_path_buf()];
    let mut left = MOST_FILES;
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            left = left.saturating_sub(1);
            if left == 0 {
                return false;
            }
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(path),
                Ok(_) if path.extension().is_some_and(|ending| ending == "gcda") => return true,
                _ => {}
            }
        }
    }
    false
}
