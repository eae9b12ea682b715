//! The part of a memory graph that is drawn: the causes, and what is nearest to them.

use howcome_run::words::{cut, printable};
use howcome_run::{GraphPart, GraphVertex};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// More boxes do not fit into a picture of a page.
const MOST: usize = 28;
/// More lines cannot be followed.
const MOST_LINES: usize = 80;
/// A label is between two boxes.
const LABEL: usize = 14;

/// An edge by the places of its vertices in a list, with its label.
pub(crate) type LabelledEdge = ((usize, usize), String);

/// The causes, their neighbours, the neighbours of these, and so on; then other differences as long as there is room. In the
/// order of the record.
pub(crate) fn nearest(graph: &GraphPart) -> Vec<&GraphVertex> {
    let mut index: HashMap<u64, usize> = HashMap::new();
    for (at, vertex) in graph.vertices.iter().enumerate() {
        index.entry(vertex.id).or_insert(at);
    }
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); graph.vertices.len()];
    for edge in &graph.edges {
        if let (Some(&from), Some(&to)) = (index.get(&edge.from), index.get(&edge.to)) {
            near[from].push(to);
            near[to].push(from);
        }
    }
    // An id that appears twice means the first vertex.
    let all: Vec<usize> =
        (0..graph.vertices.len()).filter(|at| index.get(&graph.vertices[*at].id) == Some(at)).collect();
    let those = |is_wanted: fn(&GraphVertex) -> bool| {
        all.iter().copied().filter(move |at| is_wanted(&graph.vertices[*at]))
    };
    let mut chosen = ChosenVertices { is_known: vec![false; graph.vertices.len()], list: Vec::new() };
    chosen.spread(those(|vertex| vertex.is_cause), &near);
    chosen.spread(those(|vertex| vertex.is_different), &near);
    chosen.spread(those(|_| true), &near);
    chosen.list.sort_unstable();
    chosen.list.into_iter().map(|at| &graph.vertices[at]).collect()
}

/// The edges between some vertices. Several ways between the same two are one line.
pub(crate) fn between(graph: &GraphPart, vertices: &[&GraphVertex]) -> Vec<LabelledEdge> {
    let index: HashMap<u64, usize> =
        vertices.iter().enumerate().map(|(at, vertex)| (vertex.id, at)).collect();
    let mut labels: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
    for edge in &graph.edges {
        if let (Some(&from), Some(&to)) = (index.get(&edge.from), index.get(&edge.to)) {
            labels.entry((from, to)).or_default().push(&edge.label);
        }
    }
    let label = |labels: &[&str]| cut(&printable(&labels.join(", ")), LABEL);
    labels.into_iter().map(|(pair, labels)| (pair, label(&labels))).collect()
}

/// The same, and of too many lines those that have to do with a cause.
pub(crate) fn few_between(graph: &GraphPart, vertices: &[&GraphVertex]) -> Vec<LabelledEdge> {
    let mut edges = between(graph, vertices);
    if edges.len() > MOST_LINES {
        edges.sort_by_key(|((from, to), _)| !vertices[*from].is_cause && !vertices[*to].is_cause);
        edges.truncate(MOST_LINES);
    }
    edges
}

/// Whether a vertex is highlighted.
pub(crate) fn stands_out(vertex: &GraphVertex) -> bool {
    vertex.is_different || vertex.is_cause
}

struct ChosenVertices {
    is_known: Vec<bool>,
    list: Vec<usize>,
}

impl ChosenVertices {
    /// Adds what can be reached from the starts, the nearest first, as long as there is room.
    fn spread(&mut self, starts: impl Iterator<Item = usize>, near: &[Vec<usize>]) {
        let mut ready: VecDeque<usize> = starts.filter(|at| !self.is_known[*at]).collect();
        ready.iter().for_each(|at| self.is_known[*at] = true);
        while let Some(at) = ready.pop_front().filter(|_| self.list.len() < MOST) {
            self.list.push(at);
            for &other in &near[at] {
                if !std::mem::replace(&mut self.is_known[other], true) {
                    ready.push_back(other);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_nearest_to_the_cause_are_kept() {
        let vertices: Vec<_> = (0..1_000).map(|id| json!({"id": id, "cause": id == 500})).collect();
        let edges: Vec<_> = (1..1_000).map(|id| json!({"from": id - 1, "to": id})).collect();
        let graph =
            serde_json::from_value::<GraphPart>(json!({"vertices": vertices, "edges": edges})).unwrap();
        let ids: Vec<u64> = nearest(&graph).iter().map(|vertex| vertex.id).collect();
        assert_eq!(ids.len(), MOST);
        assert!(ids.iter().all(|id| id.abs_diff(500) <= 14));
    }

    #[test]
    fn of_too_many_lines_those_of_the_cause_stay() {
        let vertices: Vec<_> = (0..20).map(|id| json!({"id": id, "cause": id == 19})).collect();
        let edges: Vec<_> =
            (0..400).map(|at| json!({"from": at / 20, "to": at % 20, "label": "x"})).collect();
        let graph =
            serde_json::from_value::<GraphPart>(json!({"vertices": vertices, "edges": edges})).unwrap();
        let lines = few_between(&graph, &nearest(&graph));
        assert_eq!(lines.len(), MOST_LINES);
        assert_eq!(lines.iter().filter(|((from, to), _)| *from == 19 || *to == 19).count(), 39);
    }

    #[test]
    fn an_id_that_appears_twice_means_the_first_vertex() {
        let json = json!({"vertices": [{"id": 1, "name": "a"}, {"id": 1, "name": "b"}], "edges": [{"from": 1, "to": 1}]});
        let graph = serde_json::from_value::<GraphPart>(json).unwrap();
        let names: Vec<&str> = nearest(&graph).iter().map(|vertex| vertex.name.as_str()).collect();
        assert_eq!(names, ["a"]);
    }
}
