//! Debug information outside the program: by build-id, by link, in supplementary and split files.

use super::bytes::Bytes;
use super::elf::Elf;
use object::Object;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A search for files with debug information.
#[derive(Debug)]
pub(super) struct DebugFileSearch<'a> {
    /// Folders like `/usr/lib/debug`.
    pub(super) folders: &'a [PathBuf],
    /// The files that were looked for, for people.
    pub(super) looked_in: Vec<PathBuf>,
    /// Keeps the files that were found.
    pub(super) bytes: &'a Arc<Bytes>,
}

impl DebugFileSearch<'_> {
    /// The file that was split off when the program was stripped.
    pub(super) fn separate(&mut self, elf: &Elf) -> Option<Elf> {
        let id = elf.file.build_id().ok().flatten();
        let mut candidates = id.map(|id| self.by_id(id)).unwrap_or_default();
        let link = elf.file.gnu_debuglink().ok().flatten();
        if let Some((name, _)) = link {
            let name = path(name);
            let whole = std::fs::canonicalize(&elf.path).unwrap_or_else(|_| elf.path.clone());
            let folder = whole.parent().unwrap_or(Path::new("/"));
            candidates.push(folder.join(&name));
            candidates.push(folder.join(".debug").join(&name));
            let inside = folder.strip_prefix("/").unwrap_or(folder);
            candidates.extend(self.folders.iter().map(|debug| debug.join(inside).join(&name)));
        }
        for candidate in candidates {
            if candidate == elf.path {
                continue;
            }
            let found = self.open(&candidate);
            let Some(found) = found.filter(Elf::has_debug_information) else { continue };
            let other = found.file.build_id().ok().flatten();
            let is_same = match (id, other, link) {
                (Some(id), Some(other), _) => id == other,
                (_, _, Some((_, sum))) => checksum(found.data()) == sum,
                _ => true,
            };
            if is_same {
                return Some(found);
            }
        }
        None
    }

    /// The file with debug information that several programs share.
    pub(super) fn supplement(&mut self, elf: &Elf) -> Option<Elf> {
        let (name, id) = match elf.file.gnu_debugaltlink().ok().flatten() {
            Some((name, id)) => (name, id),
            None => standard_link(elf.section(".debug_sup").ok()?)?,
        };
        let whole = std::fs::canonicalize(&elf.path).unwrap_or_else(|_| elf.path.clone());
        let mut candidates = vec![whole.parent().unwrap_or(Path::new("/")).join(path(name))];
        candidates.extend(self.by_id(id));
        candidates.into_iter().find_map(|candidate| {
            let found = self.open(&candidate)?;
            let other = found.file.build_id().ok().flatten();
            other.is_none_or(|other| id.is_empty() || other == id).then_some(found)
        })
    }

    /// The file with the debug information of one unit.
    pub(super) fn split(&mut self, program: &Path, folder: &Path, name: &Path) -> Option<Elf> {
        let beside = program.parent().unwrap_or(Path::new("")).join(name.file_name()?);
        [folder.join(name), beside].iter().find_map(|candidate| self.open(candidate))
    }

    /// All split files of a program in one.
    pub(super) fn package(&mut self, program: &Path) -> Option<Elf> {
        let mut name = program.as_os_str().to_owned();
        name.push(".dwp");
        self.open(Path::new(&name))
    }

    fn by_id(&self, id: &[u8]) -> Vec<PathBuf> {
        let Some((first, rest)) = id.split_first().filter(|(_, rest)| !rest.is_empty()) else {
            return Vec::new();
        };
        let rest: String = rest.iter().map(|byte| format!("{byte:02x}")).collect();
        let name = format!(".build-id/{first:02x}/{rest}.debug");
        self.folders.iter().map(|folder| folder.join(&name)).collect()
    }

    fn open(&mut self, path: &Path) -> Option<Elf> {
        if !self.looked_in.iter().any(|other| other == path) && self.looked_in.len() < 64 {
            self.looked_in.push(path.to_owned());
        }
        Elf::open_for_debugging(path, self.bytes).ok()
    }
}

/// The name of a supplementary file in the form that DWARF specifies.
fn standard_link(section: &'static [u8]) -> Option<(&'static [u8], &'static [u8])> {
    let rest = section.get(3..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    let (name, rest) = (rest.get(..end)?, rest.get(end + 1..)?);
    let length = usize::from(*rest.first().filter(|length| **length < 128)?);
    (section.get(2) == Some(&0)).then_some((name, rest.get(1..1 + length)?))
}

fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// The checksum of a whole file, as in `.gnu_debuglink` (CRC-32).
fn checksum(data: &[u8]) -> u32 {
    let mut table = [0u32; 256];
    for (byte, entry) in (0u32..).zip(table.iter_mut()) {
        *entry = (0..8).fold(byte, |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 });
    }
    !data.iter().fold(!0u32, |sum, byte| table[usize::from(sum as u8 ^ byte)] ^ sum >> 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_standard_link_is_read() {
        let section = b"\x05\x00\x00common.debug\0\x02\xab\xcd";
        assert_eq!(standard_link(section), Some((&b"common.debug"[..], &b"\xab\xcd"[..])));
        assert_eq!(standard_link(b"\x05\x00\x01\0\x00"), None);
        assert_eq!(standard_link(b""), None);
    }
}
