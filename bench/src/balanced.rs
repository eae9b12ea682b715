//! How many tests Balanced takes, compared with ddmin and with the lower bound of information theory.

use crate::random::Random;
use crate::table::{MarkdownTable, holds};
use crate::world::{World, in_runs, scattered, together};
use howcome_dd::{
    Answer, Ask, Balanced, Configuration, Ddmin, DeltaId, Difference, Outcome, RemovalOrder, Search,
};
use std::collections::HashMap;

const INSTANCES: u64 = 100;

/// A row of the table: the needed deltas, and the number of tests that the first walk can take.
struct BalancedCase {
    deltas: u32,
    needed: u32,
    place: &'static str,
    choose: fn(&mut Random, u32, u32) -> Vec<u32>,
    bar: f64,
    /// Whether ddmin ends in a reasonable time.
    ddmin: bool,
}

fn rows() -> Vec<BalancedCase> {
    let row = |deltas, needed, place, choose, bar| BalancedCase {
        deltas,
        needed,
        place,
        choose,
        bar,
        ddmin: needed < 300,
    };
    vec![
        row(40, 8, "together", together, 15.0),
        row(1000, 1, "anywhere", scattered, 13.0),
        row(1000, 10, "scattered", scattered, 90.0),
        row(1000, 10, "together", together, 22.0),
        row(1000, 100, "scattered", scattered, 536.0),
        row(1000, 100, "together", together, 112.0),
        row(10_000, 20, "scattered", scattered, 224.0),
        row(10_000, 20, "in runs of 1–6", in_runs, 109.0),
        row(10_000, 300, "in runs of 1–6", in_runs, 1058.0),
        row(10_000, 300, "scattered", scattered, 2140.0),
    ]
}

pub(crate) fn measure() {
    let title = format!("Balanced: tests told, means of {INSTANCES} instances");
    let columns = [
        "deltas",
        "needed",
        "where",
        "log2(n choose k)",
        "ddmin",
        "balanced, first walk",
        "balanced, all",
        "bar",
        "holds",
    ];
    let table = MarkdownTable::new(&title, columns);
    for row in rows() {
        let mut sums = [0.0; 3];
        for seed in 0..INSTANCES {
            let mut random = Random::new(seed * 1_000_003 + u64::from(row.deltas) + u64::from(row.needed));
            let needed = (row.choose)(&mut random, row.deltas, row.needed);
            let world = World::new("synthetic", row.deltas, needed);
            let outcome = |configuration: &Configuration| world.outcome(configuration);
            let counts = counts_of(Balanced::new(world.all()), &world.all(), outcome);
            assert_eq!(counts.found, world.needed, "balanced finds the needed deltas");
            sums[1] += counts.first_walk as f64;
            sums[2] += counts.all as f64;
            if row.ddmin {
                sums[0] += counts_of(Ddmin::new(world.all()), &world.all(), outcome).all as f64;
            }
        }
        let [ddmin, first_walk, all] = sums.map(|sum| sum / INSTANCES as f64);
        let bar = row.bar * 1.03 + f64::from(row.needed);
        table.row([
            row.deltas.to_string(),
            row.needed.to_string(),
            row.place.to_owned(),
            format!("{:.0}", log2_choose(row.deltas, row.needed)),
            if row.ddmin { format!("{ddmin:.0}") } else { "–".to_owned() },
            format!("{first_walk:.1}"),
            format!("{all:.1}"),
            format!("{bar:.0}"),
            holds(all <= bar).to_owned(),
        ]);
    }
    select();
}

/// The lecture's example: a line of HTML that a browser could not print, by characters.
fn select() {
    const LINE: &[u8] = br#"<SELECT NAME="priority" MULTIPLE SIZE=7>"#;
    let all = Configuration::all(LINE.len() as u32);
    let outcome = |configuration: &Configuration| {
        let text: Vec<u8> = configuration.iter().map(|delta| LINE[delta.index()]).collect();
        let attributes = text.strip_prefix(b"<SELECT").and_then(|rest| rest.strip_suffix(b">"));
        if attributes.is_some_and(|inside| !inside.contains(&b'>')) { Outcome::Fail } else { Outcome::Pass }
    };
    let title =
        "`<SELECT NAME=\"priority\" MULTIPLE SIZE=7>` to `<SELECT>`, by characters (the lecture: 26 tests)";
    let table = MarkdownTable::new(title, ["search", "first walk", "all"]);
    let forward = Balanced::walking(all.clone(), RemovalOrder::Forward);
    let backward = counts_of(Balanced::new(all.clone()), &all, outcome);
    let forward = counts_of(forward, &all, outcome);
    let ddmin = counts_of(Ddmin::new(all.clone()), &all, outcome);
    for (name, counts, has_walks) in
        [("balanced", backward, true), ("balanced, from the start", forward, false), ("ddmin", ddmin, false)]
    {
        let first_walk = if has_walks { counts.first_walk.to_string() } else { String::new() };
        table.row([name.to_owned(), first_walk, counts.all.to_string()]);
    }
}

struct WalkCounts {
    /// The number of tests until a walk from the end has reached the start for the first time.
    first_walk: u64,
    all: u64,
    found: Configuration,
}

fn counts_of<S: Search<Finding = Difference>>(
    mut search: S,
    all: &Configuration,
    outcome: impl Fn(&Configuration) -> Outcome,
) -> WalkCounts {
    let nothing = (Configuration::empty().fingerprint(), Outcome::Pass);
    let mut known = HashMap::from([nothing, (all.fingerprint(), Outcome::Fail)]);
    let (mut told, mut first_walk, mut lowest) = (0, None, DeltaId(u32::MAX));
    loop {
        let question = match search.ask() {
            Ask::Done(found) => {
                return WalkCounts {
                    first_walk: first_walk.unwrap_or(told),
                    all: told,
                    found: found.failing,
                };
            }
            Ask::Test(question) => question,
        };
        // A walk goes down. If the next delta to remove is higher than the last one, another walk has begun.
        let highest = search.best_so_far().without(&question.configuration).last().unwrap_or(DeltaId(0));
        if highest > lowest {
            first_walk.get_or_insert(told);
        }
        lowest = highest;
        let answer = *known.entry(question.configuration.fingerprint()).or_insert_with(|| {
            told += 1;
            outcome(&question.configuration)
        });
        search.tell(Answer::from(answer));
    }
}

/// The number of bits that select `k` of `n` deltas.
fn log2_choose(n: u32, k: u32) -> f64 {
    (1..=k).map(|i| (f64::from(n - k + i) / f64::from(i)).log2()).sum()
}
