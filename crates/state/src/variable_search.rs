//! The search at a place: few variables that decide.

use crate::copy_executor::{CopyExecutor, StateSubject};
use crate::matching::Differences;
use howcome_dd::{Balanced, Bounded, Configuration, DeltaId, Difference, Isolate, Knowledge, Outcome, Split};
use howcome_run::{Driver, JournalError, Purpose, Stage, StageEnd, Stop, Subject};

/// What one delta of this question is.
const UNIT: &str = "variable";
/// A set of variables that fails alone is looked for until so many tests could not be judged.
const MOST_UNRESOLVED: u32 = 60;

/// What a search found.
pub(crate) struct DecidingDeltas {
    pub(crate) deltas: Configuration,
    /// They alone change the outcome.
    pub(crate) alone: bool,
    /// Without any one of them they do not: each was tried.
    pub(crate) is_minimal: bool,
}

/// Isolates what decides; if that does not decide alone, looks for a few that do together.
pub(crate) fn search(
    driver: &mut Driver,
    server: &mut CopyExecutor,
    subject: &StateSubject,
    name: &str,
) -> Result<Result<DecidingDeltas, Stop>, JournalError> {
    let all = Configuration::all(subject.deltas());
    let isolate = Isolate::with_split(Configuration::empty(), all.clone(), groups(&subject.0));
    let found: Difference =
        match driver.run(server, &stage(subject, name, "isolate"), isolate, &mut |_| {})? {
            StageEnd::Done(found) => found,
            StageEnd::Stopped { why, .. } => return Ok(Err(why)),
        };
    let deltas = found.deltas();
    let alone = match driver.confirm(server, name, Purpose::ConfirmAlone, &deltas, None)? {
        Ok(seen) => seen.outcome == Outcome::Fail,
        Err(stop) => return Ok(Err(stop)),
    };
    // Without a single one there is nothing left, and that was the baseline.
    if alone && deltas.len() == 1 {
        return Ok(Ok(DecidingDeltas { deltas, alone, is_minimal: true }));
    }
    let enough = if alone { deltas.clone() } else { found.failing };
    let balanced = Bounded::new(Balanced::new(enough), MOST_UNRESOLVED);
    let together = match driver.run(server, &stage(subject, name, "balanced"), balanced, &mut |_| {})? {
        StageEnd::Done(found) => found.map(|found| found.failing),
        StageEnd::Stopped { why, .. } => return Ok(Err(why)),
    };
    // Many variables explain nothing; the one that decides in the midst of the others does.
    const FEW: usize = 4;
    Ok(Ok(match together.filter(|together| together.len() <= FEW.max(deltas.len())) {
        Some(together) => DecidingDeltas { deltas: together, alone: true, is_minimal: true },
        None => DecidingDeltas { deltas, alone, is_minimal: false },
    }))
}

/// The deltas of one object belong together.
fn groups(differences: &Differences) -> Split {
    let mut groups: Vec<(u32, Vec<DeltaId>)> = Vec::new();
    for (number, delta) in differences.deltas.iter().enumerate() {
        let id = DeltaId(number as u32);
        match groups.last_mut() {
            Some((group, deltas)) if *group == delta.group[0] => deltas.push(id),
            _ => groups.push((delta.group[0], vec![id])),
        }
    }
    Split::along(groups.into_iter().map(|(_, deltas)| deltas.into_iter().collect()))
}

pub(crate) fn stage<'a>(subject: &'a StateSubject, name: &'a str, search: &'a str) -> Stage<'a> {
    Stage { subject, name, search, unit: UNIT, knowledge: Knowledge::none() }
}
