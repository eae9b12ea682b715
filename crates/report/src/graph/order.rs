//! The order of a layered drawing, after Sugiyama: cycles are broken, each vertex gets a layer, lines that pass a layer
//! get a place in it, and each layer is sorted so that few lines cross.

use std::collections::VecDeque;

/// How often the layers are sorted by their neighbours.
const SWEEPS: usize = 12;
/// A larger graph is not sorted: nobody sees whether its lines cross.
const MOST_SORTED: usize = 4_000;
/// When so many lines pass layers, the other long lines go straight.
const MOST_PASSING: usize = 20_000;

/// An element of a layer: a vertex, or a line that passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LayerNode {
    /// The vertex, unless a line passes here.
    pub(crate) vertex: Option<usize>,
    pub(crate) layer: usize,
}

/// A layered order of vertices `0..n`.
#[derive(Clone, Debug, Default)]
pub(crate) struct LayeredOrder {
    /// The vertices first, each at its own index.
    pub(crate) nodes: Vec<LayerNode>,
    /// The nodes of each layer, from top to bottom.
    pub(crate) layers: Vec<Vec<usize>>,
    /// For each edge the nodes that its line goes through from left to right; empty for one that leads back to itself.
    pub(crate) routes: Vec<Vec<usize>>,
    /// Whether an edge leads against the direction of its line.
    pub(crate) is_backward: Vec<bool>,
}

impl LayeredOrder {
    /// Edges lead from one index to another; those out of range must have been left out.
    pub(crate) fn of(vertices: usize, edges: &[(usize, usize)]) -> Self {
        let is_backward = backward(vertices, edges);
        let forward: Vec<(usize, usize)> = edges
            .iter()
            .zip(&is_backward)
            .map(|(&(from, to), &is_backward)| if is_backward { (to, from) } else { (from, to) })
            .collect();
        let layers = layers(vertices, &forward);
        let mut nodes: Vec<LayerNode> = layers
            .iter()
            .enumerate()
            .map(|(vertex, &layer)| LayerNode { vertex: Some(vertex), layer })
            .collect();
        let mut routes = Vec::new();
        for &(from, to) in &forward {
            if from == to {
                routes.push(Vec::new());
                continue;
            }
            let mut route = vec![from];
            let passed = layers[from] + 1..layers[to];
            if nodes.len() + passed.len() <= vertices + MOST_PASSING {
                for layer in passed {
                    route.push(nodes.len());
                    nodes.push(LayerNode { vertex: None, layer });
                }
            }
            route.push(to);
            routes.push(route);
        }
        let mut order = Self { layers: Vec::new(), nodes, routes, is_backward };
        order.sort();
        order
    }

    /// For each node its neighbours in the layer before, and in the layer after.
    pub(crate) fn neighbours(&self) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let mut before = vec![Vec::new(); self.nodes.len()];
        let mut after = before.clone();
        for pair in self.routes.iter().flat_map(|route| route.windows(2)) {
            after[pair[0]].push(pair[1]);
            before[pair[1]].push(pair[0]);
        }
        (before, after)
    }

    fn sort(&mut self) {
        let depth = self.nodes.iter().map(|node| node.layer + 1).max().unwrap_or(0);
        let mut layers = vec![Vec::new(); depth];
        for (index, node) in self.nodes.iter().enumerate() {
            layers[node.layer].push(index);
        }
        if self.nodes.len() > MOST_SORTED {
            self.layers = layers;
            return;
        }
        let (before, after) = self.neighbours();
        let mut best = (self.crossings(&layers), layers.clone());
        for sweep in 0..SWEEPS {
            let goes_right = sweep % 2 == 0;
            let neighbours = if goes_right { &before } else { &after };
            let turns: Vec<usize> =
                if goes_right { (0..depth).collect() } else { (0..depth).rev().collect() };
            for layer in turns {
                let place = places(&layers, self.nodes.len());
                let wish = |node: &usize| match neighbours[*node].as_slice() {
                    [] => place[*node],
                    near => near.iter().map(|other| place[*other]).sum::<f64>() / near.len() as f64,
                };
                layers[layer].sort_by(|one, other| wish(one).total_cmp(&wish(other)));
            }
            let crossings = self.crossings(&layers);
            if crossings < best.0 {
                best = (crossings, layers.clone());
            }
        }
        self.layers = best.1;
    }

    /// How many pairs of lines cross.
    fn crossings(&self, layers: &[Vec<usize>]) -> usize {
        let place = places(layers, self.nodes.len());
        let mut lines: Vec<Vec<(f64, f64)>> = vec![Vec::new(); layers.len()];
        for pair in self.routes.iter().flat_map(|route| route.windows(2)) {
            lines[self.nodes[pair[0]].layer].push((place[pair[0]], place[pair[1]]));
        }
        let crosses = |one: &(f64, f64), other: &(f64, f64)| (one.0 - other.0) * (one.1 - other.1) < 0.0;
        let of_layer = |lines: &Vec<(f64, f64)>| {
            let pairs = lines.iter().enumerate().map(|(at, one)| (one, &lines[at + 1..]));
            pairs
                .map(|(one, others)| others.iter().filter(|other| crosses(one, other)).count())
                .sum::<usize>()
        };
        lines.iter().map(of_layer).sum()
    }
}

