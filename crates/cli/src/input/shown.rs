//! A test of a run, for people: what was tested, and making it again to try it by hand.

use super::replay::{original, replay};
use super::request::Request;
use crate::failure::Failure;
use crate::run_folder::empty_folder;
use howcome_dd::{Configuration, DeltaId};
use howcome_input::{Candidates, Document};
use howcome_report::{Summary, cut, percent, printable, shell_word, size, thousands};
use howcome_run::{RunFile, Subject};
use std::ops::ControlFlow;
use std::path::Path;

/// More of what went is not listed.
const SHOWN: usize = 12;
const WIDTH: usize = 100;

/// What was left of the input in a test, and what the pass had taken away.
pub(crate) fn describe(
    run: &Path,
    file: &RunFile,
    summary: &Summary,
    stage: u32,
    configuration: &Configuration,
) -> Result<String, Failure> {
    let request = Request::of(file)?;
    let original = original(run, &request)?;
    let mut text = None;
    replay(&original, &request, summary, |replayed| {
        if replayed.number != stage {
            return ControlFlow::Continue(());
        }
        let candidate = replayed.candidates.document(configuration);
        let part = candidate.size() as f64 / original.size().max(1) as f64;
        text = Some(format!(
            "{} of {} ({}), the pass `{}` having begun with {}:\n{}",
            size(candidate.size()),
            size(original.size()),
            percent(part),
            replayed.pass,
            size(replayed.before.size()),
            what_went(replayed.candidates, configuration)
        ));
        ControlFlow::Break(())
    })?;
    text.ok_or_else(no_such_stage)
}

fn what_went(candidates: &Candidates, configuration: &Configuration) -> String {
    let gone = (0..candidates.deltas()).filter(|delta| !configuration.contains(DeltaId(*delta)));
    let mut text = String::new();
    for delta in gone.clone().take(SHOWN) {
        text += &format!("    {}\n", cut(&printable(&candidates.describe(DeltaId(delta))), WIDTH));
    }
    match gone.count().saturating_sub(SHOWN) {
        0 => text,
        more => text + &format!("    … and {} more\n", thousands(more as u64)),
    }
}

/// Makes the candidate of a test again, to be tried by hand.
pub(crate) fn rebuild(
    run: &Path,
    file: &RunFile,
    summary: &Summary,
    stage: u32,
    configuration: &Configuration,
    into: &Path,
) -> Result<String, Failure> {
    let request = Request::of(file)?;
    let original = original(run, &request)?;
    let mut candidate: Option<Document> = None;
    replay(&original, &request, summary, |replayed| {
        if replayed.number != stage {
            return ControlFlow::Continue(());
        }
        candidate = Some(replayed.candidates.document(configuration));
        ControlFlow::Break(())
    })?;
    laid_out(&request, &candidate.ok_or_else(no_such_stage)?, into)
}

/// Writes a candidate into a folder, and says how the test is run on it there.
pub(crate) fn laid_out(request: &Request, candidate: &Document, into: &Path) -> Result<String, Failure> {
    let into = empty_folder(into)?;
    candidate.write(&into).map_err(|(path, error)| Failure::file(&path, &error))?;
    let given = request.given();
    let path = into.join(&given.candidate);
    let path = path.to_string_lossy();
    let program = given.program.to_string_lossy().into_owned();
    let arguments = given.arguments.iter().map(|word| word.to_string_lossy().replace("{}", &path));
    let words: Vec<String> =
        std::iter::once(program).chain(arguments).map(|word| shell_word(&word)).collect();
    let stdin = if given.stdin { format!(" < {}", shell_word(&path)) } else { String::new() };
    Ok(format!("cd {} && {}{stdin}", shell_word(&into.to_string_lossy()), words.join(" ")))
}

fn no_such_stage() -> Failure {
    Failure::wrong_use("the record does not say what was tested")
}
