//! Where the file system puts new folders.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::os::fd::AsRawFd;
use std::path::Path;

/// Asks the file system to put the folders in this folder far from each other, as `chattr +T` does.
///
/// Ext4 puts a folder near its parent. Without a journal, it does not reuse a deleted file for minutes, and for each new file it
/// searches all places where one was deleted nearby. After a run that removed a copy of thousands of files, writing the next copy
/// near the same place would take ten times as long.
#[allow(unsafe_code)]
pub(crate) fn keep_folders_apart(folder: &Path) {
    let Ok(folder) = File::open(folder) else { return };
    // Some file systems write an `int`, others a `long`.
    let mut flags: nix::libc::c_long = 0;
    // SAFETY: both requests read or write one integer, to which the pointer points. Other file systems refuse them.
    unsafe {
        if nix::libc::ioctl(folder.as_raw_fd(), nix::libc::FS_IOC_GETFLAGS, &raw mut flags) == 0 {
            flags |= TOP_OF_HIERARCHIES;
            nix::libc::ioctl(folder.as_raw_fd(), nix::libc::FS_IOC_SETFLAGS, &raw const flags);
        }
    }
}

/// `FS_TOPDIR_FL` of linux/fs.h.
const TOP_OF_HIERARCHIES: nix::libc::c_long = 0x0002_0000;

/// The name of a folder that is kept apart from others. The file system chooses the place by the name, so it is a new one each time.
pub(crate) fn name_of_its_own(number: usize) -> String {
    format!("{number}-{:08x}", RandomState::new().hash_one(number) as u32)
}
