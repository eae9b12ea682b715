//! Why a change does not apply to another version.

use crate::trees::tree_error::TreeError;
use crate::trees::tree_path::TreePath;
use howcome_dd::DeltaId;

/// A delta that does not apply to another version.
#[derive(Debug, thiserror::Error)]
#[error("{path}{}: {why}", line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct Conflict {
    /// The delta, by its number among the changes it belongs to.
    pub delta: DeltaId,
    /// Other deltas of the same file that do not apply.
    pub others: Vec<DeltaId>,
    /// The file, by its path among these changes.
    pub path: TreePath,
    /// The first line that does not match, counted from 1 in the version that the other one should resemble.
    pub line: Option<u32>,
    /// What does not match.
    pub why: ConflictKind,
}

/// Why a delta does not apply.
#[derive(Debug, thiserror::Error)]
pub enum ConflictKind {
    /// The lines that it replaces differ there.
    #[error("the lines that change are different there")]
    LinesDiffer,
    /// None of the lines around it exist there.
    #[error("the lines before and after are different there")]
    NeighboursDiffer,
    /// A whole file differs.
    #[error("the file is different there")]
    FileDiffers,
    /// There is no such file.
    #[error("the file does not exist there")]
    Missing,
    /// The file exists already.
    #[error("another file of this name exists there already")]
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
            ConflictKind::Missing => "if the file has another name there, give that name",
            ConflictKind::InTheWay => "rename one of the two files",
            ConflictKind::Unreadable(error) => error.hint(),
        }
    }
}
