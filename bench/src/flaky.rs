//! How many runs it takes to find the commit that made a test flaky, beside git-bayesect.

use crate::random::Random;
use anyhow::Context;
use howcome_dd::{Ancestry, Answer, Ask, Configuration, DeltaId, FailureCount, FlakyBisect, Outcome, Search};
use std::collections::HashMap;
use std::io::Write;
use std::process::{Command, Stdio};

const RATES: [[u32; 2]; 3] = [[0, 50], [10, 60], [10, 35]];
const COMMITS: [u32; 2] = [128, 1000];
const CONFIDENCE: f64 = 0.999;

/// A history in which one commit changes how often the test fails, in per cent.
#[derive(Clone, Copy)]
struct FlakyHistory {
    commits: u32,
    culprit: u32,
    seed: u64,
    rates: [u32; 2],
}

/// How a search ended.
struct FlakyResult {
    runs: u32,
    /// Whether it found the culprit; `None` if it gave up.
    is_right: Option<bool>,
}

impl FlakyHistory {
    fn new(commits: u32, rates: [u32; 2], seed: u64) -> Self {
        let culprit = Random::new(seed * 31 + u64::from(commits)).below(commits);
        Self { commits, culprit, seed, rates }
    }

    /// Whether a run of a version fails. Version 0 is the one before all commits.
    fn fails(&self, version: u32, run: u32) -> bool {
        let rate = self.rates[usize::from(version > self.culprit)];
        luck(self.seed, version, run) < f64::from(rate) / 100.0
    }
}

/// A number from 0 to 1 for each run of a version, the same as in `bayesect.py`.
fn luck(seed: u64, version: u32, run: u32) -> f64 {
    let word = seed
        .wrapping_mul(1_000_003)
        .wrapping_add(u64::from(version) * 7_919)
        .wrapping_add(u64::from(run).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (Random::new(Random::new(word).next()).next() >> 11) as f64 / (1_u64 << 53) as f64
}

/// The runs of both sides before the search, as `--flaky` makes them: until the bad version has failed twice more often, and the good
/// version has passed.
fn baseline(history: &FlakyHistory) -> [FailureCount; 2] {
    let mut sides = [FailureCount::default(); 2];
    for run in 0..20 {
        for (side, version) in sides.iter_mut().zip([0, history.commits]) {
            // Other numbers than those of the search.
            let fails = history.fails(version, 1_000_000 + run);
            *side = side.with(FailureCount { fails: fails.into(), passes: (!fails).into() });
        }
        let [good, bad] = sides;
        if bad.fails >= good.fails + 2 && good.passes > 0 {
            break;
        }
    }
    sides
}

fn howcome(history: &FlakyHistory) -> FlakyResult {
    let [good, bad] = baseline(history);
    let search = FlakyBisect::new(Ancestry::Line(history.commits), CONFIDENCE);
    let mut search = search.knowing(good, bad);
    let mut runs = good.runs() + bad.runs();
    loop {
        match search.ask() {
            Ask::Test(question) => {
                runs += 1;
                let version = version_of(&question.configuration);
                let fails = history.fails(version, question.repeat.unwrap_or(0));
                search.tell(Answer::from(if fails { Outcome::Fail } else { Outcome::Pass }));
            }
            Ask::Done(found) => {
                let decided = found.culprit.and_then(|culprit| culprit.decided());
                return FlakyResult {
                    runs,
                    is_right: decided.map(|found| found == DeltaId(history.culprit)),
                };
            }
        }
    }
}

fn version_of(configuration: &Configuration) -> u32 {
    configuration.last().map_or(0, |last| last.0 + 1)
}

/// The same with git-bayesect. `None` if it is not installed.
fn git_bayesect(histories: &[FlakyHistory]) -> anyhow::Result<Option<Vec<FlakyResult>>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/flaky/bayesect.py");
    let is_there = Command::new("python3").args(["-c", "import git_bayesect"]).stderr(Stdio::null()).status();
    if !is_there.is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let mut child =
        Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut cases = String::new();
    for FlakyHistory { commits, culprit, seed, rates: [before, after] } in histories {
        cases += &format!("{commits} {culprit} {seed} {before} {after} {CONFIDENCE}\n");
    }
    child.stdin.take().context("it has a standard input")?.write_all(cases.as_bytes())?;
    let printed = String::from_utf8(child.wait_with_output()?.stdout)?;
    let result = |(line, history): (&str, &FlakyHistory)| {
        let mut words = line.split_whitespace().map(str::parse::<u32>);
        let runs = words.next().context("the runs")??;
        let found = words.next().context("the commit")?;
        Ok(FlakyResult { runs, is_right: Some(found == Ok(history.culprit)) })
    };
    printed.lines().zip(histories).map(result).collect::<anyhow::Result<Vec<_>>>().map(Some)
}

/// Prints a table: the runs of both, and how often each was wrong.
pub(crate) fn measure(arguments: &[String]) -> anyhow::Result<()> {
    let seeds: u64 = arguments.first().map_or(Ok(20), |seeds| seeds.parse())?;
    println!("\n## Flaky regressions\n");
    println!(
        "{seeds} histories each; runs until the culprit is known with {CONFIDENCE}: mean, and least to most.\n"
    );
    println!("| rates | commits | howcome | wrong, gave up | git-bayesect | wrong | ratio |");
    println!("|---|---|---|---|---|---|---|");
    let mut sums: HashMap<&str, u32> = HashMap::new();
    for rates in RATES {
        for commits in COMMITS {
            let histories: Vec<FlakyHistory> =
                (1..=seeds).map(|seed| FlakyHistory::new(commits, rates, seed)).collect();
            let ours: Vec<FlakyResult> = histories.iter().map(howcome).collect();
            let theirs = git_bayesect(&histories)?;
            let [before, after] = rates;
            let ratio = theirs.as_ref().map(|theirs| mean(&ours) / mean(theirs));
            let (wrong, undecided) = (count(&ours, Some(false)), count(&ours, None));
            *sums.entry("wrong").or_default() += wrong;
            println!(
                "| {before} %, {after} % | {commits} | {} | {wrong}, {undecided} | {} | {} | {} |",
                shown(&ours),
                theirs.as_deref().map_or_else(|| "not installed".to_owned(), shown),
                theirs.as_deref().map_or_else(String::new, |theirs| count(theirs, Some(false)).to_string()),
                ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}")),
            );
        }
    }
    println!("\nWrong in all: {}.", sums.get("wrong").copied().unwrap_or(0));
    Ok(())
}

fn mean(results: &[FlakyResult]) -> f64 {
    results.iter().map(|result| f64::from(result.runs)).sum::<f64>() / results.len().max(1) as f64
}

fn count(results: &[FlakyResult], is_right: Option<bool>) -> u32 {
    results.iter().filter(|result| result.is_right == is_right).count() as u32
}

fn shown(results: &[FlakyResult]) -> String {
    let runs = || results.iter().map(|result| result.runs);
    format!("{:.0} ({}–{})", mean(results), runs().min().unwrap_or(0), runs().max().unwrap_or(0))
}
