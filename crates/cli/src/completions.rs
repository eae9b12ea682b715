//! `howcome completions`: what a shell needs to complete howcome's words.

use crate::exit::Exit;
use crate::streams;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_complete::env::{CompleteEnv, Shells};
use howcome_run::Problem;

/// The variable by which a shell asks howcome to complete words.
const VARIABLE: &str = "HOWCOME_COMPLETE";

/// Print completions for a shell
///
/// The printed script asks howcome itself when words are completed, so runs, revisions and passes are known. Load it when the shell
/// starts: `source <(howcome completions bash)`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Completes words and exits, if a shell asks for that.
pub(crate) fn complete_if_asked(command_line: fn() -> Command) {
    CompleteEnv::with_factory(command_line).var(VARIABLE).bin("howcome").complete();
}

pub(crate) fn run(args: &CompletionsArgs) -> Result<Exit, Problem> {
    let shells = Shells::builtins();
    let name = args.shell.to_string();
    let shell = shells.completer(&name).ok_or_else(|| Problem::bug(format!("no completions for {name}")))?;
    let mut script = Vec::new();
    shell
        .write_registration(VARIABLE, "howcome", "howcome", "howcome", &mut script)
        .map_err(|error| Problem::bug(error.to_string()))?;
    streams::write_bytes(std::io::stdout(), &script);
    Ok(Exit::Found)
}
