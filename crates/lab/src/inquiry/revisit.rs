//! Candidates made again, for people.

use howcome_run::Problem;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder for a candidate, which is made if there is none. A folder with something in it belongs to somebody.
///
/// # Errors
/// If it cannot be made, or is not empty.
pub fn empty_folder(path: &Path) -> Result<PathBuf, Problem> {
    fs::create_dir_all(path).map_err(|error| Problem::with_file(path, &error))?;
    let path = path.canonicalize().map_err(|error| Problem::with_file(path, &error))?;
    match fs::read_dir(&path).map_err(|error| Problem::with_file(&path, &error))?.next() {
        None => Ok(path),
        Some(_) => Err(Problem::new(format!("{} is not empty", path.display())).hint("name a new folder")),
    }
}
