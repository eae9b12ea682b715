//! Replaces a file as a whole.

use crate::Problem;
use std::fs::Permissions;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a temporary file next to `path` and renames it. So the file at `path` is always either the old one or the new
/// one, and no other file of the user is touched.
///
/// # Errors
/// If the new file cannot be written. The old file is still there in that case.
pub fn replace_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    replace(path, None, write)
}

/// The same with these permissions, whatever the user's mask is.
///
/// # Errors
/// If it cannot be written. The old file is still there then.
pub fn replace_file_with_mode(
    path: &Path,
    mode: u32,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    replace(path, Some(mode), write)
}

fn replace(
    path: &Path,
    mode: Option<u32>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The permissions of any new file, which the user's umask restricts.
    let everyone = Permissions::from_mode(0o666);
    let new = tempfile::Builder::new().prefix(".howcome-").permissions(everyone).tempfile_in(folder)?;
    let mut buffer = BufWriter::with_capacity(1 << 16, new);
    write(&mut buffer)?;
    let new = buffer.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(mode) = mode {
        new.as_file().set_permissions(Permissions::from_mode(mode))?;
    }
    new.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Whether an answer can be written to a file at `path`, so that no search is wasted.
///
/// # Errors
/// If `path` is a folder, or the folder of the file does not exist.
pub fn can_be_written(path: &Path) -> Result<(), Problem> {
    if path.is_dir() {
        return Err(Problem::new(format!("{} is a folder; the answer goes to a file", path.display())));
    }
    match path.parent() {
        Some(folder) if !folder.is_dir() => {
            Err(Problem::new(format!("{}: no such folder", folder.display()))
                .hint("create the folder, or name another file after -o"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_that_cannot_be_written_completely_stays_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answer");
        replace_file(&path, |file| file.write_all(b"first")).unwrap();
        let failed = replace_file(&path, |file| {
            file.write_all(b"sec")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn a_new_file_has_the_usual_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let (new, usual) = (folder.path().join("new"), folder.path().join("usual"));
        replace_file(&new, |file| file.write_all(b"x")).unwrap();
        fs::write(&usual, b"x").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&new), mode(&usual));
    }
}
