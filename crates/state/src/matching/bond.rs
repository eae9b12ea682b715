//! Why differences belong together.

use crate::graph::{MemoryObjectId, VertexId};

/// Differences that share a bond belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Bond {
    /// Parts of one container, by its vertices.
    Container((VertexId, VertexId)),
    /// Pointers of one record that lead into one object: begin, end and capacity of a block.
    Block { record: VertexId, object: MemoryObjectId, is_other: bool },
    /// Bytes after the ends of texts that nothing points to.
    Leftovers,
    /// An object that is moved into a longer or shorter block.
    Resized(MemoryObjectId),
}
