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
use std::path::{Path, PathBuf};

/// Where the answer goes, unless the user says it.
pub(crate) fn default_for(files: &[PathBuf]) -> PathBuf {
    let first = &files[0];
    let is_folder = files.len() > 1 || first.is_dir();
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

/// Better now than after the whole search.
pub(crate) fn check(path: &Path, is_given: bool, files: &[PathBuf]) -> Result<(), Failure> {
    let whole = path.canonicalize().ok();
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    let inputs = files.iter().filter_map(|file| file.canonicalize().ok());
    for input in inputs {
        if folder.as_ref().is_some_and(|folder| folder.starts_with(&input)) {
            return Err(Failure::wrong_use("the answer would be written into the input")
                .hint("name another place behind -o"));
        }
        if whole.as_ref() == Some(&input) {
            return Err(Failure::wrong_use("the answer would be written over the input")
                .hint("name another file behind -o"));
        }
    }
    let is_folder = files.len() > 1 || files[0].is_dir();
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
            "{} is there already, and not as a run that is recorded in {RUNS} has left it",
            path.display()
        ))
        .hint(match is_folder {
            true => "remove it, or name another folder behind -o".to_owned(),
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

/// Whether a run that goes on may replace what is there now.
pub(crate) fn may_be_replaced(run: Option<&Path>, request: &Request, path: &Path) -> bool {
    request.is_output_given || is_free(path) || run.is_some_and(|run| is_of_run(run, path)) || is_ours(path)
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
