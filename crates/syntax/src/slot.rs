//! What a grammar says of a place in a tree.

use std::collections::HashSet;
use std::sync::Arc;

/// The place of a node in its parent, as the grammar has it.
#[derive(Clone, Debug, Default)]
pub struct Slot {
    /// Whether there may be several such nodes, as the statements of a block.
    pub is_repeated: bool,
    /// Whether there must be (at least) one.
    pub is_required: bool,
    /// The kinds of nodes that may stand here; none where the grammar does not say.
    pub kinds: Option<Arc<HashSet<&'static str>>>,
}

impl Slot {
    /// Whether the grammar allows to leave the node out.
    #[must_use]
    pub fn can_go(&self) -> bool {
        self.kinds.is_some() && (self.is_repeated || !self.is_required)
    }

    /// Whether the grammar allows a node of this kind here.
    #[must_use]
    pub fn allows(&self, kind: &str) -> bool {
        self.kinds.as_ref().is_some_and(|kinds| kinds.contains(kind))
    }
}
