//! The versions of a walk, by number and by distance from the start.

use crate::{Configuration, DeltaId};

/// Where a walk starts in a line of versions, and in which direction it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkRoute {
    /// The number of versions.
    pub count: u32,
    /// The version at which the walk starts.
    pub from: u32,
    /// Whether the walk goes to higher numbers.
    pub is_forward: bool,
}

impl WalkRoute {
    /// The number of versions on the route, including the start.
    #[must_use]
    pub fn len(self) -> u32 {
        if self.is_forward { self.count.saturating_sub(self.from) } else { self.from + 1 }
    }

    /// Whether there are no versions on the route.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The version at a distance from the start.
    #[must_use]
    pub fn at(self, distance: u32) -> u32 {
        if self.is_forward { self.from + distance } else { self.from.saturating_sub(distance) }
    }

    /// The distance of a version from the start. `None` if it is in the other direction.
    #[must_use]
    pub fn distance(self, version: u32) -> Option<u32> {
        if self.is_forward { version.checked_sub(self.from) } else { self.from.checked_sub(version) }
    }

    /// The configuration that stands for a version with the patch.
    #[must_use]
    pub fn patched(self, version: u32) -> Configuration {
        Configuration::empty().with_delta(DeltaId(version))
    }

    /// The configuration that stands for a version without the patch.
    #[must_use]
    pub fn unpatched(self, version: u32) -> Configuration {
        self.patched(version).with_delta(DeltaId(self.count))
    }
}
