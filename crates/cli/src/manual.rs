//! `howcome man`: the manual pages, from the same source as the help.

use crate::exit::Exit;
use crate::streams;
use clap::{Args, Command};
use howcome_run::Problem;
use std::fs;
use std::path::PathBuf;

/// Print the manual page, or write one for each command
#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Write howcome.1, howcome-items.1 and so on into this folder
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

pub(crate) fn run(args: ManArgs, command: Command) -> Result<Exit, Problem> {
    let Some(folder) = args.into else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page).map_err(|error| Problem::new(error.to_string()))?;
        streams::write_bytes(std::io::stdout(), &page);
        return Ok(Exit::Found);
    };
    fs::create_dir_all(&folder).map_err(|error| Problem::with_file(&folder, &error))?;
    clap_mangen::generate_to(command, &folder).map_err(|error| Problem::with_file(&folder, &error))?;
    Ok(Exit::Found)
}
