//! Files and decompressed sections, kept for as long as anything reads them.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Mutex;

/// Longer files and sections are rejected.
const LONGEST: u64 = 1 << 36;

/// The bytes that the debug information of an image was read from. Every owner of a slice of them also owns this value.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    files: Mutex<Vec<memmap2::Mmap>>,
    sections: Mutex<Vec<Box<[u8]>>>,
}

impl Bytes {
    /// The content of a file.
    pub(super) fn file(&self, path: &Path) -> io::Result<&'static [u8]> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        match metadata.len() {
            0 => return Ok(&[]),
            length if length > LONGEST => return Err(io::Error::other("it is too long")),
            _ => {}
        }
        let map = map(&file)?;
        let slice = outlive(&map);
        self.files.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(map);
        Ok(slice)
    }

    /// Keeps a section that is not stored as it is, because it was compressed.
    pub(super) fn keep(&self, section: Vec<u8>) -> &'static [u8] {
        let section = section.into_boxed_slice();
        let slice = outlive(&section);
        self.sections.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(section);
        slice
    }
}

#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<memmap2::Mmap> {
    // SAFETY: the mapping is private and only read. If a mapped file were truncated, a signal would end howcome; the system
    // does not let a program be written while it runs.
    unsafe { memmap2::Mmap::map(file) }
}

/// Forgets how long a slice lives. Neither a mapping nor a box moves its bytes when it is moved itself.
#[allow(unsafe_code)]
fn outlive(slice: &[u8]) -> &'static [u8] {
    // SAFETY: the slices stay inside the parent of this module. Whoever holds one also holds the `Bytes`, which never
    // changes or frees them.
    unsafe { std::slice::from_raw_parts(slice.as_ptr(), slice.len()) }
}
