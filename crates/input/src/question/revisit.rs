//! Any test of a run, for people: what was tested, and how to try it by hand.
//!
//! The passes are pure, so the outcomes in the record lead to the same candidates, without any test.

use super::copied_folder::{folder_copy, test_in_copy};
use super::inputs::Inputs;
use super::reducing::confirmation;
use super::request::InputRequest;
use crate::{Candidates, Document, Mixture, reduce};
use howcome_dd::{Configuration, DeltaId};
use howcome_lab::inquiry::{empty_folder, was_in_copy};
use howcome_run::words::{count, cut, percent, printable, shell_word, size, thousands};
use howcome_run::{
    Entry, Halt, Problem, Recorded, Replay, RunFile, StageName, Subject, Unit, journal_path, read_journal,
};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// More of what was removed is not listed.
const MOST_CHANGES: usize = 12;
const WIDEST_CHANGE: usize = 100;
/// More lines of a candidate are not shown.
const MOST_LINES: usize = 40;
const WIDEST_LINE: usize = 200;

/// One stage of a recorded run.
enum Revisited {
    Pass { pass: String, original: Document, candidates: Arc<Candidates> },
    Isolation(Mixture),
}

impl Revisited {
    fn document(&self, configuration: &Configuration) -> Document {
        match self {
            Revisited::Pass { candidates, .. } => candidates.document(configuration),
            Revisited::Isolation(mixture) => mixture.document(configuration),
        }
    }
}

/// What was left of the input in a test, and what the pass had removed; or a mix of two inputs.
///
/// # Errors
/// If the run has no copy of its input, or this version of howcome would not have asked what the run asked.
pub fn describe(
    run: &Path,
    file: &RunFile,
    stage: u32,
    configuration: &Configuration,
) -> Result<String, Problem> {
    let revisited = revisit(run, &InputRequest::of(file)?, stage)?;
    let candidate = revisited.document(configuration);
    Ok(match &revisited {
        Revisited::Pass { pass, original, candidates } => {
            let before = candidates.document(&Configuration::all(candidates.deltas()));
            format!(
                "{} of {} ({}); the pass `{pass}` started with {}:\n{}",
                size(candidate.size()),
                size(original.size()),
                percent(candidate.size() as f64 / original.size().max(1) as f64),
                size(before.size()),
                list_changes(candidates, configuration)
            )
        }
        Revisited::Isolation(mixture) => {
            let heading = format!(
                "{} of the {} in which the two inputs differ, {}:\n",
                thousands(configuration.len() as u64),
                count(mixture.deltas().into(), Unit::Token.as_str()),
                size(candidate.size())
            );
            heading + &list_lines(&candidate)
        }
    })
}

fn list_changes(candidates: &Candidates, configuration: &Configuration) -> String {
    let gone = (0..candidates.deltas()).filter(|delta| !configuration.contains(DeltaId(*delta)));
    let mut text = String::new();
    for delta in gone.clone().take(MOST_CHANGES) {
        text += &format!("    {}\n", cut(&printable(&candidates.describe(DeltaId(delta))), WIDEST_CHANGE));
    }
    match gone.count().saturating_sub(MOST_CHANGES) {
        0 => text,
        more => text + &format!("    … and {} more\n", thousands(more as u64)),
    }
}

fn list_lines(candidate: &Document) -> String {
    let shown = candidate.text();
    let mut text = String::new();
    for line in shown.lines().take(MOST_LINES) {
        text += &format!("    {}\n", cut(&printable(line), WIDEST_LINE));
    }
    if shown.lines().count() > MOST_LINES {
        text += "    …\n";
    }
    text
}

/// Makes the candidate of a test again in a folder, and returns the command that tries it by hand.
///
/// # Errors
/// If the run cannot be read, or the folder cannot be written.
pub fn rebuild(
    run: &Path,
    file: &RunFile,
    stage: u32,
    configuration: &Configuration,
    into: &Path,
) -> Result<String, Problem> {
    let request = InputRequest::of(file)?;
    let candidate = revisit(run, &request, stage)?.document(configuration);
    let into = empty_folder(into)?;
    let copy = if was_in_copy(run)? { folder_copy(&request, Some(run)) } else { None };
    let test = copy.map_or_else(|| request.input_test(), |copy| test_in_copy(&request, copy));
    test.folder.make_in(&into).map_err(|error| Problem::with_file(&into, &error))?;
    test.write(&candidate, &into).map_err(|(path, error)| Problem::with_file(&path, &error))?;
    let command = test.command(&into);
    let words =
        std::iter::once(command.program.as_os_str()).chain(command.arguments.iter().map(OsString::as_os_str));
    let words: Vec<String> = words.map(|word| shell_word(&word.to_string_lossy())).collect();
    let stdin = command.standard_input.map(|path| format!(" < {}", shell_word(&path.to_string_lossy())));
    let directory = shell_word(&command.directory.to_string_lossy());
    Ok(format!("cd {directory} && {}{}", words.join(" "), stdin.unwrap_or_default()))
}

/// What a stage of a run varied.
fn revisit(run: &Path, request: &InputRequest, stage: u32) -> Result<Revisited, Problem> {
    let Inputs { failing: original, passing } = Inputs::recorded(run, request)?;
    let test = Arc::new(request.input_test());
    if let Some(passing) = passing {
        return Ok(Revisited::Isolation(Mixture::new(&passing, &original, test)));
    }
    let recorded = read_journal(&journal_path(run))?;
    // The first stage is the whole input, without any search.
    let stages_before = stage.checked_sub(1).ok_or_else(no_such_stage)?;
    let mut replay: Replay<Candidates> = Replay::new(run, &recorded, stages_before, |candidates| candidates);
    let whole = Candidates::new(original.clone(), &[], Arc::clone(&test));
    let replayed = replay.skip(&confirmation(StageName::WholeInput), &whole).and_then(|()| {
        let reduced =
            reduce(&mut replay, request.passes(), &original, &test, request.until_size, &mut |_| {});
        reduced.map(drop).map_err(|halt| halt.keeping(()))
    });
    match (replayed, replay.reached) {
        (_, Some(candidates)) => {
            Ok(Revisited::Pass { pass: pass_of_stage(&recorded, stage), original, candidates })
        }
        (Err(Halt::Failed(problem)), None) => Err(problem),
        (_, None) => Err(no_such_stage()),
    }
}

fn pass_of_stage(recorded: &Recorded, number: u32) -> String {
    let pass = recorded.entries.iter().find_map(|entry| match entry {
        Entry::Stage { stage, subject, .. } if *stage == number => Some(subject.without_turn()),
        _ => None,
    });
    pass.unwrap_or_default()
}

fn no_such_stage() -> Problem {
    Problem::new("the record does not say what was tested")
}
