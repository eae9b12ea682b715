//! Runs candidates in a workspace: prepares one, builds it and runs the test under a warden.

use crate::closer_look::DebugTool;
use crate::experiment::Prepare;
use crate::launcher::{LaunchControl, MOST_LAUNCHES};
use crate::not_started::not_started;
use crate::placement::name_of_its_own;
use crate::run_at_site::{NotAtSite, run_at_site};
use crate::run_terms::{ExecutionError, RunTerms};
use crate::set_aside::AsideWorkspace;
use crate::warden::{FinishedTest, NotFinished, RunControl, Warden};
use crate::work_folder::{Leftover, WorkFolder};
use crate::worker_setting::WorkerSetting;
use crate::workspace::{self, Workspace};
use crate::{Captured, Command, Execution, Limits, SiteWorker, TestEnding};
use howcome_dd::Configuration;
use howcome_run::Because;
use nix::sys::eventfd::EventFd;
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The runs of a candidate, in their order.
pub(crate) type Executions = VecDeque<Result<Execution, ExecutionError>>;

/// A workspace with a warden, in which one candidate after the other is run.
pub(crate) struct CandidateRunner {
    pub(crate) setting: Arc<WorkerSetting>,
    pub(crate) workspace: Workspace,
    /// The number of tests that were launched.
    pub(crate) launched: u64,
    /// Whether all launches of the last test failed. If so, the next test is launched only once.
    is_out_of_reach: bool,
    /// A test that was launched here might still run on another machine, so nothing else may run here.
    pub(crate) is_abandoned: bool,
    /// The leftover of the last test, for the next one.
    left: Option<Leftover>,
    /// Whether anything was run in the workspace since the candidate was prepared.
    has_run: bool,
    /// How long it took to prepare the candidate.
    prepared: Duration,
    bell: Arc<EventFd>,
    warden: Option<Warden>,
    /// Where the candidates run, if not here.
    site: Option<Box<dyn SiteWorker>>,
}

impl CandidateRunner {
    /// The next candidate gets another folder, under another name.
    fn leave_workspace(&mut self) {
        let before = self.warden.take();
        let folder = self.workspace.folder().with_file_name(name_of_its_own(self.launched as usize));
        (self.workspace, self.left, self.is_abandoned) = (Workspace::new(folder), None, false);
        // The last warden removes the folder of all workers, so another one comes first. If it cannot start, the next test says why.
        let _ = self.warden();
        // It removes its folder.
        drop(before);
    }

    pub(crate) fn new(
        setting: Arc<WorkerSetting>,
        workspace: Workspace,
        bell: Arc<EventFd>,
        warden: Option<Warden>,
    ) -> Self {
        let site = setting.site.as_ref().map(|site| site.worker());
        let (left, has_run, prepared) = (None, false, Duration::ZERO);
        let (launched, is_out_of_reach, is_abandoned) = (0, false, false);
        Self {
            setting,
            workspace,
            launched,
            is_out_of_reach,
            is_abandoned,
            left,
            has_run,
            prepared,
            bell,
            warden,
            site,
        }
    }

    pub(crate) fn setting(&self) -> &WorkerSetting {
        &self.setting
    }

    /// The next candidate does not go on from the files of the last one as they are.
    pub(crate) fn start_clean(&mut self) {
        self.left = self.left.take().and_then(Leftover::into_restorable);
    }

    /// Puts the workspace aside under a number, and returns where it is. The next candidate gets another one.
    pub(crate) fn set_aside(&mut self, number: u64) -> Result<PathBuf, ExecutionError> {
        let left = self.left.take();
        let place = self.workspace.folder().join(format!("seen-{number}"));
        self.workspace.keep_as(&place).map_err(|error| broken("cannot keep the workspace", &error))?;
        if let Some(left) = left.and_then(Leftover::into_restorable) {
            self.setting.set_aside.put(AsideWorkspace { place: place.clone(), left });
        }
        Ok(place)
    }

    /// Empties the workspace, unless its files are for the next test.
    pub(crate) fn clean_up(&mut self) {
        if self.left.is_some() {
            return;
        }
        // If this fails, the next test fails to get an empty workspace and reports it.
        let _ = self.workspace.clear();
    }

