//! `howcome state`: which variables decide between a passing and a failing run, and how the failure came about.
//!
//! | file | idea |
//! |---|---|
//! | `graph` | `--graph`: the memory graph in a file |
//! | `host` | what runs get from this process |
//! | `before` | `howcome show RUN --before STEP` |

mod before;
mod graph;
mod host;

use crate::exit::Exit;
use crate::interrupts::interrupt_by;
use crate::keys::stop_by_key;
use crate::lab_setup::current_folder;
use crate::options::{NewRunArgs, RunArgs};
use crate::quantity;
use crate::question::{QuestionCommands, TestOfRun, arguments};
use crate::sandbox::enter_as_a_whole;
use crate::session::{begin, finish};
use crate::talk::Talk;
use clap::Args;
use graph::GraphArgs;
use host::GuardedHost;
use howcome_lab::inquiry::{Listener, Session, TestCommand, empty_folder};
use howcome_run::{Algorithm, Problem, QuestionName, RunDir};
use howcome_state::question::{
    Asking, JudgingRequest, RunHost, ShownPlace, StateRequest, TriedTest, ask, run_both,
};
use howcome_state::{RunPair, StopFlag};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Find out how a program came to fail: which variables decide, place by place
///
/// Give two runs of the same program, built with debug information (gcc -g -O0, rustc -g): one that fails, one that passes.
/// howcome stops both runs at comparable places and compares their memory. Then it writes values of the failing run into copies
/// of the passing run, to see which of them make it fail.
///
/// CMD is [NAME=VALUE…] PROGRAM [ARGUMENT…] [< FILE]. It is split into words like in a shell, but no shell runs it. `@FILE` reads
/// the run from a JSON file: {"command": ["./program", "argument"], "environment": {"NAME": "value"}, "stdin": "FILE",
/// "directory": "DIR"}.
///
/// Nothing that the program does is visible outside: it writes to copies of files, which are thrown away. Programs with threads,
/// other processes or sockets are refused.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
struct StateArgs {
    /// The run that fails
    #[arg(long, value_name = "CMD")]
    fail: String,
    /// The run that passes
    #[arg(long, value_name = "CMD", required_unless_present = "between")]
    pass: Option<String>,
    /// A place to examine: FUNCTION[:HIT] or FILE:LINE[:HIT] (repeatable; default: main, and 50, 75 and 90 % of the functions
    /// that the failing run covers)
    #[arg(long, value_name = "LOCATION", group = "places")]
    at: Vec<String>,
    /// Examine the first call of every function that both runs call
    #[arg(long, group = "places")]
    every_function: bool,
    /// Compare two calls of a function in the failing run, or two rounds of a loop (FILE:LINE:HIT): the first passes,
    /// the second fails
    #[arg(long, value_names = ["LOCATION", "LOCATION"], num_args = 2, group = "places", conflicts_with = "pass")]
    between: Option<Vec<String>>,
    /// Find all moments at which the cause changes from one variable to another, not only the last one
    #[arg(long)]
    transitions: bool,
    /// Further runs that pass, as evidence for the places to look at: an input file, a folder of input files, or a whole CMD. A file
    /// takes the place of the input in which --fail and --pass differ. Lines that only failing runs execute, and values that only failing runs have, are suspicious
    #[arg(long, value_name = "FILE|DIR|CMD", num_args = 1.., conflicts_with = "between")]
    more_passing: Vec<String>,
    /// Further runs that fail in the same way, likewise
    #[arg(long, value_name = "FILE|DIR|CMD", num_args = 1.., conflicts_with = "between")]
    more_failing: Vec<String>,
    /// A folder with debug information that is not in the program (repeatable; default: /usr/lib/debug)
    #[arg(long, value_name = "DIR")]
    debug_dir: Vec<PathBuf>,
    #[command(flatten)]
    judged: JudgingArgs,
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    new_run: NewRunArgs,
    #[command(flatten)]
    run: RunArgs,
    /// Your own test: it reads what a run printed since the stop on standard input, and how the run ended in HOWCOME_STATUS;
    /// exit code 0 means pass, 125 cannot tell, any other fail
    #[arg(last = true, value_name = "TEST")]
    test: Vec<OsString>,
}

