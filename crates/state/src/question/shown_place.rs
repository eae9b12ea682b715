//! The memory of the failing run at a place, for drawings: what differs from the passing run, and what decides.

use crate::debug::Program;
use crate::graph::{ProgramState, VertexId};
use crate::{ComparedPlace, ComparedStates, Examined};

/// The memory of the failing run at a place.
#[derive(Debug)]
pub struct ShownPlace<'a> {
    /// The program.
    pub program: &'a Program,
    /// The place.
    pub place: &'a ComparedPlace,
    /// The state of the failing run.
    pub failing: &'a ProgramState,
    /// The vertices that decide.
    pub causes: Vec<VertexId>,
    /// The vertices that differ, those that decide among them.
    pub differing: Vec<VertexId>,
}

impl<'a> ShownPlace<'a> {
    /// A place at which something was found.
    pub(super) fn found(program: &'a Program, examined: &'a Examined) -> Self {
        let causes = examined.causes.iter().filter_map(|cause| cause.vertices);
        Self {
            program,
            place: &examined.place,
            failing: &examined.states[1],
            causes: causes.map(|[_, failing]| failing).collect(),
            differing: examined.differing.iter().map(|[_, failing]| *failing).collect(),
        }
    }

    /// A place at which nothing was found.
    pub(super) fn compared(
        program: &'a Program,
        place: &'a ComparedPlace,
        states: &'a ComparedStates,
    ) -> Self {
        Self {
            program,
            place,
            failing: &states.states[1],
            causes: Vec::new(),
            differing: states.differing.iter().map(|[_, failing]| *failing).collect(),
        }
    }
}
