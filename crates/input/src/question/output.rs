//! Where the answer goes. Files of other programs are not replaced.
//!
//! Of a file `bug.c` the answer is `bug.min.c` beside it, of a folder `bug` it is `bug.min`, of several things it is a
//! folder named after the first one. A file or folder that exists is replaced only if a recorded run has written it just as
//! it is, or if it is a file that the user named.

use super::answer_mark::is_marked;
use super::request::InputRequest;
use super::storage::{BEST, BEST_PASSING};
use howcome_run::words::shell_word;
use howcome_run::{Problem, QuestionName, RunDir, can_be_written, read_run_file};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Where the answer goes, unless the user names a path.
#[must_use]
pub fn default_output(files: &[PathBuf]) -> PathBuf {
    let Some(first) = files.first() else { return PathBuf::new() };
    let is_folder = is_folder(files);
    let mut name: OsString;
    match first.extension().filter(|_| !is_folder) {
        Some(extension) => {
            // The extensions that name the format stay at the end, as in `src.tar.gz`.
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
    files.len() > 1 || files.first().is_some_and(|file| file.is_dir())
}

/// `bug.min.pass.c` beside `bug.min.c`.
pub(crate) fn passing_output(failing: &Path) -> PathBuf {
    // `bug.min` is the answer for `bug`, which has no extension.
    let extension = failing.extension().filter(|extension| *extension != "min");
    let stem = if extension.is_some() { failing.file_stem() } else { failing.file_name() };
    let mut name = stem.unwrap_or_default().to_owned();
    name.push(".pass");
    if let Some(extension) = extension {
        name.push(".");
        name.push(extension);
    }
    failing.with_file_name(name)
}

/// What is known of an answer before it is found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnswerKind {
    /// Whether it is a folder.
    pub(crate) is_folder: bool,
    /// Whether the user named its path.
    pub(crate) is_named: bool,
    /// Whether it is the passing side of an isolation, whose name follows from the name of the failing side.
    pub(crate) is_second: bool,
}

/// Refuses an output that cannot be written, or that would destroy something. Better now than after the whole search.
pub(crate) fn check_output(
    path: &Path,
    AnswerKind { is_folder, is_named, is_second }: AnswerKind,
    inputs: &[PathBuf],
    runs: &Path,
) -> Result<(), Problem> {
    let whole = path.canonicalize().ok();
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    for input in inputs.iter().filter_map(|input| input.canonicalize().ok()) {
        if folder.as_ref().is_some_and(|folder| folder.starts_with(&input)) {
            return Err(
                Problem::new("the answer would be written into the input").hint("name another path after -o")
            );
        }
        if whole.as_ref() == Some(&input) {
            return Err(
                Problem::new("the answer would be written over the input").hint("name another file after -o")
            );
        }
    }
    if is_folder {
        if path.parent().is_some_and(|parent| !parent.is_dir()) {
            return can_be_written(path);
        }
    } else {
        can_be_written(path)?;
    }
    match is_free(path) || (is_named && !is_folder) || is_earlier_answer(runs, path) {
        true => Ok(()),
        false => Err(Problem::new(format!(
            "{} exists already, and it is not the unchanged answer of an earlier run",
            path.display(),
        ))
        .hint(match is_folder {
            true => "remove it, or name another folder after -o".to_owned(),
            false if is_second => {
                "remove it, or name another file after -o: the passing side is written beside that file"
                    .to_owned()
            }
            false => format!(
                "-o {} replaces it; or remove it, or name another file",
                shell_word(&path.to_string_lossy())
            ),
        })),
    }
}

/// Whether nothing is there that could be lost.
fn is_free(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Err(_) => true,
        Ok(found) if found.is_dir() => fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none()),
        Ok(found) => found.is_file() && found.len() == 0,
    }
}

/// Whether an earlier run has written it just as it is: it is marked, or one of the runs that can be found has the same answer.
/// Runs are looked for in the folder, beside it, beside the answer, and where they are by default.
fn is_earlier_answer(runs: &Path, path: &Path) -> bool {
    let parent = |path: &Path| match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let beside = parent(path);
    let folders =
        [runs.to_owned(), parent(runs), beside.join(RunDir::RUNS), beside, PathBuf::from(RunDir::RUNS)];
    is_marked(path)
        || folders.iter().flat_map(|folder| RunDir::all_in(folder)).any(|run| is_of_run(&run, path))
}

/// Whether a run has written it just as it is.
fn is_of_run(run: &Path, path: &Path) -> bool {
    let file = read_run_file(run).ok().filter(|file| file.question == QuestionName::Input);
    let Some(request) = file.and_then(|file| InputRequest::of(&file).ok()) else { return false };
    let best = match () {
        () if request.output() == path => run.join(BEST),
        () if passing_output(request.output()) == path => run.join(BEST_PASSING),
        () => return false,
    };
    match request.files().as_slice() {
        [only] => is_same(&best.join(only.file_name().unwrap_or_default()), path),
        _ => is_same(&best, path),
    }
}

/// The path of an answer, and what was there when the session began.
pub(crate) struct AnswerPath {
    pub(crate) path: PathBuf,
    can_be_replaced: bool,
    /// Whether the user named it as a file to be replaced whatever is in it.
    is_named: bool,
    stamp: Vec<(PathBuf, u64, i64, i64)>,
}

impl AnswerPath {
    /// Looks at the path of an answer of a request. Answers of the session's own run and of the `runs` in a folder can be
    /// replaced.
    pub(crate) fn look(path: &Path, request: &InputRequest, run: Option<&Path>, runs: &Path) -> Self {
        let is_named = request.is_output_given && path == request.output() && !path.is_dir();
        let can_be_replaced = is_named
            || is_free(path)
            || run.is_some_and(|run| is_of_run(run, path))
            || is_earlier_answer(runs, path);
        Self { path: path.to_owned(), can_be_replaced, is_named, stamp: stamp(path) }
    }

    /// Whether something is there that an answer would replace.
    pub(crate) fn is_taken(&self) -> bool {
        !is_free(&self.path)
    }

    /// Whether the answer can be written there: no other program has written there since the session began.
    pub(crate) fn can_be_written(&self) -> bool {
        self.can_be_replaced && (self.is_named || self.stamp == stamp(&self.path))
    }
}

/// Sizes and times of all files, which change if another program writes there.
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
        let name = |file: &str| default_output(&[PathBuf::from(file)]);
        assert_eq!(name("/x/bug.c"), Path::new("/x/bug.min.c"));
        assert_eq!(name("/x/core"), Path::new("/x/core.min"));
        assert_eq!(name("/x/src.tar.gz"), Path::new("/x/src.min.tar.gz"));
        assert_eq!(name("/x/.profile"), Path::new("/x/.profile.min"));
    }
}
