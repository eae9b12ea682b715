//! One difference between two states, as people see it.

use crate::graph::VertexId;

/// What kind of difference it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeltaKind {
    /// Another value.
    Changed,
    /// A pointer to something else that both runs have.
    Redirected,
    /// A pointer to something that only the other run has: it is made.
    Created,
    /// A pointer that no longer leads to something that only the base run has.
    Deleted,
    /// The rest of a stream or of an open file.
    Unread,
}

/// One difference: the base run with it is more like the other run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateDelta {
    /// The variable as an expression, as the base run names it.
    pub variable: String,
    /// Its value in the base run.
    pub base: String,
    /// Its value in the other run.
    pub other: String,
    /// What kind of difference.
    pub kind: DeltaKind,
    /// The vertices that differ, base first; those of the pointers for pointers. Descriptors have none.
    pub vertices: Option<(VertexId, VertexId)>,
    /// Which groups it belongs to: a frame or a source file, a variable of it, an object that the variable leads to. Deltas of
    /// one group are neighbours, and the numbers ascend.
    pub group: [u32; 3],
}
