//! Graphs for other programs and for people. JSON holds the whole graph; DOT and drawings show the part near the differences.

use super::{Declarations, Label, MemoryGraph, Shape, VertexId};
use crate::Snapshot;
use howcome_run::{GraphEdge, GraphPart, GraphVertex};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

/// The role of a vertex in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum VertexMark {
    /// Both runs have the same value.
    #[default]
    Same,
    /// The runs differ in it.
    Differs,
    /// It is a cause.
    Cause,
}

/// A graph to be exported.
pub struct GraphExport<'a> {
    /// The graph.
    pub graph: &'a MemoryGraph,
    /// The program.
    pub program: &'a dyn Declarations,
    /// The memory from which the graph was read.
    pub snapshot: &'a Snapshot,
    /// The role of each vertex.
    pub mark: &'a dyn Fn(VertexId) -> VertexMark,
    /// The vertices in the middle. If there are none, those that differ or decide; if there are none either, the variables.
    pub around: &'a [VertexId],
    /// Vertices within this number of edges around them are shown.
    pub depth: u32,
    /// Whether DOT and drawings show all vertices, however many.
    pub everything: bool,
}

/// DOT and drawings show at most this number of vertices, unless everything is requested.
const MOST_SHOWN: usize = 400;

impl GraphExport<'_> {
    /// The part near the differences in the language of Graphviz.
    #[must_use]
    pub fn dot(&self) -> String {
        let GraphPart { vertices, edges } = self.part();
        let mut text = String::from(
            "digraph memory {\n  rankdir=LR;\n  node [shape=box, style=filled, fillcolor=white, fontname=monospace];\n",
        );
        for vertex in &vertices {
            let style = match (vertex.is_cause, vertex.is_different) {
                (true, _) => ", fillcolor=\"#ff9d8a\", penwidth=3",
                (false, true) => ", fillcolor=\"#ffd9a0\"",
                (false, false) => "",
            };
            let label = escaped(&format!("{} = {}", vertex.name, vertex.value));
            let _ = writeln!(text, "  v{} [label=\"{label}\"{style}];", vertex.id);
        }
        for GraphEdge { from, to, label } in edges {
            let _ = writeln!(text, "  v{from} -> v{to} [label=\"{}\"];", escaped(&label));
        }
        text.push_str("}\n");
        text
    }

    /// The vertices near the differences, and the edges between them: the part that DOT and drawings show.
    #[must_use]
    pub fn part(&self) -> GraphPart {
        let shown = self.shown();
        let vertices = shown.iter().map(|vertex| self.vertex(*vertex)).collect();
        GraphPart { vertices, edges: self.edges(&shown) }
    }

    /// The number of vertices that are not near the differences.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.graph.vertices.len() - self.shown().len()
    }

    /// All vertices and edges as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        let mut text = String::from("{\n\"version\": 1,\n\"vertices\": [");
        for index in 0..self.graph.vertices.len() as u32 {
            let shown = self.vertex(VertexId(index));
            let vertex = &self.graph.vertices[index as usize];
            let separator = if index == 0 { "\n" } else { ",\n" };
            let _ = write!(
                text,
                "{separator}{{\"id\": {index}, \"name\": {}, \"value\": {}, \"type\": {}, \"shape\": \"{}\", \"at\": \"{}\", \
                 \"object\": {}, \"differs\": {}, \"cause\": {}}}",
                quoted(&shown.name),
                quoted(&shown.value),
                quoted(&self.program.type_name(vertex.ty)),
                shape_name(vertex.shape),
                vertex.at,
                vertex.object.0,
                shown.is_different,
                shown.is_cause,
            );
        }
        text.push_str("\n],\n\"edges\": [");
        let mut separator = "\n";
        for index in 0..self.graph.vertices.len() as u32 {
            for edge in self.graph.edges_of(VertexId(index)) {
                let label = quoted(&self.label(&edge.label));
                let _ = write!(
                    text,
                    "{separator}{{\"from\": {index}, \"to\": {}, \"label\": {label}}}",
                    edge.to.0
                );
                separator = ",\n";
            }
        }
        text.push_str("\n],\n\"roots\": [");
        for (index, root) in self.graph.roots.iter().enumerate() {
            let separator = if index == 0 { "\n" } else { ",\n" };
            let label = quoted(&self.label(&root.label));
            let _ = write!(text, "{separator}{{\"to\": {}, \"label\": {label}}}", root.to.0);
        }
        let MemoryGraph { dangling, left_out, .. } = self.graph;
        let _ = write!(text, "\n],\n\"dangling\": {dangling},\n\"left_out\": {left_out}\n}}\n");
        text
    }

    fn shown(&self) -> Vec<VertexId> {
        let all = || (0..self.graph.vertices.len() as u32).map(VertexId);
        if self.everything {
            return all().collect();
        }
        let mut front: Vec<VertexId> = self.around.to_vec();
        if front.is_empty() {
            front = all().filter(|vertex| (self.mark)(*vertex) != VertexMark::Same).collect();
        }
        if front.is_empty() {
            front = self.graph.roots.iter().map(|root| root.to).collect();
        }
        front.truncate(MOST_SHOWN);
        let mut shown: BTreeSet<VertexId> = front.iter().copied().collect();
        for _ in 0..self.depth {
            let mut next = Vec::new();
            for vertex in front {
                let parent = self.graph.vertices[vertex.0 as usize].parent;
                let below = self.graph.edges_of(vertex).iter().map(|edge| edge.to);
                for near in parent.into_iter().chain(below) {
                    if shown.len() < MOST_SHOWN && shown.insert(near) {
                        next.push(near);
                    }
                }
            }
            front = next;
        }
        shown.into_iter().collect()
    }

    fn vertex(&self, id: VertexId) -> GraphVertex {
        let mark = (self.mark)(id);
        GraphVertex {
            id: id.0.into(),
            name: self.graph.expression(self.program, id),
            value: self.graph.value(self.program, self.snapshot, id),
            passing: None,
            is_different: mark != VertexMark::Same,
            is_cause: mark == VertexMark::Cause,
        }
    }

    /// The edges between vertices that are shown.
    fn edges(&self, shown: &[VertexId]) -> Vec<GraphEdge> {
        let is_shown: HashSet<VertexId> = shown.iter().copied().collect();
        let of = |from: &VertexId| {
            let from = *from;
            self.graph.edges_of(from).iter().map(move |edge| (from, edge))
        };
        shown
            .iter()
            .flat_map(of)
            .filter(|(_, edge)| is_shown.contains(&edge.to))
            .map(|(from, edge)| GraphEdge {
                from: from.0.into(),
                to: edge.to.0.into(),
                label: self.label(&edge.label),
            })
            .collect()
    }

    fn label(&self, label: &Label) -> String {
        match label {
            Label::Global(name) | Label::Local(_, name) => self.graph.name(*name).to_owned(),
            Label::Member(name) => format!(".{}", self.graph.name(*name).trim_start_matches('#')),
            Label::Case(name) => self.graph.name(*name).to_owned(),
            Label::Element(index) | Label::Item(index) => format!("[{index}]"),
            Label::Target => String::from("*"),
        }
    }
}

fn shape_name(shape: Shape) -> &'static str {
    match shape {
        Shape::Scalar(_) => "scalar",
        Shape::Bits(_) => "bits",
        Shape::Pointer => "pointer",
        Shape::Record => "record",
        Shape::Array(_) => "array",
        Shape::Text(_) => "text",
        Shape::Stream => "stream",
    }
}

/// The inside of a DOT string.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            control if control < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", control as u32);
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
