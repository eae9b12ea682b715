//! What was found at a place, or why nothing was found there.

use crate::compared_place::ComparedPlace;
use crate::graph::{ProgramState, VertexId};
use crate::run_result::RunResult;
use crate::state_cause::StateCause;
use crate::tracee::TraceError;
use crate::transfer_direction::TransferDirection;

/// How examining a place ends.
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
    /// Vertices and edges of the failing run's memory graph.
    pub vertices: usize,
    /// Edges.
    pub edges: usize,
    /// Differences that could be varied,
    pub deltas: usize,
    /// and such that could not be carried over.
    pub dropped: u32,
    /// Tests that were told at this place.
    pub tests: u64,
    /// Which run was altered.
    pub direction: TransferDirection,
    /// The variables that decide, and what else there is to see.
    pub causes: Vec<StateCause>,
    /// Each of them is needed: that was tried.
    pub is_minimal: bool,
    /// What the two runs do from here on.
    pub ends: UnalteredResults,
    /// The states, for looking at: of the passing run, of the failing run.
    pub states: [ProgramState; 2],
    /// The vertices that differ: of the passing graph, of the failing graph.
    pub differing: Vec<[VertexId; 2]>,
}

/// What the two runs do from a place on, unaltered.
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
    /// From here on both runs do the same: it was decided before.
    DecidedBefore,
    /// No difference can be seen.
    NoDifference,
    /// All differences together do not carry the failure over, in neither direction.
    NotTransferable {
        /// Differences that were carried over,
        deltas: usize,
        /// and those that could not be.
        dropped: u32,
        /// What the passing run does with all of them.
        instead: String,
    },
    /// A copy of a run does not do what the run itself does.
    NotRepeatable(&'static str),
    /// The run can't be looked at there.
    NotLooked(TraceError),
}
