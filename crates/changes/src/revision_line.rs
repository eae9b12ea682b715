//! Revisions one after the other, wherever they come from.

use crate::git::ObjectId;
use crate::{Base, Trees};
use howcome_run::Because;
use std::sync::Arc;

/// Revisions in their order, the oldest first.
pub trait RevisionLine: Send + Sync {
    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What people call a revision.
    fn name(&self, index: usize) -> String;

    /// The commit that it is, if it is one.
    fn commit(&self, index: usize) -> Option<ObjectId>;

    /// Its tree.
    ///
    /// # Errors
    /// [`Because::DidNotApply`] where this revision cannot be had, which says nothing about others; a reason that is no verdict
    /// where to go on would mislead.
    fn base(&self, index: usize) -> Result<Arc<Base>, Because>;
}

/// Commits along the first parents.
#[derive(Debug)]
pub struct Commits {
    /// Where their trees come from.
    pub trees: Arc<Trees>,
    /// The commits, the oldest first.
    pub commits: Vec<ObjectId>,
}

impl RevisionLine for Commits {
    fn len(&self) -> usize {
        self.commits.len()
    }

    fn name(&self, index: usize) -> String {
        self.commits.get(index).map_or_else(String::new, ObjectId::short)
    }

    fn commit(&self, index: usize) -> Option<ObjectId> {
        self.commits.get(index).copied()
    }

    fn base(&self, index: usize) -> Result<Arc<Base>, Because> {
        let missing = || Because::Broken(format!("there is no revision {index}"));
        let commit = self.commits.get(index).ok_or_else(missing)?;
        self.trees.of(*commit).map_err(|error| Because::Broken(error.to_string()))
    }
}
