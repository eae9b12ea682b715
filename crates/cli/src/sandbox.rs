//! `--sandbox`: tests see the machine as you do, but can change nothing of it and reach no network.
//!
//! The wardens of `lab` run inside; howcome itself stays outside, so that no test can touch the record of the run. `howcome state` traces
//! its program itself, so it goes inside as a whole.

use crate::lab_setup::{WARDEN, current_folder, lab_options};
use howcome_lab::LocalOptions;
use howcome_lab::warden::GuardedFolder;
use howcome_run::{Problem, RunDir, plain_error};
use howcome_sandbox::{Cell, CellView, Walls};
use std::ffi::OsString;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folder of the workspaces, which tests can write to.
static FOLDER: Mutex<Option<GuardedFolder>> = Mutex::new(None);

/// The same options with wardens that run inside the sandbox.
pub(crate) fn wall_in(mut options: LocalOptions) -> Result<LocalOptions, Problem> {
    let (walls, howcome) = walls()?;
    let mut held = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
    if held.is_none() {
        let made = GuardedFolder::new_in(&options.temp, &options.warden);
        *held = Some(made.map_err(|error| Problem::with_file(&options.temp, &error))?);
    }
    let Some(folder) = held.as_ref().map(|folder| folder.path().to_owned()) else {
        return Err(Problem::bug("the folder of the sandbox is gone"));
    };
    let cell = Cell::new(CellView::Everything, "/").writable(&folder, &folder);
    options.warden = cell.foreground_command(&walls, &howcome, &[Cell::ITSELF.into(), WARDEN.into()]);
    options.temp = folder;
    Ok(options)
}

/// Removes the folder of the workspaces.
pub(crate) fn remove_folder() {
    drop(FOLDER.lock().unwrap_or_else(PoisonError::into_inner).take());
}

/// Starts this command again inside the sandbox, as a whole. `run` is the folder of the run, if it is given; `files` are others that the
/// command writes.
pub(crate) fn enter_as_a_whole(run: Option<&Path>, files: &[&Path]) -> Result<(), Problem> {
    let (walls, howcome) = walls()?;
    let here = current_folder()?;
    let runs = match run {
        Some(run) => here.join(run).parent().map_or_else(|| here.clone(), Path::to_owned),
        None => here.join(RunDir::RUNS),
    };
    fs::create_dir_all(&runs).map_err(|error| Problem::with_file(&runs, &error))?;
    let mut cell = Cell::new(CellView::Everything, &here).writable(&runs, &runs);
    for folder in files.iter().filter_map(|file| here.join(file).parent().map(Path::to_owned)) {
        cell = cell.writable(&folder, &folder);
    }
    // Without the flag: inside, there is nothing left to do for it.
    let mut is_test = false;
    let words = std::env::args_os().skip(1).filter(|word| {
        is_test |= word == "--";
        is_test || word != "--sandbox"
    });
    let words: Vec<OsString> = [Cell::ITSELF.into()].into_iter().chain(words).collect();
    let command = cell.foreground_command(&walls, &howcome, &words);
    // A file system in memory, which is gone with the sandbox.
    let temp = if walls.has_namespaces() { PathBuf::from("/dev/shm") } else { runs };
    let (program, arguments) =
        command.split_first().ok_or_else(|| Problem::bug("the sandbox has no command"))?;
    let error = std::process::Command::new(program).args(arguments).env("TMPDIR", temp).exec();
    Err(Problem::new(format!("the sandbox cannot be started: {}", plain_error(&error))))
}

fn walls() -> Result<(Walls, PathBuf), Problem> {
    let howcome = lab_options()?.warden.into_iter().next().map(PathBuf::from);
    let howcome = howcome.ok_or_else(|| Problem::bug("howcome has no name"))?;
    let walls = Walls::probe(&howcome);
    match walls.stand() {
        true => Ok((walls, howcome)),
        false => {
            Err(Problem::new(format!("there is no sandbox on this machine: {}", walls.missing().join("; ")))
                .hint("install bubblewrap and allow user namespaces, or leave out --sandbox"))
        }
    }
}
