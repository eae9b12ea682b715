//! Which members the unions with a tag have, as far as the memory tells.

use crate::debug::TypeId;
use std::collections::HashMap;

/// A tag: the type of the union, and the value of a number or an enumeration beside it or at its start.
pub(super) type TagValue = (TypeId, u64);

/// How many unions with a tag have which member for good reasons. Members are numbers of names.
#[derive(Debug, Default)]
pub(super) struct MemberVotes(HashMap<(TagValue, u32), u32>);

impl MemberVotes {
    /// Counts a union with this tag and this member.
    pub(super) fn add(&mut self, tag: TagValue, member: u32) {
        *self.0.entry((tag, member)).or_default() += 1;
    }

    /// How many unions with this tag have this member.
    pub(super) fn count(&self, tag: TagValue, member: u32) -> u32 {
        self.0.get(&(tag, member)).copied().unwrap_or(0)
    }
}
