//! The search at a place, for few variables that decide.

use crate::copy_executor::{CopyExecutor, StateSubject};
use crate::isolation_limits::IsolationLimits;
use crate::matching::Differences;
use crate::transfer_direction::Transfer;
use howcome_dd::{
    Balanced, Configuration, DeltaId, FoundWithinLimit, Isolate, Knowledge, LimitReached, Outcome, Split,
    StopEarly, UnresolvedLimit,
};
use howcome_run::{Algorithm, Driver, Halt, Purpose, Stage, StageName, Unit};
use std::sync::atomic::{AtomicU32, Ordering};

/// The search for a set of variables that fails alone stops after this number of unresolved tests.
const MOST_UNRESOLVED: u32 = 60;

/// After this number of places in a row at which a search for such a set found none, further places do without it.
const MOST_WASTED: u32 = 3;

/// Whether it is still worth looking for variables that decide together. Where one place has none, the places around it
/// mostly have none either.
#[derive(Debug, Default)]
pub struct JointCauses {
    wasted: AtomicU32,
}

impl JointCauses {
    fn is_worth_looking(&self) -> bool {
        self.wasted.load(Ordering::Relaxed) < MOST_WASTED
    }

    fn note(&self, is_found: bool) {
        match is_found {
            true => self.wasted.store(0, Ordering::Relaxed),
            false => drop(self.wasted.fetch_add(1, Ordering::Relaxed)),
        }
    }
}

/// Many variables explain nothing.
const FEW: usize = 4;

/// Whether a search found few variables.
pub(crate) enum VariablesFound {
    Few(DecidingDeltas),
    /// This limit ended the search, and this number of variables is left.
    NotNarrowed {
        left: usize,
        limit: LimitReached,
    },
}

/// What a search found.
pub(crate) struct DecidingDeltas {
    pub(crate) deltas: Configuration,
    /// Whether they alone change the outcome.
    pub(crate) alone: bool,
    /// Whether each of them is needed: each single removal was tried.
    pub(crate) is_minimal: bool,
}

/// What a search at a place needs to know about the places before.
pub(crate) struct SearchLimits<'a> {
    pub(crate) transfer: Transfer,
    pub(crate) joint_causes: &'a JointCauses,
    pub(crate) isolations: &'a IsolationLimits,
}

/// Isolates the variables that decide. If they do not decide alone, searches for a few that decide together.
pub(crate) fn search_variables(
    driver: &mut Driver,
    executor: &mut CopyExecutor,
    subject: &StateSubject,
    all: &Configuration,
    name: &StageName,
    limits: &SearchLimits<'_>,
) -> Result<VariablesFound, Halt> {
    let SearchLimits { transfer, joint_causes, isolations } = *limits;
    let isolate = Isolate::with_split(Configuration::empty(), all.clone(), groups(&subject.0));
    let isolate = StopEarly::new(isolate, isolations.limit(transfer));
    let FoundWithinLimit { found, limit } =
        driver.run(executor, &stage(subject, name, Algorithm::Isolate), isolate, &mut |_| {})?;
    let deltas = found.deltas();
    let is_ended = limit.is_some();
    isolations.note_left(transfer, deltas.len() <= FEW);
    if let Some(limit) = limit {
        let left = deltas.len();
        isolations.note_ended(transfer);
        if left > FEW {
            return Ok(VariablesFound::NotNarrowed { left, limit });
        }
    }
    let seen = driver.confirm(executor, name, Purpose::ConfirmAlone, &deltas, None)?;
    let alone = seen.outcome == Outcome::Fail;
    // Without the only variable nothing is left, and that was the baseline.
    if alone && deltas.len() == 1 {
        return Ok(VariablesFound::Few(DecidingDeltas { deltas, alone, is_minimal: true }));
    }
    if !alone && (is_ended || !joint_causes.is_worth_looking()) {
        return Ok(VariablesFound::Few(DecidingDeltas { deltas, alone, is_minimal: false }));
    }
    let enough = if alone { deltas.clone() } else { found.failing };
    let balanced = UnresolvedLimit::new(Balanced::new(enough), MOST_UNRESOLVED);
    let together = driver.run(executor, &stage(subject, name, Algorithm::Balanced), balanced, &mut |_| {})?;
    let together = together.map(|found| found.failing);
    // If there are many, the one that decides together with all others is the better answer.
    let together = together.filter(|together| together.len() <= FEW.max(deltas.len()));
    if !alone {
        joint_causes.note(together.is_some());
    }
    Ok(VariablesFound::Few(match together {
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

pub(crate) fn stage<'a>(subject: &'a StateSubject, name: &'a StageName, search: Algorithm) -> Stage<'a> {
    Stage { subject, name, search, unit: Unit::Variable, knowledge: Knowledge::none() }
}
