//! How long it takes to resume an interrupted run.

use crate::machine;
use crate::measured_search::MeasuredSearch;
use crate::table::{MarkdownTable, holds};
use crate::trial::{SearchTrial, scripted};
use crate::world::World;
use std::fs;
use std::time::{Duration, Instant};

const TESTS: u64 = 10_000;
const BAR: Duration = Duration::from_secs(1);

pub(crate) fn measure() -> anyhow::Result<()> {
    let table = MarkdownTable::new(
        &format!("Resume: a journal of {TESTS} tests told"),
        [
            "deltas",
            "needed",
            "search",
            "lines",
            "megabytes",
            "reading, s",
            "replaying, s",
            "together, s",
            "< 1 s",
            "load",
        ],
    );
    // The worst case is that every second delta is needed: the remaining deltas are then in as many separate runs as
    // possible.
    let (tenth, second) = ("every tenth", "every second");
    for (deltas, algorithm, needed, step) in [
        (2000, MeasuredSearch::Ddmin, tenth, 10),
        (2000, MeasuredSearch::Ddmin, second, 2),
        (100_000, MeasuredSearch::Ddmin, tenth, 10),
        (100_000, MeasuredSearch::Balanced, tenth, 10),
        (100_000, MeasuredSearch::Balanced, second, 2),
    ] {
        let world = World::new(needed, deltas, (0..deltas).step_by(step));
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("journal.jsonl");
        let trial =
            || SearchTrial { journal: Some(&path), max_tests: Some(TESTS), ..SearchTrial::new(&world) };
        let first = algorithm.run(trial(), &mut scripted(2, &world))?;
        let bytes = fs::metadata(&path)?.len();
        let began = Instant::now();
        let recorded = howcome_run::read_journal(&path)?;
        let reading = began.elapsed();
        let lines = recorded.entries.len();
        let began = Instant::now();
        let again = algorithm.run(SearchTrial { recorded, ..trial() }, &mut scripted(2, &world))?;
        let replaying = began.elapsed();
        anyhow::ensure!(
            again.told == TESTS && first.told == TESTS && again.executed == 0,
            "tests were run instead of replayed"
        );
        let both = reading + replaying;
        table.row([
            deltas.to_string(),
            needed.to_owned(),
            algorithm.name().to_owned(),
            lines.to_string(),
            format!("{:.1}", bytes as f64 / 1e6),
            format!("{:.2}", reading.as_secs_f64()),
            format!("{:.2}", replaying.as_secs_f64()),
            format!("{:.2}", both.as_secs_f64()),
            holds(both < BAR).to_owned(),
            machine::load(),
        ]);
    }
    Ok(())
}
