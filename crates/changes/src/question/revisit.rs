//! Any test of a run, for people: what was tested, and how to try it by hand.

use super::baseline_evidence::recall_baseline;
use super::both_versions::{baseline_stage, both_versions};
use super::coverage_run::recall_coverage;
use super::request::ChangesRequest;
use crate::candidates::checkout::Checkout;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::{Space, as_subject};
use crate::search::cause::CauseSearch;
use howcome_dd::Configuration;
use howcome_lab::inquiry::{TestCommand, empty_folder, recorded_rates};
use howcome_run::words::{count, printable, shell_word};
use howcome_run::{Halt, Problem, Replay, RunFile, Unit, journal_path, read_journal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What was tested, for people.
///
/// # Errors
/// If the versions are not there any more, or the record does not fit them.
pub fn describe(
    run: &Path,
    file: &RunFile,
    stage: u32,
    unit: Unit,
    configuration: &Configuration,
) -> Result<String, Problem> {
    let space = space_of(run, file, stage)?;
    let (chosen, deltas) = (configuration.len(), space.deltas());
    if unit == Unit::Commit {
        // It builds on all the others.
        let last = configuration.last().map(|last| space.describe(last));
        return Ok(format!(
            "commit {} ({chosen} of {deltas})\n",
            last.unwrap_or_else(|| "of the good version".to_owned())
        ));
    }
    Ok(describe_changes(&*space, unit, configuration))
}

/// Changes, and the commit to which they are applied.
#[must_use]
pub fn describe_changes(space: &dyn Space, unit: Unit, configuration: &Configuration) -> String {
    let (chosen, deltas) = (configuration.len(), space.deltas());
    let on_commit = space
        .revision(configuration)
        .map_or_else(String::new, |commit| format!(" on commit {}", commit.short()));
    let mut text = format!("{chosen} of {}{on_commit}:\n", count(deltas.into(), unit.as_str()));
    for delta in configuration.slice(0..SHOWN).iter() {
        text += &format!("    {}\n", printable(&space.describe(delta)));
    }
    if chosen > SHOWN {
        text += &format!("    … and {} more\n", chosen - SHOWN);
    }
    text
}

/// More changes than this are not listed.
const SHOWN: usize = 20;

/// Makes the version of a test again in a folder, and returns the command that tries it by hand.
///
/// # Errors
/// If the versions are not there any more, the record does not fit them, or the folder cannot be written.
pub fn rebuild(
    run: &Path,
    file: &RunFile,
    stage: u32,
    configuration: &Configuration,
    into: &Path,
) -> Result<String, Problem> {
    let ChangesRequest { test, test_in_tree, build, clean, .. } = ChangesRequest::of(file)?;
    let space = space_of(run, file, stage)?;
    how_to_try(&*space, configuration, into, &test, test_in_tree.as_deref(), [&clean, &build])
}

/// Writes a version to a folder, and returns the command that tries it there. `before` holds the commands that clean and build.
///
/// # Errors
/// If there is no such version, or the folder cannot be written.
pub fn how_to_try(
    space: &dyn Space,
    configuration: &Configuration,
    into: &Path,
    test: &TestCommand,
    test_in_tree: Option<&str>,
    before: [&Option<Vec<String>>; 2],
) -> Result<String, Problem> {
    let candidate = space.candidate(configuration).map_err(|because| Problem::new(because.to_string()))?;
    let into = empty_folder(into)?;
    Checkout::fresh(&into, candidate).map_err(|error| Problem::with_file(&into, &error))?;
    let mut steps = vec![format!("cd {}", shell_word(&into.to_string_lossy()))];
    let revision = space.revision_name(configuration).unwrap_or_default();
    steps.push(format!(
        "export HOWCOME_REVISION={} HOWCOME_DIR={}",
        if revision.is_empty() { String::new() } else { shell_word(&revision) },
        shell_word(&test.directory.to_string_lossy())
    ));
    for words in before.into_iter().flatten() {
        steps.push(words.iter().map(|text| shell_word(text)).collect::<Vec<_>>().join(" "));
    }
    steps.push(match test_in_tree {
        Some(path) => {
            TestCommand { program: PathBuf::from(format!("./{path}")), ..test.clone() }.shell_words()
        }
        None => test.shell_words(),
    });
    Ok(steps.join(" && "))
}

/// What was varied in a stage of a run, found by a replay of the record.
fn space_of(run: &Path, file: &RunFile, stage: u32) -> Result<Arc<dyn Space>, Problem> {
    let mut request = ChangesRequest::of(file)?;
    let versions = request.reopen(run)?;
    let mut plan = request.plan()?;
    let recorded = read_journal(&journal_path(run))?;
    recall_baseline(run, &mut plan);
    plan.executed = recall_coverage(run);
    let both = both_versions(&request, &versions);
    // The first stage is the baseline.
    if stage == 0 {
        return Ok(both);
    }
    let mut stages = Replay::new(run, &recorded, stage - 1, as_subject);
    stages.rates = recorded_rates(&recorded.entries, &request.failure);
    let causes = CauseSearch { versions: &versions, plan: &plan, applied: PatchSeries::default() };
    let begun = stages.skip(&baseline_stage(), &*both);
    let replayed = begun.and_then(|()| causes.run(&mut stages).map(|_| ()).map_err(|halt| halt.keeping(())));
    match replayed {
        Err(Halt::Failed(problem)) => Err(problem),
        _ => stages.reached.ok_or_else(|| {
            Problem::new("the record does not say what was tested there")
                .hint("the test can be repeated only with the versions as they were when the run began")
        }),
    }
}
