//! What a shell offers for each argument: by the name of its value, in one table.

use clap::{Arg, Command, ValueHint};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use howcome_changes::versions::git::Repository;
use howcome_input::passes;
use howcome_run::{RunDir, read_run_file};
use std::ffi::OsStr;
use std::path::Path;

/// The same command line, with what is known about the values of its arguments.
pub(crate) fn with_completers(command: Command) -> Command {
    command.mut_args(hinted).mut_subcommands(with_completers)
}

fn hinted(arg: Arg) -> Arg {
    let value =
        arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string).unwrap_or_default();
    match (arg.get_id().as_str(), value.as_str()) {
        ("run", "RUN") => arg.add(ArgValueCompleter::new(complete_run)),
        ("skip_pass", _) => arg.add(ArgValueCompleter::new(complete_pass)),
        (_, "REV") => arg.add(ArgValueCompleter::new(complete_revision)),
        (_, "REV|DIR") => arg.add(ArgValueCompleter::new(|current: &OsStr| {
            [complete_revision(current), PathCompleter::dir().complete(current)]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
        })),
        (_, "REV|DIR|PATCH") => arg.add(ArgValueCompleter::new(|current: &OsStr| {
            [complete_revision(current), PathCompleter::any().complete(current)]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
        })),
        (_, "DIR") => arg.value_hint(ValueHint::DirPath),
        (_, "FILE" | "PATH" | "LIST" | "TEST") => arg.value_hint(ValueHint::AnyPath),
        (_, "CMD" | "gcov|CMD") => arg.value_hint(ValueHint::CommandString),
        (_, "N" | "D" | "SIZE" | "COND" | "STEP" | "NAME" | "P") => arg.value_hint(ValueHint::Other),
        _ => arg,
    }
}

/// The runs in the folder of runs and in the current folder, the last one first; and folders.
fn complete_run(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut runs: Vec<_> = [RunDir::RUNS, "."]
        .iter()
        .flat_map(|folder| RunDir::all_in(Path::new(folder)))
        .filter_map(|run| Some((read_run_file(&run).ok()?, run)))
        .map(|(file, run)| {
            (file.started, file.question, run.strip_prefix(".").map(Path::to_owned).unwrap_or(run))
        })
        .collect();
    runs.sort_by_key(|(started, ..)| std::cmp::Reverse(*started));
    let mut found: Vec<CompletionCandidate> = runs
        .into_iter()
        .filter(|(_, _, run)| starts_with(run.as_os_str(), current))
        .map(|(_, question, run)| CompletionCandidate::new(run).help(Some(question.to_string().into())))
        .collect();
    if found.is_empty() {
        found = PathCompleter::dir().complete(current);
    }
    found
}

/// Branches and tags, and HEAD.
fn complete_revision(current: &OsStr) -> Vec<CompletionCandidate> {
    let Ok(repository) = Repository::discover(".") else { return Vec::new() };
    let names = repository.names().unwrap_or_default();
    let all = std::iter::once("HEAD".to_owned()).chain(names);
    all.filter(|name| starts_with(OsStr::new(name), current)).map(CompletionCandidate::new).collect()
}

fn complete_pass(current: &OsStr) -> Vec<CompletionCandidate> {
    let passes = passes();
    let matching = passes.iter().filter(|pass| starts_with(OsStr::new(pass.name()), current));
    matching.map(|pass| CompletionCandidate::new(pass.name()).help(Some(pass.info().about.into()))).collect()
}

fn starts_with(text: &OsStr, start: &OsStr) -> bool {
    text.as_encoded_bytes().starts_with(start.as_encoded_bytes())
}