    /// Runs a configuration several times, if that is possible at the same time, and otherwise once.
    pub(crate) fn run_copies(
        &mut self,
        subject: &dyn Prepare,
        configuration: &Configuration,
        terms: RunTerms<'_>,
        copies: u32,
    ) -> Executions {
        if copies > 1 && self.site.is_some() {
            let command = match self.prepare(subject, configuration) {
                Ok(command) => command,
                Err(error) => return [Err(error)].into(),
            };
            if !command.continues {
                // What runs elsewhere changes no file here.
                let keeps = self.left.take();
                let ran = self.run_elsewhere(&command, terms, copies as usize);
                self.left = keeps;
                if let Some(ran) = ran.filter(|ran| !ran.is_empty()) {
                    return ran;
                }
            }
        }
        [self.run(subject, configuration, terms)].into()
    }

    /// Runs a configuration once. A run that lost its warden says nothing, so it is repeated.
    pub(crate) fn run(
        &mut self,
        subject: &dyn Prepare,
        configuration: &Configuration,
        terms: RunTerms<'_>,
    ) -> Result<Execution, ExecutionError> {
        let (mut losses, mut launches) = (0, 0);
        loop {
            match self.run_once(subject, configuration, terms) {
                Err(ExecutionError::Lost) if losses + 1 < MOST_LOSSES => losses += 1,
                Err(ExecutionError::NotLaunched(why)) if self.is_out_of_reach => {
                    return Err(ExecutionError::NotLaunched(why));
                }
                Err(ExecutionError::NotLaunched(why)) => {
                    launches += 1;
                    self.is_out_of_reach = launches >= MOST_LAUNCHES;
                    self.pause_before_launch(launches, why, terms.interest.cancelled)?;
                }
                execution => {
                    self.is_out_of_reach &= execution.is_err();
                    return execution;
                }
            }
        }
    }

    fn run_once(
        &mut self,
        subject: &dyn Prepare,
        configuration: &Configuration,
        terms: RunTerms<'_>,
    ) -> Result<Execution, ExecutionError> {
        let command = self.prepare(subject, configuration)?;
        let execution = self.run_and_keep(&command, terms);
        // Elsewhere, a build starts with nothing but the candidate, unless it continues another one.
        let is_doubtful = command.is_doubtful && (self.site.is_none() || command.continues);
        if is_doubtful && matches!(execution, Err(ExecutionError::DidNotBuild(_))) {
            self.start_clean();
            let command = self.prepare(subject, configuration)?;
            return self.run_and_keep(&command, terms);
        }
        execution
    }

    /// Prepares the candidate, from the leftover of the previous test if the subject can reuse it.
    fn prepare(
        &mut self,
        subject: &dyn Prepare,
        configuration: &Configuration,
    ) -> Result<Command, ExecutionError> {
        let began = Instant::now();
        let prepared = self.in_folder(subject, |folder| subject.prepare(configuration, folder))?;
        self.prepared = began.elapsed();
        prepared.map_err(|because| {
            // An incomplete copy looks like a configuration that does not apply.
            self.workspace.no_room().map_or(because, Because::DiskFull).into()
        })
    }

    /// Writes a version to the folder before there is a test to run, so that the first test of this worker does not wait for it.
    pub(crate) fn warm_up(&mut self, subject: &dyn Prepare) {
        // If this does not work, the first test reports why.
        let _ = self.in_folder(subject, |folder| subject.warm_up(folder));
    }

    /// Whether the files of an earlier test are there, so that the next test does not have to write all of them.
    pub(crate) fn is_warm(&self) -> bool {
        self.left.is_some()
    }

