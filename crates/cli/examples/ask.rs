//! Asks each question of howcome from a Rust program.
//!
//! `ask changes GOOD BAD TEST…`, `ask history TEST…`, `ask input FILE TEST…`, `ask items LIST TEST…`, `ask state FAIL PASS`

use howcome_changes::versions::origin::VersionOrigins;
use howcome_changes::{HelperSetup, history, question as changes};
use howcome_input::question as input;
use howcome_items as items;
use howcome_lab::inquiry::{
    FailureRequest, NewRun, NoListener, RelationsRequest, Response, SearchChoice, Session, TestCommand,
};
use howcome_lab::{Local, LocalOptions};
use howcome_run::{Algorithm, Algorithms, Budget, Finding, Halt, Problem, QuestionName, RunFile, RunInputs};
use howcome_state::StopFlag;
use howcome_state::question as state;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    // Each worker starts this program once more, as a warden: it runs the tests and ends what they leave behind.
    if words.first().is_some_and(|word| word == "warden") {
        return howcome_lab::warden::serve();
    }
    match answer(&words) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn answer(words: &[OsString]) -> Result<String, Problem> {
    let here = env::current_dir().map_err(|error| Problem::new(error.to_string()))?;
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    match words {
        [question, good, bad, test @ ..] if question == "changes" => which_change(&here, good, bad, test),
        [question, test @ ..] if question == "history" => if_no_version_passes(&here, test),
        [question, file, test @ ..] if question == "input" => which_input(&here, &here.join(file), test),
        [question, list, test @ ..] if question == "items" => which_items(&here, &here.join(list), test),
        [question, fail, pass] if question == "state" => which_variable(&here, &text(fail), &text(pass)),
        _ => Err(Problem::new("ask changes, history, input, items or state")),
    }
}

/// Which change broke it?
fn which_change(here: &Path, good: &OsString, bad: &OsString, test: &[OsString]) -> Result<String, Problem> {
    let origins = VersionOrigins::find(std::slice::from_ref(good), Some(bad), None, here)?;
    let test = TestCommand::parse(test, here.to_owned(), false)?;
    let mut request = changes::ChangesRequest::new(origins, test, FailureRequest::default());
    let versions = request.open(&NoListener)?;
    let mut session = begin(QuestionName::Changes, request.algorithms(&versions), &request, &())?;
    let mut lab = start_lab(&session)?;
    let answered = changes::ask(&mut session, &mut lab, &request, &versions, None, false);
    match finding(session, answered)? {
        Finding::Changes(found) => Ok(found.patch),
        other => Ok(format!("{other:?}")),
    }
}

/// And if no old version passes?
fn if_no_version_passes(here: &Path, test: &[OsString]) -> Result<String, Problem> {
    let revisions = history::RevisionSource::in_git(None, None, None, here)?;
    let test = TestCommand::parse(test, here.to_owned(), false)?;
    let mut request = history::HistoryRequest::new(revisions, test, FailureRequest::default());
    let setup = HelperSetup { options: options()?, on_interrupt: &|_| Ok(()) };
    let revisions = request.open(&setup)?;
    let mut session = begin(QuestionName::History, history::algorithms(), &request, &())?;
    let mut lab = start_lab(&session)?;
    let answered = history::ask(&mut session, &mut lab, &request, &revisions, None, false);
    match finding(session, answered)? {
        Finding::History(found) => Ok(format!("{:?}", found.passing_revision)),
        other => Ok(format!("{other:?}")),
    }
}

/// Which part of the input?
fn which_input(here: &Path, file: &Path, test: &[OsString]) -> Result<String, Problem> {
    let files = [file.to_owned()];
    let output = input::default_output(&files);
    let test = TestCommand::parse(test, here.to_owned(), false)?;
    let request = input::InputRequest::new(&files, output.clone(), test, FailureRequest::default());
    let inputs = input::Inputs::read(&request, None, Path::new(RUNS))?;
    let mut session = begin(QuestionName::Input, Algorithm::Balanced, &request, &inputs)?;
    let mut lab = start_lab(&session)?;
    let answered = input::ask(&mut session, &mut lab, &request, &inputs, Path::new(RUNS), false);
    finding(session, answered)?;
    Ok(output.display().to_string())
}

