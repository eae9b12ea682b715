//! Temporary folders for copies of files. None stays for long, even if howcome is killed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

const PREFIX: &str = "howcome-state-";
/// Locked as long as the folder is in use.
const LOCK: &str = "lock";

/// The folders that are in use.
static IN_USE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder that is removed with this value. If howcome is killed before, the next folder that is made removes it.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// As long as this is open, no other process removes the folder.
    _lock: File,
}

impl Folder {
    /// A new folder in the folder for temporary files.
    pub(crate) fn new_in(temp_folder: &Path) -> io::Result<Self> {
        static LEFT_BEHIND: Once = Once::new();
        LEFT_BEHIND.call_once(|| remove_left_behind(temp_folder));
        let path = tempfile::Builder::new().prefix(PREFIX).tempdir_in(temp_folder)?.keep();
        let lock = File::create(path.join(LOCK))?;
        lock.lock()?;
        in_use(|folders| folders.push(path.clone()));
        Ok(Self { path, _lock: lock })
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed now is removed later.
        let _ = fs::remove_dir_all(&self.path);
        in_use(|folders| folders.retain(|path| *path != self.path));
    }
}

/// Removes all copies of files that altered runs have written to, for a process that is about to exit.
pub fn remove_copies() {
    in_use(|folders| {
        for path in folders.drain(..) {
            // A run that is still writing can add something once or twice.
            let _ = (0..3).find(|_| fs::remove_dir_all(&path).is_ok());
        }
    });
}

fn in_use(change: impl FnOnce(&mut Vec<PathBuf>)) {
    change(&mut IN_USE.lock().unwrap_or_else(PoisonError::into_inner));
}

/// Removes the folders of processes that were killed.
fn remove_left_behind(temporary: &Path) {
    let Ok(entries) = fs::read_dir(temporary) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        // Without a lock it is still being made, or it is not ours.
        let Some(lock) = is_folder.then(|| File::open(entry.path().join(LOCK)).ok()).flatten() else {
            continue;
        };
        if lock.try_lock().is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_a_killed_process_left_behind_is_removed_and_what_is_in_use_stays() {
        let temporary = tempfile::tempdir().unwrap();
        let [left, used, other] =
            ["howcome-state-a", "howcome-state-b", "another"].map(|name| temporary.path().join(name));
        for folder in [&left, &used, &other] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join(LOCK), "").unwrap();
        }
        let lock = File::open(used.join(LOCK)).unwrap();
        lock.lock().unwrap();
        remove_left_behind(temporary.path());
        assert_eq!([left.exists(), used.exists(), other.exists()], [false, true, true]);
    }
}
