//! A run from the command line: begun or continued, with workers on this machine, and its answer printed.

use crate::exit::Exit;
use crate::interrupts::{hold_interrupts, interrupt_by};
use crate::keys::{stop_by_key, stop_reading};
use crate::lab_setup::{current_folder, lab_options};
use crate::options::{NewRunArgs, RunArgs};
use crate::run_folder::RunFolder;
use crate::sandbox::wall_in;
use crate::streams::{answer, print_json, talk};
use crate::talk::Talk;
use crate::terminal::form_of_answer;
use howcome_lab::inquiry::{ClosedSession, EndedRun, NewRun, Response, Session};
use howcome_lab::{Local, LocalOptions};
use howcome_report::{SCHEMA, Summary, json, text, text_with_output};
use howcome_run::words::count;
use howcome_run::{
    Algorithms, AnswerSource, Because, Ending, Halt, Problem, ProblemKind, QuestionName, RunDir, RunFile,
    RunInputs,
};
use serde::Serialize;
use std::ffi::OsString;
use std::path::Path;

/// Begins a new run of a question.
pub(crate) fn begin(
    question: QuestionName,
    algorithms: impl Into<Algorithms>,
    request: &impl Serialize,
    inputs: &dyn RunInputs,
    new_run: &NewRunArgs,
    options: &RunArgs,
    talk: Talk,
) -> Result<Session, Problem> {
    // Better now than after the run is recorded.
    options.launch.apply(lab_options()?)?;
    let mut file = RunFile::new(question, algorithms.into(), options.jobs(), request)?;
    options.launch.record(&mut file);
    let folder = RunFolder::choose(new_run.run_dir.clone(), question, file.started);
    hold_interrupts()?;
    let warden = lab_options()?.warden;
    let new_run = NewRun::from(file).with_inputs(inputs).guarded_by(&warden);
    Session::begin(folder.candidates(), new_run, options.budget(), Box::new(talk))
}

/// Continues a run.
pub(crate) fn resume(run: RunDir, options: &RunArgs, talk: Talk) -> Result<Session, Problem> {
    hold_interrupts()?;
    match options.thorough {
        true => Session::extend(run, options.budget(), Box::new(talk)),
        false => Session::resume(run, options.budget(), Box::new(talk)),
    }
}

/// Starts the workers of a run. Ctrl-C stops them, and so does `q` in a terminal. A new run whose workers can never start is removed.
pub(crate) fn start_lab(session: &Session, options: &RunArgs) -> Result<Local, Problem> {
    let started = start_workers(session, options);
    let is_wrong = started.as_ref().is_err_and(|problem| problem.kind() == ProblemKind::WrongUse);
    if is_wrong && session.is_new() {
        session.forget()?;
    }
    started
}

fn start_workers(session: &Session, options: &RunArgs) -> Result<Local, Problem> {
    let is_quiet = options.quiet;
    let wanted = options;
    let options = wanted.launch.apply(test_options(wanted.sandbox)?)?;
    let options = LocalOptions { workers: wanted.jobs() as usize, log: session.log(), ..options };
    #[cfg(feature = "remote")]
    let options = {
        let other = [(wanted.launch.is_given(), "--launch"), (wanted.sandbox, "--sandbox")];
        let other = other.into_iter().find_map(|(is_given, flag)| is_given.then_some(flag));
        LocalOptions { site: wanted.remote.site(session.file(), other)?, ..options }
    };
    let local = Local::new(options)?;
    let interrupter = local.interrupter();
    interrupt_by(move || interrupter.interrupt())?;
    if !is_quiet {
        let interrupter = local.interrupter();
        stop_by_key(move || interrupter.interrupt());
    }
    Ok(local)
}

/// How tests run on this machine.
pub(crate) fn test_options(is_sandboxed: bool) -> Result<LocalOptions, Problem> {
    let options = lab_options()?;
    if is_sandboxed { wall_in(options) } else { Ok(options) }
}

/// Warns of a variable that makes all versions of a Rust project share one folder for what they build.
pub(crate) fn warn_of_shared_builds(session: &mut Session) -> Result<(), Problem> {
    const NAME: &str = "CARGO_TARGET_DIR";
    let is_shared = std::env::var_os(NAME).is_some_and(|folder| Path::new(&folder).is_absolute());
    if !is_shared || !current_folder()?.ancestors().any(|folder| folder.join("Cargo.toml").exists()) {
        return Ok(());
    }
    session.warn(&format!(
        "{NAME} is set, so all versions share one build folder, and cargo can take what it built for another version: unset it"
    ))
}

