//! What was found at a place, or why nothing was found.

use crate::compared_place::ComparedPlace;
use crate::graph::{ProgramState, VertexId};
use crate::run_result::RunResult;
use crate::state_cause::StateCause;
use crate::tracee::TraceError;
use crate::transfer_direction::TransferDirection;
use howcome_dd::LimitReached;

/// The result of examining a place.
pub enum Examination {
    /// Something was found.
    Found(Box<Examined>),
    /// Nothing was found.
    Nothing(NoCause),
}

/// What was found at a place.
#[derive(Debug)]
pub struct Examined {
    /// The place.
    pub place: ComparedPlace,
    /// The vertices of the failing run's memory graph.
    pub vertices: usize,
    /// The edges of the failing run's memory graph.
    pub edges: usize,
    /// The vertices that both memory graphs have in common: paired, with the same value.
    pub common: usize,
    /// The differences that were varied.
    pub deltas: usize,
    /// The differences that could not be transferred to the other run.
    pub dropped: u32,
    /// The variables whose differences spoil the transfer of the failure, and were left out.
    pub left_out: Vec<String>,
    /// The tests of the search at this place.
    pub tests: u64,
    /// Which run was altered.
    pub direction: TransferDirection,
    /// The variables that decide.
    pub causes: Vec<StateCause>,
    /// Whether each of them is needed: each single removal was tried.
    pub is_minimal: bool,
    /// What the two runs do from here on.
    pub ends: UnalteredResults,
    /// The state of the passing run, then that of the failing run.
    pub states: [ProgramState; 2],
    /// The vertices that differ: in the passing graph, then in the failing graph.
    pub differing: Vec<[VertexId; 2]>,
}

/// What the two runs do from a place on if they are not altered.
#[derive(Clone, Debug)]
pub struct UnalteredResults {
    /// The passing run.
    pub passing: RunResult,
    /// The failing run.
    pub failing: RunResult,
}

/// Why nothing was found at a place.
#[derive(Clone, Debug, PartialEq)]
pub enum NoCause {
    /// From here on both runs do the same: the outcome was decided before.
    DecidedBefore,
    /// The two states do not differ.
    NoDifference,
    /// All differences together do not transfer the failure, in either direction.
    NotTransferable {
        /// The differences that were transferred.
        deltas: usize,
        /// The differences that could not be transferred.
        dropped: u32,
        /// What the passing run does with all of them.
        instead: String,
        /// The fewest variables that were found to spoil it, if that was tried.
        spoilers: Vec<String>,
    },
    /// The failure can be transferred, but a limit ended the search for the variables that decide.
    NotNarrowed {
        /// The variables that are left.
        left: usize,
        /// The limit.
        limit: LimitReached,
    },
    /// A copy of a run does not do what the run itself does.
    NotRepeatable(&'static str),
    /// The runs cannot be compared there.
    NotLooked(TraceError),
}

impl NoCause {
    /// Adds what a later attempt showed: the variables that spoil the transfer in the same direction, or that the failure can
    /// be transferred in another way.
    pub(crate) fn add_later(&mut self, later: Self, direction: TransferDirection) {
        if matches!(later, Self::NotNarrowed { .. }) {
            *self = later;
            return;
        }
        if let (
            Self::NotTransferable { spoilers, .. },
            Self::NotTransferable { spoilers: found, .. },
            TransferDirection::Forward,
        ) = (self, later, direction)
        {
            *spoilers = found;
        }
    }
}
