//! The rest of a buffer that differs.

use crate::graph::VertexId;

/// Bytes after the end of a text, up to the end of its buffer, that differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct BufferRest {
    /// The text in the base run and in the other run.
    pub(super) base: VertexId,
    pub(super) other: VertexId,
    /// The outermost container of the text, in both runs.
    pub(super) container: Option<(VertexId, VertexId)>,
    /// The index of the pair of objects that it is in.
    pub(super) pair: usize,
    /// The number of bytes of the buffer before it.
    pub(super) offset: u64,
    pub(super) length: u64,
}
