//! The flags that every question has, written once.

use crate::launch::LaunchArgs;
use crate::quantity;
use clap::{Args, ValueEnum};
use howcome_lab::ExitCodeMeaning;
use howcome_lab::inquiry::{FailureRequest, RelationFile, RelationsRequest, SearchChoice};
pub(crate) use howcome_run::can_be_written;
use howcome_run::{Budget, Problem};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What belongs to the test, and is therefore the same in every version.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct HoldingArgs {
    /// Give every version the bad version's PATH, which may contain * and ?, as is done with the files of tests (repeatable)
    #[arg(long, value_name = "PATH")]
    pub(crate) hold: Vec<OsString>,
    /// Let every version have its own tests: only the test program and what --hold names come from the bad version
    #[arg(long)]
    pub(crate) vary_tests: bool,
}

/// What the user knows about the deltas.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RelationArgs {
    /// Try groups as a whole before what is in them: FILE has the names of a group in each line, such as `a b 'c d'`
    #[arg(long, value_name = "FILE")]
    pub(crate) together: Option<PathBuf>,
    /// Do not test what lacks something that it needs: FILE has a line `a: b c` if a needs both b and c
    #[arg(long, value_name = "FILE")]
    pub(crate) needs: Option<PathBuf>,
}

impl RelationArgs {
    /// The same as it is recorded, with the content of the files.
    pub(crate) fn request(&self, order: bool) -> Result<RelationsRequest, Problem> {
        let read = |path: &Option<PathBuf>| path.as_deref().map(RelationFile::read).transpose();
        Ok(RelationsRequest { order, together: read(&self.together)?, needs: read(&self.needs)? })
    }
}

/// What counts as the failure, and how a test is run.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The failure")]
pub(crate) struct FailureArgs {
    /// A test fails when COND holds, instead of when it ends as with everything applied (repeatable,
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
    pub(crate) codes: CodesChoice,
    /// Compare only exit codes and signals, or with a test runner which test fails: any error message counts as the same failure
    #[arg(long)]
    pub(crate) any_message: bool,
    /// How long a test may take (ten times the slower side of the baseline, at least 5 s)
    #[arg(long, value_name = "D", value_parser = quantity::duration)]
    pub(crate) timeout: Option<Duration>,
    /// How much memory each process of a test may use (no limit)
    #[arg(long, value_name = "SIZE", value_parser = quantity::size)]
    pub(crate) memory: Option<u64>,
    /// How often an outcome must be seen before it is believed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = quantity::number(1..=1000u32))]
    pub(crate) repeat: u32,
    /// The test fails only sometimes: find out how often, and run it as many times as it takes to be sure
    #[arg(long, conflicts_with = "repeat")]
    pub(crate) flaky: bool,
    /// With --flaky: how sure the answer must be
    #[arg(long, value_name = "P", default_value = "99.9%", requires = "flaky", value_parser = probability)]
    pub(crate) confidence: f64,
}

/// How exit codes are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CodesChoice {
    /// By comparison with the two sides.
    #[default]
    Compared,
    /// As `git bisect run` does.
    Bisect,
}

impl FailureArgs {
    /// The same as it is recorded. Conditions that cannot be understood are refused.
    pub(crate) fn request(self) -> Result<FailureRequest, Problem> {
        let request = FailureRequest {
            fails_when: self.fails_when,
            passes_when: self.passes_when,
            codes: match self.codes {
                CodesChoice::Compared => ExitCodeMeaning::Compared,
                CodesChoice::Bisect => ExitCodeMeaning::Bisect,
            },
            any_message: self.any_message,
            timeout: self.timeout,
            memory: self.memory,
            repeat: self.repeat,
            flaky: self.flaky,
            confidence: self.confidence,
        };
        request.terms()?;
        Ok(request)
    }
}

