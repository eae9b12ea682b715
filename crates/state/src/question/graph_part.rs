//! The part of the failing run's memory graph that the report draws: what decides, and what is around it.

use crate::debug::Program;
use crate::graph::{Label, MemoryGraph, ProgramState, VertexId};
use crate::{Examined, StateCause};
use howcome_run::words::printable;
use howcome_run::{GraphEdge, GraphPart, GraphVertex};
use std::collections::{HashMap, HashSet};

/// At most this number of vertices is drawn.
const MOST: usize = 40;
/// At most this number of vertices on the way to a cause: a long list is not followed back to its variable.
const MOST_PARENTS: usize = 8;
/// At most this number of vertices that a cause leads to, and of its siblings that differ.
const MOST_BESIDE: usize = 8;

/// The causes and what is around them.
pub(super) fn graph_around_causes(examined: &Examined, program: &Program) -> GraphPart {
    let [passing, failing] = &examined.states;
    let differing: HashMap<VertexId, VertexId> =
        examined.differing.iter().map(|[passing, failing]| (*failing, *passing)).collect();
    let causes: HashMap<VertexId, &StateCause> = examined
        .causes
        .iter()
        .filter_map(|cause| cause.vertices.map(|[_, failing]| (failing, cause)))
        .collect();
    let order: Vec<VertexId> =
        examined.causes.iter().filter_map(|cause| cause.vertices.map(|[_, failing]| failing)).collect();
    let chosen = near(&failing.graph, &order, &examined.differing);
    let value =
        |state: &ProgramState, vertex| printable(&state.graph.value(program, &state.snapshot, vertex));
    let vertex = |vertex: &VertexId| match (causes.get(vertex), differing.get(vertex)) {
        (Some(cause), _) => GraphVertex {
            id: vertex.0.into(),
            name: cause.variable.clone(),
            value: printable(&cause.failing),
            passing: Some(printable(&cause.passing)),
            is_different: true,
            is_cause: true,
        },
        (None, other) => GraphVertex {
            id: vertex.0.into(),
            name: failing.graph.expression(program, *vertex),
            value: value(failing, *vertex),
            passing: other.map(|other| value(passing, *other)),
            is_different: other.is_some(),
            is_cause: false,
        },
    };
    GraphPart { vertices: chosen.iter().map(vertex).collect(), edges: edges(&failing.graph, &chosen) }
}

/// The causes, the vertices on the way to them, the vertices after them, their siblings that differ; then other differences.
fn near(graph: &MemoryGraph, causes: &[VertexId], differing: &[[VertexId; 2]]) -> Vec<VertexId> {
    let differs: HashSet<VertexId> = differing.iter().map(|[_, failing]| *failing).collect();
    let parent = |vertex: VertexId| graph.vertices[vertex.0 as usize].parent;
    let mut chosen = SurroundingVertices::default();
    chosen.add(causes.iter().copied());
    for cause in causes {
        chosen.add(std::iter::successors(parent(*cause), |vertex| parent(*vertex)).take(MOST_PARENTS));
    }
    for cause in causes {
        chosen.add(graph.edges_of(*cause).iter().map(|edge| edge.to).take(MOST_BESIDE));
    }
    for cause in causes {
        let siblings = parent(*cause).map(|parent| graph.edges_of(parent)).unwrap_or_default();
        let siblings = siblings.iter().map(|edge| edge.to).filter(|sibling| differs.contains(sibling));
        chosen.add(siblings.take(MOST_BESIDE));
    }
    for [_, failing] in differing {
        if chosen.list.len() + 1 < MOST {
            chosen.add([Some(*failing), parent(*failing)].into_iter().flatten());
        }
    }
    chosen.list
}

/// A limited number of vertices, each once.
#[derive(Default)]
struct SurroundingVertices {
    list: Vec<VertexId>,
    known: HashSet<VertexId>,
}

impl SurroundingVertices {
    fn add(&mut self, vertices: impl Iterator<Item = VertexId>) {
        for vertex in vertices {
            if self.list.len() < MOST && self.known.insert(vertex) {
                self.list.push(vertex);
            }
        }
    }
}

/// The edges between vertices.
fn edges(graph: &MemoryGraph, chosen: &[VertexId]) -> Vec<GraphEdge> {
    let known: HashSet<VertexId> = chosen.iter().copied().collect();
    let of = |from: &VertexId| {
        let from = *from;
        graph.edges_of(from).iter().map(move |edge| (from, edge))
    };
    chosen
        .iter()
        .flat_map(of)
        .filter(|(_, edge)| known.contains(&edge.to))
        .map(|(from, edge)| GraphEdge {
            from: from.0.into(),
            to: edge.to.0.into(),
            label: label(graph, &edge.label),
        })
        .collect()
}

/// The label of an edge: `.next`, `[5]`, `*`.
fn label(graph: &MemoryGraph, label: &Label) -> String {
    let name = |name: &u32| graph.names.get(*name as usize).map(String::as_str).unwrap_or_default();
    match label {
        Label::Global(variable) | Label::Local(_, variable) => name(variable).to_owned(),
        Label::Member(member) => match name(member) {
            hidden if hidden.starts_with('#') => String::new(),
            name => format!(".{name}"),
        },
        Label::Case(case) => name(case).to_owned(),
        Label::Element(number) | Label::Item(number) => format!("[{number}]"),
        Label::Target => "*".to_owned(),
    }
}
