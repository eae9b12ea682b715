//! A drawing of a graph in layers from left to right.

use super::VertexId;
use super::shown_vertex::{ShownVertex, VertexMark};
use std::collections::HashMap;
use std::fmt::Write;

const WIDTH: usize = 240;
const HEIGHT: usize = 40;
const GAP_X: usize = 60;
const GAP_Y: usize = 12;
const TOP: usize = 50;
/// Characters that fit into a box.
const FIT: usize = 32;

/// What the drawing looks like, in the light and in the dark.
const STYLE: &str = "\
text{font:12px ui-monospace,monospace;fill:#222}\
rect{fill:#fff;stroke:#888}\
.differs rect{fill:#ffe3b8;stroke:#b36b00;stroke-dasharray:5 2}\
.cause rect{fill:#ffc4b8;stroke:#b3200e;stroke-width:3}\
path{fill:none;stroke:#888}\
@media (prefers-color-scheme:dark){text{fill:#eee}rect{fill:#222}.differs rect{fill:#553a10}.cause rect{fill:#5c1d14}}";

/// Draws vertices and the edges between them.
pub(super) fn draw(nodes: &[ShownVertex], edges: &[(VertexId, VertexId, String)], hidden: usize) -> String {
    let places = layout(nodes, edges);
    let columns = places.iter().map(|(column, _)| column + 1).max().unwrap_or(1);
    let rows = places.iter().map(|(_, row)| row + 1).max().unwrap_or(1);
    let (width, height) = (columns * (WIDTH + GAP_X) + GAP_X, rows * (HEIGHT + GAP_Y) + TOP + GAP_Y);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\">\n<title>A memory graph</title>\n<style>{STYLE}</style>\n\
         <defs><marker id=\"to\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#888;stroke:none\"/></marker></defs>\n"
    );
    legend(&mut text, hidden);
    let index: HashMap<VertexId, usize> =
        nodes.iter().enumerate().map(|(index, node)| (node.id, index)).collect();
    for (from, to, label) in edges {
        let (Some(from), Some(to)) = (index.get(from), index.get(to)) else { continue };
        arrow(&mut text, place(places[*from]), place(places[*to]), label);
    }
    for (node, at) in nodes.iter().zip(&places) {
        boxed(&mut text, node, place(*at));
    }
    text.push_str("</svg>\n");
    text
}

/// The left upper corner of a box.
fn place((column, row): (usize, usize)) -> (usize, usize) {
    (GAP_X / 2 + column * (WIDTH + GAP_X), TOP + row * (HEIGHT + GAP_Y))
}

/// Column and row of each vertex: the column is how many edges it is away from those that nothing leads to, the rows of a
/// column are in the order of what leads to them.
fn layout(nodes: &[ShownVertex], edges: &[(VertexId, VertexId, String)]) -> Vec<(usize, usize)> {
    let index: HashMap<VertexId, usize> =
        nodes.iter().enumerate().map(|(index, node)| (node.id, index)).collect();
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut is_led_to = vec![false; nodes.len()];
    for (from, to, _) in edges {
        if let (Some(from), Some(to)) = (index.get(from), index.get(to)) {
            below[*from].push(*to);
            is_led_to[*to] |= from != to;
        }
    }
    let mut places: Vec<Option<(usize, usize)>> = vec![None; nodes.len()];
    let mut rows: Vec<usize> = Vec::new();
    let first: Vec<usize> = (0..nodes.len()).filter(|node| !is_led_to[*node]).collect();
    // Rings that nothing leads to begin with any of their vertices.
    for start in first.into_iter().chain(0..nodes.len()) {
        let mut front = vec![start];
        let mut column = 0;
        while !front.is_empty() {
            let mut next = Vec::new();
            for node in front {
                if places[node].is_some() {
                    continue;
                }
                if rows.len() <= column {
                    rows.resize(column + 1, 0);
                }
                places[node] = Some((column, rows[column]));
                rows[column] += 1;
                next.extend(below[node].iter().copied().filter(|to| places[*to].is_none()));
            }
            front = next;
            column += 1;
        }
    }
    places.into_iter().map(Option::unwrap_or_default).collect()
}

fn legend(text: &mut String, hidden: usize) {
    let more = if hidden > 0 { format!("   {hidden} more vertices are not shown") } else { String::new() };
    let _ = writeln!(
        text,
        "<text x=\"{}\" y=\"28\">★ cause   ≠ differs between the runs{more}</text>",
        GAP_X / 2
    );
}

fn boxed(text: &mut String, node: &ShownVertex, (x, y): (usize, usize)) {
    let (class, sign) = match node.mark {
        VertexMark::Same => ("same", ""),
        VertexMark::Differs => ("differs", "≠ "),
        VertexMark::Cause => ("cause", "★ "),
    };
    let name = cut_front(&format!("{sign}{}", node.name));
    let _ = writeln!(
        text,
        "<g class=\"{class}\"><title>{} = {}</title><rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"4\"/>\
         <text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text><text x=\"{}\" y=\"{}\">{}</text></g>",
        escaped(&node.name),
        escaped(&node.value),
        x + 6,
        y + 16,
        escaped(&name),
        x + 6,
        y + 32,
        escaped(&cut(&node.value)),
    );
}

fn arrow(text: &mut String, from: (usize, usize), to: (usize, usize), label: &str) {
    let (x1, y1) = (from.0 + WIDTH, from.1 + HEIGHT / 2);
    let (x2, y2) = (to.0, to.1 + HEIGHT / 2);
    let bend = GAP_X;
    let _ = writeln!(
        text,
        "<path d=\"M{x1} {y1}C{} {y1} {} {y2} {x2} {y2}\" marker-end=\"url(#to)\"><title>{}</title></path>",
        x1 + bend,
        x2 as i64 - bend as i64,
        escaped(label),
    );
}

/// As much of a text as fits.
fn cut(text: &str) -> String {
    if text.chars().count() <= FIT {
        return text.to_owned();
    }
    text.chars().take(FIT - 1).chain(['…']).collect()
}

/// As much of the end of a text as fits: the end of a name says most.
fn cut_front(text: &str) -> String {
    let count = text.chars().count();
    if count <= FIT {
        return text.to_owned();
    }
    ['…'].into_iter().chain(text.chars().skip(count - FIT + 1)).collect()
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    text.chars().map(|character| if character.is_control() { '·' } else { character }).collect()
}
