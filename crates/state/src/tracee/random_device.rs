//! Devices that give random numbers: memory of ours with the same numbers in all runs, which a program opens instead.

use super::randomness::FixedNumbers;
use nix::sys::memfd::{MFdFlags, memfd_create};
use std::ffi::CString;
use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The paths of the devices.
const DEVICES: [&str; 2] = ["/dev/random", "/dev/urandom"];
/// The name of the memory, by which its descriptor is recognised; its number follows.
const NAME: &str = "howcome-random-";
/// How much a program can read before the end.
const BYTES: usize = 64 << 10;
/// A program that opens a device more often gets numbers that it has already got.
const MOST: usize = 64;

/// The memory for the first, second, … time that a program opens a device. All runs share it, so that a device has the same path in all of them.
static OPENED: Mutex<Vec<File>> = Mutex::new(Vec::new());

/// Whether a path is such a device.
pub(super) fn is_random_device(path: &Path) -> bool {
    DEVICES.iter().any(|device| path == Path::new(device))
}

/// The path that a program opens instead if it has opened devices this number of times. `None` if there is no memory.
pub(super) fn random_numbers(times: usize) -> Option<PathBuf> {
    let number = times % MOST;
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    while opened.len() <= number {
        let name = CString::new(format!("{NAME}{}", opened.len())).ok()?;
        let mut file = memfd_create(name.as_c_str(), MFdFlags::MFD_CLOEXEC).map(File::from).ok()?;
        file.write_all(&FixedNumbers::of_device(opened.len() as u64).draw(BYTES)).ok()?;
        opened.push(file);
    }
    Some(path(&opened[number]))
}

/// The path with which a copy of a program opens what this descriptor of the program is open for.
pub(super) fn path_of_link(link: &Path) -> Option<PathBuf> {
    let number = link.to_str()?.strip_prefix("/memfd:")?.strip_prefix(NAME)?.split(' ').next()?;
    let opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    opened.get(number.parse::<usize>().ok()?).map(path)
}

fn path(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()))
}
