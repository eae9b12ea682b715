//! How sure the answer is: tests of the finding alone and of everything without it, from a clean start; and the
//! confidence of the trail.

use super::Session;
use crate::{Lab, Repeat};
use howcome_dd::{Configuration, Difference, Outcome};
use howcome_run::{AnswerSource, Entry, Halt, Observation, Purpose, StageName, TestId, Verified};
use std::collections::HashSet;

/// Tests the finding alone, and everything without the finding. `passes` decides whether an observation counts as a
/// pass.
///
/// # Errors
/// If the run is stopped, or if the journal of an earlier session does not match.
pub fn verify(
    session: &mut Session,
    lab: &mut dyn Lab,
    stage: &StageName,
    deltas: u32,
    found: &Difference,
    passes: impl Fn(&Observation) -> bool,
) -> Result<Verified, Halt> {
    let alone = found.deltas();
    let without = Configuration::all(deltas).without(&alone);
    verify_sides(session, lab, stage, [Some(&alone), Some(&without)], passes)
}

/// The same for given configurations, each of which is tested if there is one.
///
/// # Errors
/// If the run is stopped, or if the journal of an earlier session does not match.
pub fn verify_sides(
    session: &mut Session,
    lab: &mut dyn Lab,
    stage: &StageName,
    [alone, without]: [Option<&Configuration>; 2],
    passes: impl Fn(&Observation) -> bool,
) -> Result<Verified, Halt> {
    let sides = [(Purpose::ConfirmAlone, alone), (Purpose::ConfirmWithout, without)];
    let checks: Vec<_> =
        sides.iter().filter_map(|(purpose, side)| Some((*purpose, (*side)?.clone()))).collect();
    session.driver.confirm_soon(lab, stage, &checks)?;
    let mut confirm = |purpose, configuration: Option<&Configuration>| {
        session.listener.now("confirming the answer");
        let confirm = |configuration| session.driver.confirm(lab, stage, purpose, configuration, None);
        configuration.map(confirm).transpose()
    };
    let alone = confirm(Purpose::ConfirmAlone, alone)?;
    let without = confirm(Purpose::ConfirmWithout, without)?;
    Ok(Verified {
        alone_fails: alone.map(|alone| alone.outcome == Outcome::Fail),
        without_passes: without.map(|without| passes(&without)),
    })
}

/// The probability that all answers on the trail are right, if the test is noisy.
pub fn confidence(session: &mut Session, repeat: &Repeat) -> Option<f64> {
    if !matches!(repeat, Repeat::Flaky(_)) {
        return None;
    }
    let entries = session.entries();
    let told: HashSet<TestId> = entries
        .iter()
        .filter_map(|entry| match entry {
            Entry::Told { how: AnswerSource::Tested, test, .. } => *test,
            _ => None,
        })
        .collect();
    let confidence = |entry: &Entry| match entry {
        Entry::Observed { test, observation, .. } if told.contains(test) => observation.confidence,
        _ => None,
    };
    Some(entries.iter().filter_map(confidence).product())
}

/// Whether an isolation over this many deltas found nothing because every test between the two sides was unresolved.
pub fn nothing_was_resolved(session: &mut Session, found: &Difference, deltas: u32) -> bool {
    let resolved = |entry: &Entry| matches!(entry, Entry::Told { how: AnswerSource::Tested, outcome, .. } if *outcome != Outcome::Unresolved);
    let is_all = found.deltas().len() == deltas as usize && deltas > 1;
    is_all && !session.entries().iter().any(resolved)
}
