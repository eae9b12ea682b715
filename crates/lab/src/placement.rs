//! Where the file system puts new folders.

use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::time::{Duration, Instant};

/// Asks the file system to put the folders in this folder far from each other, as `chattr +T` does. Returns whether it will.
///
/// Ext4 puts a folder near its parent. Without a journal, it does not reuse a deleted file for minutes, and for each new file it
/// searches all places where one was deleted nearby. After a run that removed a copy of thousands of files, writing the next copy
/// near the same place would take ten times as long.
#[allow(unsafe_code)]
pub(crate) fn keep_folders_apart(folder: &Path) -> bool {
    let Ok(folder) = File::open(folder) else { return false };
    // Some file systems write an `int`, others a `long`.
    let mut flags: nix::libc::c_long = 0;
    // SAFETY: both requests read or write one integer, to which the pointer points. Other file systems refuse them.
    unsafe {
        nix::libc::ioctl(folder.as_raw_fd(), nix::libc::FS_IOC_GETFLAGS, &raw mut flags) == 0 && {
            flags |= TOP_OF_HIERARCHIES;
            nix::libc::ioctl(folder.as_raw_fd(), nix::libc::FS_IOC_SETFLAGS, &raw const flags) == 0
        }
    }
}

/// `FS_TOPDIR_FL` of linux/fs.h.
const TOP_OF_HIERARCHIES: nix::libc::c_long = 0x0002_0000;

/// It takes less than this to make a folder, unless many files were deleted nearby.
const SOON: Duration = Duration::from_micros(100);

const MOST_TRIES: u32 = 8;

/// The name of a folder that is kept apart from others. The file system chooses the place by the name, so it is a new one each time.
pub(crate) fn name_of_its_own(number: usize) -> String {
    format!("{number}-{:08x}", RandomState::new().hash_one(number) as u32)
}

/// The name of a folder that does not exist yet. If the file system keeps folders apart, it chooses the place by the name, so this is
/// a name for which it chooses a place where little was deleted.
pub(crate) fn name_of_good_place(root: &Path, number: usize, are_apart: bool) -> String {
    let name = || name_of_its_own(number);
    let mut best = (Duration::MAX, name());
    for _ in 0..if are_apart { MOST_TRIES } else { 0 } {
        let name = name();
        let Ok(took) = time_to_make(&root.join(&name)) else { break };
        if took < best.0 {
            best = (took, name);
        }
        if took < SOON {
            break;
        }
    }
    best.1
}

/// How long it takes to make a folder there, which is removed again.
fn time_to_make(folder: &Path) -> io::Result<Duration> {
    fs::create_dir(folder)?;
    let began = Instant::now();
    let made = fs::create_dir(folder.join("probe"));
    let took = began.elapsed();
    let _ = fs::remove_dir(folder.join("probe"));
    fs::remove_dir(folder)?;
    made.map(|()| took)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_free_and_nothing_stays_of_the_search_for_it() {
        let root = tempfile::tempdir().unwrap();
        let are_apart = keep_folders_apart(root.path());
        let names = [0, 0, 1].map(|number| name_of_good_place(root.path(), number, are_apart));
        assert!(names[0] != names[1] && names[2].starts_with("1-"), "{names:?}");
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }
}
