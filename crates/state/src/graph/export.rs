//! Graphs for other programs and for people: JSON holds all of a graph, DOT and SVG what is near the differences.

use super::shown_vertex::{ShownVertex, VertexMark};
use super::svg;
use super::{Declarations, Label, MemoryGraph, Shape, VertexId};
use crate::Snapshot;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

/// A graph that is to be shown.
pub struct Picture<'a> {
    /// The graph,
    pub graph: &'a MemoryGraph,
    /// the program that it is of,
    pub program: &'a dyn Declarations,
    /// and the bytes that it was read from.
    pub snapshot: &'a Snapshot,
    /// What each vertex is to the search.
    pub mark: &'a dyn Fn(VertexId) -> VertexMark,
    /// Which vertices are of interest; if there are none, those with a mark, and else the variables.
    pub around: &'a [VertexId],
    /// How many edges away from them others are shown.
    pub depth: u32,
    /// Whether all vertices are shown in DOT and SVG, however many.
    pub everything: bool,
}

/// DOT and SVG show no more than this, unless everything is asked for.
const MOST_SHOWN: usize = 400;

impl Picture<'_> {
    /// For Graphviz.
    #[must_use]
    pub fn dot(&self) -> String {
        let nodes = self.nodes();
        let mut text = String::from(
            "digraph memory {\n  rankdir=LR;\n  node [shape=box, style=filled, fillcolor=white, fontname=monospace];\n",
        );
        for node in &nodes {
            let style = match node.mark {
                VertexMark::Same => "",
                VertexMark::Differs => ", fillcolor=\"#ffd9a0\"",
                VertexMark::Cause => ", fillcolor=\"#ff9d8a\", penwidth=3",
            };
            let label = format!("{} = {}", node.name, node.value).replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "  v{} [label=\"{label}\"{style}];", node.id.0);
        }
        for (from, to, label) in self.edges(&nodes) {
            let label = label.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "  v{} -> v{} [label=\"{label}\"];", from.0, to.0);
        }
        text.push_str("}\n");
        text
    }

    /// A drawing, with a legend. It needs no colours to be understood.
    #[must_use]
    pub fn svg(&self) -> String {
        let nodes = self.nodes();
        let edges = self.edges(&nodes);
        let hidden = self.graph.vertices.len() - nodes.len();
        svg::draw(&nodes, &edges, hidden)
    }

    /// All vertices and edges.
    #[must_use]
    pub fn json(&self) -> String {
        let mut text = String::from("{\n\"version\": 1,\n\"vertices\": [");
        for index in 0..self.graph.vertices.len() as u32 {
            let node = self.node(VertexId(index));
            let vertex = &self.graph.vertices[index as usize];
            let separator = if index == 0 { "\n" } else { ",\n" };
            let _ = write!(
                text,
                "{separator}{{\"id\": {index}, \"name\": {}, \"value\": {}, \"type\": {}, \"shape\": \"{}\", \"at\": \"{}\", \
                 \"object\": {}, \"differs\": {}, \"cause\": {}}}",
                quoted(&node.name),
                quoted(&node.value),
                quoted(&self.program.type_name(vertex.ty)),
                shape_name(vertex.shape),
                vertex.at,
                vertex.object.0,
                node.mark != VertexMark::Same,
                node.mark == VertexMark::Cause,
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

    /// The vertices that DOT and SVG show.
    fn nodes(&self) -> Vec<ShownVertex> {
        let all = || (0..self.graph.vertices.len() as u32).map(VertexId);
        if self.everything {
            return all().map(|vertex| self.node(vertex)).collect();
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
        shown.into_iter().map(|vertex| self.node(vertex)).collect()
    }

    fn node(&self, id: VertexId) -> ShownVertex {
        ShownVertex {
            id,
            name: self.graph.expression(self.program, id),
            value: self.graph.value(self.program, self.snapshot, id),
            mark: (self.mark)(id),
        }
    }

    /// The edges between vertices that are shown.
    fn edges(&self, nodes: &[ShownVertex]) -> Vec<(VertexId, VertexId, String)> {
        let shown: HashMap<VertexId, ()> = nodes.iter().map(|node| (node.id, ())).collect();
        let mut edges = Vec::new();
        for node in nodes {
            for edge in self.graph.edges_of(node.id) {
                if shown.contains_key(&edge.to) {
                    edges.push((node.id, edge.to, self.label(&edge.label)));
                }
            }
        }
        edges
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

/// A string of JSON.
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
