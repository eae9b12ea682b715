//! Finds out by experiment whether a test needs the files of the user's folder.

use super::FailureRequest;
use super::Session;
use super::baseline::set_first_limits;
use super::look::explain_look_error;
use crate::message::lasting;
use crate::runners::PrintedText;
use crate::{Execution, FolderCopy, Lab, Look, LookError, Prepare, TestEnding};
use howcome_dd::Configuration;
use howcome_run::{Because, Entry, Halt};
use std::path::Path;
use std::sync::Arc;

/// Whether tests run in a copy of the user's folder. They do if a test of both sides ends or prints anything different in a folder
/// with nothing but the candidate: people try their commands where their files are. A later session of a run does as the first one.
///
/// # Errors
/// If the user wants to stop.
pub fn needs_copy(
    session: &Session,
    lab: &mut dyn Lab,
    [own, copied]: [&Arc<dyn Prepare>; 2],
    copy: &FolderCopy,
    failure: &FailureRequest,
) -> Result<bool, Halt> {
    let recorded = session.recorded.entries.iter().find_map(|entry| match entry {
        Entry::Test(info) => Some(info.in_copy),
        _ => None,
    });
    if let Some(in_copy) = recorded {
        return Ok(in_copy);
    }
    set_first_limits(lab, failure);
    session.listener.now("baseline: does the test need the files of the current folder?");
    let sides = [Configuration::all(own.deltas()), Configuration::empty()];
    let probe = |subject, configuration| Look { is_probe: true, ..Look::at(subject, configuration) };
    let all = sides.iter().flat_map(|side| [probe(own, side), probe(copied, side)]);
    // Elsewhere, one after the other would only take longer.
    let at_once = if lab.runs_apart() { lab.look_at_all(&all.collect::<Vec<_>>()) } else { Vec::new() };
    let mut at_once = at_once.into_iter();
    let mut look = |subject, configuration| {
        let looked = at_once.next().unwrap_or_else(|| {
            lab.look_at_all(&[probe(subject, configuration)]).pop().unwrap_or(Err(LookError::Interrupted))
        });
        unless_stopped(session, looked)
    };
    for configuration in &sides {
        let alone = look(own, configuration)?;
        // A test that hangs is refused, or hangs in any folder.
        if alone.as_ref().is_some_and(|alone| alone.ending == TestEnding::TimedOut) {
            return Ok(false);
        }
        let beside_files = look(copied, configuration)?;
        let is_same = match (&alone, &beside_files) {
            (Some(alone), Some(beside_files)) => is_same(alone, beside_files, copy),
            // Without the candidate, the program itself could be missing.
            (None, Some(_)) => false,
            (_, None) => true,
        };
        if !is_same {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The run of one side. `None` if there is none; the baseline says why.
fn unless_stopped(
    session: &Session,
    looked: Result<Execution, LookError>,
) -> Result<Option<Execution>, Halt> {
    match looked {
        Ok(execution) => Ok(Some(execution)),
        // Nothing can be run, in whatever folder.
        Err(error @ (LookError::Interrupted | LookError::Because(Because::Broken(_)))) => {
            Err(explain_look_error(error, session.is_new()))
        }
        Err(LookError::Because(_)) => Ok(None),
    }
}

/// Whether two runs did the same, wherever their files were.
fn is_same(alone: &Execution, beside_files: &Execution, copy: &FolderCopy) -> bool {
    alone.ending == beside_files.ending && without_folders(alone, copy) == without_folders(beside_files, copy)
}

fn without_folders(execution: &Execution, copy: &FolderCopy) -> Vec<String> {
    let folders = [
        execution.ran_in.join(copy.inside()),
        execution.ran_in.clone(),
        copy.root().join(copy.inside()),
        copy.root().to_owned(),
    ];
    let prefix = |folder: &Path| format!("{}/", folder.display().to_string().trim_end_matches('/'));
    let prefixes = folders.map(|folder| prefix(&folder));
    let plain = |line: &str| {
        let line = prefixes.iter().fold(line.to_owned(), |line, prefix| line.replace(prefix, ""));
        lasting(&line.replace("./", ""))
    };
    let printed = PrintedText::of(execution);
    [printed.stdout, printed.stderr].iter().flat_map(|stream| stream.iter().map(|line| plain(line))).collect()
}
