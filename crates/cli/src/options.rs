//! The flags that every question has, written once.

use crate::failure::Failure;
use crate::quantity;
use clap::{Args, ValueEnum};
use howcome_lab::{Codes, Condition, Terms};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What counts as the failure, and how a test is run. Part of what a run is, so it is recorded.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
#[command(next_help_heading = "The failure")]
pub(crate) struct FailureOptions {
    /// The failure is when COND holds, instead of when the test ends as it does with everything applied (repeatable,
    /// all must hold): exit=3, exit!=0, exit=1..124, signal=SEGV, crash, timeout, stdout~REGEX, stderr~REGEX,
    /// output~REGEX, file:PATH~REGEX
    #[arg(long, value_name = "COND")]
    pub(crate) fails_when: Vec<String>,
    /// A test passes when COND holds (repeatable, all must hold)
    #[arg(long, value_name = "COND")]
    pub(crate) passes_when: Vec<String>,
    /// How exit codes are read: by comparison with the two sides, or as `git bisect run` does (0 good, 125 skip, 1-127 bad,
    /// 128 and up stops the run)
    #[arg(long, value_name = "HOW", value_enum, default_value_t, conflicts_with_all = ["fails_when", "passes_when"])]
    #[serde(default)]
    pub(crate) codes: CodesOption,
    /// Take all crashes by the same signal for the same failure, whatever they print
    #[arg(long)]
    #[serde(default)]
    pub(crate) any_message: bool,
    /// How long a test may take (ten times the slower side of the baseline, at least 5 s)
    #[arg(long, value_name = "D", value_parser = quantity::duration)]
    pub(crate) timeout: Option<Duration>,
    /// How much memory each process of a test may use (no limit)
    #[arg(long, value_name = "SIZE", value_parser = quantity::size)]
    pub(crate) memory: Option<u64>,
    /// How often an outcome must be seen before it is believed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) repeat: u32,
    /// The test is noisy: measure how noisy, and repeat each test as often as it takes to be sure
    #[arg(long, conflicts_with = "repeat")]
    pub(crate) flaky: bool,
}

/// How exit codes are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CodesOption {
    /// By comparison with the two sides.
    #[default]
    Compared,
    /// As `git bisect run` does.
    Bisect,
}

impl FailureOptions {
    /// Whether the two sides alone say what the failure is.
    pub(crate) fn says_nothing(&self) -> bool {
        self.fails_when.is_empty() && self.passes_when.is_empty() && self.codes == CodesOption::Compared
    }

    /// The terms that the lab judges by.
    pub(crate) fn terms(&self) -> Result<Terms, Failure> {
        Ok(Terms {
            fails_when: conditions(&self.fails_when)?,
            passes_when: conditions(&self.passes_when)?,
            codes: match self.codes {
                CodesOption::Compared => Codes::Compared,
                CodesOption::Bisect => Codes::Bisect,
            },
            any_message: self.any_message,
            timeout: self.timeout,
            zero_is_pass: false,
            same: Vec::new(),
        })
    }
}

/// What conditions say, as the lab understands it.
pub(crate) fn conditions(texts: &[String]) -> Result<Vec<Condition>, Failure> {
    let condition = |text: &String| {
        text.parse::<Condition>().map_err(|error| {
            let failure = Failure::wrong_use(error.to_string());
            match error.hint() {
                Some(hint) => failure.hint(hint),
                None => failure,
            }
        })
    };
    texts.iter().map(condition).collect()
}

/// How a run goes on: may differ from one session to the next.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The run")]
pub(crate) struct RunOptions {
    /// Tests at a time (the cores of the machine)
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: Option<u32>,
    /// Stop after so many tests; the best so far is kept
    #[arg(long, value_name = "N")]
    pub(crate) max_tests: Option<u64>,
    /// Stop after so much time, but not before the baseline; the best so far is kept
    #[arg(long, value_name = "D", value_parser = quantity::duration)]
    pub(crate) max_time: Option<Duration>,
    /// Print the finding as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Say nothing but the answer
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say more: a line for each test
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl RunOptions {
    /// Tests at a time, where the user does not say.
    pub(crate) fn jobs(&self) -> u32 {
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        self.jobs.unwrap_or_else(cores)
    }
}

/// What a new run needs beside that.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The run")]
pub(crate) struct NewRunOptions {
    /// Where the run is recorded (howcome.out/<time>-<question>)
    #[arg(long, value_name = "DIR")]
    pub(crate) run_dir: Option<PathBuf>,
    /// Say what would be varied and about how many tests that takes, run the baseline, and stop
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Whether an answer can go to a path.
pub(crate) fn can_be_written(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(Failure::wrong_use(format!("{} is a folder; the answer goes to a file", path.display())));
    }
    match path.parent() {
        Some(folder) if !folder.is_dir() => {
            Err(Failure::wrong_use(format!("there is no folder {} to write the answer to", folder.display()))
                .hint("make it, or name another file behind -o"))
        }
        _ => Ok(()),
    }
}
