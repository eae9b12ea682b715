//! The speed-up by more workers, and the wasted tests.

use crate::machine;
use crate::measured_search::MeasuredSearch;
use crate::sleeping::{ByExitCode, Sleeping};
use crate::table::{MarkdownTable, holds};
use crate::throughput::local;
use crate::trial::{SearchFigures, SearchTrial, scripted};
use crate::world::World;
use std::sync::Arc;

const WORKERS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];
const BAR: f64 = 6.5;

pub(crate) fn measure() -> anyhow::Result<()> {
    let eight = || World::new("8 of 256, scattered", 256, [3, 40, 77, 90, 130, 177, 201, 250]);
    let worlds = [
        World::new("2 of 256, apart", 256, [40, 201]),
        eight(),
        World::new("24 of 256, together", 256, 100..124),
        eight().mostly_unresolved("8 of 256, scattered, two thirds of the rest unresolved"),
    ];
    for world in &worlds {
        in_simulated_time(world)?;
    }
    with_real_processes(&eight())
}

fn in_simulated_time(world: &World) -> anyhow::Result<()> {
    let gained = MarkdownTable::new(
        &format!("Speed-up, simulated (tests of 20–180 ms in simulated time): {}", world.name),
        ["search", "told", "2 workers", "4", "8", "16", "32", "64"],
    );
    let mut all_wasted = Vec::new();
    for algorithm in MeasuredSearch::ALL {
        let mut row = vec![algorithm.name().to_owned()];
        let mut wasted = row.clone();
        let mut alone = None;
        for workers in WORKERS {
            let mut executor = scripted(workers, world);
            let figures = algorithm.run(SearchTrial::new(world), &mut executor)?;
            match alone {
                None => {
                    alone = Some(executor.clock());
                    row.push(figures.told.to_string());
                }
                Some(alone) => {
                    row.push(format!("{:.1}", alone / executor.clock()));
                    wasted.push(format!("{} + {}", figures.wasted(), figures.cancelled));
                }
            }
        }
        gained.row(row);
        all_wasted.push(wasted);
    }
    let title = format!("Wasted tests + cancelled tests: {}", world.name);
    let table = MarkdownTable::new(&title, ["search", "2 workers", "4", "8", "16", "32", "64"]);
    all_wasted.into_iter().for_each(|row| table.row(row));
    Ok(())
}

fn with_real_processes(world: &World) -> anyhow::Result<()> {
    let table = MarkdownTable::new(
        &format!("Speed-up, real (processes that sleep 20–180 ms): {}", world.name),
        ["search", "workers", "seconds", "speed-up", "told", "wasted", "cancelled", "bar", "load"],
    );
    for algorithm in [MeasuredSearch::Ddmin, MeasuredSearch::Balanced] {
        let mut alone = None;
        for workers in WORKERS {
            let figures = faster_of_two(algorithm, world, workers)?;
            let seconds = figures.took.as_secs_f64();
            let speed_up = *alone.get_or_insert(seconds) / seconds;
            let is_the_bar = algorithm == MeasuredSearch::Ddmin && workers == 16;
            table.row([
                algorithm.name().to_owned(),
                workers.to_string(),
                format!("{seconds:.2}"),
                format!("{speed_up:.1}"),
                figures.told.to_string(),
                figures.wasted().to_string(),
                figures.cancelled.to_string(),
                if is_the_bar { format!("≥ {BAR}: {}", holds(speed_up >= BAR)) } else { String::new() },
                machine::load(),
            ]);
        }
    }
    Ok(())
}

/// The faster of two runs. With one worker, one run is enough.
fn faster_of_two(algorithm: MeasuredSearch, world: &World, workers: usize) -> anyhow::Result<SearchFigures> {
    let run = || {
        let mut local = local(workers, Arc::new(Sleeping::new(world)?), Arc::new(ByExitCode))?;
        algorithm.run(SearchTrial::new(world), &mut local)
    };
    let first = run()?;
    if workers == 1 {
        return Ok(first);
    }
    let second = run()?;
    Ok(if second.took < first.took { second } else { first })
}
