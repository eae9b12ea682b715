//! The ways of the lines in the picture of a memory graph: where they leave a box, pass between others, and arrive.

use crate::graph::order::LayeredOrder;

/// Lines at the same side of a box are so far apart, if there is room, and never nearer than this.
const WIDEST: f64 = 17.0;
const NARROWEST: f64 = 9.0;
/// What is left free at the ends of a side.
const BORDER: f64 = 10.0;

/// How high each node has to be for its lines.
pub(crate) fn room_for_lines(order: &LayeredOrder) -> Vec<f64> {
    let (before, after) = order.neighbours();
    let most = before.iter().zip(&after).map(|(before, after)| before.len().max(after.len()));
    let high = |(lines, is_box): (usize, bool)| if is_box { lines as f64 * NARROWEST + BORDER } else { 4.0 };
    most.zip(order.nodes.iter().map(|node| node.vertex.is_some())).map(high).collect()
}

/// For each edge how far from the middle of its boxes its line begins and ends, so that several can be told apart.
pub(crate) fn ports(order: &LayeredOrder, heights: &[f64], centres: &[f64]) -> Vec<(f64, f64)> {
    let mut ports = vec![(0.0, 0.0); order.routes.len()];
    let mut right: Vec<Vec<(f64, usize)>> = vec![Vec::new(); heights.len()];
    let mut left = right.clone();
    for (edge, route) in order.routes.iter().enumerate() {
        if let ([first, next, ..], [.., before, last]) = (route.as_slice(), route.as_slice()) {
            right[*first].push((centres[*next], edge));
            left[*last].push((centres[*before], edge));
        }
    }
    let spread = |ends: &mut Vec<(f64, usize)>, height: f64| -> Vec<(usize, f64)> {
        ends.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let apart = ((height - BORDER) / ends.len() as f64).min(WIDEST);
        let middle = (ends.len() as f64 - 1.0) / 2.0;
        ends.iter().enumerate().map(|(at, (_, edge))| (*edge, (at as f64 - middle) * apart)).collect()
    };
    for (node, height) in heights.iter().enumerate() {
        spread(&mut right[node], *height).into_iter().for_each(|(edge, offset)| ports[edge].0 = offset);
        spread(&mut left[node], *height).into_iter().for_each(|(edge, offset)| ports[edge].1 = offset);
    }
    ports
}

/// The way of a line through the gaps between the boxes; `None` if it leads back to where it begins.
pub(crate) fn points(
    route: &[usize],
    order: &LayeredOrder,
    columns: &[(f64, f64)],
    centres: &[f64],
    (begin, end): (f64, f64),
) -> Option<Vec<(f64, f64)>> {
    let [first, between @ .., last] = route else { return None };
    let column = |node: &usize| columns[order.nodes[*node].layer];
    let (x, width) = column(first);
    let mut points = vec![(x + width, centres[*first] + begin)];
    for node in between {
        let (x, width) = column(node);
        points.extend([(x, centres[*node]), (x + width, centres[*node])]);
    }
    points.push((column(last).0, centres[*last] + end));
    Some(points)
}
