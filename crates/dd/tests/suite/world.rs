//! Small worlds: the outcome of each subset of a few deltas. Subsets are written as bits.

use howcome_dd::{Configuration, DeltaId, Outcome};
use proptest::collection::vec;
use proptest::prelude::*;
use std::fmt;

#[derive(Clone)]
pub(crate) struct World {
    pub(crate) size: u32,
    outcomes: Vec<Outcome>,
}

impl World {
    /// A world made by a rule. The empty set always passes, and all deltas always fail.
    pub(crate) fn new(size: u32, rule: impl Fn(u32) -> Outcome) -> Self {
        let mut outcomes: Vec<Outcome> = (0..1 << size).map(rule).collect();
        outcomes[0] = Outcome::Pass;
        outcomes[(1 << size) - 1] = Outcome::Fail;
        Self { size, outcomes }
    }

    /// A world that fails if and only if all needed deltas are applied.
    pub(crate) fn needing(size: u32, needed: u32) -> Self {
        Self::new(size, |bits| if bits & needed == needed { Outcome::Fail } else { Outcome::Pass })
    }

    /// The same world except for one outcome.
    pub(crate) fn but(mut self, bits: u32, outcome: Outcome) -> Self {
        self.outcomes[bits as usize] = outcome;
        self
    }

    pub(crate) fn all(&self) -> Configuration {
        Configuration::all(self.size)
    }

    pub(crate) fn of(&self, bits: u32) -> Outcome {
        self.outcomes[bits as usize]
    }

    pub(crate) fn test(&self, configuration: &Configuration) -> Outcome {
        self.of(bits(configuration))
    }
}

/// The outcomes in the order of their bits.
impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signs: String = self.outcomes.iter().map(|outcome| outcome.sign()).collect();
        write!(f, "{} deltas: {signs}", self.size)
    }
}

pub(crate) fn bits(configuration: &Configuration) -> u32 {
    configuration.iter().map(|delta| 1 << delta.0).sum()
}

pub(crate) fn set(bits: u32) -> Configuration {
    members(bits).map(DeltaId).collect()
}

pub(crate) fn members(bits: u32) -> impl Iterator<Item = u32> {
    (0..32).filter(move |delta| bits >> delta & 1 == 1)
}

/// Any world: outcomes at random, few or many of them unresolved.
pub(crate) fn any_world(sizes: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = World> {
    (sizes, 1..6u32, 1..6u32, prop_oneof![0..6u32, 6..40u32]).prop_flat_map(
        |(size, pass, fail, unresolved)| {
            let outcome = prop_oneof![
                pass => Just(Outcome::Pass),
                fail => Just(Outcome::Fail),
                unresolved => Just(Outcome::Unresolved),
            ];
            vec(outcome, 1 << size).prop_map(move |outcomes| World::new(size, |bits| outcomes[bits as usize]))
        },
    )
}

/// The size and the needed deltas of a monotone, unambiguous and consistent world.
pub(crate) fn needed_of(sizes: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = (u32, u32)> {
    sizes.prop_flat_map(|size| (Just(size), 1..1u32 << size))
}

/// Disjoint groups of some of the deltas. They need not be runs.
pub(crate) fn groups_of(size: u32, labels: &[u8]) -> Vec<Configuration> {
    let group = |label: u8| -> Configuration {
        (0..size).filter(|delta| labels[*delta as usize] == label).map(DeltaId).collect()
    };
    (1..=4).map(group).filter(|group| !group.is_empty()).collect()
}
