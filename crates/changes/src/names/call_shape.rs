//! How many arguments a function takes, and a call has.

/// How many arguments a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CallShape {
    pub(super) least: u32,
    /// `None` if there is no limit.
    pub(super) most: Option<u32>,
}

impl CallShape {
    /// Any number.
    pub(super) const ANY: Self = Self { least: 0, most: None };

    pub(super) fn exactly(count: u32) -> Self {
        Self { least: count, most: Some(count) }
    }

    pub(super) fn takes(self, arguments: u32) -> bool {
        self.least <= arguments && self.most.is_none_or(|most| arguments <= most)
    }
}
