//! How a candidate is run, and why it has no execution.

use crate::closer_look::CloserLook;
use crate::interest::Interest;
use crate::{Execution, Limits, SiteTerms};
use howcome_run::Because;

/// Why a test has no complete execution.
#[derive(Debug)]
pub(crate) enum ExecutionError {
    /// It was cancelled.
    Cancelled,
    /// It could not be run, for this reason.
    Because(Because),
    /// Its warden was killed, by whomever. Nothing is known about the test.
    Lost,
    /// The candidate did not build. This is the execution of the build.
    DidNotBuild(Box<Execution>),
    /// The test itself ended, but not its additional run under a tool.
    NotInTime(Box<Execution>),
    /// Its launcher did not bring it to its end, for this reason. Nothing is known about the test.
    NotLaunched(String),
}

impl From<Because> for ExecutionError {
    fn from(because: Because) -> Self {
        ExecutionError::Because(because)
    }
}

/// How a candidate is run.
#[derive(Clone, Copy)]
pub(crate) struct RunTerms<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) interest: Interest<'a>,
    /// What else to find out about a run.
    pub(crate) wants: &'a dyn Fn(&Execution) -> CloserLook,
    /// How it is meant if it runs elsewhere.
    pub(crate) site: SiteTerms,
    /// Whether it matters which files it reads.
    pub(crate) wants_reads: bool,
}
