//! The peak memory of a run over a million deltas.

use crate::howcome;
use crate::machine;
use crate::measured_search::MeasuredSearch;
use crate::table::{MarkdownTable, holds};
use crate::trial::{SearchTrial, scripted};
use crate::world::World;
use anyhow::{Context, bail, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use std::fmt::Write;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The arguments that start this program for a single measurement: a peak never decreases.
pub(crate) const SEARCH: &str = "memory-of-search";
pub(crate) const COMMAND: &str = "memory-of-command";

const DELTAS: u32 = 1_000_000;
const MAX_TESTS: u64 = 3000;
const BAR: u64 = 1_000_000_000;

pub(crate) fn measure() -> anyhow::Result<()> {
    let table = MarkdownTable::new(
        "Memory: the peak of a process that searches 1,000,000 deltas",
        ["needed", "search", "workers", "told", "megabytes", "seconds", "< 1 GB", "load"],
    );
    for world in worlds() {
        for algorithm in [MeasuredSearch::Ddmin, MeasuredSearch::Balanced, MeasuredSearch::Isolate] {
            for workers in ["2", "16"] {
                let name = algorithm.name();
                let mut row = vec![world.name.to_owned(), name.to_owned(), workers.to_owned()];
                row.extend(measured(&[SEARCH, world.name, name, workers])?);
                table.row(row);
            }
        }
    }
    let table = MarkdownTable::new(
        "Memory: `howcome items` with a list of 1,000,000 lines, two of them needed",
        ["search", "jobs", "tests", "megabytes", "seconds", "< 1 GB", "load"],
    );
    for name in ["balanced", "ddmin", "isolate"] {
        let mut row = vec![name.to_owned(), "2".to_owned()];
        row.extend(measured(&[COMMAND, name, "2"])?);
        table.row(row);
    }
    Ok(())
}

fn worlds() -> [World; 3] {
    [
        World::new("20 scattered", DELTAS, (0..20).map(|i| i * 50_000 + 7 + i * i)),
        World::new("1,000 scattered", DELTAS, (0..1000).map(|i| i * 1000 + i % 7)),
        World::new("20 scattered", DELTAS, (0..20).map(|i| i * 50_000 + 7 + i * i))
            .mostly_unresolved("20 scattered, two thirds of the rest unresolved"),
    ]
}

/// The cells that a new process prints.
fn measured(arguments: &[&str]) -> anyhow::Result<Vec<String>> {
    let program = std::env::current_exe().context("where this program is")?;
    let output = Command::new(program).args(arguments).stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "{} ended with {}", arguments.join(" "), output.status);
    let [count, bytes, seconds] = String::from_utf8(output.stdout)?
        .split_whitespace()
        .map(str::to_owned)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|said| anyhow::anyhow!("unexpected output: {said:?}"))?;
    let bytes: u64 = bytes.parse()?;
    let megabytes = format!("{:.0}", bytes as f64 / 1e6);
    Ok(vec![count, megabytes, seconds, holds(bytes < BAR).to_owned(), machine::load()])
}

/// Drives one search.
pub(crate) fn search(arguments: &[String]) -> anyhow::Result<()> {
    let [name, algorithm, workers] = arguments else { bail!("usage: memory-of-search WORLD SEARCH WORKERS") };
    let worlds = worlds();
    let world = worlds.iter().find(|world| world.name == name).context("there is no such world")?;
    let algorithm = MeasuredSearch::by_name(algorithm).context("there is no such search")?;
    let folder = tempfile::tempdir()?;
    let journal = folder.path().join("journal.jsonl");
    let trial =
        SearchTrial { journal: Some(&journal), max_tests: Some(MAX_TESTS), ..SearchTrial::new(world) };
    let figures = algorithm.run(trial, &mut scripted(workers.parse()?, world))?;
    println!("{} {} {:.1}", figures.told, machine::peak_memory()?, figures.took.as_secs_f64());
    Ok(())
}

/// Runs the real command.
pub(crate) fn command(arguments: &[String]) -> anyhow::Result<()> {
    let [algorithm, jobs] = arguments else { bail!("usage: memory-of-command SEARCH JOBS") };
    let folder = tempfile::tempdir()?;
    let list = folder.path().join("list");
    let mut lines = String::new();
    for line in 1..=DELTAS {
        writeln!(lines, "item {line}")?;
    }
    fs::write(&list, lines)?;
    let test = r#"grep -qx "item 123456" "$HOWCOME_ITEMS" && grep -qx "item 765432" "$HOWCOME_ITEMS" && exit 1
        exit 0"#;
    let began = Instant::now();
    let output = Command::new(howcome::program()?)
        .args(["items", "--quiet", "--json", "--algorithm", algorithm, "--jobs", jobs, "--run-dir"])
        .arg(folder.path().join("run"))
        .arg(list)
        .args(["--", "sh", "-c", test])
        .current_dir(folder.path())
        .output()?;
    let seconds = began.elapsed().as_secs_f64();
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let journal = howcome_run::read_journal(&howcome_run::journal_path(&folder.path().join("run")))?;
    let tests =
        journal.entries.iter().filter(|entry| matches!(entry, howcome_run::Entry::Observed { .. })).count();
    // The largest child process, which is howcome itself: it is much larger than its tests.
    let kilobytes = getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss().unsigned_abs();
    println!("{tests} {} {seconds:.1}", kilobytes * 1024);
    Ok(())
}