/// Where each node stands in its layer, between 0 and 1, so that short layers can be compared with long ones.
fn places(layers: &[Vec<usize>], nodes: usize) -> Vec<f64> {
    let mut place = vec![0.0; nodes];
    for layer in layers {
        for (at, node) in layer.iter().enumerate() {
            place[*node] = (at as f64 + 0.5) / layer.len() as f64;
        }
    }
    place
}

/// The edges that would close a cycle, found by walking from where nothing leads to.
fn backward(vertices: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        Never,
        Now,
        Done,
    }
    let mut leaving = vec![Vec::new(); vertices];
    let mut is_root = vec![true; vertices];
    for (edge, &(from, to)) in edges.iter().enumerate() {
        leaving[from].push(edge);
        is_root[to] &= from == to;
    }
    let mut visits = vec![Visit::Never; vertices];
    let mut is_backward = vec![false; edges.len()];
    let (roots, others): (Vec<usize>, Vec<usize>) = (0..vertices).partition(|vertex| is_root[*vertex]);
    for root in roots.into_iter().chain(others) {
        if visits[root] != Visit::Never {
            continue;
        }
        visits[root] = Visit::Now;
        let mut path = vec![(root, 0)];
        while let Some((vertex, next)) = path.last_mut() {
            let Some(&edge) = leaving[*vertex].get(*next) else {
                visits[*vertex] = Visit::Done;
                path.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge].1;
            match visits[to] {
                Visit::Never => {
                    visits[to] = Visit::Now;
                    path.push((to, 0));
                }
                Visit::Now => is_backward[edge] = true,
                Visit::Done => {}
            }
        }
    }
    is_backward
}

/// The longest way to each vertex; those that nothing leads to stand right before what they lead to.
fn layers(vertices: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let edges: Vec<(usize, usize)> = edges.iter().copied().filter(|(from, to)| from != to).collect();
    let mut arriving = vec![0_usize; vertices];
    let mut leaving = vec![Vec::new(); vertices];
    for &(from, to) in &edges {
        arriving[to] += 1;
        leaving[from].push(to);
    }
    let mut layers = vec![0_usize; vertices];
    let mut left = arriving.clone();
    let mut ready: VecDeque<usize> = (0..vertices).filter(|vertex| left[*vertex] == 0).collect();
    while let Some(vertex) = ready.pop_front() {
        for &to in &leaving[vertex] {
            layers[to] = layers[to].max(layers[vertex] + 1);
            left[to] -= 1;
            if left[to] == 0 {
                ready.push_back(to);
            }
        }
    }
    for vertex in (0..vertices).filter(|vertex| arriving[*vertex] == 0) {
        let nearest = leaving[vertex].iter().map(|to| layers[*to]).min();
        layers[vertex] = nearest.map_or(0, |layer| layer.saturating_sub(1));
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(order: &LayeredOrder, vertex: usize) -> usize {
        order.nodes[vertex].layer
    }

    #[test]
    fn every_line_goes_from_left_to_right_even_in_a_cycle() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 1), (3, 3), (4, 3), (0, 3)];
        let order = LayeredOrder::of(5, &edges);
        assert_eq!(order.is_backward, [false, false, false, true, true, false, false]);
        for route in order.routes.iter().filter(|route| !route.is_empty()) {
            assert!(route.windows(2).all(|pair| layer(&order, pair[0]) + 1 == layer(&order, pair[1])));
        }
        assert_eq!(order.routes[6].len(), 4, "a long line passes two layers");
        assert_eq!(layer(&order, 4), 2, "a root stands right before what it leads to");
    }

    #[test]
    fn a_graph_that_is_too_large_to_be_sorted_is_drawn_all_the_same() {
        // A long list, and an array with a pointer to each of its elements.
        let list = (1..5_000).map(|at| (at, at + 1));
        let edges: Vec<(usize, usize)> = list.chain((1..5_000).map(|at| (0, at))).collect();
        let order = LayeredOrder::of(5_001, &edges);
        assert!(order.nodes.len() <= 5_001 + MOST_PASSING);
        assert!(
            order.routes.iter().all(|route| layer(&order, route[0]) < layer(&order, route[route.len() - 1]))
        );
    }

    #[test]
    fn lines_that_need_not_cross_do_not() {
        let edges = [(0, 5), (1, 4), (2, 3)];
        let order = LayeredOrder::of(6, &edges);
        assert_eq!(order.crossings(&order.layers), 0);
    }

    #[test]
    fn two_vertices_that_only_lead_to_each_other_are_drawn() {
        let order = LayeredOrder::of(2, &[(1, 0), (0, 1)]);
        assert_eq!((layer(&order, 0), layer(&order, 1)), (0, 1));
        assert_eq!(order.is_backward, [true, false]);
        assert!(LayeredOrder::of(0, &[]).layers.is_empty());
    }
}
