//! The inputs as they are on disk: the failing one, and the passing one if there are two.

use super::format::InputFormat;
use super::output::{AnswerKind, check_output, is_folder, passing_output};
use super::request::InputRequest;
use super::storage::{ORIGINAL, ORIGINAL_PASSING, replace_folder};
use crate::{Document, DocumentPart, Piece, PieceKind};
use howcome_run::words::{count, size};
use howcome_run::{Problem, ProblemKind, RunDir, RunInputs};
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Larger inputs take their time to be written for each test.
const LARGE: u64 = 100_000_000;

/// What a run is about.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The failing input.
    pub failing: Document,
    /// The passing input, if the smallest difference between two inputs is asked for. Its files have the names of the
    /// failing ones.
    pub passing: Option<Document>,
}

/// The passing input, as the user names it.
#[derive(Clone, Debug)]
pub enum PassingSide {
    /// The empty input.
    Empty,
    /// A file or folder for each of the failing input, in the same order.
    Files(Vec<PathBuf>),
}

impl PassingSide {
    /// What it is called in the report.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            PassingSide::Empty => "the empty input".to_owned(),
            PassingSide::Files(files) => {
                files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

impl Inputs {
    /// Reads the inputs of a new run, and refuses what cannot be asked. An output is replaced only if one of the `runs` in this
    /// folder has written it.
    ///
    /// # Errors
    /// If an input cannot be read, is empty, or does not differ from the other, or if the answer cannot be written.
    pub fn read(request: &InputRequest, passing: Option<&PassingSide>, runs: &Path) -> Result<Self, Problem> {
        let files = request.files();
        let failing = read_document(&files, request.format()?.as_ref())?;
        let is_folder = is_folder(&files);
        if request.stdin && is_folder {
            return Err(Problem::new("only one file can be the standard input of the test")
                .hint("leave out --stdin; the test finds the candidate in the folder in which it starts"));
        }
        let check = |inputs: &[PathBuf]| {
            let is_named = request.is_output_given;
            check_output(request.output(), AnswerKind { is_folder, is_named, is_second: false }, inputs, runs)
        };
        check(&files)?;
        if failing.size() == 0 && failing.pieces().len() <= 1 {
            return Err(Problem::new("the input is empty, so there is nothing to remove")
                .hint("name the file that makes the test fail"));
        }
        let Some(side) = passing else { return Ok(Self { failing, passing: None }) };
        let second = match side {
            PassingSide::Empty => Vec::new(),
            PassingSide::Files(paths) => paths.iter().map(|path| request.test.directory.join(path)).collect(),
        };
        let inputs: Vec<PathBuf> = files.iter().chain(&second).cloned().collect();
        check(&inputs)?;
        let kind = AnswerKind { is_folder, is_named: false, is_second: true };
        check_output(&passing_output(request.output()), kind, &inputs, runs)?;
        let passing = match side {
            PassingSide::Empty => empty(&failing),
            PassingSide::Files(_) => read_passing(request, &second, &failing)?,
        };
        Ok(Self { failing, passing: Some(passing) })
    }

    /// The inputs as they were when a run began. The originals can change; the run does not.
    ///
    /// # Errors
    /// If the run has no copy of them.
    pub fn recorded(run: &Path, request: &InputRequest) -> Result<Self, Problem> {
        let (files, format) = (request.files(), request.format()?);
        let kept = |folder: &str| -> Vec<PathBuf> {
            let names = files.iter().filter_map(|path| path.file_name());
            names.map(|name| run.join(folder).join(name)).collect()
        };
        let failing = read_document(&kept(ORIGINAL), format.as_ref()).map_err(|problem| {
            problem.hint("the run is incomplete without its copy of the input; start a new one")
        })?;
        if !request.is_isolation() {
            return Ok(Self { failing, passing: None });
        }
        // Of several files, the passing side can have fewer.
        let mut there = kept(ORIGINAL_PASSING);
        there.retain(|path| fs::symlink_metadata(path).is_ok());
        Ok(Self { failing, passing: Some(read_document(&there, format.as_ref())?) })
    }

    /// What the user should know about an input that takes its time to be written for each test.
    #[must_use]
    pub fn note_if_large(&self) -> Option<String> {
        let bytes = self.failing.size();
        (bytes >= LARGE)
            .then(|| format!("the input has {}, and each test gets a copy of its candidate", size(bytes)))
    }
}

/// The run keeps a copy of the inputs.
impl RunInputs for Inputs {
    fn write_into(&self, run: &Path) -> Result<(), (PathBuf, io::Error)> {
        let keep = |document: &Document, name: &str| {
            let folder = run.join(name);
            replace_folder(document, &folder).map_err(|error| (folder, error))
        };
        keep(&self.failing, ORIGINAL)?;
        self.passing.as_ref().map_or(Ok(()), |passing| keep(passing, ORIGINAL_PASSING))
    }
}

fn read_passing(request: &InputRequest, paths: &[PathBuf], failing: &Document) -> Result<Document, Problem> {
    let files = request.files();
    if paths.len() != files.len() {
        let inputs = count(files.len() as u64, "failing input");
        return Err(Problem::new(format!(
            "there are {inputs}, but {}",
            count(paths.len() as u64, "passing input")
        ))
        .hint("name a passing input for each failing one, each after its own --pass, in the same order"));
    }
    let passing = renamed(&read_document(paths, request.format()?.as_ref())?, &files);
    if passing.files() == failing.files() {
        return Err(Problem::new("the passing and the failing input are the same")
            .of_kind(ProblemKind::NothingToExplain));
    }
    Ok(passing)
}

/// The same with nothing in it: of a single file no bytes, of more no files.
fn empty(document: &Document) -> Document {
    match document.pieces() {
        [piece @ Piece { kind: PieceKind::Part(part), .. }] => {
            let kind = PieceKind::Part(Arc::new(DocumentPart::new(Vec::new(), part.language())));
            Document::new(vec![Piece { kind, ..piece.clone() }])
        }
        _ => Document::default(),
    }
}

/// The document with the names of other files.
fn renamed(document: &Document, files: &[PathBuf]) -> Document {
    let mut pieces = document.pieces().to_vec();
    let mut at = 0;
    for name in files.iter().filter_map(|path| path.file_name()) {
        let Some(piece) = pieces.get_mut(at) else { break };
        piece.name = name.to_owned();
        at += 1 + piece.inside as usize;
    }
    Document::new(pieces)
}

/// The paths of an input that the user names in a `directory`: each has a file name, and no two have the same.
///
/// # Errors
/// If a path has no file name, or two have the same.
pub fn resolve_paths(files: &[PathBuf], directory: &Path) -> Result<Vec<PathBuf>, Problem> {
    let mut names: HashSet<OsString> = HashSet::new();
    let mut resolved = Vec::new();
    for path in files {
        let mut path = directory.join(path);
        if path.file_name().is_none() {
            path = path.canonicalize().map_err(|error| Problem::with_file(&path, &error))?;
        }
        let name = path.file_name().ok_or_else(|| {
            Problem::new(format!("{} has no name that a candidate could have", path.display()))
        })?;
        if !names.insert(name.to_owned()) {
            return Err(Problem::new(format!("two of the inputs are called {}", name.display()))
                .hint("put them into a folder, and name the folder"));
        }
        resolved.push(path);
    }
    Ok(resolved)
}

/// What has become of the input since it was read, if it has changed.
pub(crate) fn describe_change(request: &InputRequest, original: &Document) -> Option<String> {
    let files = request.files();
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    if let Some(gone) = files.iter().find(|path| fs::symlink_metadata(path).is_err()) {
        return Some(format!("{} has been removed", gone.display()));
    }
    let now = read_document(&files, request.format().ok()?.as_ref()).ok()?;
    (now.files() != original.files()).then(|| format!("{} has changed", names.join(" or ")))
}

/// Reads files and folders, each under its own name. What a file is follows from its name and its first bytes, unless the
/// user says it.
fn read_document(files: &[PathBuf], format: Option<&InputFormat>) -> Result<Document, Problem> {
    let mut pieces = Vec::new();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_owned();
        add(path, name, true, format, &mut pieces)?;
    }
    Ok(Document::new(pieces))
}

fn add(
    path: &Path,
    name: OsString,
    is_named_by_user: bool,
    format: Option<&InputFormat>,
    pieces: &mut Vec<Piece>,
) -> Result<(), Problem> {
    let failed = |error: &io::Error| Problem::with_file(path, error);
    let found = fs::symlink_metadata(path).map_err(|error| failed(&error))?;
    if found.is_symlink() && !is_named_by_user {
        let target = fs::read_link(path).map_err(|error| failed(&error))?;
        pieces.push(Piece { name, inside: 0, mode: 0, kind: PieceKind::Link(target) });
        return Ok(());
    }
    let metadata = fs::metadata(path).map_err(|error| failed(&error))?;
    if metadata.is_file() {
        let bytes = fs::read(path).map_err(|error| failed(&error))?;
        let part = match format {
            Some(format) => format.part(bytes),
            None => DocumentPart::of(&name, bytes),
        };
        // Read permissions are not part of the input, but the permission to execute a file might be.
        let mode = 0o644 | metadata.permissions().mode() & 0o111;
        pieces.push(Piece { name, inside: 0, mode, kind: PieceKind::Part(Arc::new(part)) });
    } else if metadata.is_dir() {
        let at = pieces.len();
        pieces.push(Piece { name, inside: 0, mode: 0o755, kind: PieceKind::Folder });
        let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut names: Vec<OsString> =
            entries.map_err(|error| failed(&error))?.into_iter().map(|entry| entry.file_name()).collect();
        // Records of runs are never part of what is tested.
        names.retain(|name| name != OsStr::new(RunDir::RUNS));
        names.sort();
        for name in names {
            add(&path.join(&name), name, false, format, pieces)?;
        }
        pieces[at].inside = (pieces.len() - at - 1) as u32;
    } else if is_named_by_user {
        return Err(Problem::new(format!("{} is neither a file nor a folder", path.display()))
            .hint("copy its content to a file, and name that file"));
    } else {
        return Err(Problem::new(format!(
            "{} is neither a file nor a folder, so it cannot be copied for a test",
            path.display()
        )));
    }
    Ok(())
}
