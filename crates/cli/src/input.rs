//! `howcome input`: the smallest input that still fails, or the smallest difference between two inputs.

use crate::exit::Exit;
use crate::lab_setup::current_folder;
use crate::options::{FailureArgs, NewRunArgs, RunArgs};
use crate::quantity;
use crate::question::{QuestionCommands, arguments};
use crate::session::{begin, finish, start_lab};
use crate::streams::{answer, print_json};
use crate::talk::Talk;
use clap::Args;
use howcome_input::question::{
    InputFormat, InputRequest, Inputs, PassingSide, ask, check_pass_names, default_output, describe,
    lithium_command, rebuild, resolve_paths, split_formatter,
};
use howcome_input::{Tier, passes};
use howcome_lab::inquiry::{Listener, TestCommand, conditions};
use howcome_report::SCHEMA;
use howcome_run::{Algorithm, Problem, QuestionName, RunDir};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Find the smallest input that still makes a test fail
///
/// FILE makes the test fail: a file of any kind, several files, or a folder. Each test runs in a folder of its own (a copy of
/// the current folder if the test needs its files) and finds a candidate there, under the same name; `{}` in TEST is the path of
/// the candidate. The failure is what the test does with the whole input: how it ends, and the error that it prints. The
/// original is never changed.
///
/// The answer is written to <name>.min.<ext> beside the original; for a folder or several files, it is the folder <name>.min.
/// A file or folder that exists is replaced only if an earlier run has written it.
///
/// TEST can be a program or script for C-Reduce, C-Vise or Shrink Ray, or a Python file with a function
/// `interesting(args, prefix)` for Lithium.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
struct InputArgs {
    /// The failing input: files or folders
    #[arg(required_unless_present = "list_passes", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Give the candidate to the test as its standard input
    #[arg(long)]
    stdin: bool,
    /// What the input is: a language (c, python, json, …), a container (png, zip, …), text, or bytes (by default, it follows
    /// from the name and the content)
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// Leave out a pass (repeatable); --list-passes lists the passes
    #[arg(long, value_name = "NAME", conflicts_with_all = ["pass", "isolate"])]
    skip_pass: Vec<String>,
    /// List the passes, and stop
    #[arg(long)]
    list_passes: bool,
    /// Do not shorten names or join lines, so that the answer stays readable
    #[arg(long, conflicts_with_all = ["pass", "isolate"])]
    readable: bool,
    /// Format the answer with a command that reads standard input, such as `clang-format`, `rustfmt` or `black -q -`; used if
    /// the formatted answer still fails
    #[arg(long, value_name = "CMD", conflicts_with_all = ["pass", "isolate"])]
    formatter: Option<String>,
    /// Stop when the input is small enough: at most SIZE bytes (4K, 1M)
    #[arg(long, value_name = "SIZE", value_parser = quantity::size, conflicts_with_all = ["pass", "isolate"])]
    until_size: Option<u64>,
    /// Also keep and report the smallest candidate for which COND holds (repeatable; see --fails-when)
    #[arg(long, value_name = "COND", conflicts_with_all = ["pass", "isolate"])]
    also: Vec<String>,
    /// Where to write the answer (<name>.min.<ext> beside the original)
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    isolation: IsolationArgs,
    #[command(flatten)]
    failure: FailureArgs,
    #[command(flatten)]
    new_run: NewRunArgs,
    #[command(flatten)]
    run: RunArgs,
    /// The test: a program and its arguments
    #[arg(last = true, required_unless_present = "list_passes", value_name = "TEST")]
    test: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  A file that crashes a program:
    howcome input crash.json -- ./program {}
  An internal error of a compiler, without any script:
    howcome input bug.c --fails-when 'stderr~internal compiler error' -- gcc -O2 -c bug.c
  A test for C-Reduce, C-Vise or Shrink Ray (exit code 0: interesting):
    howcome input bug.c -- ./interesting.sh
  The smallest difference between an input that passes and one that fails:
    howcome input bug.c --pass good.c -- gcc -O2 -c {}";

/// What makes the difference between passing and failing
#[derive(Args, Debug)]
struct IsolationArgs {
    /// Find the smallest difference between this input, which passes, and the failing one (one for each FILE)
    #[arg(long, value_name = "FILE")]
    pass: Vec<PathBuf>,
    /// Find the smallest difference between the empty input, which passes, and the failing one
    #[arg(long, conflicts_with = "pass")]
    isolate: bool,
}

impl IsolationArgs {
    /// The passing input, if there is one.
    fn passing_side(self) -> Option<PassingSide> {
        match (self.isolate, self.pass.is_empty()) {
            (true, _) => Some(PassingSide::Empty),
            (false, true) => None,
            (false, false) => Some(PassingSide::Files(self.pass)),
        }
    }
}

pub(crate) const QUESTION: QuestionCommands = QuestionCommands {
    name: QuestionName::Input,
    command: InputArgs::augment_args,
    run: |matches| run(arguments(matches)?),
    resume,
    describe: |test| describe(test.run, test.file, test.stage, test.configuration),
    rebuild: |test, into| rebuild(test.run, test.file, test.stage, test.configuration, into),
    before: None,
};

/// The folder of a run: answers of the runs there can be replaced.
fn folder_of(run: Option<&Path>) -> PathBuf {
    match run.map(Path::parent) {
        Some(Some(folder)) if !folder.as_os_str().is_empty() => folder.to_owned(),
        Some(_) => PathBuf::from("."),
        None => PathBuf::from(RunDir::RUNS),
    }
}

fn run(args: InputArgs) -> Result<Exit, Problem> {
    if args.list_passes {
        list_passes(args.run.json);
        return Ok(Exit::Found);
    }
    let mut failure = args.failure.request()?;
    conditions(&args.also)?;
    check_pass_names(&args.skip_pass)?;
    args.formatter.as_deref().map(split_formatter).transpose()?;
    args.format.as_deref().map(InputFormat::of).transpose()?;
    let talk = Talk::new(args.run.quiet, args.run.verbose);
    let directory = current_folder()?;
    let files = resolve_paths(&args.files, &directory)?;
    let lithium = lithium_command(&args.test, &files, &directory)?;
    if lithium.is_some() && failure.is_by_comparison() {
        failure.fails_when.push("exit=0".to_owned());
    }
    let test = TestCommand::parse(lithium.as_deref().unwrap_or(&args.test), directory.clone(), false)?;
    warn_about_originals(&test, &files, &talk);
    // A path into a folder that is varied begins with the name of that folder.
    let is_there = |word: &OsStr| {
        let first = Path::new(word).components().next();
        files.iter().any(|file| file.file_name() == first.map(|first| first.as_os_str()))
    };
    test.check_script(is_there)?;
    let passing = args.isolation.passing_side();
    let is_output_given = args.output.is_some();
    let output = args.output.map_or_else(|| default_output(&files), |path| directory.join(path));
    let mut request = InputRequest::new(&files, output, test, failure);
    request.is_output_given = is_output_given;
    request.stdin = args.stdin;
    request.format = args.format;
    request.skip_pass = args.skip_pass;
    request.readable = args.readable;
    request.also = args.also;
    request.formatter = args.formatter;
    request.until_size = args.until_size;
    request.passing_side = passing.as_ref().map(PassingSide::name);
    let runs = folder_of(args.new_run.run_dir.as_deref());
    let inputs = Inputs::read(&request, passing.as_ref(), &runs)?;
    if let Some(note) = inputs.note_if_large() {
        talk.note(&note);
    }
    let algorithm = if request.is_isolation() { Algorithm::Isolate } else { Algorithm::Balanced };
    let mut session =
        begin(QuestionName::Input, algorithm, &request, &inputs, &args.new_run, &args.run, talk)?;
    let mut lab = start_lab(&session, &args.run)?;
    let answered = ask(&mut session, &mut lab, &request, &inputs, &runs, args.new_run.dry_run);
    finish(session, answered, &args.run)
}

fn resume(run: RunDir, options: &RunArgs) -> Result<Exit, Problem> {
    let request = InputRequest::of(run.file())?;
    let inputs = Inputs::recorded(run.path(), &request)?;
    let runs = folder_of(Some(run.path()));
    let talk = Talk::new(options.quiet, options.verbose);
    let mut session = crate::session::resume(run, options, talk)?;
    let mut lab = start_lab(&session, options)?;
    let answered = ask(&mut session, &mut lab, &request, &inputs, &runs, false);
    finish(session, answered, options)
}

/// Prints a line for each pass: its name, when its turn comes, what it does.
fn list_passes(is_json: bool) {
    let mut passes = passes();
    passes.sort_by_key(|pass| pass.tier());
    if is_json {
        let rows: Vec<_> = passes
            .iter()
            .map(|pass| serde_json::json!({"name": pass.name(), "tier": tier_name(pass.tier()), "about": pass.info().about}))
            .collect();
        print_json(
            &serde_json::json!({"howcome": env!("CARGO_PKG_VERSION"), "schema": SCHEMA, "passes": rows}),
        );
        return;
    }
    let width = passes.iter().map(|pass| pass.name().len()).max().unwrap_or(0);
    for pass in passes {
        answer!("{:width$}  {:9}  {}\n", pass.name(), tier_name(pass.tier()), pass.info().about);
    }
}

fn tier_name(tier: Tier) -> &'static str {
    match tier {
        Tier::Coarse => "coarse",
        Tier::Structure => "structure",
        Tier::Fine => "fine",
        Tier::Finest => "finest",
        Tier::Last => "last",
        Tier::Names => "names",
    }
}

/// Warns about arguments of the test that name the original instead of the candidate.
fn warn_about_originals(test: &TestCommand, files: &[PathBuf], talk: &Talk) {
    for argument in &test.arguments {
        let path = Path::new(argument);
        let is_name = files.iter().any(|file| file.file_name() == Some(argument));
        if !is_name && !argument.is_empty() && files.contains(&test.directory.join(path)) {
            talk.warn(&format!(
                "{} in the test is the original, not the candidate; write {{}} for the path of the candidate",
                path.display()
            ));
        }
    }
}
