//! `howcome completions`: what a shell needs to complete howcome's words.

use crate::exit::Exit;
use crate::streams;
use clap::{Args, Command};
use clap_complete::Shell;
use howcome_run::Problem;

/// Print completions for a shell
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, mut command: Command) -> Result<Exit, Problem> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "howcome", &mut script);
    streams::write_bytes(std::io::stdout(), &script);
    Ok(Exit::Found)
}
