//! `howcome input`: the smallest input that still fails.

mod isolate;
mod keep;
mod request;
mod simplify;
mod source;

pub(crate) use isolate::{describe as describe_mix, is_one as is_isolation, rebuild as rebuild_mix};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::{FailureOptions, NewRunOptions, RunOptions};
use crate::run_folder::RunFolder;
use crate::session::{Session, VERSION, now};
use crate::talk::Talk;
use crate::test_command::TestCommand;
use clap::Args;
use howcome_run::{RUN_VERSION, RunDir, RunFile};
use request::Request;
use std::ffi::OsString;
use std::path::PathBuf;

/// Make a failing input as small as it can be and still fail
///
/// FILE is what makes the test fail: a file of any kind, several, or a folder. Each test finds a candidate under the same name
/// in an empty folder of its own, where it runs; `{}` in TEST is the path of the candidate. The failure is what the test
/// does with the whole input. The original is never touched.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InputArgs {
    /// The failing input: files or folders
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Give the candidate to the test as its standard input
    #[arg(long)]
    stdin: bool,
    /// Leave a pass out (repeatable); --list-passes names them
    #[arg(long, value_name = "NAME")]
    skip_pass: Vec<String>,
    /// Stop before names are shortened and lines are joined, so that the result stays readable
    #[arg(long)]
    readable: bool,
    /// Where to write the answer (<name>.min.<ext> beside the original)
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    isolation: isolate::IsolationArgs,
    #[command(flatten)]
    failure: FailureOptions,
    #[command(flatten)]
    new_run: NewRunOptions,
    #[command(flatten)]
    run: RunOptions,
    /// The test: a program and its arguments
    #[arg(last = true, required = true, value_name = "TEST")]
    test: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  A file that crashes a program:
    howcome input crash.json -- jq . {}
  A compiler that gives an internal error, without any script:
    howcome input bug.c --fails-when 'stderr~internal compiler error' -- gcc -O2 -c bug.c
  A test as C-Reduce, C-Vise and Shrink Ray take it (exit code 0: interesting):
    howcome input bug.c -- ./interesting.sh
  What makes the difference between an input that passes and one that fails:
    howcome input bug.c --pass good.c -- gcc -O2 -c {}";

pub(crate) fn run(args: InputArgs) -> Result<Exit, Failure> {
    args.failure.terms()?;
    let talk = Talk::new(args.run.quiet, args.run.verbose);
    let test = TestCommand::parse(&args.test, false)?;
    let files: Vec<PathBuf> = args.files.iter().map(|path| test.directory.join(path)).collect();
    let document = source::read(&files)?;
    let output = match args.output {
        Some(path) => test.directory.join(path),
        None => source::smaller_name(&files[0]),
    };
    source::check_output(&output, &files)?;
    let request = Request {
        files,
        stdin: args.stdin,
        skip_pass: args.skip_pass,
        readable: args.readable,
        output,
        test,
        failure: args.failure,
    };
    let file = RunFile {
        howcome: VERSION.to_owned(),
        version: RUN_VERSION,
        question: "input".to_owned(),
        algorithm: "balanced".to_owned(),
        jobs: args.run.jobs(),
        started: now(),
        request: serde_json::to_value(&request)
            .map_err(|error| Failure::wrong_use(error.to_string()).exit(Exit::Bug))?,
    };
    if let Some(isolation) = args.isolation.isolation(&request, &document)? {
        return isolate::run(isolation, file, &request, args.new_run, &args.run, talk);
    }
    let run_dir = RunFolder::choose(args.new_run.run_dir, "input", file.started);
    let session = Session::begin(&run_dir, file, &args.run, talk)?;
    if let Some(dir) = session.dir() {
        keep::save(&document, &dir.join(ORIGINAL))?;
    }
    simplify::answer(session, &request, &document, args.new_run.dry_run)
}

/// The input as it was when the run began. The original may change; the run does not.
const ORIGINAL: &str = "original";

/// Continues a run of this question.
pub(crate) fn resume(run: RunDir, options: &RunOptions) -> Result<Exit, Failure> {
    let request = Request::of(run.file())?;
    if isolate::is_one(run.file()) {
        return isolate::resume(run, &request, options);
    }
    let document = source::read_saved(&run.path().join(ORIGINAL), &request.files)?;
    let talk = Talk::new(options.quiet, options.verbose);
    let session = Session::resume(run, options, talk)?;
    simplify::answer(session, &request, &document, false)
}
