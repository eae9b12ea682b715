//! The layout of a memory graph: boxes in columns from left to right, and lines between them.

use crate::graph::lines::{points, ports, room_for_lines};
use crate::graph::order::LayeredOrder;
use crate::graph::part::{LabelledEdge, between, few_between, nearest, stands_out};
use howcome_run::words::{cut, cut_middle, printable, width};
use howcome_run::{GraphPart, GraphVertex};

/// What fits into a box.
const TEXT: usize = 26;
/// The advance of a letter of the fixed font, in the size of names and values, and in that of labels.
const LETTER: f64 = 7.3;
const SMALL_LETTER: f64 = 6.4;
const LINE: f64 = 17.0;
const PADDING: f64 = 10.0;
const BETWEEN: f64 = 20.0;
/// How often boxes move towards their neighbours.
const ROUNDS: usize = 16;

/// A picture of a part of a graph.
pub(crate) struct GraphLayout<'a> {
    pub(crate) boxes: Vec<PlacedVertex<'a>>,
    pub(crate) lines: Vec<GraphLine>,
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// How many vertices were left out.
    pub(crate) left_out: usize,
}

/// A vertex with its place.
pub(crate) struct PlacedVertex<'a> {
    pub(crate) vertex: &'a GraphVertex,
    pub(crate) texts: Vec<String>,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// An edge with its way.
pub(crate) struct GraphLine {
    /// From left to right, begins and ends at a box; one point for an edge that leads back to its own box.
    pub(crate) points: Vec<(f64, f64)>,
    /// Whether the tip is at the left end.
    pub(crate) is_backward: bool,
    pub(crate) label: String,
    pub(crate) is_to_cause: bool,
}

impl<'a> GraphLayout<'a> {
    /// The causes in a graph, and what is nearest to them. `None` if the graph is empty.
    pub(crate) fn nearest(graph: &'a GraphPart) -> Option<Self> {
        let vertices = nearest(graph);
        let edges = few_between(graph, &vertices);
        let left_out = graph.vertices.len().saturating_sub(vertices.len());
        (!vertices.is_empty()).then(|| Self::new(vertices, edges, left_out))
    }

    /// A whole graph.
    pub(crate) fn whole(graph: &'a GraphPart, left_out: usize) -> Self {
        let vertices: Vec<&GraphVertex> = graph.vertices.iter().collect();
        let edges = between(graph, &vertices);
        Self::new(vertices, edges, left_out)
    }

    fn new(vertices: Vec<&'a GraphVertex>, edges: Vec<LabelledEdge>, left_out: usize) -> Self {
        let (edges, labels): (Vec<_>, Vec<_>) = edges.into_iter().unzip();
        let order = LayeredOrder::of(vertices.len(), &edges);
        let texts: Vec<Vec<String>> = vertices.iter().map(|vertex| texts(vertex)).collect();
        let columns = columns(&order, &texts, &labels);
        let mut heights = room_for_lines(&order);
        for (room, texts) in heights.iter_mut().zip(&texts) {
            *room = room.max(height(texts));
        }
        let centres = centres(&order, &heights);
        let boxes: Vec<PlacedVertex<'a>> = vertices
            .iter()
            .zip(texts)
            .enumerate()
            .map(|(at, (vertex, texts))| {
                let (x, width) = columns[order.nodes[at].layer];
                PlacedVertex {
                    vertex,
                    texts,
                    x,
                    y: centres[at] - heights[at] / 2.0,
                    width,
                    height: heights[at],
                }
            })
            .collect();
        let ports = ports(&order, &heights, &centres);
        let lines = edges
            .iter()
            .zip(labels)
            .enumerate()
            .map(|(edge, (&(_, to), label))| GraphLine {
                points: points(&order.routes[edge], &order, &columns, &centres, ports[edge])
                    .unwrap_or_else(|| vec![(boxes[to].x + boxes[to].width - 2.0 * PADDING, boxes[to].y)]),
                is_backward: order.is_backward[edge],
                label,
                is_to_cause: vertices[to].is_cause,
            })
            .collect();
        let height = boxes.iter().map(|placed| placed.y + placed.height).chain(centres).fold(0.0, f64::max);
        let width = columns.last().map_or(0.0, |(x, width)| x + width);
        Self { lines, width, height, left_out, boxes }
    }
}

/// What is written into a box: name, value, and the other value.
fn texts(vertex: &GraphVertex) -> Vec<String> {
    let sign = if stands_out(vertex) { "≠ " } else { "" };
    let mut texts = vec![format!("{sign}{}", cut_middle(&printable(&vertex.name), TEXT))];
    if !vertex.value.is_empty() || stands_out(vertex) {
        texts.push(cut(&printable(&vertex.value), TEXT));
    }
    if let Some(passing) = vertex.passing.as_ref().filter(|_| stands_out(vertex)) {
        texts.push(cut(&format!("instead of {}", printable(passing)), TEXT));
    }
    texts
}

fn height(texts: &[String]) -> f64 {
    texts.len() as f64 * LINE + PADDING
}

