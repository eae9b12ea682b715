//! `howcome resume`: continue a run that was stopped or killed.

use crate::changes;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::history;
use crate::input;
use crate::items;
use crate::options::RunOptions;
use crate::state;
use clap::Args;
use howcome_run::RunDir;
use std::path::PathBuf;

/// Continue a run that was stopped or killed
///
/// No question that is recorded is tested again. Only the baseline is, to see whether the test still does what it did.
#[derive(Args, Debug)]
pub(crate) struct ResumeArgs {
    /// The folder of the run
    run: PathBuf,
    #[command(flatten)]
    options: RunOptions,
}

pub(crate) fn run(args: ResumeArgs) -> Result<Exit, Failure> {
    let run = RunDir::open(&args.run)?;
    match run.file().question.as_str() {
        "changes" => changes::resume(run, &args.options),
        "history" => history::resume(run, &args.options),
        "input" => input::resume(run, &args.options),
        "items" => items::resume(run, &args.options),
        "state" => state::resume(run, &args.options),
        other => Err(Failure::wrong_use(format!("this howcome cannot ask `{other}`"))
            .hint(format!("the run was begun by howcome {}", run.file().howcome))),
    }
}
