//! A place other than this machine where prepared candidates run. The workers still prepare and judge them here.

use crate::{Captured, Command, Limits, TestEnding};
use howcome_run::Because;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A place where prepared candidates run, such as a cluster.
pub trait TestSite: Send + Sync + fmt::Debug {
    /// The connection of one worker.
    fn worker(&self) -> Box<dyn SiteWorker>;

    /// Whether tests run on this machine after the place was lost, instead of ending the run.
    fn or_local(&self) -> bool;
}

/// Runs one candidate after the other at a [`TestSite`].
pub trait SiteWorker: Send {
    /// Builds and runs a candidate. Files that its judge needs are written to its folder.
    ///
    /// # Errors
    /// If it was cancelled, or could not be run. An error never says anything about the candidate.
    fn run(&mut self, candidate: &SiteCandidate<'_>) -> Result<SiteRun, SiteError>;

    /// Builds and runs a candidate several times, each time from its start. Returns at least one run, and at most this many.
    ///
    /// # Errors
    /// As for one run.
    fn run_copies(
        &mut self,
        candidate: &SiteCandidate<'_>,
        _copies: usize,
    ) -> Result<Vec<SiteRun>, SiteError> {
        Ok(vec![self.run(candidate)?])
    }
}

/// A candidate that was prepared on this machine.
#[derive(Clone, Copy)]
pub struct SiteCandidate<'a> {
    /// The folder with its files.
    pub folder: &'a Path,
    /// How it is built and tested. Its paths are those of this machine.
    pub command: &'a Command,
    /// The limits of the test.
    pub limits: &'a Limits,
    /// How the run is meant.
    pub terms: SiteTerms,
    /// Whether the caller wants to know which files it reads.
    pub wants_reads: bool,
    /// Becomes true when the run is cancelled.
    pub cancelled: &'a AtomicBool,
    /// Becomes true when somebody waits for the result. Until then the run is a guess.
    pub is_awaited: &'a AtomicBool,
}

/// How a run at a [`TestSite`] is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteTerms {
    /// It belongs to the baseline or to a proof, so an earlier run counts only if the user trusts it.
    pub is_proof: bool,
    /// An earlier run is not believed, whatever the user trusts.
    pub is_doubted: bool,
    /// It is one of several runs of a candidate, so its outcome says nothing about the others.
    pub is_repeat: bool,
    /// No other test runs beside it.
    pub alone: bool,
}

/// What a candidate did at a [`TestSite`].
#[derive(Debug)]
pub struct SiteRun {
    /// Its builds that were run, in their order. Only the last one can have failed.
    pub builds: Vec<StepRun>,
    /// The test, unless a build failed.
    pub test: Option<StepRun>,
    /// The files that neither the builds nor the test have read, relative to its folder. `None` if nobody knows.
    pub unread: Option<Vec<PathBuf>>,
    /// Whether it was run earlier, perhaps by somebody else.
    pub is_cached: bool,
}

/// One command that was run at a [`TestSite`].
#[derive(Debug)]
pub struct StepRun {
    /// How it ended, or why it could not be started.
    pub ending: Result<TestEnding, io::ErrorKind>,
    /// Its standard output. It names the folder of the candidate as on this machine.
    pub stdout: Captured,
    /// Its standard error.
    pub stderr: Captured,
    /// How long it took.
    pub took: Duration,
}

/// Why there is no run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteError {
    /// It was cancelled.
    Cancelled,
    /// The candidate cannot be run there, for this reason.
    Because(Because),
    /// The place cannot be reached any more.
    Gone(String),
}
