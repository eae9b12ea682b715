//! `howcome input` and its peers on the same inputs, with the same tests, workers and cap, one after the other.

mod case;
mod figures;
pub(crate) mod overhead;
mod tool;
mod trial;
mod wrapper;

pub(crate) use wrapper::{WRAPPER, wrap};

use crate::machine;
use crate::table::MarkdownTable;
use anyhow::{Context, bail};
use case::{InputCase, PreparedCase};
use figures::{SizeReached, geometric_mean};
use std::path::PathBuf;
use std::time::Duration;
use tool::ReductionTool;
use trial::{ToolTrial, TrialTerms};

const USAGE: &str =
    "input [--cap SECONDS] [--jobs N] [--peers FOLDER] [--tools NAME,…] [--keep FOLDER] [CASE…]";

/// Runs all tools on the cases and prints their figures.
pub(crate) fn measure(arguments: &[String]) -> anyhow::Result<()> {
    let mut terms = TrialTerms {
        cap: Duration::from_secs(300),
        jobs: 2,
        peers: None,
        keep: std::env::temp_dir().join("howcome-bench-input"),
    };
    let mut tools = ReductionTool::ALL.to_vec();
    let mut names = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value; usage: {USAGE}"));
        match word.as_str() {
            "--cap" => terms.cap = Duration::from_secs(value()?.parse().context(USAGE)?),
            "--jobs" => terms.jobs = value()?.parse().context(USAGE)?,
            "--peers" => terms.peers = Some(std::path::absolute(value()?)?),
            "--keep" => terms.keep = PathBuf::from(value()?),
            "--tools" => {
                let wanted: Vec<&str> = value()?.split(',').collect();
                tools.retain(|tool| wanted.contains(&tool.name()));
            }
            option if option.starts_with('-') => bail!("`{option}` is not an option; usage: {USAGE}"),
            name => names.push(name.to_owned()),
        }
    }
    if names.is_empty() {
        names = case::names()?;
    }
    let place = tempfile::tempdir()?;
    let table = head(&terms);
    let mut ratios = PeerRatios::default();
    let mut missing = Vec::new();
    for name in names {
        match case::make(&name, place.path())? {
            PreparedCase::Missing(why) => missing.push(format!("{name}: {why}")),
            PreparedCase::Case(case) => compare(&case, &tools, &terms, &table, &mut ratios)?,
        }
    }
    ratios.print();
    for missing in missing {
        println!("\nLeft out: {missing}.");
    }
    Ok(())
}

fn head(terms: &TrialTerms) -> MarkdownTable {
    let title = format!("Inputs: {} workers, at most {} s", terms.jobs, terms.cap.as_secs());
    let columns = [
        "case",
        "tool",
        "bytes before",
        "after",
        "tests",
        "cut short",
        "different",
        "s",
        "tests, s until below 10 %",
        "tests, s until the best peer's size",
        "load",
    ];
    MarkdownTable::new(&title, columns)
}

fn compare(
    case: &InputCase,
    tools: &[ReductionTool],
    terms: &TrialTerms,
    table: &MarkdownTable,
    ratios: &mut PeerRatios,
) -> anyhow::Result<()> {
    let mut trials: Vec<(ToolTrial, String)> = Vec::new();
    for tool in tools {
        let load = machine::load();
        if let Some(trial) = trial::run(*tool, case, terms)? {
            eprintln!("{} {}: {} bytes, {:.1} s", case.name, tool.name(), trial.bytes, trial.seconds);
            trials.push((trial, load));
        }
    }
    let peers = trials.iter().map(|(trial, _)| trial).filter(|trial| trial.tool != ReductionTool::Howcome);
    let best = peers
        .clone()
        .min_by(|one, other| one.bytes.cmp(&other.bytes).then(one.seconds.total_cmp(&other.seconds)));
    let tenth = case.bytes / 10;
    for (trial, load) in &trials {
        let bytes = format!("{}{}", trial.bytes, if trial.was_stopped { "\\*" } else { "" });
        table.row([
            case.name.clone(),
            trial.tool.name().to_owned(),
            case.bytes.to_string(),
            bytes,
            trial.figures.tests.to_string(),
            trial.figures.cut_short.to_string(),
            trial.figures.different.to_string(),
            format!("{:.1}", trial.seconds),
            shown(trial.figures.until(tenth)),
            best.map_or_else(String::new, |best| shown(trial.figures.until(best.bytes))),
            load.clone(),
        ]);
    }
    let ours = trials.iter().map(|(trial, _)| trial).find(|trial| trial.tool == ReductionTool::Howcome);
    if let (Some(ours), Some(best)) = (ours, best) {
        let soonest = peers.filter_map(|peer| peer.figures.until(tenth)).map(|reached| reached.seconds);
        ratios.add(case, ours, best, soonest.min_by(f64::total_cmp));
    }
    Ok(())
}

fn shown(reached: Option<SizeReached>) -> String {
    reached.map_or_else(|| "–".to_owned(), |reached| format!("{}, {:.1}", reached.tests, reached.seconds))
}

/// The ratios of howcome to the best peer, case by case. The best peer is the one with the smallest answer, or the
/// fastest of several.
#[derive(Default)]
struct PeerRatios {
    bytes: Vec<f64>,
    tests: Vec<f64>,
    seconds: Vec<f64>,
    all_tests: Vec<f64>,
    all_seconds: Vec<f64>,
    tenth: Vec<f64>,
    worse: Vec<String>,
}

impl PeerRatios {
    fn add(&mut self, case: &InputCase, ours: &ToolTrial, best: &ToolTrial, soonest: Option<f64>) {
        self.bytes.push(ours.bytes.max(1) as f64 / best.bytes.max(1) as f64);
        if ours.bytes > best.bytes {
            let (peer, theirs) = (best.tool.name(), best.bytes);
            self.worse.push(format!("{}: {} bytes, {peer} {theirs}", case.name, ours.bytes));
        }
        if let (Some(ours), Some(theirs)) = (ours.figures.until(best.bytes), best.figures.until(best.bytes)) {
            self.tests.push(ours.tests as f64 / theirs.tests as f64);
            self.seconds.push(ours.seconds / theirs.seconds);
        }
        self.all_tests.push(ours.figures.tests as f64 / best.figures.tests.max(1) as f64);
        self.all_seconds.push(ours.seconds / best.seconds);
        if let (Some(ours), Some(theirs)) = (ours.figures.until(case.bytes / 10), soonest) {
            let ratio = ours.seconds / theirs;
            self.tenth.push(ratio);
            if ratio > 0.5 && case.bytes > 50_000 {
                let (ours, name) = (ours.seconds, &case.name);
                self.worse.push(format!("{name}: below 10 % after {ours:.1} s, a peer after {theirs:.1} s"));
            }
        }
    }

    fn print(&self) {
        let table = MarkdownTable::new("Howcome : best peer, geometric means", ["of", "ratio", "cases"]);
        let rows = [
            ("final size", &self.bytes),
            ("tests until the best peer's size", &self.tests),
            ("seconds until the best peer's size", &self.seconds),
            ("tests in all", &self.all_tests),
            ("seconds in all", &self.all_seconds),
            ("seconds until below 10 %, against the soonest peer", &self.tenth),
        ];
        for (of, ratios) in rows {
            let mean = geometric_mean(ratios).map_or_else(|| "–".to_owned(), |mean| format!("{mean:.2}"));
            table.row([of.to_owned(), mean, ratios.len().to_string()]);
        }
        for worse in &self.worse {
            println!("\nBelow the bar: {worse}.");
        }
    }
}
