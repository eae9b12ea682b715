//! The command line: one file per command, and nothing that decides. The questions are libraries.
//!
//! | file | idea |
//! |---|---|
//! | `changes`, `history`, `input`, `items`, `state` | the questions: arguments become a request, the library is asked, the answer is printed |
//! | `question`, `questions` | what can be done with any question; the table of all of them |
//! | `show`, `resume`, `runs` | commands that work on recorded runs of any question |
//! | `serve`, `sandbox`, `launch`, `remote` | the web service; tests behind walls; tests on other machines; tests on a cluster |
//! | `demo`, `completions`, `completers`, `manual` | small failing projects; what a shell completes; the manual pages |
//! | `options`, `quantity` | the flags that questions share; durations and sizes as people write them |
//! | `lab_setup` | what tests get from this process |
//! | `session`, `run_folder`, `last_run`, `interrupts` | a run is begun or continued, recorded somewhere, found again, and stopped by Ctrl-C |
//! | `talk`, `streams`, `exit` | progress and warnings; standard output and standard error; exit codes |
//! | `terminal`, `keys`, `live_view` | colours and columns; the key that stops a run; what is shown while an input becomes smaller |

// What is printed goes through `streams`, where it is no error if the reader has gone away.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod changes;
mod completers;
mod completions;
mod demo;
mod exit;
mod history;
mod input;
mod interrupts;
mod items;
mod keys;
mod lab_setup;
mod last_run;
mod launch;
mod live_view;
mod manual;
mod options;
mod quantity;
mod question;
mod questions;
#[cfg(feature = "remote")]
mod remote;
mod resume;
mod run_folder;
mod runs;
mod sandbox;
#[cfg(feature = "serve")]
mod serve;
mod session;
mod show;
mod state;
mod streams;
mod talk;
mod terminal;

use clap::error::ErrorKind;
use clap::{ArgMatches, FromArgMatches, Subcommand};
use exit::Exit;
use howcome_run::Problem;
use questions::QUESTIONS;
use std::ffi::OsStr;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use streams::talk;

// The commands that are not questions. Not a doc comment: it would become the text of the whole command line.
#[derive(Subcommand, Debug)]
enum OtherCommand {
    Show(show::ShowArgs),
    Resume(Box<resume::ResumeArgs>),
    Runs(runs::RunsArgs),
    #[cfg(feature = "serve")]
    Serve(Box<serve::ServeArgs>),
    Demo(demo::DemoArgs),
    Completions(completions::CompletionsArgs),
    Man(manual::ManArgs),
}

/// The whole command line: the questions from their table, and the other commands.
fn command_line() -> clap::Command {
    let command = clap::Command::new("howcome")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Find out, by experiment, why something fails")
        .after_help(exit::exit_codes_in_help())
        .max_term_width(110)
        .arg(
            clap::Arg::new("color")
                .long("color")
                .global(true)
                .value_name("WHEN")
                .value_parser(clap::value_parser!(terminal::ColorChoice))
                .default_value("auto")
                .hide_default_value(true)
                .hide_possible_values(true)
                .display_order(900)
                .help("When to print in colour: auto (in a terminal; see NO_COLOR, CLICOLOR_FORCE), always, never"),
        )
        .subcommand_required(true)
        .arg_required_else_help(true);
    #[cfg(feature = "serve")]
    let command = command
        .arg(
            clap::Arg::new("server")
                .long("server")
                .value_name("URL")
                .env("HOWCOME_SERVER")
                .hide_env(true)
                .help("Let the service at URL answer the question (see `howcome serve`; the token is in HOWCOME_TOKEN)"),
        )
        .arg(
            clap::Arg::new("send")
                .long("send")
                .value_name("FILE")
                .value_parser(clap::value_parser!(std::path::PathBuf))
                .action(clap::ArgAction::Append)
                .requires("server")
                .help("Send another file to the service that the test needs (repeatable)"),
        );
    let questions =
        QUESTIONS.iter().map(|question| (question.command)(clap::Command::new(question.name.as_str())));
    completers::with_completers(OtherCommand::augment_subcommands(command.subcommands(questions)))
}

