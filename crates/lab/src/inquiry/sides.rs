//! The names of the two sides of a baseline, and how they are run.

use crate::{Execution, JudgingTerms, LeftOutFolders, NeededFolder};
use howcome_run::Purpose;

/// What the two sides are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideNames {
    /// Everything, and nothing.
    Parts,
    /// The bad version, and the good one.
    Versions,
    /// The failing input, and the passing one.
    Inputs,
    /// The bad revision; no passing one is known.
    Revision,
}

impl SideNames {
    pub(super) fn name(self, purpose: Purpose) -> &'static str {
        match (self, purpose) {
            (SideNames::Parts, Purpose::BaselineFailing) => "everything",
            (SideNames::Parts, _) => "nothing",
            (SideNames::Versions, Purpose::BaselineFailing) => "the bad version",
            (SideNames::Versions, _) => "the good version",
            (SideNames::Inputs, Purpose::BaselineFailing) => "the failing input",
            (SideNames::Inputs, _) => "the passing input",
            (SideNames::Revision, _) => "the bad revision",
        }
    }

    /// The name of files about one side.
    pub(super) fn file(self, purpose: Purpose) -> &'static str {
        let name = self.name(purpose);
        let name = name.strip_prefix("the ").unwrap_or(name);
        name.rsplit_once(' ').map_or(name, |(which, _)| which)
    }
}

/// How a baseline is run.
#[derive(Clone, Debug)]
pub struct BaselineTerms {
    /// What counts as the failure.
    pub judging: JudgingTerms,
    /// Whether the passing side defines what a pass is. Otherwise it is only checked.
    pub two_sided: bool,
    /// What the two sides are called.
    pub sides: SideNames,
    /// The test command.
    pub command: Vec<String>,
    /// The files that are the same in every candidate, because they belong to the test.
    pub held: Vec<String>,
    /// Folders that tests might need and do not find.
    pub left_out: LeftOutFolders,
    /// A hint for the case that the passing side fails as the failing side does.
    pub if_alike: Option<String>,
    /// Whether each test runs in a copy of the user's folder.
    pub in_copy: bool,
    /// A hint for the case that there is nothing to explain.
    pub if_refused: Option<String>,
    /// Whether something else is tried if this is refused. Then a refusal is not recorded, and if a comparison of the two sides
    /// decides, the passing side must exit with 0.
    pub is_tentative: bool,
    /// Whether the search itself finds out how often a flaky test fails, so that the baseline need not measure it.
    pub search_learns_rates: bool,
}

impl BaselineTerms {
    /// The folder that a test needs and does not find, unless the user describes the failure, and this can be it.
    #[must_use]
    pub fn needs_folder(&self, execution: &Execution) -> Option<NeededFolder> {
        self.left_out.needed_by(execution).filter(|_| self.judging.fails_when.is_empty())
    }
}
