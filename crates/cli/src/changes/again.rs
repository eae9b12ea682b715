//! A test of the record made again: what was tested, and how to try it by hand.

use super::facts::{read_outputs, read_unread};
use super::ground::{Abort, Replayed, baseline_stage};
use super::hunt::Hunt;
use super::request::{Request, request_of, sources_of};
use super::{executed, versions};
use crate::failure::Failure;
use crate::run_folder::empty_folder;
use crate::test_command::TestCommand;
use howcome_changes::{Carried, Space};
use howcome_dd::Configuration;
use howcome_run::{Recorded, RunFile, read_journal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What was tested, for people.
pub(crate) fn describe(
    run: &Path,
    file: &RunFile,
    stage: u32,
    unit: &str,
    configuration: &Configuration,
) -> Result<String, Failure> {
    let space = space_of(run, file, stage)?;
    let (count, deltas) = (configuration.len(), space.deltas());
    if unit == "commit" {
        // It builds on all the others.
        let last = configuration.last().map(|last| space.describe(last));
        return Ok(format!(
            "commit {} ({count} of {deltas})\n",
            last.unwrap_or_else(|| "of the good version".to_owned())
        ));
    }
    Ok(described(&*space, unit, configuration))
}

/// Changes, and what they are upon.
pub(crate) fn described(space: &dyn Space, unit: &str, configuration: &Configuration) -> String {
    let (count, deltas) = (configuration.len(), space.deltas());
    let upon = space
        .revision(configuration)
        .map_or_else(String::new, |commit| format!(" upon commit {}", commit.short()));
    let mut text = format!("{count} of {}{upon}:\n", howcome_report::count(deltas.into(), unit));
    for delta in configuration.slice(0..SHOWN).iter() {
        text += &format!("    {}\n", howcome_report::printable(&space.describe(delta)));
    }
    if count > SHOWN {
        text += &format!("    … and {} more\n", count - SHOWN);
    }
    text
}

/// More changes than this are not listed.
const SHOWN: usize = 20;

/// Makes the version of a test again, to be tried by hand.
pub(crate) fn rebuild(
    run: &Path,
    file: &RunFile,
    stage: u32,
    configuration: &Configuration,
    into: &Path,
) -> Result<String, Failure> {
    let Request { test, test_in_tree, build, clean, .. } = request_of(file)?;
    let space = space_of(run, file, stage)?;
    tried_by_hand(&*space, configuration, into, &test, test_in_tree.as_deref(), [&clean, &build])
}

/// Writes a version to a folder, and says how to try it there.
pub(crate) fn tried_by_hand(
    space: &dyn Space,
    configuration: &Configuration,
    into: &Path,
    test: &TestCommand,
    test_in_tree: Option<&str>,
    before: [&Option<Vec<String>>; 2],
) -> Result<String, Failure> {
    let candidate =
        space.candidate(configuration).map_err(|because| Failure::wrong_use(because.to_string()))?;
    let into = empty_folder(into)?;
    howcome_changes::Checkout::fresh(&into, candidate).map_err(|error| Failure::file(&into, &error))?;
    let word = |text: &str| howcome_report::shell_word(text);
    let mut steps = vec![format!("cd {}", word(&into.to_string_lossy()))];
    let revision = space.revision_name(configuration).unwrap_or_default();
    steps.push(format!(
        "export HOWCOME_REVISION={} HOWCOME_DIR={}",
        if revision.is_empty() { String::new() } else { word(&revision) },
        word(&test.directory.to_string_lossy())
    ));
    for words in before.into_iter().flatten() {
        steps.push(words.iter().map(|text| word(text)).collect::<Vec<_>>().join(" "));
    }
    steps.push(match test_in_tree {
        Some(path) => {
            TestCommand { program: PathBuf::from(format!("./{path}")), ..test.clone() }.shell_words()
        }
        None => test.shell_words(),
    });
    Ok(steps.join(" && "))
}

/// What was varied in a stage of a run: the way is gone again by what is recorded of it.
fn space_of(run: &Path, file: &RunFile, stage: u32) -> Result<Arc<dyn Space>, Failure> {
    let request = request_of(file)?;
    let sources = sources_of(&request)?;
    let mut plan = request.plan()?;
    let recorded: Recorded = read_journal(&howcome_run::journal_path(run))?;
    plan.outputs = read_outputs(run);
    plan.unread = read_unread(run);
    plan.executed = executed::read(run);
    // The first stage is the baseline.
    if stage == 0 {
        return Ok(versions(&request, &sources));
    }
    let mut ground = Replayed::new(run, &recorded, Arc::new(request.recipe()), stage - 1);
    ground.begin(&baseline_stage(), &versions(&request, &sources))?;
    match (Hunt { sources: &sources, plan: &plan, carried: Carried::default() }).run(&mut ground) {
        Err(Abort::Failure(failure)) => Err(failure),
        _ => ground.space.ok_or_else(|| {
            Failure::wrong_use("the record does not say what was tested there")
                .hint("the test can be repeated only with the versions as they were when the run began")
        }),
    }
}
