//! `howcome runs`: which runs there are.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::run_folder::{RUNS, all_in};
use crate::show::read_entries;
use clap::Args;
use howcome_report::{Account, Summary, moment};
use howcome_run::{is_locked, read_run_file};
use std::path::{Path, PathBuf};

/// List the runs below a folder
#[derive(Args, Debug)]
pub(crate) struct RunsArgs {
    /// The folder that holds them
    #[arg(default_value = RUNS)]
    folder: PathBuf,
}

pub(crate) fn run(args: RunsArgs) -> Result<Exit, Failure> {
    let runs = all_in(&args.folder);
    if runs.is_empty() {
        eprintln!("no runs in {}", args.folder.display());
    }
    for run in runs {
        match describe(&run) {
            Ok(line) => println!("{line}"),
            // One run that cannot be read is no reason not to list the others.
            Err(failure) => println!("{}  {failure}", run.display()),
        }
    }
    Ok(Exit::Found)
}

fn describe(run: &Path) -> Result<String, Failure> {
    let file = read_run_file(run)?;
    let summary = Summary::of(&file, run, &read_entries(run)?);
    let state = match summary.ending {
        None if is_locked(run) => "running".to_owned(),
        _ => Account::of(&summary).headline,
    };
    Ok(format!("{}  {}  {state}", run.display(), moment(file.started)))
}
