//! Worlds in which the right answer is known.

use crate::random::{Random, mixed};
use howcome_dd::{Configuration, DeltaId, Outcome};

/// A number of deltas, of which some together cause the failure.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) name: &'static str,
    pub(crate) deltas: u32,
    pub(crate) needed: Configuration,
    /// Two of three configurations that do not fail are unresolved.
    pub(crate) unresolved: bool,
}

impl World {
    pub(crate) fn new(name: &'static str, deltas: u32, needed: impl IntoIterator<Item = u32>) -> Self {
        let needed = needed.into_iter().map(DeltaId).collect();
        Self { name, deltas, needed, unresolved: false }
    }

    /// The same world, but most configurations that do not fail are unresolved.
    pub(crate) fn mostly_unresolved(self, name: &'static str) -> Self {
        Self { name, unresolved: true, ..self }
    }

    pub(crate) fn all(&self) -> Configuration {
        Configuration::all(self.deltas)
    }

    pub(crate) fn outcome(&self, configuration: &Configuration) -> Outcome {
        if self.needed.is_subset(configuration) {
            Outcome::Fail
        } else if self.unresolved && !mixed(configuration.fingerprint(), 7).is_multiple_of(3) {
            Outcome::Unresolved
        } else {
            Outcome::Pass
        }
    }
}

/// Random deltas.
pub(crate) fn scattered(random: &mut Random, deltas: u32, count: u32) -> Vec<u32> {
    let mut chosen = std::collections::BTreeSet::new();
    while chosen.len() < count as usize {
        chosen.insert(random.below(deltas));
    }
    chosen.into_iter().collect()
}

/// Consecutive deltas.
pub(crate) fn together(random: &mut Random, deltas: u32, count: u32) -> Vec<u32> {
    let first = random.below(deltas - count + 1);
    (first..first + count).collect()
}

/// Deltas in runs of one to six.
pub(crate) fn in_runs(random: &mut Random, deltas: u32, count: u32) -> Vec<u32> {
    let mut chosen = std::collections::BTreeSet::new();
    while chosen.len() < count as usize {
        let first = random.below(deltas);
        let length = 1 + random.below(6);
        for delta in (first..deltas).take(length as usize) {
            if chosen.len() < count as usize {
                chosen.insert(delta);
            }
        }
    }
    chosen.into_iter().collect()
}
