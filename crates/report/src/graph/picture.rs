//! A memory graph as SVG: boxes from left to right, differences coloured and marked with ≠, causes outlined twice.

use crate::format::escape::escape;
use crate::graph::layout::{GraphLayout, GraphLine, PlacedVertex};
use crate::graph::part::stands_out;
use crate::graph::style;
use howcome_run::GraphPart;
use howcome_run::words::{count, cut};
use std::fmt::{self, Write};

const MARGIN: f64 = 16.0;
/// For the word above the topmost box, and the loop of an edge that leads back to it.
const TOP: f64 = 30.0;
const LEGEND: f64 = 34.0;
const NARROWEST: f64 = 430.0;
/// Where the legend also counts what is not drawn.
const NARROWEST_OF_PART: f64 = 660.0;
const LONGEST_TITLE: usize = 300;

/// The picture for a step of a page that has its style; `None` where there is nothing to draw.
pub(crate) fn graph_picture(graph: &GraphPart, step: usize) -> Option<String> {
    let layout = GraphLayout::nearest(graph)?;
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = write_svg(&mut svg, &layout, step, "");
    Some(svg)
}

/// A memory graph as a file of its own: a drawing in layers from left to right, which needs no colours to be understood.
/// `left_out` is the number of vertices that the graph has besides.
#[must_use]
pub fn graph_svg(graph: &GraphPart, left_out: usize) -> String {
    let style = format!("<style>\n{}</style>\n", style::of_file());
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = write_svg(&mut svg, &GraphLayout::whole(graph, left_out), 0, &style);
    svg
}

fn write_svg(to: &mut String, layout: &GraphLayout<'_>, step: usize, style: &str) -> fmt::Result {
    let narrowest = if layout.left_out > 0 { NARROWEST_OF_PART } else { NARROWEST };
    let width = (layout.width + 2.0 * MARGIN).max(narrowest);
    let height = layout.height + TOP + MARGIN + LEGEND;
    let causes: Vec<&str> = layout
        .boxes
        .iter()
        .filter(|placed| placed.vertex.is_cause)
        .map(|placed| placed.vertex.name.as_str())
        .collect();
    let around = if causes.is_empty() { String::new() } else { format!(" around {}", causes.join(", ")) };
    let label = format!(
        "The memory graph{}: {}",
        cut(&around, LONGEST_TITLE),
        count(layout.boxes.len() as u64, "vertex")
    );
    writeln!(
        to,
        r#"<svg class="howcome-graph" xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" role="img" aria-labelledby="graph-{step}">
<title id="graph-{step}">{}</title>
{style}<g transform="translate({MARGIN} {TOP})">"#,
        escape(&label),
    )?;
    layout.lines.iter().try_for_each(|line| write_line(to, line))?;
    layout.boxes.iter().try_for_each(|placed| write_box(to, placed))?;
    // Above the boxes, so that none is hidden.
    layout.lines.iter().try_for_each(|line| write_label(to, line))?;
    writeln!(to, "</g>")?;
    write_legend(to, height - 20.0, layout.left_out)?;
    writeln!(to, "</svg>")
}

