//! A real test that sleeps between 20 and 180 milliseconds, depending on its candidate.

use crate::trial::{NumberedDeltas, duration_of};
use crate::world::World;
use anyhow::Context;
use howcome_dd::{Configuration, DeltaId, Outcome};
use howcome_lab::{Command, Execution, Oracle, Prepare, TestEnding, Verdict, WorkFolder};
use howcome_run::{Because, Content, Subject};
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// The argument that starts this program as the test.
pub(crate) const TEST: &str = "sleeping-test";

const VARIABLE: &str = "HOWCOME_ITEMS";

/// The test. It fails if its file contains all needed deltas.
pub(crate) fn test(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let needed: Configuration = arguments.first().context("what is needed")?.parse()?;
    let items = std::env::var_os(VARIABLE).context("no items are given")?;
    let given: Configuration = fs::read_to_string(items)?.parse()?;
    std::thread::sleep(duration_of(&given));
    Ok(if needed.is_subset(&given) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The subject of that test.
pub(crate) struct Sleeping {
    program: PathBuf,
    deltas: NumberedDeltas,
    needed: String,
}

impl Sleeping {
    pub(crate) fn new(world: &World) -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("where this program is")?;
        Ok(Self { program, deltas: NumberedDeltas(world.deltas), needed: world.needed.to_string() })
    }
}

impl Subject for Sleeping {
    fn deltas(&self) -> u32 {
        self.deltas.deltas()
    }

    fn describe(&self, delta: DeltaId) -> String {
        self.deltas.describe(delta)
    }

    fn content(&self, _: &Configuration) -> Option<Content> {
        None
    }
}

impl Prepare for Sleeping {
    fn prepare(
        &self,
        configuration: &Configuration,
        folder: &mut WorkFolder<'_>,
    ) -> Result<Command, Because> {
        let workspace = folder.path();
        let items = workspace.join("items.txt");
        fs::write(&items, configuration.to_string()).map_err(|error| Because::Broken(error.to_string()))?;
        let command = Command::new(&self.program, workspace).argument(TEST).argument(&self.needed);
        Ok(command.variable(VARIABLE, items))
    }
}

/// The judge of that test.
pub(crate) struct ByExitCode;

impl Oracle for ByExitCode {
    fn judge(&self, seen: &Execution) -> Verdict {
        let outcome = match seen.ending {
            TestEnding::Exit(0) => Outcome::Pass,
            TestEnding::Exit(1) => Outcome::Fail,
            _ => Outcome::Unresolved,
        };
        Verdict::new(outcome, seen)
    }
}
