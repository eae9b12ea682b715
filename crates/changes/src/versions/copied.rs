//! Files of the user's folder that every version gets.

use crate::trees::entry::{EntryKind, TreeEntry};
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_run::Problem;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Files that no version has but every test needs, from the user's folder.
///
/// # Errors
/// If a file cannot be read, or is outside that folder.
pub fn copied_files(also: &[PathBuf], here: &Path) -> Result<Vec<(TreePath, TreeEntry)>, Problem> {
    let mut entries = Vec::new();
    for path in also {
        let from = here.join(path);
        let name = |path: &Path| {
            TreePath::new(path.as_os_str().as_bytes())
                .map_err(|error| Problem::hinted(&error, Some(error.hint().to_owned())))
        };
        if path.is_absolute() {
            return Err(Problem::new(format!("{} is not a path inside the current folder", path.display())).hint(
                "--copy takes paths relative to the current folder; the copy gets the same path in every version",
            ));
        }
        let own = without_dots(path);
        if from.is_dir() {
            let tree = Tree::of_directory(&from, |_| false)
                .map_err(|error| Problem::hinted(&error, Some(error.hint().to_owned())))?;
            for (below, entry) in tree.iter() {
                entries.push((name(&own.join(below.as_path()))?, entry.clone()));
            }
        } else {
            let entry = copied_file(&from)?;
            entries.push((name(&own)?, entry));
        }
    }
    Ok(entries)
}

/// A file of the user's folder as an entry.
///
/// # Errors
/// If it cannot be read.
pub fn copied_file(from: &Path) -> Result<TreeEntry, Problem> {
    let bytes = fs::read(from).map_err(|error| Problem::with_file(from, &error))?;
    let executable = from.metadata().is_ok_and(|found| found.permissions().mode() & 0o100 != 0);
    Ok(TreeEntry::of_bytes(EntryKind::File { executable }, &bytes))
}

fn without_dots(path: &Path) -> PathBuf {
    path.components().filter(|part| part.as_os_str() != OsStr::new(".")).collect()
}
