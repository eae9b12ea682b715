//! One test of a run, for people: what was put into which run, and a script for gdb to try it by hand.

use super::command_line::set_variables;
use super::gdb_script::GdbScript;
use super::places::follow_calls;
use super::request::{PlaceChoice, StateRequest};
use crate::deciding_branch::BRANCHES;
use crate::matching::StateDelta;
use crate::tracee::Invocation;
use crate::{
    ComparedPlace, Examiner, RunPair, RunsNotComparable, StopFlag, StopPoint, Transfer, TransferDirection,
};
use howcome_dd::Configuration;
use howcome_run::words::{count, cut, printable, shell_word};
use howcome_run::{Problem, StageName};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// At most this number of variables is listed.
const MOST_LISTED: usize = 12;
/// The width of a line that lists a variable.
const WIDTH: usize = 100;

/// What a test put into which run, where.
#[derive(Clone, Debug)]
pub struct TriedTest {
    place: ComparedPlace,
    direction: TransferDirection,
    /// The run that is altered.
    run: Invocation,
    /// Where it is stopped.
    stop_point: StopPoint,
    /// What was altered.
    deltas: Vec<StateDelta>,
    all: usize,
    script: GdbScript,
    /// The environment variables that the command of the run sets.
    set: BTreeMap<String, String>,
}

impl TriedTest {
    /// Lets both runs go to the place of a stage again, because variables can be named only there.
    ///
    /// # Errors
    /// If the runs cannot be compared any more, or the place cannot be found by its name.
    pub fn repeat(
        request: &StateRequest,
        runs: &RunPair,
        stage: &StageName,
        configuration: &Configuration,
    ) -> Result<Self, Problem> {
        if matches!(stage, StageName::Other(name) if name == BRANCHES) {
            return Err(Problem::new(
                "in this test, the failing run went on elsewhere at a branch; no variable was altered",
            )
            .hint("to try it by hand, use `jump` in gdb"));
        }
        let mut places: Vec<ComparedPlace> = match request.places()? {
            PlaceChoice::Named(names) => names.iter().flat_map(|name| name.find(runs)).collect(),
            PlaceChoice::Between(passing, failing) => vec![passing.pair(&failing, runs)?],
            PlaceChoice::Usual | PlaceChoice::EveryFunction => Vec::new(),
        };
        let calls = follow_calls(runs, &[])?;
        places.extend(calls.moments.iter().map(|common| ComparedPlace::of(&runs.settings.program, common)));
        let found = places.into_iter().find_map(|place| {
            let transfer = Transfer::IN_ORDER.into_iter().find(|transfer| transfer.stage(&place) == *stage);
            transfer.map(|transfer| (place, transfer.direction))
        });
        let (place, direction) = found.ok_or_else(|| {
            Problem::new(format!(
                "this test was run between two lines ({stage}) and cannot be repeated on its own"
            ))
            .hint("examine the line itself: howcome state --at FILE:LINE:HIT")
        })?;
        let examiner = Examiner::new(runs, request.terms_without_test()?, 1, StopFlag::default());
        let (differences, base) = examiner
            .find_differences_of(&place, direction)
            .map_err(|error| RunsNotComparable::Run("failing", error))?;
        let chosen = configuration.iter().filter_map(|delta| differences.deltas.get(delta.index()).cloned());
        let (run, stop_point) = match direction {
            TransferDirection::Forward => (runs.passing.invocation.clone(), place.passing),
            TransferDirection::Reverse => (runs.failing.invocation.clone(), place.failing),
        };
        let command = match direction {
            TransferDirection::Forward => request.pass.as_ref().unwrap_or(&request.fail),
            TransferDirection::Reverse => &request.fail,
        };
        let set = set_variables(command, &request.directory);
        let find_function = |name: &str| runs.settings.program.symbol(name);
        let script = GdbScript::of(&differences, configuration, &base, &find_function);
        let (deltas, all) = (chosen.collect(), differences.deltas.len());
        Ok(Self { deltas, all, place, direction, run, stop_point, script, set })
    }

    /// What was put into the run.
    #[must_use]
    pub fn describe(&self) -> String {
        let Self { place, direction, deltas, all, .. } = self;
        let (base, other) = (direction.base(), direction.other());
        let variables = count(*all as u64, "variable");
        let mut text =
            format!("{} of {variables} of the {other} run in the {base} run, at {place}:\n", deltas.len());
        for delta in deltas.iter().take(MOST_LISTED) {
            let line = format!("{} = {} (instead of {})", delta.variable, delta.other, delta.base);
            text += &format!("    {}\n", cut(&printable(&line), WIDTH));
        }
        if let Some(more) = deltas.len().checked_sub(MOST_LISTED + 1) {
            text += &format!("    … and {} more\n", more + 1);
        }
        text
    }

    /// Writes a script into a folder that does the same with gdb. Returns the command that runs it.
    ///
    /// # Errors
    /// If the script cannot be written.
    pub fn write_script(&self, folder: &Path) -> Result<String, Problem> {
        let path = folder.join("try.gdb");
        fs::write(&path, self.script.text(&self.run, &self.set, self.stop_point))
            .map_err(|error| Problem::with_file(&path, &error))?;
        let program = self.run.program.to_string_lossy();
        Ok(format!("gdb -x {} {}", shell_word(&path.to_string_lossy()), shell_word(&program)))
    }
}
