//! How the search goes: what the user allows and forbids.

use clap::ValueEnum;
use howcome_changes::PathFilter;
use serde::{Deserialize, Serialize};

/// What is known of the changes is used to save tests. Each piece can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Clue {
    /// Changes of one commit belong together
    Commits,
    /// Changes of one directory or file belong together
    Files,
    /// Changes of one function or type belong together
    Functions,
    /// Changes that share names belong together
    Words,
    /// A change that uses what another one defines needs it
    Needs,
    /// What compilers and interpreters complain of tells which changes are missing or too many
    Repairs,
    /// Changes whose text is in only one of the two outputs are tried first
    Evidence,
    /// Files that neither build nor test reads are left out first
    Unread,
    /// Code that the failing run never executes is left out first (with --coverage)
    Coverage,
}

/// How far the search goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Within {
    /// Over the commits first, then within the one that is found
    #[default]
    Commit,
    /// Over all changes between the two versions, whatever commits they come from
    Hunk,
}

/// All of that.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) within: Within,
    pub(crate) all: bool,
    /// What may be varied.
    pub(crate) filter: PathFilter,
    /// Whether that is not all.
    pub(crate) is_filtered: bool,
    pub(crate) without: Vec<Clue>,
    /// What searches below the commits, if the user wants something else.
    pub(crate) algorithm: Option<crate::algorithm::Algorithm>,
    /// What the two versions print, if that is known.
    pub(crate) outputs: Option<Outputs>,
    /// Paths that neither the build nor the test of either side has read.
    pub(crate) unread: Vec<howcome_changes::TreePath>,
    /// What the failing run executes, if that was measured.
    pub(crate) executed: Option<howcome_changes::coverage::Coverage>,
}

/// What the baseline printed.
#[derive(Clone, Debug)]
pub(crate) struct Outputs {
    pub(crate) good: Vec<u8>,
    pub(crate) bad: Vec<u8>,
}

impl Plan {
    pub(crate) fn uses(&self, clue: Clue) -> bool {
        !self.without.contains(&clue)
    }
}
