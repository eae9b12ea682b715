//! Loading the debug information of large programs.

use super::figures::{TURNS, TurnFigures};
use super::generated;
use crate::machine;
use crate::table::{MarkdownTable, holds};
use anyhow::{Context, ensure};
use howcome_state::Snapshot;
use howcome_state::debug::{Loaded, Program};
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// The argument that starts this program for a single measurement: a peak never decreases.
pub(crate) const LOAD: &str = "state-load";

/// The number of units of the smaller program: at least 100,000 entries.
const SMALL: usize = 2;
/// The number of units of the larger program: at least 5 million entries.
const LARGE: usize = 53;
/// Milliseconds, for 100,000 entries.
const BAR: f64 = 200.0;
/// Megabytes, for 5 million.
const MEMORY: f64 = 1000.0;

/// Prints how long it takes to load a program of more than 100,000 entries, one of more than 5 million, and other named
/// programs.
pub(super) fn measure(others: &[String]) -> anyhow::Result<()> {
    // They take minutes to build, so they are kept next to this program.
    let folder = std::env::current_exe()?.with_file_name("state-programs");
    std::fs::create_dir_all(&folder)?;
    let title = format!("Loading debug information, medians of {TURNS} fresh processes, least and most");
    let columns =
        ["program", "entries", "loaded, ms", "with functions and variables, ms", "peak, MB", "bar", "load"];
    let table = MarkdownTable::new(&title, columns);
    for (units, is_small) in [(SMALL, true), (LARGE, false)] {
        let row = LoadingRow::of(&generated::declarations(&folder, units)?)?;
        let bar = match is_small {
            true => format!("< 200 ms: {}", holds(row.ready.median() < BAR)),
            false => format!("< 1 GB: {}", holds(row.peak.median() < MEMORY)),
        };
        table.row(row.cells(&format!("generated, {units} units"), &bar));
    }
    for other in others {
        let name = PathBuf::from(other).file_name().unwrap_or_default().to_string_lossy().into_owned();
        table.row(LoadingRow::of(&PathBuf::from(other))?.cells(&name, ""));
    }
    Ok(())
}

#[derive(Default)]
struct LoadingRow {
    entries: usize,
    loaded: TurnFigures,
    ready: TurnFigures,
    peak: TurnFigures,
}

impl LoadingRow {
    fn of(program: &std::path::Path) -> anyhow::Result<Self> {
        let mut row = Self::default();
        for _ in 0..TURNS {
            let this = std::env::current_exe()?;
            let output = Command::new(this).arg(LOAD).arg(program).output()?;
            ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let (entries, loaded, ready, peak) = serde_json::from_slice(&output.stdout)?;
            row.entries = entries;
            row.loaded.push(loaded);
            row.ready.push(ready);
            row.peak.push(peak);
        }
        Ok(row)
    }

    fn cells(&self, name: &str, bar: &str) -> [String; 7] {
        [
            name.to_owned(),
            self.entries.to_string(),
            self.loaded.text(0),
            self.ready.text(0),
            self.peak.text(0),
            bar.to_owned(),
            machine::load(),
        ]
    }
}

/// Loads a program in this process. Prints the number of its entries, the time to load it and to read its functions and
/// variables, and the peak memory.
pub(crate) fn load(arguments: &[String]) -> anyhow::Result<()> {
    let path = PathBuf::from(arguments.first().context("which program?")?);
    let begun = Instant::now();
    let program = Program::load(&[Loaded { path, bias: 0 }], &[])?;
    let loaded = 1000.0 * begun.elapsed().as_secs_f64();
    ensure!(!program.functions().is_empty(), "no functions");
    let variables = program.globals(&Snapshot::default()).len();
    ensure!(variables > 0, "no variables");
    let ready = 1000.0 * begun.elapsed().as_secs_f64();
    let peak = machine::peak_memory()? as f64 / 1e6;
    println!("{}", serde_json::to_string(&(program.entries(), loaded, ready, peak))?);
    Ok(())
}
