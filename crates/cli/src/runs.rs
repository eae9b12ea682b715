//! `howcome runs`: which runs there are.

use crate::exit::Exit;
use crate::show::read_entries;
use crate::streams::{answer, talk};
use clap::Args;
use howcome_report::{Account, Summary};
use howcome_run::words::{moment, pad, width};
use howcome_run::{Problem, RunDir, is_locked, read_run_file};
use std::path::{Path, PathBuf};

/// List the runs below a folder
#[derive(Args, Debug)]
pub(crate) struct RunsArgs {
    /// The folder that holds them
    #[arg(default_value = RunDir::RUNS)]
    folder: PathBuf,
}

pub(crate) fn run(args: RunsArgs) -> Result<Exit, Problem> {
    let runs = RunDir::all_in(&args.folder);
    if runs.is_empty() {
        talk!("no runs in {}", args.folder.display());
    }
    // One run that cannot be read is no reason not to list the others.
    let lines: Vec<[String; 3]> = runs
        .iter()
        .map(|run| {
            describe(run)
                .unwrap_or_else(|problem| [run.display().to_string(), String::new(), problem.to_string()])
        })
        .collect();
    let columns = lines.iter().map(|[run, ..]| width(run)).max().unwrap_or(0);
    for [run, begun, state] in lines {
        answer!("{}  {begun}  {state}\n", pad(&run, columns));
    }
    Ok(Exit::Found)
}

fn describe(run: &Path) -> Result<[String; 3], Problem> {
    let file = read_run_file(run)?;
    let summary = Summary::of(&file, run, &read_entries(run)?);
    let state = match summary.ending {
        None if is_locked(run) => "running".to_owned(),
        _ => Account::of(&summary).headline,
    };
    Ok([run.display().to_string(), moment(file.started), state])
}
