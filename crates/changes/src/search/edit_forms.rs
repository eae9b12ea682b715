//! The two forms of an edit: what it changes in the good version, and what undoing it changes in the bad version.

use crate::deltas::change_set::ChangeSet;
use std::sync::Arc;

/// An edit in the two forms in which it was tested.
#[derive(Clone, Debug)]
pub struct EditForms {
    /// From the good version to the good version with only the edit.
    pub made: Arc<ChangeSet>,
    /// From the bad version without the edit to the bad version.
    pub undone: Arc<ChangeSet>,
}
