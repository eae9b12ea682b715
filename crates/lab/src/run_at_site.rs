//! Turns what a candidate did elsewhere into executions, as if it had run on this machine.

use crate::interest::Interest;
use crate::not_started::not_started;
use crate::run_terms::{ExecutionError, RunTerms};
use crate::{
    Captured, Command, Execution, SiteCandidate, SiteError, SiteRun, SiteWorker, StepRun, TestEnding,
};
use howcome_run::Because;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a candidate has no execution.
pub(crate) enum NotAtSite {
    /// Something that is known about it, or nothing.
    Error(ExecutionError),
    /// The place cannot be reached any more.
    Gone(String),
}

/// Builds and runs a prepared candidate at a site, at most this many times. Returns at least one run.
pub(crate) fn run_at_site(
    site: &mut dyn SiteWorker,
    folder: &Path,
    command: &Command,
    terms: RunTerms<'_>,
    copies: usize,
) -> Result<Vec<Result<Execution, ExecutionError>>, NotAtSite> {
    let RunTerms { limits, interest, site: how, wants_reads, .. } = terms;
    let Interest { cancelled, is_awaited } = interest;
    let mut candidate =
        SiteCandidate { folder, command, limits, terms: how, wants_reads, cancelled, is_awaited };
    let mut runs = ask(site, &candidate, copies)?;
    if runs.iter().any(|run| run.is_cached && is_doubtful(run)) {
        // What might be the fault of other tests is not believed from a record.
        candidate.terms.is_doubted = true;
        runs = ask(site, &candidate, copies)?;
    }
    if wants_reads {
        // If this does not work, a file counts as unread that is not; so all of it is an error.
        let unread = runs.last().and_then(|run| run.unread.as_deref());
        note_reads(folder, unread).map_err(|error| {
            NotAtSite::Error(Because::Broken(format!("cannot read the candidate: {error}")).into())
        })?;
    }
    let execution = |run: SiteRun| {
        let is_cached = run.is_cached;
        execution(folder, command, run).map(|execution| Execution { is_cached, ..execution })
    };
    Ok(runs.into_iter().map(execution).collect())
}

fn ask(
    site: &mut dyn SiteWorker,
    candidate: &SiteCandidate<'_>,
    copies: usize,
) -> Result<Vec<SiteRun>, NotAtSite> {
    site.run_copies(candidate, copies).map_err(|error| match error {
        SiteError::Cancelled => NotAtSite::Error(ExecutionError::Cancelled),
        SiteError::Because(because) => NotAtSite::Error(because.into()),
        SiteError::Gone(why) => NotAtSite::Gone(why),
    })
}

/// Whether the reason might be something other than the candidate.
fn is_doubtful(run: &SiteRun) -> bool {
    run.builds.iter().chain(&run.test).any(|step| match step.ending {
        Err(_) | Ok(TestEnding::TimedOut) => true,
        Ok(ending) => {
            let (stdout, stderr) = (step.stdout.clone(), step.stderr.clone());
            let execution = Execution { stdout, stderr, ..Execution::new(ending) };
            execution.was_killed() || execution.lacks_what_others_use()
        }
    })
}

fn execution(folder: &Path, command: &Command, run: SiteRun) -> Result<Execution, ExecutionError> {
    let (mut built, mut build_said) = (Duration::ZERO, Captured::default());
    for (step, build) in run.builds.into_iter().zip(&command.builds) {
        let execution = of_step(folder, build, step)?;
        if execution.ending != TestEnding::Exit(0) {
            return Err(ExecutionError::DidNotBuild(Box::new(execution)));
        }
        built += execution.took;
        build_said = execution.stderr;
    }
    let test =
        run.test.ok_or_else(|| Because::Broken("the cluster returned no result of the test".to_owned()))?;
    let execution = of_step(folder, command, test)?;
    Ok(Execution { built, build_said, ..execution })
}

fn of_step(folder: &Path, command: &Command, step: StepRun) -> Result<Execution, ExecutionError> {
    let StepRun { ending, stdout, stderr, took } = step;
    let ending = ending.map_err(|kind| not_started(command, folder, &io::Error::from(kind)))?;
    Ok(Execution {
        stdout,
        stderr,
        workspace: folder.to_owned(),
        ran_in: folder.to_owned(),
        varied: command.varied.clone(),
        copy_of: command.copy_of.clone(),
        took,
        ..Execution::new(ending)
    })
}

/// Reads all files but these, as the test did elsewhere: subjects find out by the times of access what was read.
fn note_reads(folder: &Path, unread: Option<&[PathBuf]>) -> io::Result<()> {
    let unread: HashSet<&Path> = unread.unwrap_or_default().iter().map(PathBuf::as_path).collect();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(&inner)? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, entry.path());
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && !path.strip_prefix(folder).is_ok_and(|path| unread.contains(path)) {
                let _ = File::open(&path)?.read(&mut [0])?;
            }
        }
    }
    Ok(())
}
