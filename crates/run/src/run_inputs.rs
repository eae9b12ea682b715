//! What a run keeps of its input, and whether that is still what it was.

use crate::Content;
use crate::run_dir_error::RunDirError;
use crate::run_file::{InputHashes, RunFile};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The input of a new run, which the run keeps: the original can change.
pub trait RunInputs {
    /// Writes it into the folder of the run.
    ///
    /// # Errors
    /// The path of a file that could not be written, and the reason.
    fn write_into(&self, run: &Path) -> Result<(), (PathBuf, io::Error)>;
}

/// Nothing is kept.
impl RunInputs for () {
    fn write_into(&self, _: &Path) -> Result<(), (PathBuf, io::Error)> {
        Ok(())
    }
}

/// The hashes of all files and folders in a folder, except those with these names.
pub(crate) fn hash_all_in(folder: &Path, except: &[&str]) -> io::Result<InputHashes> {
    let mut hashes = InputHashes::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // The questions choose the names, and all of them are text.
        if let Some(name) = entry.file_name().to_str().filter(|name| !except.contains(name)) {
            hashes.insert(name.to_owned(), hash_of(&entry.path())?);
        }
    }
    Ok(hashes)
}

/// Checks that everything that a run keeps of its input is what it was when the run began.
///
/// # Errors
/// If something has changed, or cannot be read. Something that is missing is reported by whoever needs it.
pub fn check_inputs(run: &Path, file: &RunFile) -> Result<(), RunDirError> {
    for (name, hash) in &file.inputs {
        let path = run.join(name);
        match hash_of(&path) {
            Ok(found) if found == *hash => {}
            Ok(_) => return Err(RunDirError::InputChanged(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(RunDirError::Io { path, source }),
        }
    }
    Ok(())
}

/// The hash of a file, or of everything in a folder.
fn hash_of(path: &Path) -> io::Result<Content> {
    let mut waiting = vec![path.to_owned()];
    let mut entries = Vec::new();
    while let Some(next) = waiting.pop() {
        let found = fs::symlink_metadata(&next)?;
        let name = next.strip_prefix(path).unwrap_or(&next).as_os_str().to_owned();
        if found.is_dir() {
            for entry in fs::read_dir(&next)? {
                waiting.push(entry?.path());
            }
            entries.push((name, "folder", Vec::new()));
        } else if found.is_symlink() {
            entries.push((name, "link", fs::read_link(&next)?.into_os_string().as_bytes().to_vec()));
        } else {
            let kind = if found.permissions().mode() & 0o100 == 0 { "file" } else { "program" };
            // A hash for each, so that not all files are in memory at the same time.
            let content = Content::of([&*fs::read(&next)?]).to_string().into_bytes();
            entries.push((name, kind, content));
        }
    }
    entries.sort();
    // The end of each piece is marked, so that nothing can move from one piece to the next.
    let pieces =
        entries.iter().flat_map(|(name, kind, content)| [OsStr::as_bytes(name), kind.as_bytes(), content]);
    Ok(Content::of(pieces.flat_map(|piece| [piece, b"\0"])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_a_folder_changes_with_every_name_content_and_permission_to_execute() {
        let here = tempfile::tempdir().unwrap();
        let folder = here.path().join("original");
        let path = |name: &str| folder.join(name);
        fs::create_dir_all(path("inside/empty")).unwrap();
        for name in ["a", "inside/b"] {
            fs::write(path(name), name).unwrap();
        }
        let mut hashes = vec![hash_of(&folder).unwrap()];
        let mut look = || hashes.push(hash_of(&folder).unwrap());
        fs::write(path("a"), "").unwrap();
        look();
        fs::rename(path("inside/b"), path("inside/c")).unwrap();
        look();
        fs::set_permissions(path("a"), fs::Permissions::from_mode(0o755)).unwrap();
        look();
        fs::remove_dir(path("inside/empty")).unwrap();
        look();
        std::os::unix::fs::symlink("a", path("link")).unwrap();
        look();
        let different: std::collections::HashSet<_> = hashes.iter().collect();
        assert_eq!(different.len(), hashes.len());
        assert_eq!(hashes.last(), hash_of(&folder).ok().as_ref());
    }
}
