//! The cases: a folder each, with a script that makes the input of what is on the machine, and the test.

use anyhow::{Context, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The exit code of a script that finds something missing on this machine.
const MISSING: i32 = 77;

/// An input and what is interesting about it.
pub(crate) struct InputCase {
    pub(crate) name: String,
    /// The input.
    pub(crate) input: PathBuf,
    /// The test: it exits with 0 if what it finds in the folder in which it runs is interesting.
    pub(crate) test: PathBuf,
    pub(crate) bytes: u64,
}

/// Whether a case can be run here.
pub(crate) enum PreparedCase {
    Case(InputCase),
    /// Why it cannot.
    Missing(String),
}

/// Where the cases are.
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

/// Makes a case in a folder; one with a slash is a folder of the user with `input.*` and `test.sh`.
pub(crate) fn make(name: &str, place: &Path) -> anyhow::Result<PreparedCase> {
    let given = Path::new(name);
    if name.contains('/') {
        let input = only_input(given)?.context("no file `input.*` is in the folder")?;
        let name = given.file_name().unwrap_or(given.as_os_str()).to_string_lossy().into_owned();
        return checked(name, fs::canonicalize(input)?, fs::canonicalize(given.join("test.sh"))?);
    }
    let folder = folder().join(name);
    ensure!(folder.is_dir(), "there is no case `{name}`: it can be one of {}", names()?.join(", "));
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

/// A case whose input is interesting to begin with.
fn checked(name: String, input: PathBuf, test: PathBuf) -> anyhow::Result<PreparedCase> {
    let Some(file) = input.file_name() else { bail!("{} is no file", input.display()) };
    let folder = tempfile::tempdir()?;
    fs::copy(&input, folder.path().join(file))?;
    let is_interesting = Command::new(&test).current_dir(folder.path()).output()?.status.success();
    if !is_interesting {
        return Ok(PreparedCase::Missing(
            "what is on this machine is not interesting to the test".to_owned(),
        ));
    }
    let bytes = fs::metadata(&input)?.len();
    Ok(PreparedCase::Case(InputCase { name, input, test, bytes }))
}
