//! `howcome resume`: continue a run that was stopped or killed.

use crate::exit::Exit;
use crate::last_run::named_or_last;
use crate::options::RunArgs;
use crate::questions::question;
use clap::Args;
use howcome_run::{Problem, QuestionName, RunDir};
use std::path::PathBuf;

/// Continue a run that was stopped or killed
///
/// No question that is recorded is tested again. Only the baseline is, to see whether the test still does what it did.
/// Without --jobs, as many tests run at a time as before.
#[derive(Args, Debug)]
pub(crate) struct ResumeArgs {
    /// The folder of the run (the last run in howcome.out or in the current folder)
    run: Option<PathBuf>,
    /// Continue a search that ended because it made no progress (for `changes` and `history`)
    #[arg(long)]
    thorough: bool,
    #[command(flatten)]
    options: RunArgs,
}

pub(crate) fn run(args: ResumeArgs) -> Result<Exit, Problem> {
    let mut run = RunDir::open(&named_or_last(args.run)?)?;
    let question = question(run.file().question)?;
    let has_limits = matches!(question.name, QuestionName::Changes | QuestionName::History);
    if args.thorough && !has_limits {
        return Err(Problem::new(format!(
            "a run of `howcome {}` has nothing to do for --thorough",
            question.name
        ))
        .hint("leave it out: this question is always searched to its end"));
    }
    let mut options = args.options.or_jobs(run.file().jobs);
    options.thorough = args.thorough;
    options.launch = options.launch.or_recorded(run.file());
    if args.thorough {
        run.set_in_request("thorough", true.into())?;
    }
    (question.resume)(run, &options)
}
