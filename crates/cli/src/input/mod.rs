//! `howcome input`: the smallest input that still fails.

mod dry_run;
mod finding;
mod formatted;
mod isolate;
mod keep;
mod list_passes;
mod lithium;
mod others;
mod output;
mod replay;
mod request;
mod shown;
mod simplify;
mod slip;
mod source;

pub(crate) use isolate::{describe as describe_mix, is_one as is_isolation, rebuild as rebuild_mix};
pub(crate) use shown::{describe, rebuild};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::{FailureOptions, NewRunOptions, RunOptions, conditions};
use crate::run_folder::RunFolder;
use crate::session::{Session, VERSION, now};
use crate::talk::Talk;
use crate::test_command::{TestCommand, split_words, stands, warn_if_relative};
use clap::Args;
use howcome_run::{RUN_VERSION, RunDir, RunFile};
use request::Request;
use source::Format;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Make a failing input as small as it can be and still fail
///
/// FILE is what makes the test fail: a file of any kind, several, or a folder. Each test runs in an empty folder of its own
/// and finds a candidate there, under the same name; `{}` in TEST is the path of the candidate. The failure is what the test
/// does with the whole input: how it ends, and the message of a crash. The original is never touched.
///
/// The answer is written to <name>.min.<ext> beside the original; that of a folder, or of several files, is the folder
/// <name>.min. What is there already is replaced only if an earlier run has written it.
///
/// TEST may be a program or script as C-Reduce, C-Vise and Shrink Ray take it, or a Python file with a function
/// `interesting(args, prefix)` as Lithium takes it.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InputArgs {
    /// The failing input: files or folders
    #[arg(required_unless_present = "list_passes", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Give the candidate to the test as its standard input
    #[arg(long)]
    stdin: bool,
    /// What the input is: a language (c, python, json, …), a container (png, zip, …), text, or bytes (found out from its name
    /// and from what is in it)
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// Leave a pass out (repeatable); --list-passes names them
    #[arg(long, value_name = "NAME", conflicts_with_all = ["pass", "isolate"])]
    skip_pass: Vec<String>,
    /// Say which passes there are, and stop
    #[arg(long)]
    list_passes: bool,
    /// Leave names as long as they are and lines apart, so that the result stays readable
    #[arg(long, conflicts_with_all = ["pass", "isolate"])]
    readable: bool,
    /// Hand the result to a formatter that reads standard input and prints, as `clang-format`, `rustfmt` or `black -q -`; what it
    /// prints is the answer if it still fails
    #[arg(long, value_name = "CMD", conflicts_with_all = ["pass", "isolate"])]
    formatter: Option<String>,
    /// Keep and report the smallest candidate for which COND holds, too (repeatable; see --fails-when)
    #[arg(long, value_name = "COND", conflicts_with_all = ["pass", "isolate"])]
    also: Vec<String>,
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
    #[arg(last = true, required_unless_present = "list_passes", value_name = "TEST")]
    test: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  A file that crashes a program:
    howcome input crash.json -- ./program {}
  A compiler that gives an internal error, without any script:
    howcome input bug.c --fails-when 'stderr~internal compiler error' -- gcc -O2 -c bug.c
  A test as C-Reduce, C-Vise and Shrink Ray take it (exit code 0: interesting):
    howcome input bug.c -- ./interesting.sh
  What makes the difference between an input that passes and one that fails:
    howcome input bug.c --pass good.c -- gcc -O2 -c {}";

pub(crate) fn run(args: InputArgs) -> Result<Exit, Failure> {
    if args.list_passes {
        list_passes::list();
        return Ok(Exit::Found);
    }
    let mut failure = args.failure;
    failure.terms()?;
    conditions(&args.also)?;
    list_passes::check(&args.skip_pass)?;
    args.formatter.as_deref().map(|command| split_words(command, formatted::FLAG)).transpose()?;
    let format = args.format.as_deref().map(Format::of).transpose()?;
    let talk = Talk::new(args.run.quiet, args.run.verbose);
    let directory = stands()?;
    let files = source::named(&args.files, &directory)?;
    let test = match lithium::command(&args.test, &files, &directory)? {
        Some(words) => {
            if failure.says_nothing() {
                failure.fails_when.push("exit=0".to_owned());
            }
            TestCommand::parse(&words, false)?
        }
        None => TestCommand::parse(&args.test, false)?,
    };
    warn_about_words(&test, &files, &talk);
    let document = source::read(&files, format.as_ref())?;
    if args.stdin && (files.len() > 1 || files[0].is_dir()) {
        return Err(Failure::wrong_use("only one file can be the standard input of the test")
            .hint("leave --stdin out; the test finds the candidates in the folder that it starts in"));
    }
    let is_output_given = args.output.is_some();
    let output = match args.output {
        Some(path) => directory.join(path),
        None => output::default_for(&files),
    };
    output::check(&output, false, is_output_given, output::is_folder(&files), &files)?;
    let mut request = Request::new(&files, output, test, failure);
    request.is_output_given = is_output_given;
    request.stdin = args.stdin;
    request.format = args.format;
    request.skip_pass = args.skip_pass;
    request.readable = args.readable;
    request.also = args.also;
    request.formatter = args.formatter;
    if let Some(large) = source::check(&document)? {
        talk.note(&large);
    }
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
    let document = replay::original(run.path(), &request)?;
    let talk = Talk::new(options.quiet, options.verbose);
    let session = Session::resume(run, options, talk)?;
    simplify::answer(session, &request, &document, false)
}

/// Says so where an argument of the test leads to the original instead of the candidate, or to nothing.
fn warn_about_words(test: &TestCommand, files: &[PathBuf], talk: &Talk) {
    for argument in &test.arguments {
        let path = Path::new(argument);
        let is_name = files.iter().any(|file| file.file_name() == Some(argument));
        if !is_name && !argument.is_empty() && files.contains(&test.directory.join(path)) {
            talk.warn(&format!(
                "{} in the test is the original, whatever the candidate is; write {{}} for the candidate",
                path.display()
            ));
        } else {
            // A path into a folder that is varied begins with the name of that folder.
            let is_there = |word: &std::ffi::OsStr| {
                let first = Path::new(word).components().next();
                files.iter().any(|file| file.file_name() == first.map(|first| first.as_os_str()))
            };
            warn_if_relative(argument, &test.directory, talk, is_there);
        }
    }
}

/// The error for a name that is none, with the one that was probably meant.
fn unknown(what: &str, name: &str, names: &[&str]) -> Failure {
    let near = names
        .iter()
        .min_by_key(|known| distance(name, known))
        .filter(|known| distance(name, known) <= name.chars().count().max(2) / 2 || known.starts_with(name));
    let whats = howcome_report::plural(what);
    let hint = match near {
        Some(near) => format!("did you mean {near}? The {whats} are: {}", names.join(", ")),
        None => format!("the {whats} are: {}", names.join(", ")),
    };
    Failure::wrong_use(format!("there is no {what} `{name}`")).hint(hint)
}

/// How many letters have to be changed, added or left out to make one word of the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.chars().enumerate() {
            let changed = corner + usize::from(a != b);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_as_far_apart_as_letters_differ() {
        assert_eq!(distance("lines", "lines"), 0);
        assert_eq!(distance("line", "lines"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
