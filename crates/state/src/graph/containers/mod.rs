//! Containers, which hide the type of what they hold, or how much of it there is.

use super::VertexId;
use super::declarations::Declarations;
use super::read::Reader;
use crate::debug::Record;

/// A container of a standard library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {}

impl Container {
    /// The container that a record is, by its name.
    pub(super) fn of(_record: &Record, _source: &dyn Declarations) -> Option<Self> {
        None
    }
}

impl Reader<'_> {
    /// Adds what a container holds.
    pub(super) fn read_container(&mut self, _vertex: VertexId) {}
}
