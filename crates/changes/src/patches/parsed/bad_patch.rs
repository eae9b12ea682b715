//! Why a patch can't be used.

use crate::trees::tree_error::TreeError;
use crate::trees::tree_path::{BadPath, TreePath};

/// A patch that can't be applied, with the line of the patch that is to blame.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the patch: {why}")]
pub struct BadPatch {
    /// The line of the patch, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: BadPatchKind,
}

/// What can be wrong with a patch.
#[derive(Debug, thiserror::Error)]
pub enum BadPatchKind {
    /// There is no change in it at all.
    #[error("there is no unified diff up to here")]
    NoChanges,
    /// Not a unified diff, but another sort.
    #[error("this is {0}, not a unified diff")]
    OtherFormat(&'static str),
    /// A binary file, whose bytes are in no unified diff.
    #[error("the change of a binary file can't be read from a patch")]
    Binary,
    /// A hunk that does not say which lines it is about.
    #[error("this is no head of a hunk")]
    BadHead,
    /// A hunk with fewer lines than it says.
    #[error("the hunk has fewer lines than its head says")]
    CutOff,
    /// A header without the names of the files.
    #[error("the names of the files can't be read")]
    NoName,
    /// A name that has no place in a tree.
    #[error(transparent)]
    BadPath(#[from] BadPath),
    /// A file that has to be there and is not.
    #[error("there is no file `{0}` to be changed")]
    Missing(TreePath),
    /// A file that must not be there yet.
    #[error("the file `{0}` is there already")]
    Exists(TreePath),
    /// Lines that are nowhere in the file.
    #[error("these lines are not in `{path}` (expected at line {expected})")]
    DoesNotFit {
        /// The file.
        path: TreePath,
        /// Where they should be, counted from 1.
        expected: usize,
    },
    /// A file that is to go, but holds more than the patch takes away.
    #[error("`{0}` is to be removed, but holds more lines than the patch removes")]
    NotEmptied(TreePath),
    /// A mode that is none.
    #[error("this is no mode of a file")]
    BadMode,
    /// The files do not go together, or can't be read.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl BadPatch {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match &self.why {
            BadPatchKind::NoChanges | BadPatchKind::OtherFormat(_) => {
                "make it with `diff -ruN GOOD BAD`, `git diff` or `git format-patch`"
            }
            BadPatchKind::Binary => "give the bad version as a directory or as a revision instead",
            BadPatchKind::BadHead | BadPatchKind::CutOff | BadPatchKind::NoName | BadPatchKind::BadMode => {
                "the patch is damaged; get it again, and not by copying it from a screen"
            }
            BadPatchKind::BadPath(bad) => bad.hint(),
            BadPatchKind::Missing(_) => {
                "check that the patch was made for this version, from the top of the tree"
            }
            BadPatchKind::Exists(_) | BadPatchKind::DoesNotFit { .. } | BadPatchKind::NotEmptied(_) => {
                "check that the patch was made for this version, that it is not applied already, and its line endings"
            }
            BadPatchKind::Tree(error) => error.hint(),
        }
    }
}