/// What the user asks of `make`.
pub(crate) fn make_flags() -> Option<OsString> {
    std::env::var_os("MAKEFLAGS")
}

/// Closes a session and prints what it came to.
pub(crate) fn finish(
    session: Session,
    answered: Result<Response, Halt>,
    options: &RunArgs,
) -> Result<Exit, Problem> {
    stop_reading();
    match session.close(answered)? {
        ClosedSession::DryRun(text) => {
            match options.json {
                true => {
                    let lines: Vec<&str> = text.lines().collect();
                    print_json(
                        &serde_json::json!({"howcome": env!("CARGO_PKG_VERSION"), "schema": SCHEMA, "dry_run": lines}),
                    );
                }
                false => answer!("{text}"),
            }
            Ok(Exit::Found)
        }
        ClosedSession::Ended(ended) => print(*ended, options),
    }
}

fn print(ended: EndedRun, options: &RunArgs) -> Result<Exit, Problem> {
    let EndedRun { ending, problem, file, dir, entries } = ended;
    let summary = Summary::of(&file, dir.as_deref().unwrap_or(Path::new("")), &entries);
    // A run of `state` is compared with two others, not judged by its exit code; and old revisions end in any way.
    if !options.quiet && !matches!(file.question, QuestionName::State | QuestionName::History) {
        let has_conditions = has_conditions(&file);
        for hint in
            [unresolved_by_one_code(&summary, has_conditions), other_messages(&summary)].into_iter().flatten()
        {
            talk!("{hint}");
        }
    }
    if options.sandbox && ending == Ending::Refused {
        talk!(
            "warning: the test ran in a sandbox (--sandbox), without a network, and could only write to its own folder; without the \
             sandbox it might end differently"
        );
    }
    if options.json {
        answer!("{}\n", json(&summary).map_err(|error| Problem::bug(error.to_string()))?);
    } else if problem.is_none() || ending != Ending::Refused {
        let form = form_of_answer();
        let text = if options.verbose { text_with_output(&summary, form) } else { text(&summary, form) };
        answer!("{text}");
    }
    match problem {
        Some(problem) => Err(problem),
        None => Ok(ending.into()),
    }
}

/// Whether the user has described the failure or a pass.
fn has_conditions(file: &RunFile) -> bool {
    let given = |name: &str| file.request["failure"][name].as_array().is_some_and(|given| !given.is_empty());
    given("fails_when") || given("passes_when")
}

/// Many tests that end in one way that is neither a failure nor a pass are probably meant as a verdict. With conditions, a side
/// of the baseline can end in that way, too.
fn unresolved_by_one_code(summary: &Summary, has_conditions: bool) -> Option<String> {
    let (reason, tests) = summary.reasons_for_unresolved().into_iter().max_by_key(|(_, tests)| *tests)?;
    // By 125 a test says itself that it cannot judge.
    let may_be_meant = reason.starts_with("exit code") && reason != "exit code 125";
    let many = may_be_meant && tests >= 5 && tests * 2 >= summary.counts.told;
    let told = count(summary.counts.told, "test");
    many.then(|| match has_conditions {
        true => format!(
            "hint: {tests} of {told} ended with {reason}, for which no condition decides, and were left unresolved; if that is a \
             verdict, say so with --fails-when or --passes-when"
        ),
        false => format!(
            "hint: {tests} of {told} ended with {reason}, as neither side of the baseline does, and were left unresolved; if that is \
             a verdict, say so with --fails-when or --passes-when, or with --codes bisect"
        ),
    })
}

/// Many tests that end like the failure but say something else may well show the same one.
fn other_messages(summary: &Summary) -> Option<String> {
    let other = summary.trail.iter().filter(|step| {
        step.how == AnswerSource::Tested && matches!(step.because, Some(Because::SaidOtherwise(_)))
    });
    let tests = other.count() as u64;
    (tests >= 3 && tests * 3 >= summary.counts.told).then(|| {
        format!(
            "hint: {tests} of {} ended as the failure does, but with another message; if that is the same failure, say so \
             with --any-message",
            count(summary.counts.told, "test")
        )
    })
}
