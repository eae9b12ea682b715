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
    /// Differences that can't be carried over: their target has no address in the base run.
    pub dropped: u32,
    /// Blocks that have to be allocated in the base run before anything is written, by size.
    pub allocations: Vec<u64>,
    pub(super) plan: AlterationPlan,
    /// What each delta changes.
    pub(super) spots: Vec<Vec<(DeltaSpot, DeltaSpot)>>,
    pub(super) by_spot: HashMap<(DeltaSpot, DeltaSpot), DeltaId>,
}

/// Something that a delta changes, the same in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DeltaSpot {
    /// A value.
    Vertex(VertexId),
    /// An open file that belongs to no vertex.
    Descriptor(i32),
}

impl Differences {
    /// What to do for a configuration, given where the blocks of `allocations` are.
    #[must_use]
    pub fn alterations(&self, configuration: &Configuration, allocated: &[Address]) -> Alterations {
        self.plan.alterations(configuration, allocated)
    }

    /// The delta of the comparison the other way round that takes a delta of this one back.
    #[must_use]
    pub fn counterpart(&self, other: &Self, delta: DeltaId) -> Option<DeltaId> {
        let first = self.spots.get(delta.index())?.first()?;
        let (base, there) = *first;
        other.by_spot.get(&(there, base)).copied()
    }

    /// All vertices that some delta changes, of the base run and of the other run; where several differences are one delta,
    /// each of them.
    pub fn vertices(&self) -> impl Iterator<Item = (VertexId, VertexId)> + '_ {
        self.spots.iter().flatten().filter_map(vertices)
    }

    /// The vertices that one delta changes, of the base run and of the other run.
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
