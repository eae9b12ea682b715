//! Folders and files of the working tree that no version has: what package managers and builds have put there.

use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_lab::LeftOutFolders;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Folders of packages, which are found below the top, too.
const PACKAGES: [&str; 5] = [".venv", "venv", "node_modules", "vendor", ".bundle"];

/// More folders of a version than these are not looked into.
const MOST: usize = 1000;

/// The folders and the files at the top that a version does not have and the working tree has. `copy` are those that every version gets.
#[must_use]
pub(crate) fn left_out_folders(
    version: &Tree,
    top: &Path,
    here: &Path,
    copy: &[PathBuf],
    is_built: bool,
) -> LeftOutFolders {
    let mut found = LeftOutFolders { user_folder: here.to_owned(), is_built, names: Vec::new() };
    // What is copied has the same path from the current folder and from the top.
    if top.canonicalize().ok() != here.canonicalize().ok() {
        return found;
    }
    let is_left_out = |path: &Path| {
        let is_copied =
            copy.iter().any(|copied| path.starts_with(copied.strip_prefix(".").unwrap_or(copied)));
        let tree_path = TreePath::new(path.as_os_str().as_bytes());
        let is_in = |path: TreePath| version.get(&path).is_some() || version.first_below(&path).is_some();
        here.join(path).exists() && !is_copied && tree_path.is_ok_and(|path| !is_in(path))
    };
    let at_top =
        fs::read_dir(here).into_iter().flatten().flatten().map(|entry| PathBuf::from(entry.file_name()));
    let at_top = at_top.filter(|name| ![".git", "howcome.out"].contains(&name.to_str().unwrap_or_default()));
    let folders: BTreeSet<&[u8]> =
        version.iter().flat_map(|(path, _)| path.directories()).take(MOST).collect();
    let below = folders
        .iter()
        .flat_map(|folder| PACKAGES.map(|name| Path::new(OsStr::from_bytes(folder)).join(name)));
    let mut names: Vec<PathBuf> = at_top.chain(below).filter(|path| is_left_out(path)).collect();
    names.sort();
    found.names = names.iter().filter_map(|path| path.to_str().map(str::to_owned)).collect();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_version_lacks_is_left_out_unless_it_is_copied() {
        let here = tempfile::tempdir().unwrap();
        for folder in ["src", ".git", "howcome.out", "node_modules/x", "build", "web/node_modules/y"] {
            fs::create_dir_all(here.path().join(folder)).unwrap();
        }
        fs::write(here.path().join("settings.ini"), "").unwrap();
        let version = Tree::of_texts(&[("src/main.js", ""), ("web/index.js", "")]);
        let names = |copy: &[&str]| {
            let copy: Vec<PathBuf> = copy.iter().map(PathBuf::from).collect();
            left_out_folders(&version, here.path(), here.path(), &copy, false).names
        };
        assert_eq!(names(&[]), ["build", "node_modules", "settings.ini", "web/node_modules"]);
        assert_eq!(names(&["./node_modules"]), ["build", "settings.ini", "web/node_modules"]);
        let below = here.path().join("src");
        assert!(left_out_folders(&version, here.path(), &below, &[], false).names.is_empty());
    }
}
