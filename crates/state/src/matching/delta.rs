//! One difference between two states, as people see it.

use crate::graph::VertexId;

/// How a variable differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeltaKind {
    /// It has another value.
    Changed,
    /// It points to another object that both runs have.
    Redirected,
    /// It points to an object that only the other run has, and which is copied.
    Created,
    /// It no longer points to an object that only the base run has.
    Deleted,
    /// The unread rest of a stream or of an open file differs.
    Unread,
}

/// One difference. Applied to the base run, it makes that run more like the other run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateDelta {
    /// An expression for the variable in the base run.
    pub variable: String,
    /// Its value in the base run.
    pub base: String,
    /// Its value in the other run.
    pub other: String,
    /// How it differs.
    pub kind: DeltaKind,
    /// The vertices that differ, base first; for pointers, the pointers themselves. Descriptors have none.
    pub vertices: Option<(VertexId, VertexId)>,
    /// The groups that it belongs to: a frame or a source file, a variable in it, an object that the variable leads to.
    /// Deltas of one group are neighbours, and the numbers ascend.
    pub group: [u32; 3],
}
