//! The real command, as a user would run it.

use anyhow::{Context, ensure};
use std::path::PathBuf;

/// The path of the command, next to this program.
pub(crate) fn program() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe().context("where this program is")?;
    let howcome = program.with_file_name("howcome");
    ensure!(howcome.is_file(), "howcome is not built: run `cargo build --release -p howcome`");
    Ok(howcome)
}
