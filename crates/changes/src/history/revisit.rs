//! Any test of a run, for people: what was tested, and how to try it by hand.

use super::procedure::search_history;
use super::question::{baseline_stage, unpatched_revisions};
use super::request::HistoryRequest;
use crate::candidates::space::{Space, as_subject};
use crate::question::baseline_evidence::recall_failing_output;
use crate::question::revisit::{describe_changes, how_to_try};
use crate::search::plan::SearchPlan;
use crate::versions::listed::HelperSetup;
use howcome_dd::Configuration;
use howcome_run::words::printable;
use howcome_run::{Halt, Problem, Replay, RunFile, Unit, journal_path, read_journal};
use std::path::Path;
use std::sync::Arc;

/// A stage of a recorded run.
#[derive(Clone, Copy)]
pub struct RecordedStage<'a> {
    /// The folder of the run.
    pub run: &'a Path,
    /// What was asked.
    pub file: &'a RunFile,
    /// The number of the stage.
    pub stage: u32,
}

/// What was tested, for people.
///
/// # Errors
/// If the revisions are not available any more, or the record does not fit them.
pub fn describe(
    recorded: RecordedStage<'_>,
    unit: Unit,
    configuration: &Configuration,
    setup: &HelperSetup<'_>,
) -> Result<String, Problem> {
    let space = space_of(recorded, setup)?;
    if !matches!(unit, Unit::Revision | Unit::Version) {
        return Ok(describe_changes(&*space, unit, configuration));
    }
    let mut words: Vec<String> = configuration.iter().map(|delta| space.describe(delta)).collect();
    let is_patched = space.candidate(configuration).is_ok_and(|candidate| !candidate.mix.is_empty());
    if unit == Unit::Revision && is_patched {
        words.push("and the patch".to_owned());
    }
    Ok(format!("{}\n", printable(&words.join(" "))))
}

/// Makes the version of a test again in a folder, and returns the command that tries it by hand.
///
/// # Errors
/// If the revisions are not available any more, the record does not fit them, or the folder cannot be written.
pub fn rebuild(
    recorded: RecordedStage<'_>,
    configuration: &Configuration,
    into: &Path,
    setup: &HelperSetup<'_>,
) -> Result<String, Problem> {
    let HistoryRequest { test, test_in_tree, build, clean, .. } = HistoryRequest::of(recorded.file)?;
    let space = space_of(recorded, setup)?;
    how_to_try(&*space, configuration, into, &test, test_in_tree.as_deref(), [&clean, &build])
}

/// What was varied in a stage of a run, found by a replay of the record.
fn space_of(recorded: RecordedStage<'_>, setup: &HelperSetup<'_>) -> Result<Arc<dyn Space>, Problem> {
    let RecordedStage { run, file, stage } = recorded;
    let request = HistoryRequest::of(file)?;
    let revisions = request.reopen(run, setup)?;
    let journal = read_journal(&journal_path(run))?;
    let unpatched = unpatched_revisions(&revisions);
    // The first stage is the baseline.
    let Some(stages_before) = stage.checked_sub(1) else { return Ok(unpatched) };
    let mut replay = Replay::new(run, &journal, stages_before, as_subject);
    let plan = SearchPlan { failing_output: recall_failing_output(run), ..request.plan() };
    let begun = replay.skip(&baseline_stage(), &*unpatched);
    let replayed = begun.and_then(|()| search_history(&revisions, &plan, &mut replay, &mut |_| {}));
    match replayed {
        Err(Halt::Failed(problem)) => Err(problem),
        _ => replay.reached.ok_or_else(|| {
            Problem::new("the record does not say what was tested there")
                .hint("the test can be repeated only with the revisions as they were when the run began")
        }),
    }
}
