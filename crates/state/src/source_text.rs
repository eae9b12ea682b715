//! The source text of a program.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// The text of a file, or else of the file below a folder whose path has the most last components in common with it: the program can
/// have been compiled elsewhere.
pub(crate) fn read_source(file: &Path, folder: &Path) -> Option<String> {
    let components: Vec<_> = file.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    let moved =
        (0..components.len()).map(|skipped| folder.join(components[skipped..].iter().collect::<PathBuf>()));
    [file.to_owned()].into_iter().chain(moved).find_map(|path| fs::read_to_string(path).ok())
}
