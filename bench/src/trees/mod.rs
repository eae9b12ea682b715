//! Large source trees: how long it takes to find the commit, compared with `git bisect run` in the same minutes.

mod repository;
mod timed;

use crate::machine;
use crate::table::{MarkdownTable, holds};
use crate::throughput::median;
use anyhow::{Context, ensure};
use repository::LargeRepository;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use timed::{Bisection, TimedBisection, TimedSearch};

/// Files and commits.
const SIZES: [(u32, u32); 2] = [(8_000, 600), (12_000, 4_000)];

const TURNS: usize = 3;

/// The most times of `git bisect run` that the search for the commit can take.
const BAR: f64 = 3.0;

/// What two workers can take longer than one before it is more than a coincidence.
const NOISE: f64 = 1.1;

/// A question that both answer.
pub(crate) struct CommitQuestion {
    pub(crate) repository: PathBuf,
    pub(crate) good: String,
    pub(crate) bad: String,
    pub(crate) test: Vec<String>,
}

/// Measures generated repositories of these sizes (`FILES COMMITS …`), or a real one (`REPOSITORY GOOD BAD TEST…`).
pub(crate) fn measure(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let title = format!("Large trees: seconds to the commit, medians of {TURNS} turns");
    let columns = [
        "files",
        "commits",
        "workers",
        "`git bisect run`",
        "to the commit",
        "ratio",
        "of single turns",
        "≤ 3",
        "hunks and proofs",
        "in all",
        "processor seconds",
        "of `git bisect run`",
        "load",
    ];
    let numbers: Result<Vec<u32>, _> = arguments.iter().map(|argument| argument.parse()).collect();
    let table = MarkdownTable::new(&title, columns);
    let mut all_hold = true;
    match numbers {
        Ok(numbers) => {
            ensure!(
                numbers.len().is_multiple_of(2),
                "each size is a number of files and a number of commits"
            );
            let given: Vec<(u32, u32)> = numbers.chunks(2).map(|size| (size[0], size[1])).collect();
            for (files, commits) in if given.is_empty() { SIZES.to_vec() } else { given } {
                let folder = tempfile::tempdir()?;
                let made = LargeRepository { files, commits }.make(&folder.path().join("repository"))?;
                all_hold &= measure_one(&table, &made, folder.path())?;
            }
        }
        Err(_) => {
            let [repository, good, bad, test @ ..] = arguments else {
                anyhow::bail!("give numbers of files and commits, or REPOSITORY GOOD BAD TEST…");
            };
            let question = CommitQuestion {
                repository: std::fs::canonicalize(repository).context("the repository")?,
                good: good.clone(),
                bad: bad.clone(),
                test: test.to_vec(),
            };
            all_hold &= measure_one(&table, &question, tempfile::tempdir()?.path())?;
        }
    }
    Ok(if all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the rows of a question. Returns whether its bars hold.
fn measure_one(table: &MarkdownTable, question: &CommitQuestion, folder: &Path) -> anyhow::Result<bool> {
    let bisection = Bisection::prepare(question, folder)?;
    let mut bisected = Vec::new();
    let mut searched: [Vec<TimedSearch>; 2] = Default::default();
    // In turns, because the machine can be busy with other work for a while.
    for turn in 0..TURNS {
        let (timed, culprit) = bisection.run()?;
        bisected.push(timed);
        for (workers, searched) in (1..).zip(&mut searched) {
            let run = folder.join(format!("run-{turn}-{workers}"));
            searched.push(TimedSearch::run(question, workers, &run, &culprit)?);
        }
    }
    let mut all_hold = true;
    let mut by_one = f64::INFINITY;
    for (workers, searched) in (1..).zip(searched) {
        let mut ratios: Vec<f64> =
            searched.iter().zip(&bisected).map(|(search, git)| search.to_commit / git.took).collect();
        let of_git =
            |of: fn(&TimedBisection) -> f64| median(&mut bisected.iter().map(of).collect::<Vec<_>>());
        let figure = |of: fn(&TimedSearch) -> f64| median(&mut searched.iter().map(of).collect::<Vec<_>>());
        let (to_commit, in_all) = (figure(|search| search.to_commit), figure(|search| search.in_all));
        let ratio = median(&mut ratios);
        let does_hold = ratio <= BAR && to_commit <= by_one * NOISE;
        by_one = by_one.min(to_commit);
        all_hold &= does_hold;
        let [files, commits] = bisection.size;
        table.row([
            files.to_string(),
            commits.to_string(),
            workers.to_string(),
            format!("{:.2}", of_git(|git| git.took)),
            format!("{to_commit:.2}"),
            format!("{ratio:.2}"),
            format!("{:.2}–{:.2}", ratios[0], ratios[TURNS - 1]),
            holds(does_hold).to_owned(),
            format!("{:.2}", figure(|search| search.to_answer - search.to_commit)),
            format!("{in_all:.2}"),
            format!("{:.2}", figure(|search| search.processor)),
            format!("{:.2}", of_git(|git| git.processor)),
            machine::load(),
        ]);
    }
    Ok(all_hold)
}