/// What counts as the failure.
#[derive(Args, Debug)]
#[command(next_help_heading = "The failure")]
struct JudgingArgs {
    /// The failure is when COND holds, instead of when an altered run does what the failing run does (repeatable, all must
    /// hold): exit=3, exit!=0, signal=SEGV, crash, timeout, stdout~REGEX, stderr~REGEX, output~REGEX
    #[arg(long, value_name = "COND")]
    fails_when: Vec<String>,
    /// A run passes when COND holds (repeatable, all must hold)
    #[arg(long, value_name = "COND")]
    passes_when: Vec<String>,
    /// How long an altered run may take (default: five times the slower of the two runs, at least 150 ms)
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
  It crashes with one input and not with another; where does the cause change?
    howcome state --fail './parser < bad.txt' --pass './parser < good.txt' --transitions
  At places of your choice:
    howcome state --fail './parser bad' --pass './parser good' --at reduce:3 --at parser.c:120
  The third call of a function goes wrong, the second does not:
    howcome state --fail './server input' --between handle:2 handle:3
  Folders of inputs that pass and fail, to rank the places to look at:
    howcome state --fail './parser bad.txt' --pass './parser good.txt' --more-passing good/ --more-failing bad/
  A picture of what differs in memory, and one of another part of it:
    howcome state --fail './parser bad' --pass './parser good' --at reduce:3 --graph parser.svg
    howcome state --fail './parser bad' --pass './parser good' --at reduce:3 --graph stack.svg --around 'stack->next'";

pub(crate) const QUESTION: QuestionCommands = QuestionCommands {
    name: QuestionName::State,
    command: StateArgs::augment_args,
    run: |matches| run(arguments(matches)?),
    resume,
    describe: |test| Ok(repeat(test)?.describe()),
    rebuild: |test, into| repeat(test)?.write_script(&empty_folder(into)?),
    before: Some(before::before),
};

impl StateArgs {
    fn request(&self, directory: &Path) -> Result<StateRequest, Problem> {
        let test = match self.test.as_slice() {
            [] => Vec::new(),
            // It must exist and be executable.
            words => {
                let test = TestCommand::parse(words, directory.to_owned(), false)?;
                [vec![test.program.into_os_string()], test.arguments].concat()
            }
        };
        Ok(StateRequest {
            fail: self.fail.clone(),
            pass: self.pass.clone(),
            at: self.at.clone(),
            every_function: self.every_function,
            between: self.between.clone(),
            transitions: self.transitions,
            more_passing: self.more_passing.clone(),
            more_failing: self.more_failing.clone(),
            debug_dir: self.debug_dir.iter().map(|folder| directory.join(folder)).collect(),
            judged: JudgingRequest {
                fails_when: self.judged.fails_when.clone(),
                passes_when: self.judged.passes_when.clone(),
                timeout: self.judged.timeout,
                memory: self.judged.memory,
            },
            graph: self.graph.request(directory),
            test,
            directory: directory.to_owned(),
        })
    }
}

fn run(args: StateArgs) -> Result<Exit, Problem> {
    #[cfg(feature = "remote")]
    args.run.remote.refuse()?;
    args.run.launch.refuse(ON_THIS_MACHINE)?;
    if args.run.sandbox {
        enter_as_a_whole(
            args.new_run.run_dir.as_deref(),
            &args.graph.file().into_iter().collect::<Vec<_>>(),
        )?;
    }
    let request = args.request(&current_folder()?)?;
    request.terms_without_test()?;
    request.places()?;
    graph::check(&request.graph)?;
    let talk = Talk::new(args.run.quiet, args.run.verbose);
    // Before anything is recorded: most of what can be wrong is wrong with the program.
    let (host, runs) = run_program(&request, &talk)?;
    let session =
        begin(QuestionName::State, Algorithm::Isolate, &request, &(), &args.new_run, &args.run, talk)?;
    answer(session, &request, &host, &runs, &args.run, args.new_run.dry_run)
}

/// Why no launcher can be used.
const ON_THIS_MACHINE: &str = "`howcome state` stops the program and reads its memory on this machine";

fn resume(run: RunDir, options: &RunArgs) -> Result<Exit, Problem> {
    #[cfg(feature = "remote")]
    options.remote.refuse()?;
    options.launch.refuse(ON_THIS_MACHINE)?;
    if options.sandbox {
        let path = run.path().to_owned();
        // Its lock is taken again inside.
        drop(run);
        enter_as_a_whole(Some(&path), &[])?;
        return Err(Problem::bug("the sandbox was not entered"));
    }
    let request = StateRequest::of(run.file())?;
    let talk = Talk::new(options.quiet, options.verbose);
    let (host, runs) = run_program(&request, &talk)?;
    let session = crate::session::resume(run, options, talk)?;
    answer(session, &request, &host, &runs, options, false)
}

/// Runs the program both ways.
fn run_program(request: &StateRequest, talk: &Talk) -> Result<(GuardedHost, RunPair), Problem> {
    talk.now("running the program both ways");
    // Nothing is recorded yet, so howcome can simply exit.
    interrupt_by(|| {
        howcome_state::tracee::remove_copies();
        host::remove_folder();
        std::process::exit(Exit::Stopped as i32)
    })?;
    let host = GuardedHost::new()?;
    let runs = run_both(request, &host)?;
    talk.finish();
    Ok((host, runs))
}

fn answer(
    mut session: Session,
    request: &StateRequest,
    host: &RunHost,
    runs: &RunPair,
    options: &RunArgs,
    dry_run: bool,
) -> Result<Exit, Problem> {
    let draw = |shown: &ShownPlace<'_>| graph::write(&request.graph, shown);
    let draw = request.graph.graph.is_some().then_some(&draw as _);
    let asking = Asking {
        host,
        workers: options.jobs() as usize,
        stop: stop_by_interrupt(options.quiet)?,
        dry_run,
        draw,
    };
    let answered = ask(&mut session, request, runs, asking);
    finish(session, answered, options)
}

/// A flag that Ctrl-C sets, and `q` in a terminal.
fn stop_by_interrupt(is_quiet: bool) -> Result<StopFlag, Problem> {
    let stop = StopFlag::default();
    let (by_signal, by_key) = (stop.clone(), stop.clone());
    interrupt_by(move || by_signal.interrupt())?;
    if !is_quiet {
        stop_by_key(move || by_key.interrupt());
    }
    Ok(stop)
}

/// One test of a recorded run, with the program run again.
fn repeat(test: &TestOfRun<'_>) -> Result<TriedTest, Problem> {
    let request = StateRequest::of(test.file)?;
    let stage = test.summary.stage(test.stage);
    let stage = stage.ok_or_else(|| Problem::bug(format!("the run has no stage {}", test.stage)))?;
    let (_host, runs) = run_program(&request, &Talk::new(true, false))?;
    TriedTest::repeat(&request, &runs, &stage.subject, test.configuration)
}