fn main() -> ExitCode {
    // Before anything else: a warden has no command line of its own and starts often.
    if std::env::args_os().nth(1).as_deref() == Some(OsStr::new(lab_setup::WARDEN)) {
        return howcome_lab::warden::serve();
    }
    if std::env::args_os().nth(1).as_deref() == Some(OsStr::new(howcome_sandbox::CONFINED)) {
        talk!("error: {}", howcome_sandbox::enter(std::env::args_os().skip(2)));
        return Exit::WrongUse.into();
    }
    interrupts::expect_children();
    howcome_lab::fail_at_file_limit();
    completions::complete_if_asked(command_line);
    let color = terminal::color_in(std::env::args_os());
    terminal::choose_color(color);
    let matches = command_line().color(color.into()).try_get_matches().unwrap_or_else(|error| {
        let _ = error.print();
        if error.kind() == ErrorKind::UnknownArgument && is_a_question_without_a_test() {
            talk!("hint: write -- before the test, as in `howcome changes --good v1.0 -- ./test.sh`");
        } else if error.kind() == ErrorKind::UnknownArgument && wants_a_good_version_in_history() {
            talk!("hint: `howcome history` needs no version that passes; where one is known, ask `howcome changes`");
        }
        std::process::exit(error.exit_code());
    });
    std::panic::set_hook(Box::new(|panic| {
        talk!("error: howcome has a bug: {panic}");
        talk!("hint: please report it, with the command line and the folder of the run");
    }));
    let Ok(done) = std::panic::catch_unwind(AssertUnwindSafe(|| run(&matches))) else {
        keys::stop_reading();
        return Exit::Bug.into();
    };
    keys::stop_reading();
    sandbox::remove_folder();
    match done {
        Ok(_) if streams::is_answer_lost() => {
            talk!("error: the answer could not be written to standard output");
            Exit::WrongUse.into()
        }
        Ok(exit) => exit.into(),
        Err(problem) => {
            talk!("{problem}");
            Exit::from(problem.kind()).into()
        }
    }
}

/// Whether a question is asked, but `--`, which stands before the test, is missing.
fn is_a_question_without_a_test() -> bool {
    let words: Vec<_> = std::env::args_os().collect();
    !words.iter().any(|word| word == "--")
        && QUESTIONS.iter().any(|question| words.iter().any(|word| word == question.name.as_str()))
}

/// Whether `history` is asked with a flag that only `changes` has.
fn wants_a_good_version_in_history() -> bool {
    let has = |word: &str| std::env::args_os().any(|given| given == word);
    has("history") && has("--good")
}

fn run(all: &ArgMatches) -> Result<Exit, Problem> {
    let matches = all;
    if let Some((name, matches)) = matches.subcommand()
        && let Some(question) = QUESTIONS.iter().find(|question| question.name.as_str() == name)
    {
        #[cfg(feature = "serve")]
        if let Some(server) = all.get_one::<String>("server") {
            let send: Vec<_> =
                all.get_many::<std::path::PathBuf>("send").into_iter().flatten().cloned().collect();
            return serve::ask_service(server, &send, question.name, matches);
        }
        return (question.run)(matches);
    }
    let other = OtherCommand::from_arg_matches(matches).map_err(|error| Problem::bug(error.to_string()))?;
    match other {
        OtherCommand::Show(args) => show::run(args),
        OtherCommand::Resume(args) => resume::run(*args),
        OtherCommand::Runs(args) => runs::run(args),
        #[cfg(feature = "serve")]
        OtherCommand::Serve(args) => match matches.subcommand() {
            Some((_, matches)) => serve::run(*args, matches),
            None => serve::run(*args, matches),
        },
        OtherCommand::Demo(args) => demo::run(&args),
        OtherCommand::Completions(args) => completions::run(&args),
        OtherCommand::Man(args) => manual::run(args, command_line()),
    }
}
