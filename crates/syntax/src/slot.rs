//! What a grammar allows at a position in a tree.

use std::collections::HashSet;
use std::sync::Arc;

/// The position of a node in its parent, as the grammar describes it.
#[derive(Clone, Debug, Default)]
pub struct GrammarSlot {
    /// Whether there can be several such nodes, such as the statements of a block.
    pub is_repeated: bool,
    /// Whether there must be at least one.
    pub is_required: bool,
    /// The kinds of nodes that the grammar allows here. `None` if it does not say.
    pub kinds: Option<Arc<HashSet<&'static str>>>,
}

impl GrammarSlot {
    /// Whether the grammar allows the node to be removed.
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
