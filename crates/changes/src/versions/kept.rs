//! Versions that are not commits, as they were when a run began: a working tree, a folder, a patched version. What differs from
//! a base that can be read again is copied into the folder of the run, so that the run does not depend on later edits.

use crate::trees::contents::OnDisk;
use crate::trees::entry::{EntryKind, TreeEntry};
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_run::Problem;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file that says what is in the folder. It is written last.
const LIST: &str = "list";
/// The first record of the list.
const VERSION: &[u8] = b"howcome tree 1";
/// More is not copied: then the version must stay as it is while the run lasts.
const MOST_BYTES: u64 = 256 << 20;

/// Those of two versions that are not commits, as they are without common files.
#[derive(Clone, Debug, Default)]
pub struct UncommittedVersions(pub(super) Vec<(ComparedSide, Tree)>);

/// One of the two versions, and the name of the folder in which it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComparedSide {
    Good,
    Bad,
}

impl ComparedSide {
    pub(super) fn folder(self, kept: &Path) -> PathBuf {
        kept.join(match self {
            ComparedSide::Good => "good",
            ComparedSide::Bad => "bad",
        })
    }
}

/// Keeps a version in a new folder. From now on its files are read from there. Returns whether there was little enough to be kept.
///
/// # Errors
/// If a file cannot be read or written.
pub(crate) fn keep_tree(tree: &Tree, base: &Tree, folder: &Path) -> io::Result<bool> {
    let is_same = |path: &TreePath, entry: &TreeEntry| {
        base.get(path).is_some_and(|base| {
            let is_one = Arc::ptr_eq(&base.contents, &entry.contents);
            let is_alike =
                entry.contents.identity().is_some() && base.contents.identity() == entry.contents.identity();
            base.kind == entry.kind && (is_one || is_alike)
        })
    };
    let changed: Vec<(&TreePath, &TreeEntry)> =
        tree.iter().filter(|(path, entry)| !is_same(path, entry)).collect();
    let size = |entry: &TreeEntry| match entry.contents.size() {
        Some(size) => Ok(size),
        None => entry.contents.read().map(|bytes| bytes.len() as u64),
    };
    let mut bytes = 0;
    for (_, entry) in &changed {
        bytes += size(entry)?;
        if bytes > MOST_BYTES {
            return Ok(false);
        }
    }
    fs::create_dir_all(folder)?;
    let mut list = VERSION.to_vec();
    for (number, (path, entry)) in changed.iter().enumerate() {
        let file = folder.join(number.to_string());
        if !entry.contents.keep_at(&file)? {
            fs::write(&file, entry.contents.read()?)?;
        }
        list.extend([b"\0", entry.kind.git_mode().as_bytes(), b" ", path.as_bytes()].concat());
    }
    for (path, _) in base.iter().filter(|(path, _)| tree.get(path).is_none()) {
        list.extend([b"\0gone ", path.as_bytes()].concat());
    }
    fs::write(folder.join(LIST), list)?;
    Ok(true)
}

/// Whether a version is kept there.
pub(crate) fn is_kept(folder: &Path) -> bool {
    folder.join(LIST).is_file()
}

/// The version that is kept in a folder, with the same base.
///
/// # Errors
/// If the folder is not as it was written.
pub(crate) fn kept_tree(base: &Tree, folder: &Path) -> Result<Tree, Problem> {
    let list = fs::read(folder.join(LIST)).map_err(|error| Problem::with_file(folder, &error))?;
    let damaged =
        || Problem::new(format!("{} is damaged", folder.join(LIST).display())).hint("start a new run");
    let mut records = list.split(|byte| *byte == 0);
    if records.next() != Some(VERSION) {
        return Err(damaged());
    }
    let root: Arc<Path> = Arc::from(folder);
    let (mut gone, mut kept) = (Vec::new(), Vec::new());
    for (number, record) in records.enumerate() {
        let space = record.iter().position(|byte| *byte == b' ').ok_or_else(damaged)?;
        let path = TreePath::new(&record[space + 1..]).map_err(|_| damaged())?;
        let kind = match &record[..space] {
            b"gone" => {
                gone.push(path);
                continue;
            }
            b"100644" => EntryKind::PLAIN,
            b"100755" => EntryKind::File { executable: true },
            b"120000" => EntryKind::Symlink,
            b"160000" => EntryKind::Submodule,
            _ => return Err(damaged()),
        };
        let name = TreePath::new(number.to_string().as_bytes()).map_err(|_| damaged())?;
        let file = folder.join(name.as_path());
        let size = fs::metadata(&file).map_err(|error| Problem::with_file(&file, &error))?.len();
        let contents = Arc::new(OnDisk::new(Arc::clone(&root), name, size));
        kept.push((path, TreeEntry { kind, contents }));
    }
    let mut tree = base.clone();
    tree.retain(|path| gone.binary_search(path).is_err());
    // A file can have become a folder, or a folder a file.
    tree.retain(|path| kept.binary_search_by(|(kept, _)| kept.cmp(path)).is_err());
    for (path, entry) in kept {
        tree.insert(path, entry).map_err(|error| Problem::hinted(&error, Some(error.hint().to_owned())))?;
    }
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_version_is_the_same_again_whatever_becomes_of_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("source");
        fs::create_dir_all(source.join("a")).unwrap();
        fs::write(source.join("a/b"), "1").unwrap();
        fs::write(source.join("new"), "2").unwrap();
        let version = Tree::of_directory(&source, |_| false).unwrap();
        // `a` was a file, and another file is gone.
        let base = Tree::of_texts(&[("a", "file"), ("gone", "x")]);
        let kept = folder.path().join("kept");
        let before = version.texts();
        assert!(keep_tree(&version, &base, &kept).unwrap());
        fs::write(source.join("a/b"), "edited").unwrap();
        fs::remove_file(source.join("new")).unwrap();
        assert_eq!(version.texts(), before, "the version itself reads what was kept");
        assert_eq!(kept_tree(&base, &kept).unwrap().texts(), before);
        fs::write(kept.join(LIST), "something else").unwrap();
        assert!(kept_tree(&base, &kept).is_err());
    }
}
