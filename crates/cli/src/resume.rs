//! `howcome resume`: continue a run that was stopped or killed.

use crate::exit::Exit;
use crate::options::RunArgs;
use crate::questions::question;
use clap::Args;
use howcome_run::{Problem, RunDir};
use std::path::PathBuf;

/// Continue a run that was stopped or killed
///
/// No question that is recorded is tested again. Only the baseline is, to see whether the test still does what it did.
#[derive(Args, Debug)]
pub(crate) struct ResumeArgs {
    /// The folder of the run
    run: PathBuf,
    #[command(flatten)]
    options: RunArgs,
}

pub(crate) fn run(args: ResumeArgs) -> Result<Exit, Problem> {
    let run = RunDir::open(&args.run)?;
    let question = question(run.file().question)?;
    (question.resume)(run, &args.options)
}
