//! A command of the user that judges a run.

use crate::run_result::RunResult;
use crate::tracee::RunEnd;
use howcome_dd::{Configuration, DeltaId, Outcome};
use howcome_lab::inquiry::could_not_be_written;
use howcome_lab::{Command, CommandRunner, Limits, LocalOptions, Prepare, SKIP, TestEnding, WorkFolder};
use howcome_run::{Because, Content, Subject};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long the user's test may work.
const LONGEST_TEST: Duration = Duration::from_secs(60);

/// A command that judges a run. Its standard input is what the run printed since the stop; `HOWCOME_STATUS` is how the run
/// ended, as a shell counts (128 plus the number of the signal), or `timeout`. Exit code 0 means that the run passes, 125
/// that it cannot be judged, any other code that it fails.
#[derive(Clone, Debug)]
pub struct UserTest {
    words: Vec<OsString>,
    directory: PathBuf,
    runner: CommandRunner,
}

impl UserTest {
    /// A command and its arguments, the folder in which it runs, and how commands are run on this machine.
    #[must_use]
    pub fn new(words: Vec<OsString>, directory: PathBuf, options: LocalOptions) -> Self {
        let limits = Limits { timeout: LONGEST_TEST, ..options.limits };
        Self { words, directory, runner: CommandRunner::new(LocalOptions { limits, ..options }) }
    }

    /// The outcome of a run; the reason if the command could not be run, which says nothing about the run.
    pub(crate) fn judge(&self, seen: &RunResult) -> Result<Outcome, Because> {
        let status = match &seen.end {
            RunEnd::Exited(status) => status.to_string(),
            RunEnd::Killed(crash) => (128 + crash.signal).to_string(),
            RunEnd::TimedOut => "timeout".to_owned(),
            RunEnd::Returned | RunEnd::Round(_) => "0".to_owned(),
        };
        let judgement = Judgement {
            words: self.words.clone(),
            directory: self.directory.clone(),
            status,
            printed: seen.printed.concat(),
        };
        Ok(match self.runner.run(Arc::new(judgement))?.ending {
            TestEnding::Exit(0) => Outcome::Pass,
            TestEnding::Exit(SKIP) | TestEnding::Signal(_) | TestEnding::TimedOut => Outcome::Unresolved,
            TestEnding::Exit(_) => Outcome::Fail,
        })
    }
}

/// The judgement of one run.
struct Judgement {
    words: Vec<OsString>,
    directory: PathBuf,
    status: String,
    printed: Vec<u8>,
}

impl Subject for Judgement {
    fn deltas(&self) -> u32 {
        0
    }

    fn describe(&self, _: DeltaId) -> String {
        String::new()
    }

    fn content(&self, _: &Configuration) -> Option<Content> {
        None
    }
}

impl Prepare for Judgement {
    fn prepare(&self, _: &Configuration, folder: &mut WorkFolder<'_>) -> Result<Command, Because> {
        let input = folder.path().join("printed");
        fs::write(&input, &self.printed)
            .map_err(|error| could_not_be_written("the output of the run", &error))?;
        let (program, arguments) = self
            .words
            .split_first()
            .ok_or_else(|| Because::CouldNotStart("the test names no program".to_owned()))?;
        let command = Command::new(program, &self.directory).arguments(arguments);
        Ok(command.variable("HOWCOME_STATUS", &self.status).standard_input(input))
    }
}
