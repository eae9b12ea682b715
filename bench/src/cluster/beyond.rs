//! What more slots than any cluster has would give, by simulation with costs.

use super::cluster_search::ClusterSearch;
use super::world;
use crate::table::MarkdownTable;
use std::time::Duration;

/// How many tests are asked at once in the simulation.
const ROUNDS_OF: [usize; 7] = [1, 8, 32, 128, 1000, 10_000, 100_000];
/// The clusters to compare.
const SLOTS: [usize; 4] = [1, 128, 1000, 100_000];
/// How many instances are simulated, and how many with very many slots.
const INSTANCES: u64 = 3;
const MANY: usize = 1000;

/// What a test costs.
struct TestCosts {
    name: &'static str,
    /// The test itself.
    test: Duration,
}

/// What each test costs in addition. They were measured: see the book.
struct Overhead {
    /// From the decision to run a test until it runs, and from its end until howcome knows. Tests do not wait for each other.
    dispatch: Duration,
    /// Planning and preparing a candidate, one after the other on the machine of howcome.
    prepare: Duration,
}

const OVERHEAD: Overhead =
    Overhead { dispatch: Duration::from_millis(100), prepare: Duration::from_micros(200) };

const COSTS: [TestCosts; 3] = [
    TestCosts { name: "0.1 s", test: Duration::from_millis(100) },
    TestCosts { name: "10 s", test: Duration::from_secs(10) },
    TestCosts { name: "10 min", test: Duration::from_secs(600) },
];

/// Simulates clusters of up to this many slots.
pub(super) fn measure(most: usize) -> anyhow::Result<()> {
    let rounds = MarkdownTable::new(
        &format!(
            "Beyond one cluster: rounds of tests, by optimal speculation, means of {INSTANCES} instances (one with more than {MANY} slots)"
        ),
        ["search", "told", "1 slot", "8", "32", "128", "1,000", "10,000", "100,000"],
    );
    let searches = [
        ClusterSearch::Balanced,
        ClusterSearch::LevelsOfBalanced,
        ClusterSearch::Narrow,
        ClusterSearch::Bisect,
        ClusterSearch::WalkBack,
    ];
    let mut all = Vec::new();
    for search in searches {
        let mut row = vec![search.name().to_owned()];
        let mut means = Vec::new();
        for slots in ROUNDS_OF.into_iter().filter(|slots| *slots <= most) {
            let instances = if slots > MANY { 1 } else { INSTANCES };
            let runs: Vec<_> =
                (0..instances).map(|seed| search.speculate(&world(seed, true), slots)).collect();
            let mean = |of: fn(&super::OptimalRun) -> u64| {
                runs.iter().map(of).sum::<u64>() as f64 / instances as f64
            };
            if row.len() == 1 {
                row.push(format!("{:.0}", mean(|run| run.told)));
            }
            row.push(format!("{:.1}", mean(|run| run.rounds)));
            means.push((slots, mean(|run| run.rounds), mean(|run| run.tests)));
        }
        rounds.row(row);
        all.push((search, means));
    }
    let times = MarkdownTable::new(
        &format!(
            "Beyond one cluster: time to the answer, without proofs; {} ms to dispatch a test, {} µs to plan and prepare it (in brackets: \
             slots worth using)",
            OVERHEAD.dispatch.as_millis(),
            OVERHEAD.prepare.as_micros()
        ),
        ["search", "test takes", "1 slot", "128", "1,000", "100,000"],
    );
    for (search, means) in &all {
        for costs in &COSTS {
            let mut row = vec![search.name().to_owned(), costs.name.to_owned()];
            for slots in SLOTS.into_iter().filter(|slots| *slots <= most) {
                let time = |(_, rounds, tests): &(usize, f64, f64)| {
                    let round = costs.test + OVERHEAD.dispatch;
                    rounds * round.as_secs_f64() + tests * OVERHEAD.prepare.as_secs_f64()
                };
                let usable = means.iter().filter(|(used, ..)| *used <= slots);
                let best = usable.min_by(|a, b| time(a).total_cmp(&time(b)));
                let Some(best) = best else { continue };
                row.push(format!("{} ({})", words(time(best)), best.0));
            }
            times.row(row);
        }
    }
    Ok(())
}

/// A time in words: `3.2 s`, `41 min`, `5.3 h`.
fn words(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 120.0 => format!("{seconds:.1} s"),
        seconds if seconds < 7200.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}
