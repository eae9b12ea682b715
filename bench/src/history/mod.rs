//! Generated histories in which no old revision passes unchanged: how many tests howcome takes, compared with other
//! methods.

mod bisect;
mod linear;

#[path = "../../../crates/cli/tests/histories/mod.rs"]
mod histories;

use crate::howcome;
use crate::table::{MarkdownTable, holds};
use anyhow::{Context, ensure};
use bisect::Bisected;
use histories::{History, Plan};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, ExitCode};

const SEEDS: u64 = 5;

/// The most tests that are allowed, with a cause and without one.
const BARS: [u64; 2] = [60, 15];

/// The number of revisions, the revision of the feature and that of the cause. Five revisions of each history do not
/// build.
const PLACES: [(usize, usize, Option<usize>); 9] = [
    (200, 120, Some(60)),
    (200, 190, Some(10)),
    (200, 40, Some(20)),
    (200, 150, Some(149)),
    (200, 120, None),
    (1000, 600, Some(300)),
    (1000, 950, Some(50)),
    (1000, 200, Some(100)),
    (1000, 600, None),
];

/// Measures each place and seed.
pub(crate) fn measure(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let seeds = arguments.first().map_or(Ok(SEEDS), |seeds| seeds.parse()).context("how many seeds")?;
    ensure!(seeds > 0, "at least one seed is needed");
    let columns = [
        "revisions",
        "feature at",
        "cause at",
        "told, least",
        "median",
        "most",
        "exact",
        "holds",
        "one by one, median",
        "`git bisect run`, first seed",
        "commits that it leaves",
    ];
    let title = format!("History: what the test needs is younger than the cause, {seeds} of each kind");
    let table = MarkdownTable::new(&title, columns);
    let mut all_hold = true;
    for (revisions, feature, cause) in PLACES {
        let mut figures = Vec::new();
        let mut bisected = None;
        for seed in 1..=seeds {
            let folder = tempfile::tempdir()?;
            let history = History::new(plan(revisions, feature, cause, seed), folder.path())?;
            let answer = ask(&history, folder.path())?;
            figures.push(HistoryFigures::new(&history, &answer, linear::tests(&history)));
            // Bisection tests nearly all revisions without the feature, so one seed is enough.
            if bisected.is_none() {
                bisected = Some(bisect::run(&history, folder.path())?);
            }
        }
        all_hold &= print(&table, (revisions, feature, cause), &figures, bisected.as_ref());
    }
    Ok(if all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn plan(revisions: usize, feature: usize, cause: Option<usize>, seed: u64) -> Plan {
    let tenth = revisions / 10;
    // The revision before the feature and the one after the cause do not build.
    let beside = cause.map_or(tenth * 3, |cause| cause + 1);
    let mut broken = vec![feature - 1, beside];
    let nth = |number: usize| (tenth * number + seed as usize * 7) % (revisions - 1);
    broken.extend([2, 5, 8].map(nth));
    broken.retain(|index| Some(*index) != cause && *index != feature && *index != revisions - 1);
    Plan { cause, seed, broken, ..Plan::new(revisions, feature, 0) }
}

/// Runs the command as a user would, with one test at a time.
fn ask(history: &History, folder: &Path) -> anyhow::Result<Value> {
    let output = Command::new(howcome::program()?)
        .args(["history", "--json", "--quiet", "--jobs", "1", "--build", history.build])
        .arg("--repo")
        .arg(&history.repository)
        .arg("--")
        .arg(&history.test)
        .current_dir(folder)
        .output()?;
    serde_json::from_slice(&output.stdout)
        .with_context(|| format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// The figures of one history.
struct HistoryFigures {
    told: u64,
    wrong: Vec<String>,
    one_by_one: u64,
}

impl HistoryFigures {
    fn new(history: &History, answer: &Value, one_by_one: u64) -> Self {
        let told = answer["tests"]["told"].as_u64().unwrap_or_default();
        Self { told, wrong: history.wrong(answer), one_by_one }
    }
}

/// Prints the row of a place. Returns whether its bar holds.
fn print(
    table: &MarkdownTable,
    place: (usize, usize, Option<usize>),
    figures: &[HistoryFigures],
    bisected: Option<&Bisected>,
) -> bool {
    let (revisions, feature, cause) = place;
    for wrong in figures.iter().flat_map(|figures| &figures.wrong) {
        eprintln!("{revisions} revisions, feature at {feature}, cause at {cause:?}: {wrong}");
    }
    let told = sorted(figures, |figures| figures.told);
    let exact = figures.iter().filter(|figures| figures.wrong.is_empty()).count();
    let most = told.last().copied().unwrap_or_default();
    let does_hold = exact == figures.len() && most <= BARS[usize::from(cause.is_none())];
    let median = |numbers: Vec<u64>| numbers.get(numbers.len() / 2).copied().unwrap_or_default().to_string();
    table.row([
        revisions.to_string(),
        feature.to_string(),
        cause.map_or("never worked".to_owned(), |cause| cause.to_string()),
        told.first().copied().unwrap_or_default().to_string(),
        median(told),
        most.to_string(),
        format!("{exact} of {}", figures.len()),
        holds(does_hold).to_owned(),
        median(sorted(figures, |figures| figures.one_by_one)),
        bisected.map_or_else(String::new, |bisected| bisected.tests.to_string()),
        bisected.map_or_else(String::new, |bisected| bisected.left.to_string()),
    ]);
    does_hold
}

fn sorted(figures: &[HistoryFigures], figure: impl Fn(&HistoryFigures) -> u64) -> Vec<u64> {
    let mut numbers: Vec<u64> = figures.iter().map(figure).collect();
    numbers.sort_unstable();
    numbers
}
