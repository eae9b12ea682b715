//! What a delta is, for people.

use crate::trees::entry::EntryKind;
use crate::trees::tree_path::TreePath;
use std::fmt;

/// One delta in words and lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedChange<'a> {
    /// The file, by its path in the bad version unless it was removed.
    pub path: &'a TreePath,
    /// What happened to it.
    pub what: ChangeKind<'a>,
    /// The first line in the good version, counted from 1. If lines are only added, the line before which they are added.
    pub old_line: u32,
    /// The first line in the bad version, counted from 1. If lines are only removed, the line before which they were.
    pub new_line: u32,
    /// How many lines there are in the good version from the first that is removed to the last, those between them included.
    pub old_lines: u32,
    /// The same in the bad version.
    pub new_lines: u32,
    /// The lines of the good version that are removed, each with its line end; none for binary files.
    pub removed: Vec<&'a [u8]>,
    /// The lines of the bad version that are added, each with its line end; none for binary files.
    pub added: Vec<&'a [u8]>,
}

/// The kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind<'a> {
    /// Lines of a text.
    Lines,
    /// A file that only the bad version has.
    Added(EntryKind),
    /// A file that only the good version has.
    Removed(EntryKind),
    /// A file that has another path in the good version.
    Renamed {
        /// Its path there.
        from: &'a TreePath,
    },
    /// A directory where a file was, or a file where a directory was.
    Replaced {
        /// Whether it is a directory in the bad version.
        by_directory: bool,
    },
    /// Another kind of entry, such as a link instead of a file.
    KindChanged {
        /// What it was.
        from: EntryKind,
        /// What it is.
        to: EntryKind,
    },
    /// A file that became executable, or is no longer executable.
    ModeChanged {
        /// Whether it is executable in the bad version.
        executable: bool,
    },
    /// A symbolic link with another target.
    TargetChanged,
    /// A submodule at another commit.
    SubmoduleChanged,
    /// A file that is not text.
    BinaryChanged,
}

impl DescribedChange<'_> {
    /// Where it is, such as `main.c:120`.
    #[must_use]
    pub fn place(&self) -> String {
        match self.what {
            ChangeKind::Lines => format!("{}:{}", self.path, self.new_line),
            _ => self.path.to_string(),
        }
    }

    /// Whether it changes only text for people, as far as its lines tell: comments, blank lines, or documentation.
    #[must_use]
    pub fn is_remark(&self) -> bool {
        let is_comment = |line: &&[u8]| {
            let line = line.trim_ascii();
            let starts: [&[u8]; 7] = [b"# ", b"//", b"/*", b"* ", b"*/", b"-- ", b"; "];
            line.is_empty() || starts.iter().any(|start| line.starts_with(start))
        };
        self.what == ChangeKind::Lines
            && (self.path.is_for_people() || self.removed.iter().chain(&self.added).all(is_comment))
    }
}

impl fmt::Display for DescribedChange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path;
        match self.what {
            ChangeKind::Lines => {
                let line = self.new_line;
                match (self.removed.len(), self.added.len()) {
                    (removed, 0) => write!(f, "{path}:{line}: {} removed", Count(removed)),
                    (0, added) => write!(f, "{path}:{line}: {} added", Count(added)),
                    (removed, added) => write!(f, "{path}:{line}: {} removed, {added} added", Count(removed)),
                }
            }
            ChangeKind::Added(kind) => write!(f, "{path}: {kind} added"),
            ChangeKind::Removed(kind) => write!(f, "{path}: {kind} removed"),
            ChangeKind::Renamed { from } => write!(f, "{path}: renamed from {from}"),
            ChangeKind::Replaced { by_directory: true } => write!(f, "{path}: replaced by a directory"),
            ChangeKind::Replaced { by_directory: false } => write!(f, "{path}: directory replaced by a file"),
            ChangeKind::KindChanged { from, to } => write!(f, "{path}: {from} became {to}"),
            ChangeKind::ModeChanged { executable: true } => write!(f, "{path}: made executable"),
            ChangeKind::ModeChanged { executable: false } => write!(f, "{path}: no longer executable"),
            ChangeKind::TargetChanged => write!(f, "{path}: symbolic link leads elsewhere"),
            ChangeKind::SubmoduleChanged => write!(f, "{path}: submodule at another commit"),
            ChangeKind::BinaryChanged => write!(f, "{path}: binary file changed"),
        }
    }
}

struct Count(usize);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = if self.0 == 1 { "line" } else { "lines" };
        write!(f, "{} {lines}", self.0)
    }
}
