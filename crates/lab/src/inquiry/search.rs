//! Runs a search and checks its finding.

use super::Session;
use crate::Lab;
use howcome_dd::{Configuration, Confirm, Confirmed, Difference, Knowledge};
use howcome_run::{Algorithm, Driver, Executor, Halt, Stage, StageName, Subject, Unit};

/// A finding, and what the tests of it alone and without each single delta showed.
#[derive(Clone, Debug)]
pub struct CheckedFinding {
    /// What was found.
    pub found: Difference,
    /// What the checks showed.
    pub confirmed: Confirmed,
}

/// Runs a search over all deltas of a subject, then tests its finding alone and without each single delta.
///
/// # Errors
/// If the run is stopped, with the best difference so far, or if the journal of an earlier session does not match.
pub fn search_and_confirm(
    session: &mut Session,
    lab: &mut dyn Lab,
    (name, unit, subject): (&StageName, Unit, &dyn Subject),
    algorithm: Algorithm,
    search: impl FnOnce(&mut Driver, &mut dyn Executor, &Stage<'_>) -> Result<Difference, Halt<Difference>>,
) -> Result<CheckedFinding, Halt<Difference>> {
    let stage = Stage { subject, name, search: algorithm, unit, knowledge: Knowledge::none() };
    let found = search(&mut session.driver, lab, &stage)?;
    confirm(session, lab, (name, unit, subject), found)
}

/// Tests a finding alone and without each single delta.
///
/// # Errors
/// If the run is stopped, with the finding, or if the journal of an earlier session does not match.
pub fn confirm(
    session: &mut Session,
    lab: &mut dyn Lab,
    (name, unit, subject): (&StageName, Unit, &dyn Subject),
    found: Difference,
) -> Result<CheckedFinding, Halt<Difference>> {
    let stage = Stage { subject, name, search: Algorithm::Confirm, unit, knowledge: Knowledge::none() };
    // Memory has the answers to most of these questions.
    let confirm = Confirm::new(found.clone());
    let mut ignore = |_: &Configuration| {};
    match session.driver.run(lab, &stage, confirm, &mut ignore) {
        Ok(confirmed) => Ok(CheckedFinding { found, confirmed }),
        Err(halt) => Err(halt.keeping(found)),
    }
}
