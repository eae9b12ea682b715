//! The run that is meant if none is named: the last one.

use crate::streams::talk;
use howcome_run::{Problem, RunDir, read_run_file};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The named run, or the one in the folder of runs or in the current folder that was begun last.
pub(crate) fn named_or_last(named: Option<PathBuf>) -> Result<PathBuf, Problem> {
    if let Some(named) = named {
        return Ok(named);
    }
    let last = last_of(&[Path::new(RunDir::RUNS), Path::new(".")]).ok_or_else(|| {
        Problem::new(format!("there is no run in {} or in the current folder", RunDir::RUNS))
            .hint("name the folder of a run; `howcome runs DIR` lists the runs in a folder")
    })?;
    talk!("the last run is {}", last.display());
    Ok(last)
}

fn last_of(folders: &[&Path]) -> Option<PathBuf> {
    let runs = folders.iter().flat_map(|folder| RunDir::all_in(folder));
    runs.max_by_key(|run| (begun(run), run.clone()))
        // `./run` is written as `run`.
        .map(|run| run.strip_prefix(".").map(Path::to_owned).unwrap_or(run))
}

/// When a run was begun: to the second as it is recorded, and to order the runs of one second, when that was written.
fn begun(run: &Path) -> Option<(u64, SystemTime)> {
    let started = read_run_file(run).ok()?.started;
    let written = fs::metadata(run.join("run.json")).and_then(|found| found.modified()).ok()?;
    Some((started, written))
}
