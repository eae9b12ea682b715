//! Reading files that a job can write. The job can replace them by links to files of the host, by pipes that block, or by files that
//! never end.

use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, fstat, open, openat2};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Opens a plain file below a folder. No part of the path may be a link.
pub(crate) fn open_guarded(folder: &Path, path: &Path) -> io::Result<File> {
    let folder = open(folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let file = openat2(&folder, path, flags, Mode::empty(), resolve)?;
    match FileType::from_raw_mode(fstat(&file)?.st_mode) {
        FileType::RegularFile => Ok(File::from(file)),
        _ => Err(io::Error::other("not a plain file")),
    }
}

/// Reads a file as far as a limit. Returns whether it is longer than that as well.
pub(crate) fn read_guarded(folder: &Path, path: &Path, limit: u64) -> io::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    open_guarded(folder, path)?.take(limit + 1).read_to_end(&mut bytes)?;
    let is_longer = bytes.len() as u64 > limit;
    bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok((bytes, is_longer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_pipes_folders_and_paths_that_leave_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        fs::create_dir_all(inside.join("real")).unwrap();
        fs::write(folder.path().join("secret"), "secret").unwrap();
        fs::write(inside.join("real/file"), "text").unwrap();
        symlink("../secret", inside.join("link")).unwrap();
        symlink("real", inside.join("folder-link")).unwrap();
        nix::unistd::mkfifo(&inside.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        for path in ["link", "folder-link/file", "../secret", "/etc/passwd", "pipe", "real", "missing"] {
            assert!(read_guarded(&inside, Path::new(path), 100).is_err(), "{path}");
        }
        assert_eq!(read_guarded(&inside, Path::new("real/file"), 100).unwrap(), (b"text".to_vec(), false));
        assert_eq!(read_guarded(&inside, Path::new("real/file"), 2).unwrap(), (b"te".to_vec(), true));
    }
}
