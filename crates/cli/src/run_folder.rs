//! Where runs are recorded, and which there are.

use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder that holds the runs of whoever does not say otherwise.
pub(crate) const RUNS: &str = "howcome.out";

/// Where a new run is to be recorded.
pub(crate) struct RunFolder {
    path: PathBuf,
    /// The user wants it there and nowhere else.
    given: bool,
}

impl RunFolder {
    /// The given folder, or one named after the time and the question.
    pub(crate) fn choose(given: Option<PathBuf>, question: &str, started: u64) -> Self {
        match given {
            Some(path) => Self { path, given: true },
            None => {
                // Seconds are left out where people read it.
                let second = started % 60;
                let minutes = howcome_report::moment(started);
                let digits: String = minutes.chars().filter(char::is_ascii_digit).collect();
                let (day, hour) = digits.split_at(digits.len().min(8));
                Self {
                    path: Path::new(RUNS).join(format!("{day}-{hour}{second:02}-{question}")),
                    given: false,
                }
            }
        }
    }

    /// The folders to try, one after the other: another howcome may have begun in the same second.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let numbered = (2..100_u32).filter(|_| !self.given).map(|number| {
            let mut name = self.path.clone().into_os_string();
            name.push(format!("-{number}"));
            name.into()
        });
        std::iter::once(self.path.clone()).chain(numbered)
    }
}

/// The folders of runs in a folder, the oldest first.
pub(crate) fn all_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut runs: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.join("run.json").is_file()).collect();
    runs.sort();
    runs
}

/// A folder for a candidate, which is made where there is none. What is in a folder is somebody's.
pub(crate) fn empty_folder(path: &Path) -> Result<PathBuf, Failure> {
    fs::create_dir_all(path).map_err(|error| Failure::file(path, &error))?;
    let path = path.canonicalize().map_err(|error| Failure::file(path, &error))?;
    match fs::read_dir(&path).map_err(|error| Failure::file(&path, &error))?.next() {
        None => Ok(path),
        Some(_) => {
            Err(Failure::wrong_use(format!("{} is not empty", path.display())).hint("name a new folder"))
        }
    }
}
