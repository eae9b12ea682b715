//! How long it takes to judge a run by what it printed, on the recordings of real test runners.

use crate::machine;
use crate::table::{MarkdownTable, holds};
use anyhow::Context;
use howcome_lab::{Baseline, Captured, Execution, JudgingTerms, Oracle, TestEnding};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const TIMES: u32 = 100;
const BAR: Duration = Duration::from_millis(1);

/// Prints the mean and the longest time.
pub(crate) fn measure() -> anyhow::Result<()> {
    let columns = ["the program", "recordings", "mean, µs", "longest, µs", "of", "< 1 ms", "load"];
    let table = MarkdownTable::new("Judging a run by what it printed", columns);
    for program_varies in [true, false] {
        let mut all = Vec::new();
        for path in recordings()? {
            all.extend(judging(&path, program_varies)?.map(|took| (took, path)));
        }
        let (longest, path) = all.iter().max().context("no recordings")?;
        let sum: Duration = all.iter().map(|(took, _)| *took).sum();
        let mean = sum / u32::try_from(all.len())?;
        table.row([
            if program_varies { "varies" } else { "is the same" }.to_owned(),
            all.len().to_string(),
            mean.as_micros().to_string(),
            longest.as_micros().to_string(),
            path.with_extension("").file_name().unwrap_or_default().to_string_lossy().into_owned(),
            holds(*longest < BAR).to_owned(),
            machine::load(),
        ]);
    }
    Ok(())
}

/// How long one judgement takes; `None` if the recording is not of a run that fails.
fn judging(path: &Path, program_varies: bool) -> anyhow::Result<Option<Duration>> {
    let bytes = fs::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let (stdout, stderr) = text.split_once("[stderr]\n").unwrap_or((&text, ""));
    let execution = Execution {
        stdout: Captured::whole(stdout),
        stderr: Captured::whole(stderr),
        ..Execution::new(TestEnding::Exit(1))
    };
    let terms = JudgingTerms { program_varies, quoted: true, last_line: true, ..JudgingTerms::default() };
    let Ok(baseline) = Baseline::of(&terms, &execution, None) else { return Ok(None) };
    let began = Instant::now();
    (0..TIMES).for_each(|_| drop(std::hint::black_box(baseline.judge.judge(&execution))));
    Ok(Some(began.elapsed() / TIMES))
}

/// The recordings of the tests of the runners, one folder for each runner.
fn recordings() -> anyhow::Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/lab/tests/runners");
    let mut found = Vec::new();
    for runner in fs::read_dir(folder)? {
        let runner = runner?.path();
        if runner.is_dir() {
            for entry in fs::read_dir(runner)? {
                found.push(entry?.path());
            }
        }
    }
    found.retain(|path| path.extension().is_some_and(|end| end == "txt"));
    found.sort();
    Ok(found)
}
