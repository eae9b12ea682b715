//! Where the answer goes. Nothing that somebody else has written is lost.
//!
//! Of a file `bug.c` the answer is `bug.min.c` beside it, of a folder `bug` it is `bug.min`, of several things it is a folder
//! named after the first one. What is there already is replaced only if a run that is recorded here has written it just so,
//! or if it is a file that was named by `-o`.

use super::isolate::{BEST_PASSING, passing_name};
use super::request::Request;
use crate::failure::Failure;
use crate::options::can_be_written;
use crate::run_folder::{RUNS, all_in};
use howcome_run::read_run_file;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Where the answer goes, unless the user says it.
pub(crate) fn default_for(files: &[PathBuf]) -> PathBuf {
    let first = &files[0];
    let is_folder = is_folder(files);
    let mut name: OsString;
    match first.extension().filter(|_| !is_folder) {
        Some(extension) => {
            // What tells the format stays at the end, also of `src.tar.gz`.
            let stem = Path::new(first.file_stem().unwrap_or_default());
            let inner = stem.extension().filter(|inner| *inner == "tar");
            name = if inner.is_some() { stem.file_stem() } else { stem.file_name() }
                .unwrap_or_default()
                .to_owned();
            name.push(".min.");
            name.push(inner.map(|_| "tar.").unwrap_or_default());
            name.push(extension);
        }
        None => {
            name = first.file_name().unwrap_or_default().to_owned();
            name.push(".min");
        }
    }
    first.with_file_name(name)
}

/// Whether the answer is a folder.
pub(crate) fn is_folder(files: &[PathBuf]) -> bool {
    files.len() > 1 || files[0].is_dir()
}

/// Better now than after the whole search.
pub(crate) fn check(
    path: &Path,
    is_second: bool,
    is_given: bool,
    is_folder: bool,
    inputs: &[PathBuf],
) -> Result<(), Failure> {
    let whole = path.canonicalize().ok();
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    for input in inputs.iter().filter_map(|input| input.canonicalize().ok()) {
        if folder.as_ref().is_some_and(|folder| folder.starts_with(&input)) {
            return Err(Failure::wrong_use("the answer would be written into the input")
                .hint("name another place behind -o"));
        }
        if whole.as_ref() == Some(&input) {
            return Err(Failure::wrong_use("the answer would be written over the input")
                .hint("name another file behind -o"));
        }
    }
    if is_folder {
        if path.parent().is_some_and(|parent| !parent.is_dir()) {
            return can_be_written(path);
        }
    } else {
        can_be_written(path)?;
    }
    match is_free(path) || (is_given && !is_folder) || is_ours(path) {
        true => Ok(()),
        false => Err(Failure::wrong_use(format!(
            "{} is there already, and no run in {RUNS} is known to have written it",
            path.display()
        ))
        .hint(match is_folder {
            true => "remove it, or name another folder behind -o".to_owned(),
            false if is_second => {
                "remove it, or name another file behind -o: this one would go beside it".to_owned()
            }
            false => format!(
                "-o {} replaces it; or remove it, or name another file",
                howcome_report::shell_word(&path.to_string_lossy())
            ),
        })),
    }
}

/// Nothing is there that could be lost.
fn is_free(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Err(_) => true,
        Ok(found) if found.is_dir() => fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none()),
        Ok(found) => found.is_file() && found.len() == 0,
    }
}

/// Whether a run that is recorded where the user stands has written it just as it is.
fn is_ours(path: &Path) -> bool {
    all_in(Path::new(RUNS)).iter().any(|run| is_of_run(run, path))
}

/// Whether a run has written it just as it is.
pub(crate) fn is_of_run(run: &Path, path: &Path) -> bool {
    let file = read_run_file(run).ok().filter(|file| file.question == "input");
    let Some(request) = file.and_then(|file| Request::of(&file).ok()) else { return false };
    let best = match () {
        () if request.output() == path => run.join("best"),
        () if passing_name(request.output()) == path => run.join(BEST_PASSING),
        () => return false,
    };
    match request.files().as_slice() {
        [only] => is_same(&best.join(only.file_name().unwrap_or_default()), path),
        _ => is_same(&best, path),
    }
}

/// What is where an answer will go, as it was when the session began.
pub(crate) struct Place {
    path: PathBuf,
    may_be_replaced: bool,
    /// Whether it was named by the user as a file to be replaced whatever is in it.
    is_named: bool,
    stamp: Vec<(PathBuf, u64, i64, i64)>,
}

impl Place {
    pub(crate) fn now(run: Option<&Path>, request: &Request, path: &Path) -> Self {
        let is_named = request.is_output_given && path == request.output() && !path.is_dir();
        let may_be_replaced =
            is_named || is_free(path) || run.is_some_and(|run| is_of_run(run, path)) || is_ours(path);
        Self { path: path.to_owned(), may_be_replaced, is_named, stamp: stamp(path) }
    }

    /// Whether something is there that an answer would replace.
    pub(crate) fn is_taken(&self) -> bool {
        !is_free(&self.path)
    }

    /// Whether the answer may go there: nobody else has written there meanwhile.
    pub(crate) fn may_be_written(&self) -> bool {
        self.may_be_replaced && (self.is_named || self.stamp == stamp(&self.path))
    }
}

/// What shows that nobody has written there: sizes and times of all files.
fn stamp(path: &Path) -> Vec<(PathBuf, u64, i64, i64)> {
    let mut stamp = Vec::new();
    let mut waiting = vec![path.to_owned()];
    while let Some(path) = waiting.pop() {
        let Ok(found) = fs::symlink_metadata(&path) else { continue };
        if found.is_dir() {
            waiting.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        }
        stamp.push((path, found.len(), found.mtime(), found.mtime_nsec()));
    }
    stamp.sort();
    stamp
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::read(one), fs::read(other)) {
        (Ok(one), Ok(other)) => return one == other,
        (Err(_), Err(_)) => {}
        _ => return false,
    }
    let names = |folder: &Path| -> Option<Vec<OsString>> {
        let mut names: Vec<OsString> =
            fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        Some(names)
    };
    match (names(one), names(other)) {
        (Some(names), Some(others)) if names == others => {
            names.iter().all(|name| is_same(&one.join(name), &other.join(name)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_has_the_name_and_the_endings_of_the_input() {
        let name = |file: &str| default_for(&[PathBuf::from(file)]);
        assert_eq!(name("/x/bug.c"), Path::new("/x/bug.min.c"));
        assert_eq!(name("/x/core"), Path::new("/x/core.min"));
        assert_eq!(name("/x/src.tar.gz"), Path::new("/x/src.min.tar.gz"));
        assert_eq!(name("/x/.profile"), Path::new("/x/.profile.min"));
    }
}