    /// Does something with the folder, from the leftover of the previous test if the subject can reuse it.
    fn in_folder<T>(
        &mut self,
        subject: &dyn Prepare,
        work: impl FnOnce(&mut WorkFolder<'_>) -> T,
    ) -> Result<T, ExecutionError> {
        // The warden comes first: it removes the workspace if howcome is killed.
        self.warden()?;
        let left = self.left.take().filter(|_| subject.reuses());
        let left = left.or_else(|| if subject.reuses() { self.adopt() } else { None });
        let ready = if left.is_some() { self.workspace.take_over() } else { self.workspace.renew() };
        ready.map_err(|error| broken("cannot prepare a workspace", &error))?;
        let mut folder = WorkFolder::new(&mut self.workspace, left);
        let done = work(&mut folder);
        self.left = folder.into_kept();
        Ok(done)
    }

    /// Takes over a workspace that was set aside and is not needed any more.
    fn adopt(&mut self) -> Option<Leftover> {
        let AsideWorkspace { place, left } = self.setting.set_aside.take()?;
        self.workspace.adopt(&place).is_ok().then_some(left)
    }

    /// Runs a prepared candidate. No test continues from the files of one that did not end normally.
    fn run_and_keep(&mut self, command: &Command, terms: RunTerms<'_>) -> Result<Execution, ExecutionError> {
        self.has_run = false;
        let keeps = self.left.take();
        let execution = self.run_prepared(command, terms);
        if self.is_abandoned {
            self.leave_workspace();
            return execution;
        }
        let is_intact = !self.has_run || ended_normally(command, &execution);
        self.left = if is_intact { keeps } else { keeps.and_then(Leftover::into_interrupted) };
        execution
    }

    fn run_prepared(&mut self, command: &Command, terms: RunTerms<'_>) -> Result<Execution, ExecutionError> {
        if let Some(mut ran) = self.run_elsewhere(command, terms, 1)
            && let Some(execution) = ran.pop_front()
        {
            return execution;
        }
        let RunTerms { limits, interest, wants, .. } = terms;
        let cancelled = interest.cancelled;
        let (mut built, mut build_said) = (Duration::ZERO, Captured::default());
        for build in &command.builds {
            let limits = Limits { timeout: limits.build_timeout, ..*limits };
            let execution = self.attend(build, &limits, cancelled)?;
            if execution.ending != TestEnding::Exit(0) {
                return Err(ExecutionError::DidNotBuild(Box::new(execution)));
            }
            built += execution.took;
            build_said = execution.stderr;
        }
        let execution = self.attend(command, limits, cancelled)?;
        let mut execution = Execution { built, build_said, ..execution };
        for tool in wants(&execution).tools(&mut execution) {
            let is_in_time = self.look_closer(tool, command, limits, cancelled, &mut execution)?;
            if !is_in_time {
                return Err(ExecutionError::NotInTime(Box::new(execution)));
            }
        }
        Ok(execution)
    }

    /// Runs a prepared candidate elsewhere, at most this many times. `None` if it must run here.
    fn run_elsewhere(&mut self, command: &Command, terms: RunTerms<'_>, copies: usize) -> Option<Executions> {
        let site = self.site.as_mut()?;
        let runs = run_at_site(&mut **site, self.workspace.path(), command, terms, copies);
        let prepared = self.prepared;
        Some(match runs {
            Ok(runs) => {
                runs.into_iter().map(|run| run.map(|execution| Execution { prepared, ..execution })).collect()
            }
            Err(NotAtSite::Error(error)) => [Err(error)].into(),
            Err(NotAtSite::Gone(_)) if self.setting.site.as_ref().is_some_and(|site| site.or_local()) => {
                self.site = None;
                return None;
            }
            Err(NotAtSite::Gone(why)) => [Err(Because::Unreachable(why).into())].into(),
        })
    }

    /// Runs the test once more under a tool, and adds what the tool finds out. Returns whether that run ended in time.
    fn look_closer(
        &mut self,
        tool: DebugTool,
        test: &Command,
        limits: &Limits,
        cancelled: &AtomicBool,
        execution: &mut Execution,
    ) -> Result<bool, ExecutionError> {
        let name = tool.name();
        let folder = self.workspace.folder().join(name);
        // A tool reserves much more memory than the test, and the limit applies to reserved memory.
        let limits =
            Limits { timeout: tool.timeout(execution.took, limits.timeout), memory: None, ..*limits };
        let command = tool
            .command(test, execution, &folder, self.setting.warden())
            .map_err(|error| broken("cannot create a folder for a tool", &error))?;
        let (is_in_time, told) = match self.attend(&command, &limits, cancelled) {
            Ok(again) if again.ending == TestEnding::TimedOut => {
                (false, Err(format!("it takes too long under {name}")))
            }
            Ok(_) => (true, Ok(folder.clone())),
            Err(ExecutionError::Because(Because::CouldNotStart(why))) => (true, Err(why)),
            Err(error) => return Err(error),
        };
        tool.add(told, execution);
        let _ = workspace::remove(&folder);
        Ok(is_in_time)
    }

    fn attend(
        &mut self,
        command: &Command,
        limits: &Limits,
        cancelled: &AtomicBool,
    ) -> Result<Execution, ExecutionError> {
        let finished = match self.setting.launcher.is_some() {
            true => self.launch(command, limits, cancelled)?,
            false => self.supervise(command, limits, cancelled, None)?,
        };
        Ok(self.execution(command, finished))
    }

    /// Has the warden run a command to its end.
    pub(crate) fn supervise(
        &mut self,
        command: &Command,
        limits: &Limits,
        cancelled: &AtomicBool,
        launch: Option<&LaunchControl>,
    ) -> Result<FinishedTest, ExecutionError> {
        let bell = Arc::clone(&self.bell);
        let (mut tries, mut busy) = (0, 0);
        loop {
            if cancelled.load(Ordering::Acquire) {
                return Err(ExecutionError::Cancelled);
            }
            let run_control = RunControl {
                bell: &bell,
                cancelled,
                timeout: limits.timeout,
                memory: limits.memory,
                keep: limits.keep,
                launch,
            };
            self.has_run = true;
            let stopped = match self.warden()?.run(command, run_control) {
                Ok(finished) => {
                    return match self.workspace.no_room() {
                        Some(why) => Err(Because::DiskFull(why).into()),
                        None => Ok(finished),
                    };
                }
                Err(stopped) => stopped,
            };
            match stopped {
                NotFinished::Cancelled => return Err(ExecutionError::Cancelled),
                // Nothing was started, so try another warden.
                NotFinished::NoWarden if tries < 3 => {
                    tries += 1;
                    self.warden = None;
                }
                NotFinished::NoWarden => {
                    return Err(Because::Broken("the warden processes exit immediately".to_owned()).into());
                }
                NotFinished::NotStarted(error)
                    if error.kind() == io::ErrorKind::ExecutableFileBusy && busy < 20 =>
                {
                    // Another thread has just forked a warden, which for a moment holds our file open for writing.
                    busy += 1;
                    std::thread::sleep(Duration::from_millis(5));
                }
                NotFinished::NotStarted(error) => {
                    return Err(not_started(command, self.workspace.path(), &error).into());
                }
                NotFinished::Lost => {
                    self.warden = None;
                    if cancelled.load(Ordering::Acquire) {
                        return Err(ExecutionError::Cancelled);
                    }
                    return Err(ExecutionError::Lost);
                }
            }
        }
    }

    pub(crate) fn warden(&mut self) -> Result<&mut Warden, Because> {
        // Taken out and put back, so that a dead warden is dropped before another one starts.
        let warden = match self.warden.take() {
            Some(warden) => warden,
            None => self.setting.start_warden(self.workspace.folder())?,
        };
        Ok(self.warden.insert(warden))
    }

    fn execution(&self, command: &Command, finished: FinishedTest) -> Execution {
        let FinishedTest { ending, stdout, stderr, took, cpu, memory } = finished;
        Execution {
            ending,
            stdout,
            stderr,
            workspace: self.workspace.path().to_owned(),
            ran_in: self.workspace.path().to_owned(),
            varied: command.varied.clone(),
            copy_of: command.copy_of.clone(),
            took,
            built: Duration::ZERO,
            prepared: self.prepared,
            build_said: Captured::default(),
            cpu,
            memory,
            backtrace: None,
            uninitialised: None,
            is_cached: false,
        }
    }
}

/// Whether the files that a test left are complete. A killed process might have been about to write more. But if the
/// build ended before the test began, the ending of the test does not matter, as long as it was not stopped.
fn ended_normally(command: &Command, execution: &Result<Execution, ExecutionError>) -> bool {
    match execution {
        Ok(execution) => match execution.ending.plain() {
            TestEnding::TimedOut => false,
            TestEnding::Signal(_) => !command.builds.is_empty(),
            TestEnding::Exit(_) => true,
        },
        Err(ExecutionError::DidNotBuild(execution)) => {
            matches!(execution.ending.plain(), TestEnding::Exit(_))
        }
        Err(_) => false,
    }
}

/// How often a test can lose its warden before the run ends: the test itself seems to kill it.
pub(crate) const MOST_LOSSES: u32 = 3;

fn broken(what: &str, error: &io::Error) -> Because {
    Because::not_written(format!("{what}: {error}"), error)
}
