//! The bytes of a file, which are read when they are needed and not before.

use crate::trees::tree_path::TreePath;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{fs, io};

/// Where the bytes of a file come from: a folder, an object of a git repository, memory.
pub trait Contents: Debug + Send + Sync {
    /// All of them.
    fn read(&self) -> io::Result<Arc<[u8]>>;

    /// How many there are, if that is known without reading them.
    fn size(&self) -> Option<u64> {
        None
    }

    /// A name that two contents share exactly if they have the same bytes, such as the id of a git object. `None` if there is no
    /// such name.
    fn identity(&self) -> Option<&[u8]> {
        None
    }

    /// Copies the bytes to a new file, and reads them from there from now on, if they are in a file that the user can change.
    /// Returns whether they are.
    fn keep_at(&self, _file: &Path) -> io::Result<bool> {
        Ok(false)
    }

    /// Where it is stored, if many contents are read faster there together than one by one. It has an identity then.
    fn store(&self) -> Option<Arc<dyn ContentStore>> {
        None
    }
}

/// Many contents, for example the objects of a git repository.
pub trait ContentStore: Debug + Send + Sync {
    /// Reads the contents of these identities, and passes on each of them in this order.
    ///
    /// # Errors
    /// If one of them cannot be read or passed on. The rest is not read then.
    fn read_each(
        &self,
        identities: &[&[u8]],
        pass_on: &mut dyn FnMut(usize, Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()>;
}

impl Contents for Arc<[u8]> {
    fn read(&self) -> io::Result<Arc<[u8]>> {
        Ok(self.clone())
    }

    fn size(&self) -> Option<u64> {
        Some(self.len() as u64)
    }
}

/// A file of a folder.
#[derive(Debug)]
pub(crate) struct OnDisk {
    root: Arc<Path>,
    path: TreePath,
    size: u64,
    kept: OnceLock<PathBuf>,
}

impl OnDisk {
    pub(crate) fn new(root: Arc<Path>, path: TreePath, size: u64) -> Self {
        Self { root, path, size, kept: OnceLock::new() }
    }
}

impl Contents for OnDisk {
    fn read(&self) -> io::Result<Arc<[u8]>> {
        match self.kept.get() {
            Some(kept) => fs::read(kept).map(Arc::from),
            None => fs::read(self.root.join(self.path.as_path())).map(Arc::from),
        }
    }

    fn keep_at(&self, file: &Path) -> io::Result<bool> {
        fs::write(file, self.read()?)?;
        self.kept.get_or_init(|| file.to_owned());
        Ok(true)
    }

    fn size(&self) -> Option<u64> {
        Some(self.size)
    }
}

/// Whether two contents are known to be the same, or not to be, without reading them.
pub(crate) fn same_unread(one: &dyn Contents, other: &dyn Contents) -> Option<bool> {
    if let (Some(one), Some(other)) = (one.identity(), other.identity()) {
        return Some(one == other);
    }
    match (one.size(), other.size()) {
        (Some(one), Some(other)) if one != other => Some(false),
        _ => None,
    }
}
