//! Runs a test that ended like the failure once more, in the same workspace, under a tool that shows more.
//! `gdb` shows where a test crashes, `valgrind` which functions use uninitialised data.

mod gdb;
mod valgrind;

use crate::{Command, Execution, SameAspect, TestEnding, backtrace};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many times longer a test can take under a tool.
const TIMES_SLOWER: u32 = 50;
/// The shortest timeout under a tool, because tools are slow to start.
const SHORTEST: Duration = Duration::from_secs(60);

/// Which details to find out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CloserLook {
    pub(crate) backtrace: bool,
    pub(crate) uninitialised: bool,
}

/// A tool under which a test runs once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DebugTool {
    Gdb,
    Valgrind,
}

impl CloserLook {
    pub(crate) fn of(same: &[SameAspect]) -> Self {
        Self {
            backtrace: same.contains(&SameAspect::Backtrace),
            uninitialised: same.contains(&SameAspect::Uninitialised),
        }
    }

    /// The tools needed for a run. Details that are known without a tool are added at once.
    pub(crate) fn tools(self, execution: &mut Execution) -> Vec<DebugTool> {
        let mut tools = Vec::new();
        if self.backtrace {
            execution.backtrace = backtrace::printed(execution).map(Ok);
            if execution.backtrace.is_none() {
                match execution.ending.plain() {
                    TestEnding::Signal(_) => tools.push(DebugTool::Gdb),
                    TestEnding::Exit(_) => execution.backtrace = Some(Err(NO_BACKTRACE.to_owned())),
                    TestEnding::TimedOut => execution.backtrace = Some(Err(NO_END.to_owned())),
                }
            }
        }
        if self.uninitialised {
            match execution.ending {
                TestEnding::TimedOut => execution.uninitialised = Some(Err(NO_END.to_owned())),
                _ => tools.push(DebugTool::Valgrind),
            }
        }
        tools
    }
}

const NO_BACKTRACE: &str = "it was not ended by a signal, and printed no backtrace";
const NO_END: &str = "it did not end in time";

impl DebugTool {
    pub(crate) fn name(self) -> &'static str {
        match self {
            DebugTool::Gdb => "gdb",
            DebugTool::Valgrind => "valgrind",
        }
    }

    /// The timeout under this tool, for a test that took this long without it.
    pub(crate) fn timeout(self, took: Duration, timeout: Duration) -> Duration {
        took.saturating_mul(TIMES_SLOWER).max(timeout).max(SHORTEST)
    }

    /// The command that runs the test under this tool. The tool writes its log into the folder. `warden` is the command
    /// that starts a warden.
    pub(crate) fn command(
        self,
        test: &Command,
        execution: &Execution,
        folder: &Path,
        warden: &[OsString],
    ) -> io::Result<Command> {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder)?;
        let words = match self {
            DebugTool::Gdb => gdb::words(execution.ending, folder, warden),
            DebugTool::Valgrind => valgrind::words(folder),
        };
        let mut words = words.into_iter();
        let program = words.next().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program, &test.directory).arguments(words);
        command.environment.clone_from(&test.environment);
        command.standard_input.clone_from(&test.standard_input);
        Ok(command.argument(&test.program).arguments(&test.arguments))
    }

    /// Adds what the tool found out to the execution.
    pub(crate) fn add(self, told: Result<PathBuf, String>, execution: &mut Execution) {
        match self {
            DebugTool::Gdb => execution.backtrace = Some(told.and_then(|folder| gdb::read(&folder))),
            DebugTool::Valgrind => {
                execution.uninitialised = Some(told.and_then(|folder| valgrind::read(&folder)))
            }
        }
    }
}
