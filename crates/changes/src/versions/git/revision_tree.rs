//! A revision as a tree to be compared: its files by the names of their blobs, read when they are needed.

use super::command::GitFailed;
use super::objects::NoObject;
use super::{
    GitTreeEntry, Mode, NoTree, NotAnObjectId, ObjectId, Objects, Repository, WorkingContent, WorkingTree,
};
use crate::trees::contents::{ContentStore, Contents};
use crate::trees::entry::{EntryKind, TreeEntry};
use crate::trees::tree::Tree;
use crate::trees::tree_error::TreeError;
use crate::trees::tree_path::TreePath;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::{fs, io};

/// Why a revision cannot be read as a tree.
#[derive(Debug, thiserror::Error)]
pub enum NoRevisionTree {
    /// Git does not list it.
    #[error(transparent)]
    Listing(#[from] NoTree),
    /// It lists entries that cannot be in one tree.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The revision is not from git.
    #[error(transparent)]
    NotACommit(#[from] NotAnObjectId),
}

impl NoRevisionTree {
    /// Whether an object of this revision is missing, as in a damaged or partial repository. Other revisions can be read all the same.
    pub(super) fn is_missing_object(&self) -> bool {
        const SAYINGS: [&str; 5] =
            ["not a tree object", "unable to read", "bad object", "could not read", "missing"];
        match self {
            NoRevisionTree::Listing(NoTree::Git(GitFailed::Refused { said, .. })) => {
                let said = said.to_ascii_lowercase();
                SAYINGS.iter().any(|saying| said.contains(saying))
            }
            _ => false,
        }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            NoRevisionTree::Listing(error) => error.hint(),
            NoRevisionTree::Tree(error) => Some(error.hint().to_owned()),
            NoRevisionTree::NotACommit(_) => None,
        }
    }
}

/// A blob of a repository.
#[derive(Debug)]
struct Blob {
    objects: Arc<Mutex<Objects>>,
    id: ObjectId,
}

impl Contents for Blob {
    fn read(&self) -> io::Result<Arc<[u8]>> {
        let mut objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        objects.blob(self.id).map(Arc::from).map_err(unread)
    }

    fn identity(&self) -> Option<&[u8]> {
        Some(self.id.as_bytes())
    }

    fn store(&self) -> Option<Arc<dyn ContentStore>> {
        Some(Arc::clone(&self.objects) as Arc<dyn ContentStore>)
    }
}

/// A missing object is not found; that says nothing about other objects.
fn unread(error: NoObject) -> io::Error {
    match error {
        missing @ NoObject::Missing(_) => io::Error::new(io::ErrorKind::NotFound, missing),
        error => io::Error::other(error),
    }
}

/// With this many contents, a reader of their own is started, so that nobody else waits for all of them.
const MANY: usize = 64;

impl ContentStore for Mutex<Objects> {
    fn read_each(
        &self,
        identities: &[&[u8]],
        pass_on: &mut dyn FnMut(usize, Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        let ids: Option<Vec<ObjectId>> = identities.iter().map(|bytes| ObjectId::from_bytes(bytes)).collect();
        let ids = ids.ok_or(io::ErrorKind::InvalidInput)?;
        let shared = || self.lock().unwrap_or_else(PoisonError::into_inner);
        if ids.len() < MANY {
            for (number, id) in ids.into_iter().enumerate() {
                let content = shared().blob(id).map_err(unread)?;
                pass_on(number, content)?;
            }
            return Ok(());
        }
        let repository = shared().repository().clone();
        let mut objects = repository.objects().map_err(io::Error::other)?;
        let (mut number, mut passed) = (0, Ok(()));
        let read = objects.blobs(&ids, |_, content| {
            if passed.is_ok() {
                passed = content.map_err(unread).and_then(|content| pass_on(number, content));
            }
            number += 1;
        });
        passed.and(read.map_err(io::Error::other))
    }
}

/// The commit of a submodule stands for its files, which are in another repository.
#[derive(Debug)]
struct SubmoduleCommit(ObjectId);

impl Contents for SubmoduleCommit {
    fn read(&self) -> io::Result<Arc<[u8]>> {
        Ok(self.0.to_string().into_bytes().into())
    }

