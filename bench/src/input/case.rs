//! The cases: each is a folder with a script that makes the input from files on the machine, and the test.

use anyhow::{Context, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The exit code of a script that finds something missing on this machine.
const MISSING: i32 = 77;

/// An input and its test.
pub(crate) struct InputCase {
    pub(crate) name: String,
    /// The input.
    pub(crate) input: PathBuf,
    /// The test. It exits with 0 if the input in its working directory is interesting.
    pub(crate) test: PathBuf,
    pub(crate) bytes: u64,
}

/// Whether a case can be run here.
pub(crate) enum PreparedCase {
    Case(InputCase),
    /// The reason why it cannot be run.
    Missing(String),
}

/// The folder of the cases.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("input/cases")
}

/// The names of all cases.
pub(crate) fn names() -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder()).context("the cases, which are part of the source")? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Makes a case in a folder. A name with a slash is a folder of the user with `input.*` and `test.sh`.
pub(crate) fn make(name: &str, place: &Path) -> anyhow::Result<PreparedCase> {
    let given = Path::new(name);
    if name.contains('/') {
        let input = only_input(given)?.context("the folder has no file `input.*`")?;
        let name = given.file_name().unwrap_or(given.as_os_str()).to_string_lossy().into_owned();
        return checked(name, fs::canonicalize(input)?, fs::canonicalize(given.join("test.sh"))?);
    }
    let folder = folder().join(name);
    ensure!(folder.is_dir(), "there is no case `{name}`; the cases are {}", names()?.join(", "));
    let place = place.join(name);
    fs::create_dir_all(&place)?;
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let made =
        Command::new("sh").arg(folder.join("make")).arg(&place).env("BENCH_PROJECT", project).output()?;
    if made.status.code() == Some(MISSING) {
        return Ok(PreparedCase::Missing(String::from_utf8_lossy(&made.stdout).trim().to_owned()));
    }
    ensure!(made.status.success(), "the case `{name}`: {}", String::from_utf8_lossy(&made.stderr));
    let input = only_input(&place)?.context("nothing was made")?;
    checked(name.to_owned(), input, folder.join("test"))
}

fn only_input(folder: &Path) -> anyhow::Result<Option<PathBuf>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_stem().is_some_and(|stem| stem == "input") {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Checks that the input is interesting to begin with.
fn checked(name: String, input: PathBuf, test: PathBuf) -> anyhow::Result<PreparedCase> {
    let Some(file) = input.file_name() else { bail!("{} is not a file", input.display()) };
    let folder = tempfile::tempdir()?;
    fs::copy(&input, folder.path().join(file))?;
    let is_interesting = Command::new(&test).current_dir(folder.path()).output()?.status.success();
    if !is_interesting {
        return Ok(PreparedCase::Missing("the input from this machine is not interesting".to_owned()));
    }
    let bytes = fs::metadata(&input)?.len();
    Ok(PreparedCase::Case(InputCase { name, input, test, bytes }))
}
