//! The command line: one file per command.

// What is printed goes through `streams`, where a reader who has gone away is no error.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod algorithm;
mod baseline;
mod changes;
mod completions;
mod demo;
mod exit;
mod failure;
mod history;
mod input;
mod investigate;
mod item_list;
mod items;
mod manual;
mod options;
mod quantity;
mod resume;
mod run_folder;
mod runs;
mod session;
mod show;
mod state;
mod streams;
mod talk;
mod test_command;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use exit::Exit;
use failure::Failure;
use std::ffi::OsStr;
use std::process::ExitCode;
use streams::talk;

/// Find out, by experiment, why something fails
#[derive(Parser, Debug)]
#[command(name = "howcome", version, after_help = EXIT_CODES, max_term_width = 110)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0   found, or decided that there is nothing to be found
  1   nothing to explain: the baseline does not hold
  2   the command line, a file named on it, or the test command itself is wrong
  3   stopped early; the best so far is saved and the run can be resumed
  4   the test contradicts itself, and what was seen is reported
  5   undecided: only untestable candidates are left
  70  a bug in howcome";

#[derive(Subcommand, Debug)]
enum Command {
    Changes(Box<changes::ChangesArgs>),
    History(Box<history::HistoryArgs>),
    Input(Box<input::InputArgs>),
    Items(items::ItemsArgs),
    State(Box<state::StateArgs>),
    Show(show::ShowArgs),
    Resume(resume::ResumeArgs),
    Runs(runs::RunsArgs),
    Demo(demo::DemoArgs),
    Completions(completions::CompletionsArgs),
    Man(manual::ManArgs),
}

fn main() -> ExitCode {
    // Before anything else: a warden has no command line of its own and starts often.
    if std::env::args_os().nth(1).as_deref() == Some(OsStr::new(session::WARDEN)) {
        return howcome_lab::warden::serve();
    }
    let command_line = CommandLine::try_parse().unwrap_or_else(|error| {
        let _ = error.print();
        if error.kind() == ErrorKind::UnknownArgument && !std::env::args_os().any(|word| word == "--") {
            talk!("hint: write -- before the test, as in `howcome items LIST -- ./test.sh`");
        } else if error.kind() == ErrorKind::UnknownArgument && wants_a_good_version_in_history() {
            talk!("hint: `howcome history` needs no version that passes; where one is known, ask `howcome changes`");
        }
        std::process::exit(error.exit_code());
    });
    std::panic::set_hook(Box::new(|panic| {
        talk!("error: howcome has a bug: {panic}");
        talk!("hint: please report it, with the command line and the folder of the run");
    }));
    let done = std::panic::catch_unwind(|| run(command_line.command));
    match done {
        Ok(Ok(_)) if streams::is_answer_lost() => {
            talk!("error: the answer could not be written to standard output");
            Exit::WrongUse.into()
        }
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(failure)) => {
            talk!("{failure}");
            failure.code().into()
        }
        Err(_) => Exit::Bug.into(),
    }
}

/// Whether `history` is asked with a flag that only `changes` has.
fn wants_a_good_version_in_history() -> bool {
    let has = |word: &str| std::env::args_os().any(|given| given == word);
    has("history") && has("--good")
}

fn run(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Changes(args) => changes::run(*args),
        Command::History(args) => history::run(*args),
        Command::Input(args) => input::run(*args),
        Command::Items(args) => items::run(args),
        Command::State(args) => state::run(*args),
        Command::Show(args) => show::run(args),
        Command::Resume(args) => resume::run(args),
        Command::Runs(args) => runs::run(args),
        Command::Demo(args) => demo::run(&args),
        Command::Completions(args) => completions::run(&args, CommandLine::command()),
        Command::Man(args) => manual::run(args, CommandLine::command()),
    }
}
