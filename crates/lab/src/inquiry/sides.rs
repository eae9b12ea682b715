//! What the two sides of a baseline are called, and how they are run.

use crate::Terms;
use howcome_run::Purpose;

/// What the two sides are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Everything, and nothing.
    Parts,
    /// The bad version, and the good one.
    Versions,
    /// The failing input, and the passing one.
    Inputs,
    /// The bad revision; none is known to pass.
    Revision,
}

impl Sides {
    pub(super) fn name(self, purpose: Purpose) -> &'static str {
        match (self, purpose) {
            (Sides::Parts, Purpose::BaselineFailing) => "everything",
            (Sides::Parts, _) => "nothing",
            (Sides::Versions, Purpose::BaselineFailing) => "the bad version",
            (Sides::Versions, _) => "the good version",
            (Sides::Inputs, Purpose::BaselineFailing) => "the failing input",
            (Sides::Inputs, _) => "the passing input",
            (Sides::Revision, _) => "the bad revision",
        }
    }

    /// What a file about one side is called.
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
    pub judging: Terms,
    /// Whether the passing side is more than a check.
    pub two_sided: bool,
    /// What the two sides are called.
    pub sides: Sides,
    /// What to try next if there is nothing to explain.
    pub if_refused: Option<String>,
}
