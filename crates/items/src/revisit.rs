//! Any test of a run, for people: what was tested, and how to try it by hand.

use crate::list::ItemList;
use crate::request::ItemsRequest;
use howcome_dd::Configuration;
use howcome_lab::inquiry::was_in_copy;
use howcome_run::words::{count, printable, shell_word};
use howcome_run::{Problem, RunFile};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The list as it was when the run began. The original can change; the run does not.
pub(crate) const LIST_COPY: &str = "list";

/// More items than this are not listed.
const SHOWN: usize = 20;

/// The list as it was when the run began.
///
/// # Errors
/// If the run has no copy of it.
pub fn recorded_list(run: &Path) -> Result<ItemList, Problem> {
    let path = run.join(LIST_COPY);
    let bytes = fs::read(&path).map_err(|error| {
        Problem::with_file(&path, &error)
            .hint("the run is incomplete without its copy of the list; start a new one")
    })?;
    Ok(ItemList::parse(bytes))
}

/// What a test was given of the list.
///
/// # Errors
/// If the run has no copy of the list.
pub fn describe(run: &Path, configuration: &Configuration) -> Result<String, Problem> {
    let list = recorded_list(run)?;
    if configuration.iter().any(|item| item.0 as usize >= list.len()) {
        return Err(Problem::new(format!("{} has fewer items than the test", run.join(LIST_COPY).display()))
            .hint("the run is about the list as it was: restore the file, or start a new run"));
    }
    let first = list.texts(&configuration.slice(0..SHOWN));
    let more = configuration.len().saturating_sub(SHOWN);
    let mut text = format!("{} of {}:\n", configuration.len(), count(list.len() as u64, "item"));
    for item in first {
        text += &format!("    {}\n", printable(&item));
    }
    if more > 0 {
        text += &format!("    … and {more} more\n");
    }
    Ok(text)
}

/// Makes the candidate of a test again in a folder, and returns the command that tries it by hand.
///
/// # Errors
/// If the run cannot be read, or the folder cannot be written.
pub fn rebuild(
    run: &Path,
    file: &RunFile,
    configuration: &Configuration,
    into: &Path,
) -> Result<String, Problem> {
    let request = ItemsRequest::of(file)?;
    let list = recorded_list(run)?;
    fs::create_dir_all(into).map_err(|error| Problem::with_file(into, &error))?;
    let into = into.canonicalize().map_err(|error| Problem::with_file(into, &error))?;
    let copy = if was_in_copy(run)? { request.folder_copy(Some(run)) } else { None };
    let list = Arc::new(list);
    let test = match copy {
        Some(copy) => request.copied_test(list, &copy),
        None => request.own_test(list),
    };
    test.folder.make_in(&into).map_err(|error| Problem::with_file(&into, &error))?;
    let command =
        test.write(configuration, &into).map_err(|(path, error)| Problem::with_file(&path, &error))?;
    let quoted = |word: &OsStr| shell_word(&word.to_string_lossy());
    let value = |wanted: &str| {
        let found = command.environment.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| format!("{wanted}={}", quoted(value)))
    };
    let variables = ["HOWCOME_ITEMS", "HOWCOME_DIR"].into_iter().filter_map(value);
    let program = std::iter::once(quoted(command.program.as_os_str()));
    let words = variables.chain(program).chain(command.arguments.iter().map(|word| quoted(word)));
    let directory = quoted(command.directory.as_os_str());
    Ok(format!("cd {directory} && {}", words.collect::<Vec<_>>().join(" ")))
}
