//! What shows that a file is still as it was written.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// A file that has the same stamp as before was not changed in the meantime. Of a folder, only the mode counts: its size and its
/// times change with its entries, which have stamps of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    inode: u64,
    size: u64,
    modified: (i64, i64),
    /// Set by the kernel alone, whatever a test makes of the other times.
    changed: (i64, i64),
    mode: u32,
}

impl FileStamp {
    /// The stamp of a file now.
    #[must_use]
    pub fn of(metadata: &Metadata) -> Self {
        if metadata.is_dir() {
            return Self { inode: 0, size: 0, modified: (0, 0), changed: (0, 0), mode: metadata.mode() };
        }
        Self {
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            mode: metadata.mode(),
        }
    }
}