/// Reads a probability: `99.9%`, `99.9` or `0.999`.
fn probability(text: &str) -> Result<f64, String> {
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| format!("`{text}` is not a number"));
    let probability = match text.strip_suffix('%') {
        Some(percentage) => number(percentage)? / 100.0,
        None => match number(text)? {
            percentage if percentage >= 1.0 => percentage / 100.0,
            probability => probability,
        },
    };
    match (0.5..1.0).contains(&probability) {
        true => Ok(probability),
        false => Err("it must be at least 50% and below 100%".to_owned()),
    }
}

/// A search that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AlgorithmChoice {
    /// Few tests for a minimal answer
    Balanced,
    /// The simplifier of Zeller and Hildebrandt
    Ddmin,
    /// Zeller's first algorithm, for outcomes that are all resolved
    Dd,
    /// The same for outcomes that are not
    #[value(name = "dd+")]
    DdPlus,
    /// The smallest difference between passing and failing
    Isolate,
}

impl From<AlgorithmChoice> for SearchChoice {
    fn from(choice: AlgorithmChoice) -> Self {
        match choice {
            AlgorithmChoice::Balanced => SearchChoice::Balanced,
            AlgorithmChoice::Ddmin => SearchChoice::Ddmin,
            AlgorithmChoice::Dd => SearchChoice::Dd,
            AlgorithmChoice::DdPlus => SearchChoice::DdPlus,
            AlgorithmChoice::Isolate => SearchChoice::Isolate,
        }
    }
}

/// How a run goes on: can differ from one session to the next.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The run")]
pub(crate) struct RunArgs {
    /// Tests at a time (the cores of the machine)
    #[arg(short, long, value_name = "N", value_parser = quantity::number(1..=1024u32), allow_negative_numbers = true)]
    pub(crate) jobs: Option<u32>,
    /// Stop after N tests; the best so far is kept
    #[arg(long, value_name = "N", value_parser = quantity::any_number, allow_negative_numbers = true)]
    pub(crate) max_tests: Option<u64>,
    /// Stop after this time, but not before the baseline; the best so far is kept
    #[arg(long, value_name = "D", value_parser = quantity::duration)]
    pub(crate) max_time: Option<Duration>,
    /// Print the finding as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but the answer
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print more: a line for each test
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Run tests in a sandbox: they can write to their own folder only, and have no network
    #[arg(long)]
    pub(crate) sandbox: bool,
    #[cfg(feature = "remote")]
    #[command(flatten)]
    pub(crate) remote: crate::remote::RemoteArgs,
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
    /// Set by the commands that have --thorough.
    #[arg(skip)]
    pub(crate) thorough: bool,
}

impl RunArgs {
    /// Tests at a time, if the user does not say how many.
    pub(crate) fn jobs(&self) -> u32 {
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        self.jobs.unwrap_or_else(cores)
    }

    /// The same with this number of tests at a time, if the user does not say how many.
    pub(crate) fn or_jobs(mut self, jobs: u32) -> Self {
        self.jobs.get_or_insert(jobs);
        self
    }

    /// When the run ends although its search would go on.
    pub(crate) fn budget(&self) -> Budget {
        Budget { max_tests: self.max_tests, max_time: self.max_time }
    }
}

/// What a new run needs as well.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The run")]
pub(crate) struct NewRunArgs {
    /// Where the run is recorded (howcome.out/<time>-<question>)
    #[arg(long, value_name = "DIR")]
    pub(crate) run_dir: Option<PathBuf>,
    /// Run the baseline, print what would be varied and about how many tests that takes, and stop
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, FromArgMatches};

    #[test]
    fn a_resumed_run_has_as_many_workers_as_before_unless_the_user_says_how_many() {
        let options = |words: &[&str]| {
            let command = RunArgs::augment_args(Command::new("resume"));
            RunArgs::from_arg_matches(&command.try_get_matches_from(words).unwrap()).unwrap()
        };
        assert_eq!(options(&["resume"]).or_jobs(300).jobs(), 300);
        assert_eq!(options(&["resume", "-j2"]).or_jobs(300).jobs(), 2);
    }
}