/// Which items of a list?
fn which_items(here: &Path, list: &Path, test: &[OsString]) -> Result<String, Problem> {
    let request = items::ItemsRequest {
        list: list.to_owned(),
        test: TestCommand::parse(test, here.to_owned(), false)?,
        algorithm: SearchChoice::Balanced,
        output: None,
        failure: FailureRequest::default(),
        relations: RelationsRequest::default(),
    };
    let list = Arc::new(items::ItemList::read(list)?);
    let mut session = begin(QuestionName::Items, request.algorithm.algorithm(), &request, &*list)?;
    let mut lab = start_lab(&session)?;
    let answered = items::ask(&mut session, &mut lab, &request, &list, false);
    match finding(session, answered)? {
        Finding::Items(found) => Ok(found.items.join("\n")),
        other => Ok(format!("{other:?}")),
    }
}

/// Which variable?
fn which_variable(here: &Path, fail: &str, pass: &str) -> Result<String, Problem> {
    let request = state::StateRequest::new(fail, pass, here);
    let (environment, temp_folder) = (env::vars_os().collect(), env::temp_dir());
    let host = state::RunHost { environment, temp_folder, tests: options()? };
    let runs = state::run_both(&request, &host)?;
    let mut session = begin(QuestionName::State, Algorithm::Isolate, &request, &())?;
    // It copies stopped processes instead of starting tests, so it needs no lab.
    let asking =
        state::Asking { host: &host, workers: 1, stop: StopFlag::default(), dry_run: false, draw: None };
    let answered = state::ask(&mut session, &request, &runs, asking);
    match finding(session, answered)? {
        Finding::Chain(found) => Ok(format!("{} steps", found.steps.len())),
        other => Ok(format!("{other:?}")),
    }
}

const RUNS: &str = "runs";

/// Begins a run that is recorded in a folder of its own, and can be shown and resumed with `howcome`.
fn begin(
    question: QuestionName,
    algorithms: impl Into<Algorithms>,
    request: &impl serde::Serialize,
    inputs: &dyn RunInputs,
) -> Result<Session, Problem> {
    let file = RunFile::new(question, algorithms.into(), 1, request)?;
    let folder = |number: u32| PathBuf::from(RUNS).join(format!("{question}-{number}"));
    // If this process is killed meanwhile, a warden removes what is not complete yet.
    let warden = options()?.warden;
    let new_run = NewRun::from(file).with_inputs(inputs).guarded_by(&warden);
    Session::begin((1..1000).map(folder), new_run, Budget::default(), Box::new(NoListener))
}

/// How tests run on this machine.
fn options() -> Result<LocalOptions, Problem> {
    let program = env::current_exe().map_err(|error| Problem::new(error.to_string()))?;
    Ok(LocalOptions::new(vec![program.into(), "warden".into()], env::temp_dir()))
}

/// Starts a worker.
fn start_lab(session: &Session) -> Result<Local, Problem> {
    Ok(Local::new(LocalOptions { log: session.log(), ..options()? })?)
}

/// Closes the session, and reads the finding.
fn finding(session: Session, answered: Result<Response, Halt>) -> Result<Finding, Problem> {
    let question = session.file().question;
    let conclusion = match &answered {
        Ok(Response::Concluded(concluded)) => concluded.conclusion.clone(),
        _ => None,
    };
    session.close(answered)?;
    let finding = conclusion.and_then(|conclusion| conclusion.finding.read(question));
    finding.ok_or_else(|| Problem::new("nothing was found"))
}
