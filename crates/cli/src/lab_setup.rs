//! What tests get from this process: its own program as their warden, a folder for temporary files.

use howcome_lab::LocalOptions;
use howcome_run::{Problem, plain_error};
use std::path::PathBuf;

/// The hidden command by which howcome starts itself as a warden.
pub(crate) const WARDEN: &str = "warden";

/// How anything runs on this machine.
pub(crate) fn lab_options() -> Result<LocalOptions, Problem> {
    let program = std::env::current_exe()
        .map_err(|error| Problem::new(format!("howcome cannot find itself: {}", plain_error(&error))))?;
    // Tests do not run in the user's folder, so a path relative to it would lead them astray.
    let temp = std::path::absolute(std::env::temp_dir()).unwrap_or_else(|_| PathBuf::from("/tmp"));
    Ok(LocalOptions::new(vec![program.into(), WARDEN.into()], temp))
}

/// The folder in which the user asks.
pub(crate) fn current_folder() -> Result<PathBuf, Problem> {
    std::env::current_dir()
        .map_err(|error| Problem::new(format!("the current folder cannot be found: {}", plain_error(&error))))
}
