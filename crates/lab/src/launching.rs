//! Runs commands through a launcher: writes the script, starts the launcher, reads what the script says.

use crate::candidate_runner::CandidateRunner;
use crate::launcher::{LaunchedEnd, LaunchedRun, Launcher, MOST_LAUNCHES, pause_before};
use crate::limits::Limits;
use crate::not_started::not_started;
use crate::run_terms::ExecutionError;
use crate::warden::FinishedTest;
use crate::{Captured, Command, TestEnding};
use howcome_run::Because;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long the files of another machine can take to appear after its launcher has ended without an error.
const DELAY_OF_FILES: Duration = Duration::from_secs(3);

/// How often howcome looks whether something has changed while it waits.
const LOOK: Duration = Duration::from_millis(50);

impl CandidateRunner {
    /// Runs a command on another machine.
    pub(crate) fn launch(
        &mut self,
        command: &Command,
        limits: &Limits,
        cancelled: &AtomicBool,
    ) -> Result<FinishedTest, ExecutionError> {
        let Some(launcher) = self.setting.launcher.clone() else {
            return self.supervise(command, limits, cancelled, None);
        };
        // The warden comes first: it makes the folder, and removes it if howcome is killed.
        self.warden()?;
        self.launched += 1;
        let worker = self.workspace.folder().to_owned();
        let run = LaunchedRun::write(&worker, self.launched, command, limits).map_err(|error| {
            Because::not_written(format!("cannot write the script for the launcher: {error}"), &error)
        })?;
        // The limit on memory is that of the test, not that of its launcher.
        let own_limits = Limits { memory: None, ..*limits };
        let supervised =
            self.supervise(&run.command(&launcher, &worker), &own_limits, cancelled, Some(&run.control()));
        let end = match &supervised {
            Ok(finished) if finished.ending == TestEnding::Exit(0) => wait_for_end(&run, limits),
            _ => run.end(limits.keep),
        };
        run.remove();
        let finished = match (supervised, end) {
            // Whatever became of the launcher: the test has ended, and nothing of it is left there.
            (Ok(launched), LaunchedEnd::Ended { ending, took, stdout, stderr }) => {
                // Only the other machine knows how much time and memory the test has used.
                let (took, cpu, memory) = (took.unwrap_or(launched.took), Duration::ZERO, 0);
                return Ok(FinishedTest { ending, stdout, stderr, took, cpu, memory });
            }
            (Ok(_), LaunchedEnd::NoProgram) => {
                let error = io::Error::from(io::ErrorKind::NotFound);
                return Err(elsewhere(not_started(command, self.workspace.path(), &error)).into());
            }
            (Ok(launched), LaunchedEnd::NoFolder) => {
                Ok((launched, Some("it does not find the folder of the test")))
            }
            (Ok(launched), LaunchedEnd::Nothing { has_begun: true }) => {
                Ok((launched, Some("the test had begun, but did not come to its end")))
            }
            (Ok(launched), LaunchedEnd::Nothing { has_begun: false }) => Ok((launched, None)),
            (Err(error), _) => Err(error),
        };
        self.is_abandoned = true;
        let (launched, why) = finished?;
        Err(ExecutionError::NotLaunched(explain(&launcher, &launched, why)))
    }

    /// Waits before a test is launched again.
    ///
    /// # Errors
    /// If it was launched often enough, or is cancelled.
    pub(crate) fn pause_before_launch(
        &mut self,
        launches: u32,
        why: String,
        cancelled: &AtomicBool,
    ) -> Result<(), ExecutionError> {
        if launches >= MOST_LAUNCHES {
            return Err(ExecutionError::NotLaunched(why));
        }
        let until = Instant::now() + pause_before(launches);
        while Instant::now() < until {
            if cancelled.load(Ordering::Acquire) {
                return Err(ExecutionError::Cancelled);
            }
            thread::sleep(LOOK);
        }
        Ok(())
    }
}

/// What the script says. A file system that is shared by several machines can show its files a moment later.
fn wait_for_end(run: &LaunchedRun, limits: &Limits) -> LaunchedEnd {
    let until = Instant::now() + DELAY_OF_FILES;
    loop {
        match run.end(limits.keep) {
            LaunchedEnd::Nothing { .. } if Instant::now() < until => thread::sleep(LOOK),
            end => return end,
        }
    }
}

/// The same reason, with where it is so.
fn elsewhere(because: Because) -> Because {
    match because {
        Because::CouldNotStart(why) => {
            Because::CouldNotStart(format!("{why} on the machine to which the launcher brings it"))
        }
        other => other,
    }
}

/// Why there is no verdict.
fn explain(launcher: &Launcher, launched: &FinishedTest, why: Option<&str>) -> String {
    let words = launcher.words();
    let is_clean = launched.ending == TestEnding::Exit(0);
    let why = why.unwrap_or(match is_clean {
        true => "it left no file in the folder of the workspaces: do the machines share that folder?",
        false => "the test has not begun",
    });
    let last = |stream: &Captured| stream.last_lines(3).join("; ");
    let said = [last(&launched.stderr), last(&launched.stdout)].into_iter().find(|said| !said.is_empty());
    let said = said.map(|said| format!(" (it printed: {said})")).unwrap_or_default();
    format!("the launcher `{words}` ended with {}: {why}{said}", launched.ending)
}
