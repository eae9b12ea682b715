//! A chain of four places in a program of 50,000 lines, with the real command.

use super::figures::{TURNS, TurnFigures};
use super::generated;
use crate::howcome;
use crate::machine;
use crate::table::{MarkdownTable, holds};
use anyhow::{Context, ensure};
use std::process::Command;
use std::time::Instant;

const FAILING: &str = "./world 7 31 50 12 44 3 28";
const PASSING: &str = "./world 7 31 49 12 44 3 28";
/// Seconds.
const BAR: f64 = 10.0;

/// Prints how long `howcome state` takes for the chain.
pub(super) fn measure() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let (_, lines) = generated::lines(folder.path())?;
    let howcome = howcome::program()?;
    let title = format!("`howcome state` on a generated program, medians of {TURNS} turns, least and most");
    let columns =
        ["lines", "jobs", "places with a cause", "vertices", "deltas", "tests", "seconds", "< 10 s", "load"];
    let table = MarkdownTable::new(&title, columns);
    for jobs in ["1", "2"] {
        let mut seconds = TurnFigures::default();
        let mut chain = ChainSummary::default();
        for turn in 0..TURNS {
            let begun = Instant::now();
            let mut command = Command::new(&howcome);
            command.current_dir(folder.path()).args(["state", "--fail", FAILING, "--pass", PASSING]);
            command.args(["--json", "--quiet", "--jobs", jobs, "--run-dir", &format!("run-{jobs}-{turn}")]);
            let output = command.output().context("howcome could not be started")?;
            seconds.push(begun.elapsed().as_secs_f64());
            chain = ChainSummary::of(&output.stdout)
                .with_context(|| format!("howcome: {}", String::from_utf8_lossy(&output.stderr)))?;
        }
        ensure!(chain.places > 0, "no cause was found");
        table.row([
            lines.to_string(),
            jobs.to_owned(),
            chain.places.to_string(),
            chain.vertices.to_string(),
            chain.deltas.to_string(),
            chain.tests.to_string(),
            seconds.text(2),
            holds(seconds.median() < BAR && chain.places >= 4).to_owned(),
            machine::load(),
        ]);
    }
    Ok(())
}

/// The figures of the chain in the answer.
#[derive(Default)]
struct ChainSummary {
    places: usize,
    /// The largest number at one place.
    vertices: u64,
    deltas: u64,
    /// All tests, including those for the transitions.
    tests: u64,
}

impl ChainSummary {
    fn of(answer: &[u8]) -> anyhow::Result<Self> {
        let answer: serde_json::Value = serde_json::from_slice(answer)?;
        let steps = answer["finding"]["chain"].as_array().context("the answer has no chain")?;
        let figures = |name: &'static str| steps.iter().filter_map(move |step| step[name].as_u64());
        Ok(Self {
            places: steps.len(),
            vertices: figures("vertices").max().unwrap_or(0),
            deltas: figures("deltas").max().unwrap_or(0),
            tests: answer["tests"]["executed"].as_u64().unwrap_or(0),
        })
    }
}
