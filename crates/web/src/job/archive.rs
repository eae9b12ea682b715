//! Unpacks what was uploaded: tar, tar with gzip, zip. Only plain files and folders are made, only inside the folder, and only as
//! much as the limits allow, whatever the archive claims.

use super::submission::is_inside;
use flate2::read::MultiGzDecoder;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

/// How much may come out of archives and other uploads.
#[derive(Clone, Copy, Debug)]
pub struct UnpackLimits {
    /// Bytes of all files together.
    pub bytes: u64,
    /// Files and folders.
    pub files: u64,
}

/// Why an archive was refused.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Its first bytes are those of another format.
    #[error("it is not a tar, tar.gz or zip file")]
    Unknown,
    /// It ends too early or contradicts itself.
    #[error("it is damaged or truncated: {0}")]
    Damaged(String),
    /// A name in it leads out of the folder.
    #[error("`{0}` leaves the folder")]
    Leaves(String),
    /// Something in it is neither a plain file nor a folder.
    #[error("`{0}` is a link or a device; only plain files and folders are accepted")]
    Special(String),
    /// It exceeds a limit.
    #[error("it holds more than {0}")]
    TooLarge(String),
    /// The disk, not the archive, is the problem.
    #[error("cannot be unpacked here: {0}")]
    Io(io::Error),
}

/// Unpacks an archive into an existing folder. If all its files are in one folder, that folder is left out.
///
/// # Errors
/// If it was refused. What was unpacked until then stays in the folder.
pub fn unpack(archive: &Path, into: &Path, limits: &mut UnpackLimits) -> Result<(), ArchiveError> {
    let mut file = File::open(archive).map_err(ArchiveError::Io)?;
    let mut start = Vec::new();
    (&mut file).take(512).read_to_end(&mut start).map_err(ArchiveError::Io)?;
    file.rewind().map_err(ArchiveError::Io)?;
    let mut unpacking = Unpacking { into: into.to_owned(), limits };
    match start.as_slice() {
        [0x1f, 0x8b, ..] => unpacking.tar(MultiGzDecoder::new(BufReader::new(file)))?,
        [b'P', b'K', 3 | 5, 4 | 6, ..] => unpacking.zip(file)?,
        start if start.get(257..262) == Some(b"ustar".as_slice()) => unpacking.tar(BufReader::new(file))?,
        _ => return Err(ArchiveError::Unknown),
    }
    lift_single_folder(into).map_err(ArchiveError::Io)
}

struct Unpacking<'a> {
    into: PathBuf,
    limits: &'a mut UnpackLimits,
}

impl Unpacking<'_> {
    fn tar(&mut self, reader: impl Read) -> Result<(), ArchiveError> {
        let damaged = |error: io::Error| ArchiveError::Damaged(error.to_string());
        // Long names are held in memory, so the stream as a whole is bounded as well.
        let bound =
            self.limits.bytes.saturating_add(self.limits.files.saturating_mul(2_048)).saturating_add(1 << 20);
        let mut archive = tar::Archive::new(reader.take(bound));
        for entry in archive.entries().map_err(damaged)? {
            let mut entry = entry.map_err(damaged)?;
            let path = entry.path().map_err(damaged)?.into_owned();
            let kind = entry.header().entry_type();
            let is_executable = entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0);
            if kind.is_dir() {
                self.folder(&path)?;
            } else if kind.is_file() || kind.is_contiguous() {
                self.file(&path, is_executable, &mut entry)?;
            } else if !(kind.is_pax_global_extensions() || kind.is_pax_local_extensions()) {
                return Err(ArchiveError::Special(path.display().to_string()));
            }
        }
        Ok(())
    }

    fn zip(&mut self, file: File) -> Result<(), ArchiveError> {
        let damaged = |error: zip::result::ZipError| ArchiveError::Damaged(error.to_string());
        let mut archive = zip::ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
        for number in 0..archive.len() {
            let mut entry = archive.by_index(number).map_err(damaged)?;
            let path = PathBuf::from(entry.name());
            let mode = entry.unix_mode().unwrap_or(0);
            if entry.is_symlink() || !matches!(mode & 0o170_000, 0 | 0o100_000 | 0o040_000) {
                return Err(ArchiveError::Special(path.display().to_string()));
            }
            match entry.is_dir() {
                true => self.folder(&path)?,
                false => self.file(&path, mode & 0o100 != 0, &mut entry)?,
            }
        }
        Ok(())
    }

    fn target(&mut self, path: &Path) -> Result<Option<PathBuf>, ArchiveError> {
        let name = path.to_string_lossy();
        if !is_inside(&name) {
            return Err(ArchiveError::Leaves(name.into_owned()));
        }
        self.limits.files = self
            .limits
            .files
            .checked_sub(1)
            .ok_or_else(|| ArchiveError::TooLarge("the allowed number of files".to_owned()))?;
        let parts: PathBuf = path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
        Ok((!parts.as_os_str().is_empty()).then(|| self.into.join(parts)))
    }

    fn folder(&mut self, path: &Path) -> Result<(), ArchiveError> {
        match self.target(path)? {
            Some(target) => fs::create_dir_all(target).map_err(ArchiveError::Io),
            None => Ok(()),
        }
    }

    fn file(&mut self, path: &Path, is_executable: bool, from: &mut dyn Read) -> Result<(), ArchiveError> {
        let Some(target) = self.target(path)? else { return Ok(()) };
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(ArchiveError::Io)?;
        }
        let mode = if is_executable { 0o755 } else { 0o644 };
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(mode)
            .open(&target)
            .map_err(ArchiveError::Io)?;
        let mut buffer = [0; 1 << 16];
        loop {
            let read = from.read(&mut buffer).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
            if read == 0 {
                return Ok(());
            }
            self.limits.bytes = self
                .limits
                .bytes
                .checked_sub(read as u64)
                .ok_or_else(|| ArchiveError::TooLarge("the allowed size".to_owned()))?;
            file.write_all(&buffer[..read]).map_err(ArchiveError::Io)?;
        }
    }
}

