//! What a patch says about one file.

use crate::trees::entry::EntryKind;

/// What a patch says about one file. Names are as the patch writes them.
#[derive(Debug, Default)]
pub(super) struct FilePatch {
    /// The line of the patch where it begins.
    pub(super) line: usize,
    /// Which of several concatenated patches it belongs to.
    pub(super) part: usize,
    /// `None` if there is no such file: `/dev/null`.
    pub(super) old: Option<Vec<u8>>,
    pub(super) new: Option<Vec<u8>>,
    pub(super) moved: Option<Moved>,
    pub(super) kind: Option<EntryKind>,
    /// The file does not exist before, or afterwards, as far as its header tells.
    pub(super) comes: bool,
    pub(super) goes: bool,
    pub(super) hunks: Vec<PatchHunk>,
}

/// A rename or a copy, by names without a prefix.
#[derive(Debug, Default)]
pub(super) struct Moved {
    pub(super) from: Vec<u8>,
    pub(super) to: Vec<u8>,
    pub(super) is_copy: bool,
}

#[derive(Debug)]
pub(super) struct PatchHunk {
    /// The line of the patch where it begins.
    pub(super) line: usize,
    /// Where its lines are in the old file, counted from 0.
    pub(super) at: usize,
    pub(super) old: Vec<Vec<u8>>,
    pub(super) new: Vec<Vec<u8>>,
}

impl PatchHunk {
    /// Whether it says that the file was empty.
    pub(super) fn is_of_nothing(&self) -> bool {
        self.at == 0 && self.old.is_empty()
    }
}
