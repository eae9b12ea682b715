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
    /// Another kind of diff than a unified diff.
    #[error("this is {0}, not a unified diff")]
    OtherFormat(&'static str),
    /// A binary file, whose bytes are in no unified diff.
    #[error("the change of a binary file can't be read from a patch")]
    Binary,
    /// A hunk that does not say which lines it is about.
    #[error("this is not the header of a hunk")]
    BadHead,
    /// A hunk with fewer lines than it says.
    #[error("the hunk has fewer lines than its header says")]
    CutOff,
    /// A header without the names of the files.
    #[error("the names of the files can't be read")]
    NoName,
    /// A name that cannot be in a tree.
    #[error(transparent)]
    BadPath(#[from] BadPath),
    /// A file that must exist does not.
    #[error("{0}: no such file to change")]
    Missing(TreePath),
    /// A file that must not exist yet.
    #[error("the file `{0}` exists already")]
    Exists(TreePath),
    /// Lines that are nowhere in the file.
    #[error("these lines are not in `{path}` (expected at line {expected})")]
    DoesNotFit {
        /// The file.
        path: TreePath,
        /// Where they should be, counted from 1.
        expected: usize,
    },
    /// A file to remove contains more lines than the patch removes.
    #[error("`{0}` is to be removed, but contains more lines than the patch removes")]
    NotEmptied(TreePath),
    /// Not a valid mode.
    #[error("this is not a file mode")]
    BadMode,
    /// The files cannot be in one tree, or cannot be read.
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
