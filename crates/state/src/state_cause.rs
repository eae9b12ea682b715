//! A variable whose value decides.

use crate::graph::VertexId;
use crate::matching::{DeltaKind, Differences};
use crate::transfer_direction::TransferDirection;
use howcome_dd::DeltaId;

/// A variable whose value decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateCause {
    /// As an expression at the place.
    pub variable: String,
    /// Its value in the failing run,
    pub failing: String,
    /// and in the passing run.
    pub passing: String,
    /// What kind of difference.
    pub kind: DeltaKind,
    /// The vertices: of the passing graph, of the failing graph; a file that no stream owns has none.
    pub vertices: Option<[VertexId; 2]>,
    /// All vertices that change with it, these among them: the other pointers to a node that is lost, for example.
    pub along: Vec<[VertexId; 2]>,
    /// Put into the passing run alone, the passing run fails; `None` if it was not tried.
    pub alone_fails: Option<bool>,
    /// Taken from the failing run alone, the failing run passes.
    pub without_passes: Option<bool>,
}

impl StateCause {
    /// The variable of a delta, in the words of both runs.
    pub(crate) fn of_delta(
        differences: &Differences,
        id: DeltaId,
        direction: TransferDirection,
        alone_fails: Option<bool>,
        without_passes: Option<bool>,
    ) -> Self {
        let delta = &differences.deltas[id.index()];
        let (passing, failing) = direction.in_order(delta.base.clone(), delta.other.clone());
        Self {
            variable: delta.variable.clone(),
            failing,
            passing,
            kind: delta.kind,
            vertices: delta.vertices.map(|pair| direction.pair(pair)),
            along: differences.vertices_of(id).map(|pair| direction.pair(pair)).collect(),
            alone_fails,
            without_passes,
        }
    }
}