fn write_line(to: &mut String, line: &GraphLine) -> fmt::Result {
    let class = if line.is_to_cause { "edge to-cause" } else { "edge" };
    let [(x, y), rest @ ..] = line.points.as_slice() else { return Ok(()) };
    if rest.is_empty() {
        let (left, up) = (x - 22.0, y - 20.0);
        writeln!(
            to,
            r#"<path class="{class}" d="M{left:.1} {y:.1}C{left:.1} {up:.1} {x:.1} {up:.1} {x:.1} {:.1}"/>"#,
            y - 6.0
        )?;
        return writeln!(to, r#"<path class="{class} tip" d="M{x:.1} {y:.1}l-4 -8h8z"/>"#);
    }
    let mut path = format!("M{x:.1} {y:.1}");
    let mut at = (*x, *y);
    for &(x, y) in rest {
        let half = (x - at.0) / 2.0;
        // Through a layer it goes straight, between two of them it bends.
        match (y - at.1).abs() < 0.05 {
            true => write!(path, "H{x:.1}")?,
            false => write!(path, "C{:.1} {:.1} {:.1} {y:.1} {x:.1} {y:.1}", at.0 + half, at.1, x - half)?,
        }
        at = (x, y);
    }
    writeln!(to, r#"<path class="{class}" d="{path}"/>"#)?;
    let ((x, y), back) = if line.is_backward { ((*x, *y), 8) } else { (at, -8) };
    writeln!(to, r#"<path class="{class} tip" d="M{x:.1} {y:.1}l{back} -4v8z"/>"#)
}

fn write_label(to: &mut String, line: &GraphLine) -> fmt::Result {
    if line.label.is_empty() {
        return Ok(());
    }
    // At the tip, where lines that come from the same box are far from each other.
    let (class, x, y) = match line.points.as_slice() {
        [(x, y)] => ("label", x + 6.0, y - 10.0),
        [(x, y), (_, from), ..] if line.is_backward => ("label", x + 11.0, beside(*y, *from)),
        [.., (_, from), (x, y)] => ("label end", x - 11.0, beside(*y, *from)),
        [] => return Ok(()),
    };
    writeln!(to, r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{}</text>"#, escape(&line.label))
}

/// Above the tip of a line that comes from below, and below that of one that comes from above.
fn beside(tip: f64, from: f64) -> f64 {
    if from < tip - 2.0 { tip + 12.0 } else { tip - 4.0 }
}

fn write_box(to: &mut String, placed: &PlacedVertex<'_>) -> fmt::Result {
    let vertex = placed.vertex;
    let class = match (vertex.is_cause, vertex.is_different) {
        (true, _) => "vertex differs cause",
        (false, true) => "vertex differs",
        (false, false) => "vertex",
    };
    let PlacedVertex { x, y, width, height, .. } = *placed;
    writeln!(to, r#"<g class="{class}"><title>{}</title>"#, escape(&title(placed)))?;
    if vertex.is_cause {
        writeln!(
            to,
            r#"<rect class="outline" x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="8"/><text class="tag" x="{x:.1}" y="{:.1}">cause</text>"#,
            x - 4.0,
            y - 4.0,
            width + 8.0,
            height + 8.0,
            y - 9.0
        )?;
    }
    writeln!(to, r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="5"/>"#)?;
    for (at, text) in placed.texts.iter().enumerate() {
        let class = ["name", "value", "instead"].get(at).unwrap_or(&"value");
        let baseline = y + 18.0 + at as f64 * 17.0;
        writeln!(
            to,
            r#"<text class="{class}" x="{:.1}" y="{baseline:.1}">{}</text>"#,
            x + 10.0,
            escape(text)
        )?;
    }
    writeln!(to, "</g>")
}

/// The whole of what a box shows the beginning of.
fn title(placed: &PlacedVertex<'_>) -> String {
    let vertex = placed.vertex;
    let value = if vertex.value.is_empty() { String::new() } else { format!(" = {}", vertex.value) };
    let instead = match vertex.passing.as_ref().filter(|_| stands_out(vertex)) {
        Some(passing) => format!(" (instead of {passing})"),
        None => String::new(),
    };
    cut(&format!("{}{value}{instead}", vertex.name), LONGEST_TITLE)
}

fn write_legend(to: &mut String, y: f64, left_out: usize) -> fmt::Result {
    writeln!(to, r#"<g class="legend" transform="translate({MARGIN} {y:.1})">"#)?;
    let entries = [
        ("vertex differs cause", 0, "cause"),
        ("vertex differs", 104, "≠ differs"),
        ("vertex", 214, "is the same in both runs"),
    ];
    for (class, x, says) in entries {
        let is_cause = class.ends_with("cause");
        let outline = if is_cause {
            r#"<rect class="outline" x="-3" y="-3" width="28" height="18" rx="6"/>"#
        } else {
            ""
        };
        writeln!(
            to,
            r#"<g class="{class}" transform="translate({x} -10)">{outline}<rect width="22" height="12" rx="3"/><text class="says" x="31" y="10.5">{says}</text></g>"#
        )?;
    }
    if left_out > 0 {
        let more = count(left_out as u64, "vertex");
        writeln!(to, r#"<text class="says" x="404" y=".5">{more} not shown</text>"#)?;
    }
    writeln!(to, "</g>")
}
