//! `howcome state`: which variables decide between a passing and a failing run, and how the failure came to be.

mod before;
mod chain;
mod failures;
mod finding;
mod graph;
mod picture;
mod request;
mod shown;
mod started;

pub(crate) use before::before;
pub(crate) use shown::{describe, rebuild};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::{NewRunOptions, RunOptions};
use crate::quantity;
use crate::run_folder::RunFolder;
use crate::session::{Session, VERSION, now};
use crate::talk::Talk;
use crate::test_command::stands;
use clap::Args;
use howcome_run::{RUN_VERSION, RunDir, RunFile};
use request::Request;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Find out how a program came to fail: which variables decide, place by place
///
/// CMD is a run of one and the same program, with debug information (gcc -g -O0, rustc -g): one that fails, one that passes.
/// Both are stopped at comparable places, their memory is compared, and values of the failing run are put into copies of the
/// passing one, to see which of them make it fail.
///
/// CMD is split into words as a shell does it, without a shell: [NAME=VALUE…] PROGRAM [ARGUMENT…] [< FILE]. `@FILE` is a file
/// that says it as JSON: {"command": ["./program", "argument"], "environment": {"NAME": "value"}, "stdin": "FILE", "directory":
/// "DIR"}.
///
/// Nothing that the program does is seen outside: files that it writes are copies, which are thrown away. Programs with
/// threads, other processes or sockets are refused.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StateArgs {
    /// The run that fails
    #[arg(long, value_name = "CMD")]
    fail: String,
    /// The run that passes
    #[arg(long, value_name = "CMD", required_unless_present = "between")]
    pass: Option<String>,
    /// A place to look at: FUNCTION[:HIT] or FILE:LINE[:HIT] (repeatable; main, and 50, 75 and 90 % of the functions that the
    /// failing run covers)
    #[arg(long, value_name = "LOCATION", group = "places")]
    at: Vec<String>,
    /// Look at the first call of every function that both runs make
    #[arg(long, group = "places")]
    every_function: bool,
    /// Compare two calls of a function in the failing run with each other: the first passes, the second fails
    #[arg(long, value_names = ["LOCATION", "LOCATION"], num_args = 2, group = "places", conflicts_with = "pass")]
    between: Option<Vec<String>>,
    /// Find all lines between which the cause changes hands, back to the start, not only the last ones
    #[arg(long)]
    transitions: bool,
    /// Where debug information is looked for that is not in the program (repeatable; /usr/lib/debug)
    #[arg(long, value_name = "DIR")]
    debug_dir: Vec<PathBuf>,
    #[command(flatten)]
    judged: JudgedBy,
    #[command(flatten)]
    graph: graph::GraphOptions,
    #[command(flatten)]
    new_run: NewRunOptions,
    #[command(flatten)]
    run: RunOptions,
    /// A test of your own: it gets what a run printed since the stop on standard input and its ending as HOWCOME_STATUS; exit
    /// code 0 passes, 125 can't tell, others fail
    #[arg(last = true, value_name = "TEST")]
    test: Vec<OsString>,
}

/// What counts as the failure. Part of what a run is, so it is recorded.
#[derive(Args, Clone, Debug, serde::Serialize, serde::Deserialize)]
#[command(next_help_heading = "The failure")]
pub(crate) struct JudgedBy {
    /// The failure is when COND holds, instead of when an altered run does what the failing run does (repeatable, all must
    /// hold): exit=3, exit!=0, signal=SEGV, crash, timeout, stdout~REGEX, stderr~REGEX, output~REGEX
    #[arg(long, value_name = "COND")]
    fails_when: Vec<String>,
    /// A run passes when COND holds (repeatable, all must hold)
    #[arg(long, value_name = "COND")]
    passes_when: Vec<String>,
    /// How long an altered run may take (five times the slower of the two, at least 150 ms)
    #[arg(long, value_name = "D", value_parser = quantity::duration)]
    timeout: Option<Duration>,
    /// How much memory a run may use
    #[arg(long, value_name = "SIZE", value_parser = quantity::size, default_value = "4G")]
    memory: u64,
}

const EXAMPLES: &str = "\
Examples:
  The program gives a wrong result with five numbers, and the right one with six:
    howcome state --fail './sample 9 8 7 6 5' --pass './sample 9 8 7 6 5 4'
  It crashes with one input and not with another; where does the cause change hands?
    howcome state --fail './parser < bad.txt' --pass './parser < good.txt' --transitions
  At places of your choice:
    howcome state --fail './parser bad' --pass './parser good' --at reduce:3 --at parser.c:120
  The third call of a function goes wrong, the second does not:
    howcome state --fail './server input' --between handle:2 handle:3
  A picture of what differs in memory, and one of another part of it:
    howcome state --fail './parser bad' --pass './parser good' --at reduce:3 --graph parser.svg
    howcome state --fail './parser bad' --pass './parser good' --at reduce:3 --graph stack.svg --around 'stack->next'";

pub(crate) fn run(args: StateArgs) -> Result<Exit, Failure> {
    let directory = stands()?;
    let request = Request::new(&args, &directory)?;
    request.terms()?;
    request.places()?;
    request.graph.is_wanted()?;
    let talk = Talk::new(args.run.quiet, args.run.verbose);
    let file = RunFile {
        howcome: VERSION.to_owned(),
        version: RUN_VERSION,
        question: "state".to_owned(),
        algorithm: "isolate".to_owned(),
        jobs: args.run.jobs(),
        started: now(),
        request: serde_json::to_value(&request)
            .map_err(|error| Failure::wrong_use(error.to_string()).exit(Exit::Bug))?,
    };
    // Before anything is recorded: most of what can be wrong is wrong with the program.
    let runs = chain::runs(&request, &talk)?;
    let run_dir = RunFolder::choose(args.new_run.run_dir, "state", file.started);
    let session = Session::begin(&run_dir, file, &args.run, talk)?;
    chain::answer(session, &request, &runs, args.run.jobs(), args.new_run.dry_run)
}

/// Continues a run of this question.
pub(crate) fn resume(run: RunDir, options: &RunOptions) -> Result<Exit, Failure> {
    let request = Request::of(run.file())?;
    let talk = Talk::new(options.quiet, options.verbose);
    let runs = chain::runs(&request, &talk)?;
    let session = Session::resume(run, options, talk)?;
    chain::answer(session, &request, &runs, options.jobs(), false)
}