    fn identity(&self) -> Option<&[u8]> {
        Some(self.0.as_bytes())
    }
}

/// A file of the working tree that differs from git's index.
#[derive(Debug)]
struct InWorkTree {
    path: PathBuf,
    size: u64,
    kept: OnceLock<PathBuf>,
}

impl Contents for InWorkTree {
    fn read(&self) -> io::Result<Arc<[u8]>> {
        fs::read(self.kept.get().unwrap_or(&self.path)).map(Arc::from)
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

/// The working tree as a tree to be compared.
///
/// # Errors
/// If something in it cannot be read.
pub fn tree_of_working_files(
    repository: &Repository,
    files: &WorkingTree,
    objects: &Arc<Mutex<Objects>>,
) -> Result<Tree, NoRevisionTree> {
    let top = repository.work_tree().unwrap_or(repository.git_dir());
    let mut tree = Tree::empty();
    for file in &files.files {
        let path = TreePath::new(&file.path).map_err(TreeError::from)?;
        let kind = kind_of(file.mode);
        let place = top.join(path.as_path());
        let unreadable = |source| TreeError::Unreadable { path: place.clone(), source };
        let contents: Arc<dyn Contents> = match (&file.content, kind) {
            (WorkingContent::Stored(id), EntryKind::Submodule) => Arc::new(SubmoduleCommit(*id)),
            (WorkingContent::Stored(id), _) => Arc::new(Blob { objects: Arc::clone(objects), id: *id }),
            (WorkingContent::OnDisk, EntryKind::Symlink) => {
                let target = fs::read_link(&place).map_err(unreadable)?;
                Arc::new(Arc::<[u8]>::from(target.as_os_str().as_bytes()))
            }
            (WorkingContent::OnDisk, _) => {
                let size = fs::symlink_metadata(&place).map_err(unreadable)?.len();
                Arc::new(InWorkTree { path: place, size, kept: OnceLock::new() })
            }
        };
        tree.insert(path, TreeEntry { kind, contents })?;
    }
    Ok(tree)
}

fn kind_of(mode: Mode) -> EntryKind {
    match mode {
        Mode::Regular => EntryKind::PLAIN,
        Mode::Executable => EntryKind::File { executable: true },
        Mode::Symlink => EntryKind::Symlink,
        Mode::Submodule => EntryKind::Submodule,
    }
}

impl Repository {
    /// The tree of a commit. Trees that are to be compared should share the reader of objects.
    ///
    /// # Errors
    /// If git does not list it, or it has paths that would leave a workspace.
    pub fn tree_of(&self, commit: ObjectId, objects: &Arc<Mutex<Objects>>) -> Result<Tree, NoRevisionTree> {
        let mut entries = Vec::new();
        for entry in self.tree(commit)?.entries() {
            entries.push(tree_entry(entry, objects)?);
        }
        Ok(Tree::of_sorted(entries)?)
    }

    /// The tree of a commit, made from the tree of another commit and what differs. Faster if the two are similar.
    ///
    /// # Errors
    /// If git does not list the differences, or there are paths that would leave a workspace.
    pub(super) fn tree_from(
        &self,
        (other, tree): (ObjectId, &Tree),
        commit: ObjectId,
        objects: &Arc<Mutex<Objects>>,
    ) -> Result<Tree, NoRevisionTree> {
        let changes = self.diff_without_renames(other, commit)?;
        let mut tree = tree.clone();
        for before in changes.iter().filter_map(|change| change.before.as_ref()) {
            tree.remove(&TreePath::new(&before.path).map_err(TreeError::from)?);
        }
        for after in changes.iter().filter_map(|change| change.after.as_ref()) {
            let (path, entry) = tree_entry(after, objects)?;
            tree.insert(path, entry)?;
        }
        Ok(tree)
    }
}

fn tree_entry(
    entry: &GitTreeEntry,
    objects: &Arc<Mutex<Objects>>,
) -> Result<(TreePath, TreeEntry), TreeError> {
    let kind = kind_of(entry.mode);
    let contents: Arc<dyn Contents> = match kind {
        EntryKind::Submodule => Arc::new(SubmoduleCommit(entry.id)),
        _ => Arc::new(Blob { objects: Arc::clone(objects), id: entry.id }),
    };
    Ok((TreePath::new(&entry.path)?, TreeEntry { kind, contents }))
}
