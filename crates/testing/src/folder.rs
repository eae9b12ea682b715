//! What is in a folder.

use std::fs;
use std::path::Path;

/// The names of all that is in a folder, in order.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
    let mut names: Vec<String> =
        entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
