//! What differs between two states, as deltas, and what to write to make one state more like the other.

mod align;
mod carrier;
mod compare;
mod container;
mod content;
mod copies;
mod deltas;
mod merge;
mod pairs;
mod patch;
mod plan;
mod resize;
mod roots;
mod side;
mod streams;

#[cfg(test)]
mod tests;

use crate::Address;
use crate::debug::Program;
use crate::graph::{Declarations, ProgramState, VertexId};
use compare::Comparison;
use deltas::DeltaSpot;
use howcome_dd::{Configuration, DeltaId};
use pairs::Pairs;
use plan::AlterationPlan;
use side::StateSide;
use std::collections::HashMap;

/// What the C library calls its stream of the standard input.
const STANDARD_INPUT: &str = "_IO_2_1_stdin_";

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

/// All differences between two states.
#[derive(Debug)]
pub struct Differences {
    /// The deltas, in the order of their groups.
    pub deltas: Vec<StateDelta>,
    /// Differences that can't be carried over: their target has no address in the base run.
    pub dropped: u32,
    /// Blocks that have to be allocated in the base run before anything is written, by size.
    pub allocations: Vec<u64>,
    plan: AlterationPlan,
    /// What each delta changes.
    spots: Vec<Vec<(DeltaSpot, DeltaSpot)>>,
    by_spot: HashMap<(DeltaSpot, DeltaSpot), DeltaId>,
}

/// What is to be done to a stopped base run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alterations {
    /// Bytes to write, in order. Registers are addresses from [`Address::REGISTERS`] on.
    pub writes: Vec<(Address, Vec<u8>)>,
    /// Descriptors that read on in another file or elsewhere.
    pub files: Vec<crate::graph::OpenFile>,
}

impl Differences {
    /// Compares two states of one program at the same place. The base is the one that will be altered.
    #[must_use]
    pub fn between(program: &Program, base: &ProgramState, other: &ProgramState) -> Self {
        Self::of(program, program.symbol(STANDARD_INPUT), base, other)
    }

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

    /// The same for anything that declares types, and where its stream of the standard input is.
    fn of(
        program: &dyn Declarations,
        standard_input: Option<Address>,
        base: &ProgramState,
        other: &ProgramState,
    ) -> Self {
        let (base, other) = StateSide::both(program, base, other);
        let pairs = Pairs::of(&base, &other);
        let mut comparison = Comparison::of(&base, &other, &pairs);
        comparison.unread(standard_input);
        deltas::of(comparison)
    }
}

fn vertices(spots: &(DeltaSpot, DeltaSpot)) -> Option<(VertexId, VertexId)> {
    match spots {
        (DeltaSpot::Vertex(base), DeltaSpot::Vertex(other)) => Some((*base, *other)),
        _ => None,
    }
}