/// `prog-1.0/…` becomes `…`.
fn lift_single_folder(into: &Path) -> io::Result<()> {
    let mut entries = fs::read_dir(into)?.collect::<io::Result<Vec<_>>>()?;
    let Some(only) = entries.pop().filter(|entry| entries.is_empty() && entry.path().is_dir()) else {
        return Ok(());
    };
    let aside = into.with_file_name("unpacked");
    fs::rename(only.path(), &aside)?;
    fs::remove_dir(into)?;
    fs::rename(aside, into)
}

/// Programs and scripts that were uploaded as single files have lost their permission to be run.
pub(crate) fn make_executable_if_program(path: &Path) -> io::Result<()> {
    let mut start = [0; 4];
    let read = File::open(path)?.read(&mut start)?;
    if start[..read].starts_with(b"#!") || start[..read].starts_with(b"\x7fELF") {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    const LIMITS: UnpackLimits = UnpackLimits { bytes: 1_000_000, files: 100 };

    /// A tar file with raw names, as an attacker writes them.
    fn tar_of(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, kind, content) in entries {
            let mut header = tar::Header::new_ustar();
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(*kind);
            header.set_size(content.len() as u64);
            header.set_mode(0o755);
            if kind.is_symlink() {
                header.set_link_name("/etc/passwd").unwrap();
            }
            header.set_cksum();
            builder.append(&header, *content).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn unpack_bytes(bytes: &[u8]) -> (Result<(), ArchiveError>, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        fs::write(&archive, bytes).unwrap();
        fs::create_dir(folder.path().join("into")).unwrap();
        (unpack(&archive, &folder.path().join("into"), &mut LIMITS.clone()), folder)
    }

    #[test]
    fn paths_that_leave_links_and_devices_are_refused() {
        use tar::EntryType;
        for (name, kind) in [
            ("../evil", EntryType::Regular),
            ("/tmp/evil", EntryType::Regular),
            ("a/../../evil", EntryType::Regular),
            ("link", EntryType::Symlink),
            ("hard", EntryType::Link),
            ("device", EntryType::Char),
            ("pipe", EntryType::Fifo),
        ] {
            let (result, folder) = unpack_bytes(&tar_of(&[(name, kind, b"")]));
            assert!(result.is_err(), "{name}");
            assert!(!folder.path().join("evil").exists());
        }
    }

    #[test]
    fn a_zip_file_with_links_or_paths_that_leave_is_refused() {
        use zip::write::SimpleFileOptions;
        type Make = fn(&mut zip::ZipWriter<io::Cursor<Vec<u8>>>);
        let made: [Make; 3] = [
            |zip| zip.add_symlink("link", "/etc/passwd", SimpleFileOptions::default()).unwrap(),
            |zip| zip.start_file("../evil", SimpleFileOptions::default()).unwrap(),
            |zip| zip.start_file("/tmp/evil", SimpleFileOptions::default()).unwrap(),
        ];
        for make in made {
            let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
            make(&mut zip);
            let (result, folder) = unpack_bytes(&zip.finish().unwrap().into_inner());
            assert!(matches!(result, Err(ArchiveError::Special(_) | ArchiveError::Leaves(_))), "{result:?}");
            assert!(!folder.path().join("evil").exists());
        }
    }

    #[test]
    fn a_bomb_ends_at_the_limit() {
        let mut zeroes = GzEncoder::new(Vec::new(), Compression::best());
        let tar = tar_of(&[("zeroes", tar::EntryType::Regular, &vec![0; 20_000_000])]);
        zeroes.write_all(&tar).unwrap();
        let bomb = zeroes.finish().unwrap();
        assert!(bomb.len() < 100_000);
        let (result, folder) = unpack_bytes(&bomb);
        assert!(result.is_err());
        let written = fs::metadata(folder.path().join("into/zeroes")).unwrap().len();
        assert!(written <= LIMITS.bytes, "{written}");
        let names: Vec<String> = (0..200).map(|number| format!("file-{number}")).collect();
        let many: Vec<_> =
            names.iter().map(|name| (name.as_str(), tar::EntryType::Regular, b"".as_slice())).collect();
        assert!(matches!(unpack_bytes(&tar_of(&many)).0, Err(ArchiveError::TooLarge(_))));
    }

    #[test]
    fn truncated_archives_are_refused() {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        let noise: Vec<u8> =
            (0..100_000u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        packed.write_all(&tar_of(&[("file", tar::EntryType::Regular, &noise)])).unwrap();
        let packed = packed.finish().unwrap();
        assert!(unpack_bytes(&packed).0.is_ok());
        assert!(unpack_bytes(&packed[..packed.len() / 2]).0.is_err());
        assert!(matches!(unpack_bytes(b"just a text").0, Err(ArchiveError::Unknown)));
    }

    #[test]
    fn the_only_folder_of_an_archive_is_left_out_and_programs_stay_executable() {
        let (result, folder) = unpack_bytes(&tar_of(&[
            ("prog-1.0/check.sh", tar::EntryType::Regular, b"#!/bin/sh\n"),
            ("prog-1.0/src/main.c", tar::EntryType::Regular, b"int main;"),
        ]));
        result.unwrap();
        let check = folder.path().join("into/check.sh");
        assert!(fs::metadata(check).unwrap().permissions().mode() & 0o100 != 0);
        assert_eq!(fs::read(folder.path().join("into/src/main.c")).unwrap(), b"int main;");
    }
}
