//! Why a change can't be carried to another version.

use crate::trees::tree_error::TreeError;
use crate::trees::tree_path::TreePath;
use howcome_dd::DeltaId;

/// A delta that has no place in another version.
#[derive(Debug, thiserror::Error)]
#[error("{path}{}: {why}", line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct Conflict {
    /// The delta, by its number among the changes it belongs to.
    pub delta: DeltaId,
    /// Others of the same file that have no place either.
    pub others: Vec<DeltaId>,
    /// The file, by its path among these changes.
    pub path: TreePath,
    /// The first line that does not fit, counted from 1 in the version that the other one should resemble.
    pub line: Option<u32>,
    /// What does not fit.
    pub why: ConflictKind,
}

/// What keeps a delta from being carried.
#[derive(Debug, thiserror::Error)]
pub enum ConflictKind {
    /// The lines that it replaces are others there.
    #[error("the lines that change are different there")]
    LinesDiffer,
    /// None of the lines that it stood between are there.
    #[error("the lines before and behind are different there")]
    NeighboursDiffer,
    /// A whole file is another.
    #[error("the file is different there")]
    FileDiffers,
    /// There is no such file.
    #[error("there is no such file there")]
    Missing,
    /// There is one already.
    #[error("another file of this name is there already")]
    InTheWay,
    /// It can't be read.
    #[error(transparent)]
    Unreadable(TreeError),
}

impl Conflict {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match &self.why {
            ConflictKind::LinesDiffer | ConflictKind::NeighboursDiffer | ConflictKind::FileDiffers => {
                "change it by hand there, or carry it to a version that is nearer"
            }
            ConflictKind::Missing => "if the file has another name there, say which",
            ConflictKind::InTheWay => "see what the file there is for, and give one of the two another name",
            ConflictKind::Unreadable(error) => error.hint(),
        }
    }
}
