//! Files that hold something whole at any moment.

use crate::Problem;
use std::fs::Permissions;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a file beside `path` and renames it, so that the file at `path` is the old one or the new one at any moment, and
/// nothing of the user's beside it is touched.
///
/// # Errors
/// If it cannot be written. The old file is still there then.
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
    // As any new file is made, for whoever the user lets read new files.
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
/// If `path` is a folder, or there is no folder to write it to.
pub fn can_be_written(path: &Path) -> Result<(), Problem> {
    if path.is_dir() {
        return Err(Problem::new(format!("{} is a folder; the answer goes to a file", path.display())));
    }
    match path.parent() {
        Some(folder) if !folder.is_dir() => {
            Err(Problem::new(format!("there is no folder {} to write the answer to", folder.display()))
                .hint("make it, or name another file after -o"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_that_cannot_be_written_to_its_end_stays_what_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answer");
        replace_file(&path, |file| file.write_all(b"first")).unwrap();
        let failed = replace_file(&path, |file| {
            file.write_all(b"sec")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn a_new_file_can_be_read_by_whom_the_user_lets_read_new_files() {
        let folder = tempfile::tempdir().unwrap();
        let (new, usual) = (folder.path().join("new"), folder.path().join("usual"));
        replace_file(&new, |file| file.write_all(b"x")).unwrap();
        fs::write(&usual, b"x").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&new), mode(&usual));
    }
}
