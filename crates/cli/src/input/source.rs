//! The input as it is on disk.

use crate::failure::Failure;
use crate::run_folder::RUNS;
use howcome_input::{Document, Part, Piece, What};
use howcome_report::size;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// More than this takes its time to be written for each test.
const LARGE: u64 = 100_000_000;

/// The files that are meant by what stands on the command line: each has a name, and no two have the same.
pub(crate) fn named(files: &[PathBuf], directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut names: HashSet<OsString> = HashSet::new();
    let mut named = Vec::new();
    for path in files {
        let mut path = directory.join(path);
        if path.file_name().is_none() {
            path = path.canonicalize().map_err(|error| Failure::file(&path, &error))?;
        }
        let name = path.file_name().ok_or_else(|| {
            Failure::wrong_use(format!("{} has no name that a candidate could have", path.display()))
        })?;
        if !names.insert(name.to_owned()) {
            return Err(Failure::wrong_use(format!("two of the inputs are called {}", name.display()))
                .hint("put them into a folder, and name that"));
        }
        named.push(path);
    }
    Ok(named)
}

/// Reads files and folders, each under its own name. Files are told by their names and first bytes, or are in the given format.
pub(crate) fn read(files: &[PathBuf], format: Option<&Format>) -> Result<Document, Failure> {
    let mut pieces = Vec::new();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_owned();
        add(path, name, true, format, &mut pieces)?;
    }
    Ok(Document::new(pieces))
}

/// Reads what a run has kept of its input.
pub(crate) fn read_saved(
    folder: &Path,
    files: &[PathBuf],
    format: Option<&Format>,
) -> Result<Document, Failure> {
    let names = files.iter().filter_map(|path| path.file_name());
    read(&names.map(|name| folder.join(name)).collect::<Vec<_>>(), format)
}

/// Refuses what cannot become smaller, and says what will take its time.
pub(crate) fn check(document: &Document) -> Result<Option<String>, Failure> {
    let bytes = document.size();
    if bytes == 0 && document.pieces().len() <= 1 {
        return Err(Failure::wrong_use("the input is empty, so there is nothing that could be taken away"));
    }
    Ok((bytes >= LARGE)
        .then(|| format!("the input has {}, and each test gets a copy of what is left of it", size(bytes))))
}

fn add(
    path: &Path,
    name: OsString,
    is_named_by_user: bool,
    format: Option<&Format>,
    pieces: &mut Vec<Piece>,
) -> Result<(), Failure> {
    let failed = |error: &io::Error| Failure::file(path, error);
    let found = fs::symlink_metadata(path).map_err(|error| failed(&error))?;
    if found.is_symlink() && !is_named_by_user {
        let target = fs::read_link(path).map_err(|error| failed(&error))?;
        pieces.push(Piece { name, inside: 0, mode: 0, what: What::Link(target) });
        return Ok(());
    }
    let metadata = fs::metadata(path).map_err(|error| failed(&error))?;
    if metadata.is_file() {
        let bytes = fs::read(path).map_err(|error| failed(&error))?;
        let part = match format {
            Some(format) => format.part(bytes),
            None => Part::of(&name, bytes),
        };
        let mode = metadata.permissions().mode() & 0o777;
        pieces.push(Piece { name, inside: 0, mode, what: What::Part(Arc::new(part)) });
    } else if metadata.is_dir() {
        let at = pieces.len();
        pieces.push(Piece { name, inside: 0, mode: 0o755, what: What::Folder });
        let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut names: Vec<OsString> =
            entries.map_err(|error| failed(&error))?.into_iter().map(|entry| entry.file_name()).collect();
        // Records of runs are never part of what is tested.
        names.retain(|name| name != OsStr::new(RUNS));
        names.sort();
        for name in names {
            add(&path.join(&name), name, false, format, pieces)?;
        }
        pieces[at].inside = (pieces.len() - at - 1) as u32;
    } else if is_named_by_user {
        return Err(Failure::wrong_use(format!("{} is neither a file nor a folder", path.display()))
            .hint("copy what it gives into a file, and name that"));
    } else {
        return Err(Failure::wrong_use(format!(
            "{} is neither a file nor a folder, so it cannot be copied for a test",
            path.display()
        )));
    }
    Ok(())
}

/// What has become of the input since it was read, if that is something.
pub(crate) fn what_changed(
    files: &[PathBuf],
    original: &Document,
    format: Option<&Format>,
) -> Option<String> {
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    if let Some(gone) = files.iter().find(|path| fs::symlink_metadata(path).is_err()) {
        return Some(format!("{} is gone", gone.display()));
    }
    let now = read(files, format).ok()?;
    (now.files() != original.files()).then(|| format!("{} has changed", names.join(" or ")))
}

/// Formats that are not opened, whatever is in them.
pub(crate) const PLAIN: [&str; 2] = ["text", "bytes"];
/// Formats that are opened, where what is said is true.
const CONTAINERS: [&str; 7] = ["der", "gzip", "pem", "png", "tar", "zip", "zlib"];

/// What the user says the input is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Format {
    /// Text in a language.
    Language(howcome_input::Language),
    /// In no language that is known: text, bytes, or a container.
    Plain,
}

impl Format {
    /// The format of a name on the command line.
    pub(crate) fn of(name: &str) -> Result<Self, Failure> {
        if PLAIN.contains(&name) || CONTAINERS.contains(&name) {
            return Ok(Format::Plain);
        }
        let language = howcome_input::Language::by_name(name);
        language.map(Format::Language).ok_or_else(|| {
            let all = howcome_input::Language::ALL.map(howcome_input::Language::name);
            let names: Vec<&str> = PLAIN.into_iter().chain(all).chain(CONTAINERS).collect();
            super::unknown("format", name, &names)
        })
    }

    fn part(self, bytes: Vec<u8>) -> Part {
        match self {
            Format::Language(language) => Part::new(bytes, Some(language)),
            Format::Plain => Part::new(bytes, None),
        }
    }
}
