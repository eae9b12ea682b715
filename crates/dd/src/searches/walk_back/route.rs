//! Versions by their numbers, and by how far away they are.

use crate::{Configuration, DeltaId};

/// Where a walk begins in a line of versions, and which way it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkRoute {
    /// How many versions there are.
    pub count: u32,
    /// The one where the walk begins.
    pub from: u32,
    /// Whether it goes to higher numbers.
    pub is_forward: bool,
}

impl WalkRoute {
    /// How many places the walk may see, that where it begins included.
    #[must_use]
    pub fn len(self) -> u32 {
        if self.is_forward { self.count.saturating_sub(self.from) } else { self.from + 1 }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The number of the version at a distance.
    #[must_use]
    pub fn at(self, distance: u32) -> u32 {
        if self.is_forward { self.from + distance } else { self.from.saturating_sub(distance) }
    }

    /// How far away a version is, if the walk may come there.
    #[must_use]
    pub fn distance(self, version: u32) -> Option<u32> {
        if self.is_forward { version.checked_sub(self.from) } else { self.from.checked_sub(version) }
    }

    /// A version with what is carried along.
    #[must_use]
    pub fn patched(self, version: u32) -> Configuration {
        Configuration::empty().with_delta(DeltaId(version))
    }

    /// A version as it is.
    #[must_use]
    pub fn unpatched(self, version: u32) -> Configuration {
        self.patched(version).with_delta(DeltaId(self.count))
    }
}
