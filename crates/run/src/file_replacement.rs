//! Replaces a file as a whole.

use crate::Problem;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A file that takes the place of another one in a single step.
///
/// It is written under a new, unique name beside the place, flushed to the disk, and renamed. So there is always a whole
/// file in the place, the old one or the new one, even after a crash; and no other file of the user is touched.
#[derive(Clone, Debug)]
pub struct FileReplacement {
    place: PathBuf,
    mode: Option<u32>,
    is_flushed: bool,
    /// The place is a terminal, a pipe or a device. It is written to, not replaced.
    is_stream: bool,
}

impl FileReplacement {
    /// A file of howcome's own.
    #[must_use]
    pub fn at(place: &Path) -> Self {
        Self { place: place.to_owned(), mode: None, is_flushed: true, is_stream: false }
    }

    /// A file that the user named. A link stays a link to the same file, a file keeps its permissions, and a terminal or a pipe is
    /// written to.
    #[must_use]
    pub fn at_users_path(path: &Path) -> Self {
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let found = fs::metadata(&place).ok();
        let is_stream = found.as_ref().is_some_and(|found| !found.is_file() && !found.is_dir());
        let mode = found.filter(fs::Metadata::is_file).map(|found| found.permissions().mode());
        Self { place, mode, is_flushed: true, is_stream }
    }

    /// With these permissions, whatever the user's mask is.
    #[must_use]
    pub fn with_mode(mut self, mode: u32) -> Self {
        self.mode = Some(mode);
        self
    }

    /// For files that are replaced often, and can be made again after a crash of the machine.
    #[must_use]
    pub fn without_flush(mut self) -> Self {
        self.is_flushed = false;
        self
    }

    /// Writes the content and puts it into its place.
    ///
    /// # Errors
    /// If it cannot be written. The old file is still there in that case.
    pub fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        if self.is_stream {
            let mut stream = BufWriter::new(File::options().write(true).open(&self.place)?);
            write(&mut stream)?;
            return stream.flush();
        }
        let folder = self.place.parent().filter(|folder| !folder.as_os_str().is_empty());
        // The permissions of any new file, which the user's umask restricts.
        let everyone = Permissions::from_mode(0o666);
        // The file is created exclusively, which neither opens an existing file nor follows a link.
        let new = tempfile::Builder::new()
            .prefix(".howcome-")
            .permissions(everyone)
            .tempfile_in(folder.unwrap_or(Path::new(".")))?;
        let mut buffer = BufWriter::with_capacity(1 << 16, new);
        write(&mut buffer)?;
        let new = buffer.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(mode) = self.mode {
            new.as_file().set_permissions(Permissions::from_mode(mode & 0o7777))?;
        }
        if self.is_flushed {
            flush_to_disk(new.as_file())?;
        }
        new.persist(&self.place).map_err(|error| error.error)?;
        Ok(())
    }

    /// Writes these bytes.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn write_bytes(&self, bytes: &[u8]) -> io::Result<()> {
        self.write(|file| file.write_all(bytes))
    }
}

/// Some file systems have no disk to write to, and say so.
fn flush_to_disk(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        flushed => flushed,
    }
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
    use std::os::unix::fs::symlink;

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_file_that_cannot_be_written_completely_stays_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answer");
        FileReplacement::at(&path).write_bytes(b"first").unwrap();
        let failed = FileReplacement::at(&path).write(|file| {
            file.write_all(b"sec")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(names_in(folder.path()), ["answer"], "no temporary file is left");
    }

    #[test]
    fn a_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let (new, usual) = (folder.path().join("new"), folder.path().join("usual"));
        FileReplacement::at_users_path(&new).write_bytes(b"x").unwrap();
        fs::write(&usual, b"x").unwrap();
        assert_eq!(mode(&new), mode(&usual));
        fs::set_permissions(&new, Permissions::from_mode(0o600)).unwrap();
        FileReplacement::at_users_path(&new).write_bytes(b"y").unwrap();
        assert_eq!(mode(&new), 0o600);
        FileReplacement::at(&new).with_mode(0o755).write_bytes(b"z").unwrap();
        assert_eq!(mode(&new), 0o755);
    }

    #[test]
    fn a_link_stays_a_link_to_the_same_file_and_files_with_similar_names_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let here = |name: &str| folder.path().join(name);
        fs::write(here("precious"), "precious").unwrap();
        fs::write(here("answer.new"), "mine").unwrap();
        symlink("precious", here("answer.tmp")).unwrap();
        symlink("real", here("answer")).unwrap();
        fs::write(here("real"), "old").unwrap();
        FileReplacement::at_users_path(&here("answer")).write_bytes(b"new").unwrap();
        assert_eq!(fs::read_link(here("answer")).unwrap(), Path::new("real"));
        let text = |name| fs::read_to_string(here(name)).unwrap();
        assert_eq!(
            (text("real"), text("precious"), text("answer.new")),
            ("new".into(), "precious".into(), "mine".into())
        );
        assert_eq!(names_in(folder.path()), ["answer", "answer.new", "answer.tmp", "precious", "real"]);
    }

    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        FileReplacement::at_users_path(Path::new("/dev/null")).write_bytes(b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
