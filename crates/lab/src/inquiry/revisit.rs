//! Makes candidates of a run again, for people.

use howcome_run::{Entry, Problem, journal_path, read_journal};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns an empty folder for a candidate, and creates it if necessary. A folder with files in it is refused, because
/// they might be the user's.
///
/// # Errors
/// If the folder cannot be created, or is not empty.
pub fn empty_folder(path: &Path) -> Result<PathBuf, Problem> {
    fs::create_dir_all(path).map_err(|error| Problem::with_file(path, &error))?;
    let path = path.canonicalize().map_err(|error| Problem::with_file(path, &error))?;
    match fs::read_dir(&path).map_err(|error| Problem::with_file(&path, &error))?.next() {
        None => Ok(path),
        Some(_) => Err(Problem::new(format!("{} is not empty", path.display())).hint("name a new folder")),
    }
}

/// Whether the tests of a run ran in a copy of the user's folder.
///
/// # Errors
/// If the record of the run cannot be read.
pub fn was_in_copy(run: &Path) -> Result<bool, Problem> {
    let recorded = read_journal(&journal_path(run))?;
    Ok(recorded.entries.iter().any(|entry| matches!(entry, Entry::Test(info) if info.in_copy)))
}
