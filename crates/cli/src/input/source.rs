//! The input as it is on disk.

use crate::failure::Failure;
use howcome_input::{Document, Part, Piece, What};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads files and folders, each under its own name.
pub(crate) fn read(files: &[PathBuf]) -> Result<Document, Failure> {
    let mut pieces = Vec::new();
    for path in files {
        let name = path.file_name().ok_or_else(|| {
            Failure::wrong_use(format!("{} has no name that a candidate could have", path.display()))
        })?;
        add(path, name.to_owned(), &mut pieces)?;
    }
    Ok(Document::new(pieces))
}

/// Reads what a run has kept of its input.
pub(crate) fn read_saved(folder: &Path, files: &[PathBuf]) -> Result<Document, Failure> {
    let names = files.iter().filter_map(|path| path.file_name());
    read(&names.map(|name| folder.join(name)).collect::<Vec<_>>())
}

fn add(path: &Path, name: OsString, pieces: &mut Vec<Piece>) -> Result<(), Failure> {
    let failed = |error: &std::io::Error| Failure::file(path, error);
    let is_named =
        fs::symlink_metadata(path).map_err(|error| failed(&error))?.is_symlink() && !pieces.is_empty();
    if is_named {
        let target = fs::read_link(path).map_err(|error| failed(&error))?;
        pieces.push(Piece { name, inside: 0, mode: 0, what: What::Link(target) });
        return Ok(());
    }
    let metadata = fs::metadata(path).map_err(|error| failed(&error))?;
    if metadata.is_file() {
        let bytes = fs::read(path).map_err(|error| failed(&error))?;
        let what = What::Part(Arc::new(Part::of(&name, bytes)));
        pieces.push(Piece { name, inside: 0, mode: metadata.permissions().mode() & 0o777, what });
    } else if metadata.is_dir() {
        let at = pieces.len();
        pieces.push(Piece { name, inside: 0, mode: 0o755, what: What::Folder });
        let entries = fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        let mut names: Vec<OsString> =
            entries.map_err(|error| failed(&error))?.into_iter().map(|entry| entry.file_name()).collect();
        names.sort();
        for name in names {
            add(&path.join(&name), name, pieces)?;
        }
        pieces[at].inside = (pieces.len() - at - 1) as u32;
    } else {
        return Err(Failure::wrong_use(format!("{} is neither a file nor a folder", path.display()))
            .hint("copy what it gives into a file, and name that"));
    }
    Ok(())
}

/// `bug.min.c` beside `bug.c`.
pub(crate) fn smaller_name(path: &Path) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".min");
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Better now than after the whole search.
pub(crate) fn check_output(path: &Path, files: &[PathBuf]) -> Result<(), Failure> {
    let same =
        |file: &PathBuf| matches!((path.canonicalize(), file.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if files.iter().any(same) {
        return Err(Failure::wrong_use("the answer would be written over the input")
            .hint("name another file behind -o"));
    }
    crate::options::can_be_written(path)
}
