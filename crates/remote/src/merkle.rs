//! Folders as Merkle trees: each folder is a blob that names its entries by their digests.

use crate::BlobDigest;
use crate::blobs::{Blobs, read_unnoticed};
use crate::protocol::{Directory, DirectoryNode, FileNode, SymlinkNode};
use howcome_lab::FileStamp;
use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A file that was changed less than this before it was read could be changed again without a trace in its times.
const STEP_OF_TIMES: Duration = Duration::from_millis(50);

/// Turns folders into Merkle trees. It remembers the digests of files, so files that have not changed are not read again.
#[derive(Debug, Default)]
pub struct TreeHasher {
    known: HashMap<PathBuf, (FileStamp, BlobDigest)>,
    /// How many files were read.
    pub files_read: u64,
}

/// A folder as a Merkle tree.
#[derive(Clone, Debug)]
pub struct HashedTree {
    /// The digest of the folder.
    pub root: BlobDigest,
    /// All blobs of the tree.
    pub blobs: Blobs,
    /// The digests of the files, by their paths in the folder.
    pub files: HashMap<PathBuf, BlobDigest>,
}

/// Why a folder cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum NotHashed {
    /// The protocol allows only names in UTF-8.
    #[error("the name of {0} is not UTF-8, and the Remote Execution API knows no other names")]
    Name(String),
    /// Something cannot be read.
    #[error("{path} cannot be read: {source}")]
    Io {
        /// What cannot be read.
        path: String,
        /// The error of the system.
        source: io::Error,
    },
}

impl TreeHasher {
    /// The Merkle tree of a folder.
    ///
    /// # Errors
    /// If something in it cannot be read, or has a name that cannot be sent.
    pub fn hash(&mut self, folder: &Path) -> Result<HashedTree, NotHashed> {
        let mut tree =
            HashedTree { root: BlobDigest::of(b""), blobs: Blobs::default(), files: HashMap::new() };
        let before = std::mem::take(&mut self.known);
        let mut pass =
            HashingPass { top: folder, before, now: HashMap::new(), files_read: 0, tree: &mut tree };
        let root = pass.folder(folder);
        self.known = pass.now;
        self.files_read += pass.files_read;
        tree.root = root?;
        Ok(tree)
    }
}

struct HashingPass<'a> {
    top: &'a Path,
    before: HashMap<PathBuf, (FileStamp, BlobDigest)>,
    now: HashMap<PathBuf, (FileStamp, BlobDigest)>,
    files_read: u64,
    tree: &'a mut HashedTree,
}

impl HashingPass<'_> {
    // A candidate is nested as deeply as paths allow, which is not deep enough to use up the stack.
    fn folder(&mut self, folder: &Path) -> Result<BlobDigest, NotHashed> {
        let mut directory = Directory::default();
        let listed = fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
        let mut entries = Vec::new();
        for entry in listed {
            entries.push(entry.map_err(|error| unreadable(folder, error))?);
        }
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            let name = entry.file_name().into_string();
            let name = name.map_err(|_| NotHashed::Name(path.display().to_string()))?;
            let metadata = fs::symlink_metadata(&path).map_err(|error| unreadable(&path, error))?;
            if metadata.is_dir() {
                let digest = Some(self.folder(&path)?.to_message());
                directory.directories.push(DirectoryNode { name, digest });
            } else if metadata.is_symlink() {
                let target = fs::read_link(&path).map_err(|error| unreadable(&path, error))?;
                let target = target.into_os_string().into_string();
                let target = target.map_err(|_| NotHashed::Name(path.display().to_string()))?;
                directory.symlinks.push(SymlinkNode { name, target, node_properties: None });
            } else if metadata.is_file() {
                let digest = Some(self.file(path, &metadata)?.to_message());
                let is_executable = metadata.permissions().mode() & 0o100 != 0;
                directory.files.push(FileNode { name, digest, is_executable, node_properties: None });
            }
        }
        Ok(self.tree.blobs.add_message(&directory))
    }

    fn file(&mut self, path: PathBuf, metadata: &Metadata) -> Result<BlobDigest, NotHashed> {
        let stamp = FileStamp::of(metadata);
        let known = self.before.get(&path).filter(|(then, _)| *then == stamp).map(|(_, digest)| *digest);
        let digest = match known {
            Some(digest) => digest,
            None => {
                self.files_read += 1;
                BlobDigest::of(&read_unnoticed(&path).map_err(|error| unreadable(&path, error))?)
            }
        };
        if known.is_some() || !is_recent(metadata) {
            self.now.insert(path.clone(), (stamp, digest));
        }
        if let Ok(inside) = path.strip_prefix(self.top) {
            self.tree.files.insert(inside.to_owned(), digest);
        }
        self.tree.blobs.add_file(digest, path);
        Ok(digest)
    }
}

fn is_recent(metadata: &Metadata) -> bool {
    let changed =
        Duration::new(metadata.ctime().max(0).unsigned_abs(), metadata.ctime_nsec().unsigned_abs() as u32);
    let changed = SystemTime::UNIX_EPOCH + changed;
    SystemTime::now().duration_since(changed).is_ok_and(|since| since < STEP_OF_TIMES)
        || SystemTime::now() < changed
}

fn unreadable(path: &Path, source: io::Error) -> NotHashed {
    NotHashed::Io { path: path.display().to_string(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn equal_folders_have_equal_digests_wherever_they_are() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let trees = folders.each_ref().map(|folder| {
            fs::create_dir(folder.path().join("src")).unwrap();
            fs::write(folder.path().join("src/a.c"), "int a;").unwrap();
            symlink("src/a.c", folder.path().join("link")).unwrap();
            TreeHasher::default().hash(folder.path()).unwrap()
        });
        assert_eq!(trees[0].root, trees[1].root);
        fs::set_permissions(folders[1].path().join("src/a.c"), fs::Permissions::from_mode(0o755)).unwrap();
        assert_ne!(TreeHasher::default().hash(folders[1].path()).unwrap().root, trees[0].root);
    }

    #[test]
    fn files_that_have_not_changed_are_not_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let long_ago = SystemTime::now() + Duration::from_secs(1);
        for name in ["a", "b", "c"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        // Files that were written just now are read once more, because their times could not show another change.
        while SystemTime::now() < long_ago - Duration::from_secs(1) + STEP_OF_TIMES * 2 {
            std::thread::yield_now();
        }
        let mut hasher = TreeHasher::default();
        let before = hasher.hash(folder.path()).unwrap().root;
        assert_eq!(hasher.files_read, 3);
        assert_eq!(hasher.hash(folder.path()).unwrap().root, before);
        assert_eq!(hasher.files_read, 3);
        fs::write(folder.path().join("b"), "x").unwrap();
        assert_ne!(hasher.hash(folder.path()).unwrap().root, before);
        assert_eq!(hasher.files_read, 4);
    }
}
