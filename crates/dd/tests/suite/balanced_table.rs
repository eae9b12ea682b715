//! How many tests Balanced takes on average: the table of its specification.

use crate::random::Random;
use howcome_dd::{Balanced, Configuration, DeltaId, Knowledge, Outcome, drive};
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug)]
enum Where {
    Together,
    Scattered,
    InRuns,
}

struct Row {
    deltas: u32,
    needed: u32,
    place: Where,
    /// The specified number of tests for the first walk. The confirming walk can add one test per needed delta.
    figure: u32,
}

const fn row(deltas: u32, needed: u32, place: Where, figure: u32) -> Row {
    Row { deltas, needed, place, figure }
}

const INSTANCES: u64 = 100;

impl Row {
    /// The needed deltas of one instance.
    fn instance(&self, seed: u64) -> Configuration {
        let mut random = Random(seed * 7919 + u64::from(self.deltas));
        let mut needed = BTreeSet::new();
        let left = |needed: &BTreeSet<u32>| self.needed as usize - needed.len();
        while left(&needed) > 0 {
            let run = match self.place {
                Where::Together => {
                    let start = random.below(self.deltas - self.needed + 1);
                    start..start + self.needed
                }
                Where::Scattered => {
                    let start = random.below(self.deltas);
                    start..start + 1
                }
                Where::InRuns => {
                    let length = 1 + random.below(6);
                    let start = random.below(self.deltas - 6);
                    start..start + length
                }
            };
            let fresh = run.filter(|delta| !needed.contains(delta)).take(left(&needed));
            needed.extend(fresh.collect::<Vec<_>>());
        }
        needed.into_iter().map(DeltaId).collect()
    }

    /// The mean number of tests: of all tests, and of those up to the last removal.
    fn means(&self) -> (f64, f64) {
        let all = Configuration::all(self.deltas);
        let (mut told, mut taking) = (0, 0);
        for seed in 0..INSTANCES {
            let needed = self.instance(seed);
            let conversation = drive(Balanced::new(all.clone()), &all, &Knowledge::none(), |asked| {
                if needed.is_subset(asked) { Outcome::Fail } else { Outcome::Pass }
            });
            assert_eq!(conversation.finding.failing, needed);
            told += conversation.told.len();
            let last = conversation.told.iter().rposition(|(_, outcome)| *outcome == Outcome::Fail);
            taking += last.map_or(0, |last| last + 1);
        }
        (told as f64 / INSTANCES as f64, taking as f64 / INSTANCES as f64)
    }
}

fn stays_below_the_figures(rows: &[Row]) {
    for row in rows {
        let (told, taking) = row.means();
        let bar = f64::from(row.figure + row.needed) * 1.03;
        let Row { deltas, needed, place, .. } = row;
        println!(
            "{deltas:6} {needed:4} {place:10?} told {told:7.1}, bar {bar:7.1}; taking away {taking:7.1}"
        );
        assert!(told <= bar, "{deltas}, {needed}, {place:?} took {told} tests, expected at most {bar}");
    }
}

#[test]
fn balanced_takes_few_tests_if_needed_deltas_are_together() {
    stays_below_the_figures(&[
        row(40, 8, Where::Together, 15),
        row(1000, 10, Where::Together, 22),
        row(1000, 100, Where::Together, 112),
    ]);
}

#[test]
fn balanced_takes_few_tests_if_needed_deltas_are_scattered() {
    stays_below_the_figures(&[
        row(1000, 1, Where::Scattered, 13),
        row(1000, 10, Where::Scattered, 90),
        row(1000, 100, Where::Scattered, 536),
        row(10_000, 20, Where::Scattered, 224),
    ]);
}

#[test]
fn balanced_takes_few_tests_if_many_needed_deltas_are_scattered() {
    stays_below_the_figures(&[row(10_000, 300, Where::Scattered, 2140)]);
}

#[test]
fn balanced_takes_few_tests_if_needed_deltas_are_in_short_runs() {
    stays_below_the_figures(&[row(10_000, 20, Where::InRuns, 109), row(10_000, 300, Where::InRuns, 1058)]);
}
