//! Where the first answer comes from. The searches for better ones start there.

use super::narrowed_changes::NarrowedChanges;
use super::plan::SearchPlan;
use super::proof::Prover;
use super::version_pair::VersionPair;

/// How the first answer was found.
#[derive(Clone, Copy)]
pub(super) struct FirstAnswer<'a> {
    pub(super) plan: &'a SearchPlan,
    pub(super) prover: Prover<'a>,
    /// The number of the cause, counted from 0.
    pub(super) cause: u32,
    /// The versions between which it was found: a commit and the version before it, if it is one commit.
    pub(super) pair: &'a VersionPair,
    /// What makes the difference between them.
    pub(super) narrowed: &'a NarrowedChanges,
    /// How many tests were told before that was searched, if all stages of a cause together have a limit.
    pub(super) began_after: Option<u64>,
}
