//! Where a new run is recorded.

use howcome_run::words::moment;
use howcome_run::{QuestionName, RunDir};
use std::path::{Path, PathBuf};

/// Where a new run is to be recorded.
pub(crate) struct RunFolder {
    path: PathBuf,
    /// The user wants it there and nowhere else.
    given: bool,
}

impl RunFolder {
    /// The given folder, or one named after the time and the question.
    pub(crate) fn choose(given: Option<PathBuf>, question: QuestionName, started: u64) -> Self {
        match given {
            Some(path) => Self { path, given: true },
            None => {
                // Seconds are left out where people read it.
                let second = started % 60;
                let minutes = moment(started);
                let digits: String = minutes.chars().filter(char::is_ascii_digit).collect();
                let (day, hour) = digits.split_at(digits.len().min(8));
                Self {
                    path: Path::new(RunDir::RUNS).join(format!("{day}-{hour}{second:02}-{question}")),
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
