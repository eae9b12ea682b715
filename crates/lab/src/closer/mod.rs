//! A closer look at a test that ended like the failure: once more, in the same workspace, under a tool.

mod gdb;
mod valgrind;

use crate::{Command, Ending, Same, Seen, backtrace};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A test under a tool may take so many times as long.
const TIMES_SLOWER: u32 = 50;
/// And at least so long: tools take their time to begin.
const SHORTEST: Duration = Duration::from_secs(60);

/// What is looked at more closely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Closer {
    pub(crate) backtrace: bool,
    pub(crate) uninitialised: bool,
}

/// A tool under which a test is run once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Gdb,
    Valgrind,
}

impl Closer {
    pub(crate) fn of(same: &[Same]) -> Self {
        Self {
            backtrace: same.contains(&Same::Backtrace),
            uninitialised: same.contains(&Same::Uninitialised),
        }
    }

    /// The tools that are needed for a run, once all that can be told without one is told.
    pub(crate) fn tools(self, seen: &mut Seen) -> Vec<Tool> {
        let mut tools = Vec::new();
        if self.backtrace {
            seen.backtrace = backtrace::printed(seen).map(Ok);
            if seen.backtrace.is_none() {
                match seen.ending.plain() {
                    Ending::Signal(_) => tools.push(Tool::Gdb),
                    Ending::Exit(_) => seen.backtrace = Some(Err(NO_BACKTRACE.to_owned())),
                    Ending::TimedOut => seen.backtrace = Some(Err(NO_END.to_owned())),
                }
            }
        }
        if self.uninitialised {
            match seen.ending {
                Ending::TimedOut => seen.uninitialised = Some(Err(NO_END.to_owned())),
                _ => tools.push(Tool::Valgrind),
            }
        }
        tools
    }
}

const NO_BACKTRACE: &str = "it was not ended by a signal, and printed no backtrace";
const NO_END: &str = "it did not come to its end";

impl Tool {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Tool::Gdb => "gdb",
            Tool::Valgrind => "valgrind",
        }
    }

    /// How long a test that took so long may take under it.
    pub(crate) fn timeout(self, took: Duration, timeout: Duration) -> Duration {
        took.saturating_mul(TIMES_SLOWER).max(timeout).max(SHORTEST)
    }

    /// The test under this tool, which leaves what it has to tell in the folder. `warden` is what is a warden when it is started.
    pub(crate) fn command(
        self,
        test: &Command,
        seen: &Seen,
        folder: &Path,
        warden: &[OsString],
    ) -> io::Result<Command> {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder)?;
        let words = match self {
            Tool::Gdb => gdb::words(seen.ending, folder, warden),
            Tool::Valgrind => valgrind::words(folder),
        };
        let mut words = words.into_iter();
        let program = words.next().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program, &test.directory).arguments(words);
        command.environment.clone_from(&test.environment);
        command.standard_input.clone_from(&test.standard_input);
        Ok(command.argument(&test.program).arguments(&test.arguments))
    }

    /// Adds what it has told to what was seen of the test.
    pub(crate) fn add(self, told: Result<PathBuf, String>, seen: &mut Seen) {
        match self {
            Tool::Gdb => seen.backtrace = Some(told.and_then(|folder| gdb::read(&folder))),
            Tool::Valgrind => seen.uninitialised = Some(told.and_then(|folder| valgrind::read(&folder))),
        }
    }
}
