//! All differences between two states, and what to write for a configuration of them.

use super::alterations::Alterations;
use super::delta::StateDelta;
use super::plan::AlterationPlan;
use crate::Address;
use crate::graph::VertexId;
use howcome_dd::{Configuration, DeltaId};
use std::collections::HashMap;

/// All differences between two states.
#[derive(Debug)]
pub struct Differences {
    /// The deltas, in the order of their groups.
    pub deltas: Vec<StateDelta>,
    /// The number of differences that cannot be transferred: their target has no address in the base run.
    pub dropped: u32,
    /// The vertices that both states have in common: paired, with the same value.
    pub common: usize,
    /// The sizes of the blocks that must be allocated in the base run before anything is written.
    pub allocations: Vec<u64>,
    pub(super) plan: AlterationPlan,
    /// What each delta changes.
    pub(super) spots: Vec<Vec<(DeltaSpot, DeltaSpot)>>,
    pub(super) by_spot: HashMap<(DeltaSpot, DeltaSpot), DeltaId>,
}

/// What a delta changes; the same in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DeltaSpot {
    /// A value.
    Vertex(VertexId),
    /// An open file that belongs to no vertex.
    Descriptor(i32),
    /// A register of a frame, by the number of the frame and its own.
    Register(usize, usize),
    /// A part of a frame, by the number of the frame and its distance from the end.
    Frame(usize, u64),
}

impl Differences {
    /// What to write for a configuration, given the addresses of the `allocations`.
    #[must_use]
    pub fn alterations(&self, configuration: &Configuration, allocated: &[Address]) -> Alterations {
        self.plan.alterations(configuration, allocated)
    }

    /// The delta of the opposite comparison that undoes a delta of this one.
    #[must_use]
    pub fn counterpart(&self, other: &Self, delta: DeltaId) -> Option<DeltaId> {
        let first = self.spots.get(delta.index())?.first()?;
        let (base, there) = *first;
        other.by_spot.get(&(there, base)).copied()
    }

    /// All vertices that a delta changes, in the base run and in the other run. If several differences are one delta, all of
    /// their vertices.
    pub fn vertices(&self) -> impl Iterator<Item = (VertexId, VertexId)> + '_ {
        self.spots.iter().flatten().filter_map(vertices)
    }

    /// The vertices that one delta changes, in the base run and in the other run.
    pub fn vertices_of(&self, delta: DeltaId) -> impl Iterator<Item = (VertexId, VertexId)> + '_ {
        self.spots.get(delta.index()).into_iter().flatten().filter_map(vertices)
    }
}

fn vertices(spots: &(DeltaSpot, DeltaSpot)) -> Option<(VertexId, VertexId)> {
    match spots {
        (DeltaSpot::Vertex(base), DeltaSpot::Vertex(other)) => Some((*base, *other)),
        _ => None,
    }
}
