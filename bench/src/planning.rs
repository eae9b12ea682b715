//! The time that the driver itself takes for each test: asking, looking ahead, remembering, writing the journal.

use crate::machine;
use crate::measured_search::MeasuredSearch;
use crate::table::{MarkdownTable, holds};
use crate::trial::{SearchFigures, SearchTrial, scripted};
use crate::world::World;
use std::time::Duration;

const DELTAS: u32 = 100_000;
const WORKERS: [usize; 3] = [1, 2, 16];
/// Some searches would ask a million questions in the worst world.
const MAX_TESTS: u64 = 3000;
const BAR: Duration = Duration::from_millis(1);

pub(crate) fn measure() -> anyhow::Result<()> {
    let scattered = || World::new("20 scattered", DELTAS, (0..20).map(|i| i * 5000 + 7 + i * i));
    let worlds = [
        scattered(),
        World::new("20 together", DELTAS, 61_803..61_823),
        World::new("every second of 2,000 in a row", DELTAS, (0..1000).map(|i| 50_000 + 2 * i)),
        World::new("every hundredth", DELTAS, (0..1000).map(|i| 100 * i)),
        scattered().mostly_unresolved("20 scattered, two thirds of the rest unresolved"),
    ];
    let title = format!(
        "Planning: microseconds for each test told (the longest single wait in milliseconds), {DELTAS} deltas"
    );
    let columns = ["needed", "search", "told", "1 worker", "2", "16", "< 1 ms", "load"];
    let table = MarkdownTable::new(&title, columns);
    for world in &worlds {
        for algorithm in MeasuredSearch::ALL {
            let mut row = vec![world.name.to_owned(), algorithm.name().to_owned()];
            let mut does = true;
            for workers in WORKERS {
                let figures = least_disturbed(algorithm, world, workers)?;
                if row.len() == 2 {
                    let more = if figures.told >= MAX_TESTS { "the first " } else { "" };
                    row.push(format!("{more}{}", figures.told));
                }
                let each = figures.planning_per_test();
                does &= each < BAR;
                row.push(format!("{} ({:.1})", each.as_micros(), figures.longest.as_secs_f64() * 1e3));
            }
            row.extend([holds(does).to_owned(), machine::load()]);
            table.row(row);
        }
    }
    Ok(())
}

/// The fastest of three runs, because the machine has other work too.
fn least_disturbed(
    algorithm: MeasuredSearch,
    world: &World,
    workers: usize,
) -> anyhow::Result<SearchFigures> {
    let run = || {
        let folder = tempfile::tempdir()?;
        let journal = folder.path().join("journal.jsonl");
        let trial =
            SearchTrial { journal: Some(&journal), max_tests: Some(MAX_TESTS), ..SearchTrial::new(world) };
        algorithm.run(trial, &mut scripted(workers, world))
    };
    let runs = [run()?, run()?, run()?];
    Ok(runs.into_iter().min_by_key(|figures| figures.planning).unwrap_or_default())
}