/// Where each layer begins, and how wide its boxes are.
fn columns(order: &LayeredOrder, texts: &[Vec<String>], labels: &[String]) -> Vec<(f64, f64)> {
    let letters = |text: &String| width(text);
    // The label of a line stands at its tip: before the box that it leads to, or after it if it leads back.
    let mut gaps = vec![0; order.layers.len()];
    for ((route, label), is_backward) in order.routes.iter().zip(labels).zip(&order.is_backward) {
        let before = if *is_backward { route.first() } else { route.iter().rev().nth(1) };
        if let Some(&node) = before {
            let gap = &mut gaps[order.nodes[node].layer];
            *gap = letters(label).max(*gap);
        }
    }
    let mut columns = Vec::new();
    let mut x = 0.0;
    for (layer, gap) in order.layers.iter().zip(gaps) {
        let vertices = layer.iter().filter_map(|node| order.nodes[*node].vertex);
        let widest = vertices.flat_map(|vertex| &texts[vertex]).map(letters).max().unwrap_or(0);
        let width = widest.max(6) as f64 * LETTER + 2.0 * PADDING;
        columns.push((x, width));
        x += width + 40.0 + gap as f64 * SMALL_LETTER;
    }
    columns
}

/// The middle of each node: near its neighbours, without any two of a layer in each other's way.
fn centres(order: &LayeredOrder, heights: &[f64]) -> Vec<f64> {
    let (before, after) = order.neighbours();
    let mut centres = vec![0.0; heights.len()];
    for round in 0..ROUNDS {
        for layer in &order.layers {
            let wish = |node: usize| {
                let near = match round % 3 {
                    0 => [before[node].as_slice(), &[]],
                    1 => [&[], after[node].as_slice()],
                    _ => [before[node].as_slice(), &after[node]],
                };
                let near: Vec<f64> = near.concat().into_iter().map(|other| centres[other]).collect();
                if near.is_empty() { centres[node] } else { near.iter().sum::<f64>() / near.len() as f64 }
            };
            let wishes: Vec<f64> = layer.iter().map(|node| wish(*node)).collect();
            let apart = |pair: &[usize]| (heights[pair[0]] + heights[pair[1]]) / 2.0 + BETWEEN;
            let gaps: Vec<f64> = layer.windows(2).map(apart).collect();
            for (node, centre) in layer.iter().zip(spread(&wishes, &gaps)) {
                centres[*node] = centre;
            }
        }
    }
    let top = centres.iter().zip(heights).map(|(centre, height)| centre - height / 2.0);
    let top = top.fold(f64::INFINITY, f64::min);
    centres.iter().map(|centre| centre - top).collect()
}

/// Positions as near as possible to the wishes, in the same order and at least a gap apart: least squares, by pooling
/// neighbours that overlap.
fn spread(wishes: &[f64], gaps: &[f64]) -> Vec<f64> {
    let mut offsets = vec![0.0];
    for gap in gaps {
        offsets.push(offsets.last().copied().unwrap_or(0.0) + gap);
    }
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (wish, offset) in wishes.iter().zip(&offsets) {
        let mut pool = (wish - offset, 1);
        while let Some(last) = pools.last().copied().filter(|last| last.0 > pool.0) {
            let size = last.1 + pool.1;
            pool = ((last.0 * last.1 as f64 + pool.0 * pool.1 as f64) / size as f64, size);
            pools.pop();
        }
        pools.push(pool);
    }
    let places = pools.into_iter().flat_map(|(place, size)| std::iter::repeat_n(place, size));
    places.zip(offsets).map(|(place, offset)| place + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_boxes_overlap() {
        let vertex =
            |id: usize| json!({"id": id, "name": format!("v[{id}]"), "value": "1", "cause": id == 7});
        let edges: Vec<_> = (1..26).map(|id| json!({"from": id / 3, "to": id})).collect();
        let json = json!({"vertices": (0..26).map(vertex).collect::<Vec<_>>(), "edges": edges});
        let graph = serde_json::from_value::<GraphPart>(json).unwrap();
        let layout = GraphLayout::nearest(&graph).unwrap();
        assert_eq!((layout.boxes.len(), layout.lines.len()), (26, 25));
        for (at, one) in layout.boxes.iter().enumerate() {
            assert!(one.x >= 0.0 && one.y >= -0.01 && one.y + one.height <= layout.height + 0.01);
            for other in &layout.boxes[at + 1..] {
                let is_beside = one.x + one.width < other.x || other.x + other.width < one.x;
                let is_above = one.y + one.height < other.y || other.y + other.height < one.y;
                assert!(is_beside || is_above);
            }
        }
    }

    #[test]
    fn overlapping_boxes_move_to_both_sides() {
        assert_eq!(spread(&[5.0, 5.0], &[4.0]), [3.0, 7.0]);
        assert_eq!(spread(&[0.0, 9.0], &[4.0]), [0.0, 9.0]);
        assert_eq!(spread(&[9.0, 0.0, 20.0], &[2.0, 2.0]), [3.5, 5.5, 20.0]);
    }

    #[test]
    fn an_empty_graph_is_not_drawn() {
        assert!(GraphLayout::nearest(&GraphPart::default()).is_none());
    }
}
