//! A test of the record made again: what was tested, and how to try it by hand.

use super::journey::Journey;
use super::request::{Request, request_of};
use super::{as_they_are, baseline_stage};
use crate::changes::again::{described, tried_by_hand};
use crate::changes::ground::{Abort, Replayed};
use crate::failure::Failure;
use howcome_changes::Space;
use howcome_dd::Configuration;
use howcome_run::{Recorded, RunFile, read_journal};
use std::path::Path;
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
    if matches!(unit, "revision" | "version") {
        let mut words: Vec<String> = configuration.iter().map(|delta| space.describe(delta)).collect();
        let is_patched = space.candidate(configuration).is_ok_and(|candidate| !candidate.mix.is_empty());
        if unit == "revision" && is_patched {
            words.push("and the patch".to_owned());
        }
        return Ok(format!("{}\n", howcome_report::printable(&words.join(" "))));
    }
    Ok(described(&*space, unit, configuration))
}

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

/// What was varied in a stage of a run: the way is gone again by what is recorded of it.
fn space_of(run: &Path, file: &RunFile, stage: u32) -> Result<Arc<dyn Space>, Failure> {
    let request = request_of(file)?;
    let past = request.past(Some(run))?;
    let plan = Request::plan()?;
    let recorded: Recorded = read_journal(&howcome_run::journal_path(run))?;
    // The first stage is the baseline.
    let Some(before) = stage.checked_sub(1) else { return Ok(as_they_are(&past)) };
    let mut ground = Replayed::new(run, &recorded, Arc::new(request.recipe()), before);
    ground.begin(&baseline_stage(), &as_they_are(&past))?;
    let journey = Journey { past: &past, plan: &plan };
    match journey.run(&mut ground) {
        Err(Abort::Failure(failure)) => Err(failure),
        _ => ground.space.ok_or_else(|| {
            Failure::wrong_use("the record does not say what was tested there")
                .hint("the test can be repeated only with the revisions as they were when the run began")
        }),
    }
}
