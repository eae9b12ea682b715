//! Where runs are recorded, and which there are.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder that holds the runs of whoever does not say otherwise.
pub(crate) const RUNS: &str = "howcome.out";

/// The folder of a new run: the given one, or one named after the time and the question.
pub(crate) fn choose(given: Option<PathBuf>, question: &str, started: u64) -> PathBuf {
    given.unwrap_or_else(|| {
        // Seconds are left out where people read it.
        let second = started % 60;
        let time: String = howcome_report::moment(started)
            .chars()
            .filter(char::is_ascii_digit)
            .take("202603011200".len())
            .collect();
        let (day, hour) = time.split_at(time.len().min(8));
        let name = format!("{day}-{hour}{second:02}-{question}");
        let numbered = (2_u32..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).map(|name| Path::new(RUNS).join(name));
        // Two that start at the same second race for the name; the loser is told that it exists.
        free.into_iter().find(|path| !path.exists()).unwrap_or_else(|| Path::new(RUNS).join(name))
    })
}

/// The folders of runs in a folder, the oldest first.
pub(crate) fn all_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut runs: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.join("run.json").is_file()).collect();
    runs.sort();
    runs
}
