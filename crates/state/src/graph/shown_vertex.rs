//! A vertex as people see it.

use super::VertexId;

/// What a vertex is to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum VertexMark {
    /// Both runs have the same value.
    #[default]
    Same,
    /// The runs differ in it.
    Differs,
    /// It is a cause.
    Cause,
}

/// A vertex as it is shown.
pub(super) struct ShownVertex {
    pub(super) id: VertexId,
    pub(super) name: String,
    pub(super) value: String,
    pub(super) mark: VertexMark,
}
