//! Documents on disk: the original, the best so far, the answer.

use crate::failure::Failure;
use howcome_input::Document;
use std::fs;
use std::io;
use std::path::Path;

/// Writes all files of a document into a folder, which is made.
pub(crate) fn save(document: &Document, folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    document.write(folder).map_err(|(path, error)| Failure::file(&path, &error))
}

/// At any moment the folder holds a whole document: the old one or the new one.
pub(crate) fn replace(document: &Document, folder: &Path) -> io::Result<()> {
    let new = folder.with_extension("new");
    if new.exists() {
        fs::remove_dir_all(&new)?;
    }
    fs::create_dir_all(&new)?;
    document.write(&new).map_err(|(_, error)| error)?;
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::rename(&new, folder)
}
