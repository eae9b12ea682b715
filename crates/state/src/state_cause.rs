//! A variable whose value decides.

use crate::graph::VertexId;
use crate::matching::{DeltaKind, Differences};
use crate::transfer_direction::TransferDirection;
use howcome_dd::DeltaId;

/// A variable whose value decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateCause {
    /// An expression for it at the place.
    pub variable: String,
    /// Its value in the failing run.
    pub failing: String,
    /// Its value in the passing run.
    pub passing: String,
    /// How it differs.
    pub kind: DeltaKind,
    /// Its vertices in the passing and in the failing graph. A file that no stream owns has none.
    pub vertices: Option<[VertexId; 2]>,
    /// All vertices that change with it, itself included: for example all pointers to a node that is lost.
    pub along: Vec<[VertexId; 2]>,
    /// Whether it alone makes the passing run fail; `None` if that was not tried.
    pub alone_fails: Option<bool>,
    /// Whether the failing run passes without it; `None` if that was not tried.
    pub without_passes: Option<bool>,
}

impl StateCause {
    /// The variable of a delta, with its values in both runs.
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
