//! What a search among the changes between two versions has found.

use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::change_space::ChangeSpace;
use crate::deltas::change_set::ChangeSet;
use howcome_dd::{Configuration, LimitReached};
use howcome_run::{RoundStep, Unit};
use std::sync::Arc;

/// The changes that make the difference.
#[derive(Clone, Debug)]
pub struct NarrowedChanges {
    /// All changes.
    pub changes: Arc<ChangeSet>,
    /// Those that make the difference.
    pub chosen: Configuration,
    /// Some of those with which the test passes, if the search was only for a difference.
    pub passing: Option<Box<Configuration>>,
    /// Changes that stay applied, if the changes make the difference only on top of these.
    pub context: Option<Box<PassedChanges>>,
    /// The two mixes between which they were found, if these are not the versions that were given.
    pub between: Option<Box<VersionPair>>,
    /// What one of them is.
    pub unit: Unit,
    /// Whether only failures with the same details as that of the bad version counted.
    pub is_exact: bool,
    /// Whether removing each single one was tried, and every one is needed.
    pub is_minimal: bool,
    /// The limit that ended the search, if one did.
    pub limit: Option<LimitReached>,
    /// Changes that were seen to pass, of any granularity.
    pub passed: Box<[PassedChanges]>,
    /// Changes with which the test passes, if changes were sought with which it fails. The search ended there.
    pub opposite: Option<Box<Configuration>>,
    /// The hunks that they are lines of, if they were narrowed down to lines.
    pub hunks: Option<Box<NarrowedChanges>>,
}

/// Some changes of a set with which the test passes.
pub type PassedChanges = (Arc<ChangeSet>, Configuration);

impl NarrowedChanges {
    /// Changes that make the difference. Nothing else is known of them yet.
    #[must_use]
    pub fn of(changes: &Arc<ChangeSet>, chosen: Configuration, unit: Unit) -> Self {
        Self {
            changes: Arc::clone(changes),
            chosen,
            passing: None,
            context: None,
            between: None,
            unit,
            is_exact: false,
            is_minimal: false,
            limit: None,
            passed: Box::default(),
            opposite: None,
            hunks: None,
        }
    }

    /// The step in which they are tested once more. Changes that stand on others that stay applied are other changes than those that
    /// were searched, so they need a step of their own.
    pub(super) fn checked_in(&self) -> RoundStep {
        match self.unit {
            Unit::Line => RoundStep::Lines,
            _ if self.context.is_some() => RoundStep::Blocks,
            _ => RoundStep::Hunks,
        }
    }

    /// The changes on the version that they were found for.
    #[must_use]
    pub fn on(&self, low: &Candidate) -> ChangeSpace {
        ChangeSpace::on(low, &self.changes)
    }
}
