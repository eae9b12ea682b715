//! One session of a run: its folder, journal, driver and listener.

use super::new_run::NewRun;
use super::{Concluded, Listener, Response};
use crate::warden::FolderGuard;
use howcome_run::{
    Budget, Driver, EndedStage, Ending, Entry, Halt, JOURNAL_VERSION, Journal, JournalError, Problem,
    ProblemKind, Recorded, RunDir, RunDirError, RunFile, Stop, plain_error, read_journal,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The record of a run while it is being made.
pub struct Session {
    /// Hears about the run.
    pub listener: Box<dyn Listener>,
    /// Runs the stages and keeps the journal.
    pub driver: Driver,
    /// The record of earlier sessions.
    pub recorded: Recorded,
    /// The stages whose searches a limit has ended.
    pub ended_stages: Vec<EndedStage>,
    file: RunFile,
    /// `None` if the run cannot be recorded.
    run: Option<RunDir>,
}

/// How a session was closed.
#[derive(Debug)]
pub enum ClosedSession {
    /// The question was answered, as far as possible, and the answer is recorded.
    Ended(Box<EndedRun>),
    /// It was a dry run, which leaves no trace.
    DryRun(String),
}

/// A run that has ended, for now or for good.
#[derive(Debug)]
pub struct EndedRun {
    /// How it ended.
    pub ending: Ending,
    /// A problem to report, if there is one.
    pub problem: Option<Problem>,
    /// The request.
    pub file: RunFile,
    /// The folder of the run, if there is one.
    pub dir: Option<PathBuf>,
    /// The whole record.
    pub entries: Vec<Entry>,
}

impl Session {
    /// Begins a new run in the first of these folders that does not exist yet. If the folder is not writable, the run
    /// starts without a record.
    ///
    /// # Errors
    /// If no folder can be used, or the journal cannot be created.
    pub fn begin<'a>(
        folders: impl IntoIterator<Item = PathBuf>,
        new_run: impl Into<NewRun<'a>>,
        budget: Budget,
        listener: Box<dyn Listener>,
    ) -> Result<Self, Problem> {
        let NewRun { mut file, inputs, warden } = new_run.into();
        let mut guard = None;
        let made = RunDir::create(folders, file.clone(), inputs, |folders| {
            // Without a guard, only a killed howcome leaves something behind.
            guard = warden.and_then(|warden| FolderGuard::start(warden, folders).ok());
        });
        drop(guard);
        let (run, journal) = match made {
            Ok(run) => {
                file = run.file().clone();
                let journal = Journal::create(&run.journal(), listener.watcher());
                (Some(run), journal)
            }
            Err(RunDirError::Io { path, source }) if is_unwritable(&source) => {
                let why = format!("{} cannot be written ({})", path.display(), plain_error(&source));
                listener.warn(&cannot_be_resumed(&why));
                (None, Journal::in_memory(&[], listener.watcher()))
            }
            Err(error) => return Err(error.into()),
        };
        Self::open(run, file, journal, Recorded::default(), budget, listener)
    }

    /// Continues a run.
    ///
    /// # Errors
    /// If its journal cannot be read.
    pub fn resume(run: RunDir, budget: Budget, listener: Box<dyn Listener>) -> Result<Self, Problem> {
        Self::reopen(run, budget, listener, |journal| journal)
    }

    /// Continues a run with searches that go further. Where they leave the record, it is cut off.
    ///
    /// # Errors
    /// If its journal cannot be read.
    pub fn extend(run: RunDir, budget: Budget, listener: Box<dyn Listener>) -> Result<Self, Problem> {
        Self::reopen(run, budget, listener, Journal::cut_where_left)
    }

    fn reopen(
        run: RunDir,
        budget: Budget,
        listener: Box<dyn Listener>,
        as_wanted: impl FnOnce(Journal) -> Journal,
    ) -> Result<Self, Problem> {
        let recorded = match read_journal(&run.journal()) {
            Err(JournalError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Recorded::default()
            }
            other => other?,
        };
        if recorded.last_line_damaged {
            listener
                .warn("the last line of the journal is damaged and was left out; its test will be run again");
        }
        let file = run.file().clone();
        let journal = match recorded.entries.is_empty() && !run.journal().exists() {
            true => Journal::create(&run.journal(), listener.watcher()),
            false => Journal::resume(&run.journal(), &recorded, listener.watcher()),
        };
        Self::open(Some(run), file, as_wanted(journal), recorded, budget, listener)
    }

    /// A session without a record, for questions about a run that has ended.
    #[must_use]
    pub fn unrecorded(file: RunFile, listener: Box<dyn Listener>) -> Self {
        let journal = Journal::in_memory(&[], listener.watcher());
        let driver = Driver::new(journal, Budget::default(), &Recorded::default());
        Self { listener, driver, recorded: Recorded::default(), ended_stages: Vec::new(), file, run: None }
    }

    fn open(
        run: Option<RunDir>,
        file: RunFile,
        journal: Journal,
        recorded: Recorded,
        budget: Budget,
        listener: Box<dyn Listener>,
    ) -> Result<Self, Problem> {
        let mut driver = Driver::new(journal, budget, &recorded);
        let howcome = env!("CARGO_PKG_VERSION").to_owned();
        driver.journal().add(Entry::Opened { howcome, journal: JOURNAL_VERSION, time: now() })?;
        driver.journal().flush();
        let mut session = Self { listener, driver, recorded, ended_stages: Vec::new(), file, run };
        session.warn_if_lost();
        Ok(session)
    }

    /// The folder of the run, if there is one.
    #[must_use]
    pub fn dir(&self) -> Option<&Path> {
        self.run.as_ref().map(RunDir::path)
    }

    /// The folder for the output of tests, if there is one.
    #[must_use]
    pub fn log(&self) -> Option<PathBuf> {
        self.run.as_ref().map(RunDir::log)
    }

    /// The request.
    #[must_use]
    pub fn file(&self) -> &RunFile {
        &self.file
    }

    /// Whether this is the first session of its run.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.recorded.entries.is_empty()
    }

    /// Reports a warning and records it.
    ///
    /// # Errors
    /// If the journal of an earlier session does not match.
    pub fn warn(&mut self, text: &str) -> Result<(), Problem> {
        self.listener.warn(text);
        Ok(self.driver.journal().add(Entry::Warning { text: text.to_owned() })?)
    }

    /// The whole record so far, written or not.
    pub fn entries(&mut self) -> Vec<Entry> {
        self.driver.journal().flush();
        let written = self.run.as_ref().and_then(|run| read_journal(&run.journal()).ok());
        let mut entries = written.map(|recorded| recorded.entries).unwrap_or_default();
        entries.extend_from_slice(self.driver.journal().unwritten());
        entries
    }

    /// Closes the session with the response to its question.
    ///
    /// # Errors
    /// If there was a problem. A run that never began leaves no folder in that case.
    pub fn close(self, answered: Result<Response, Halt>) -> Result<ClosedSession, Problem> {
        match answered {
            Ok(Response::Concluded(concluded)) => self.end(*concluded),
            Ok(Response::DryRun(text)) => self.forget().map(|()| ClosedSession::DryRun(text)),
            Err(Halt::Stopped { why: Stop::Interrupted, .. }) if self.driver.told() == 0 => {
                let concluded = Concluded::new(Ending::Stopped, None);
                self.end(concluded.because("interrupted before the search began"))
            }
            Err(Halt::Stopped { why, .. }) => self.end(Concluded::stopped(why, None)),
            Err(Halt::Refused { problem, why }) => self.end(Concluded::refused(problem, why)),
            Err(Halt::Reached) => Err(Problem::bug("a stage was searched for in a run that is not a replay")),
            Err(Halt::Failed(problem)) => {
                if problem.kind() == ProblemKind::WrongUse && self.is_new() && self.driver.told() == 0 {
                    self.forget()?;
                }
                Err(problem)
            }
        }
    }

    fn end(mut self, concluded: Concluded) -> Result<ClosedSession, Problem> {
        let Concluded { ending, conclusion, problem, why, .. } = concluded;
        let seconds = (self.driver.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        self.driver.journal().add(Entry::Ended { ending, conclusion, why, seconds })?;
        self.driver.journal().flush();
        self.warn_if_lost();
        self.listener.finish();
        let entries = self.entries();
        let dir = self.dir().map(Path::to_owned);
        Ok(ClosedSession::Ended(Box::new(EndedRun { ending, problem, file: self.file, dir, entries })))
    }

    /// Removes the folder of the run, and the folder of all runs if this was the only one.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn forget(&self) -> Result<(), Problem> {
        self.listener.finish();
        match self.dir() {
            Some(dir) => {
                // First, so that a folder of which a part is gone is not taken for a run.
                let _ = fs::remove_file(dir.join("run.json"));
                fs::remove_dir_all(dir).map_err(|error| Problem::with_file(dir, &error))?;
                let _ = dir.parent().filter(|runs| runs.ends_with(RunDir::RUNS)).map(fs::remove_dir);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn warn_if_lost(&mut self) {
        if let Some(error) = self.driver.journal().take_lost() {
            let why = format!("the journal cannot be written ({})", plain_error(&error));
            self.listener.warn(&cannot_be_resumed(&why));
        }
    }
}

fn cannot_be_resumed(why: &str) -> String {
    format!("{why}: the run continues, but it cannot be resumed")
}

fn is_unwritable(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), FileTooLarge | PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
