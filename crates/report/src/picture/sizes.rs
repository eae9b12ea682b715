//! The curve of a simplification: how large the input was after each test.

use crate::Summary;
use crate::format::escape::escape;
use crate::picture::scale::Scale;
use crate::trail::sizes::{at_first, smaller};
use howcome_run::words::{count, cut, size, thousands};
use std::fmt::{self, Write};

const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 366.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 904.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 316.0;

/// Beyond this many steps nobody points at a single one.
const STEPS_WITH_TITLES: usize = 1_500;

/// The curve as an SVG element that brings its style along; `None` where nothing is measured in bytes.
pub fn size_curve(summary: &Summary) -> Option<String> {
    let whole = at_first(summary)?;
    let tests = summary.counts.asked;
    if tests == 0 {
        return None;
    }
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = write_curve(&mut svg, summary, whole, tests);
    Some(svg)
}

fn write_curve(to: &mut String, summary: &Summary, whole: u64, tests: u64) -> fmt::Result {
    let x = Scale::linear(tests, LEFT, RIGHT - 10.0);
    let y = Scale::linear_or_log(whole, BOTTOM, TOP);
    writeln!(
        to,
        r#"<svg class="howcome-picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="the size after each of {}">"#,
        count(tests, "test")
    )?;
    writeln!(to, "<style>{}</style>", include_str!("picture.css").trim())?;
    write_axes(to, &x, &y)?;
    let (mut line, mut at, mut points) = (format!("M{LEFT:.1} {:.1}", y.at(whole)), 0_u64, Vec::new());
    for step in &summary.trail {
        at += u64::from(step.number.is_some());
        let Some(bytes) = step.bytes else { continue };
        write!(line, "H{:.1}V{:.1}", x.at(at), y.at(bytes))?;
        points.push((x.at(at), y.at(bytes), step));
    }
    let end = x.at(tests);
    writeln!(to, r#"<path class="area" d="{line}H{end:.1}V{BOTTOM}H{LEFT}Z"/>"#)?;
    writeln!(to, r#"<path class="line" d="{line}H{end:.1}"/>"#)?;
    if smaller(summary).count() <= STEPS_WITH_TITLES {
        for (x, y, step) in points {
            let pass =
                summary.stage(step.stage).map_or_else(String::new, |stage| stage.subject.without_turn());
            writeln!(
                to,
                r#"<circle class="fail" cx="{x:.1}" cy="{y:.1}" r="2.5" fill="currentColor"><title>{}: {}, {}</title></circle>"#,
                step.number.map(thousands).unwrap_or_default(),
                size(step.bytes.unwrap_or_default()),
                escape(&cut(&pass, 40))
            )?;
        }
    }
    writeln!(to, "</svg>")
}

fn write_axes(to: &mut String, x: &Scale, y: &Scale) -> fmt::Result {
    for tick in y.ticks() {
        let at = y.at(tick);
        writeln!(to, r#"<path class="grid" d="M{LEFT} {at:.1}H{RIGHT}"/>"#)?;
        writeln!(to, r#"<text class="end" x="{:.1}" y="{:.1}">{}</text>"#, LEFT - 9.0, at + 4.0, size(tick))?;
    }
    for tick in x.ticks() {
        let at = x.at(tick);
        writeln!(to, r#"<path class="axis" d="M{at:.1} {BOTTOM}v5"/>"#)?;
        writeln!(
            to,
            r#"<text class="middle" x="{at:.1}" y="{:.1}">{}</text>"#,
            BOTTOM + 20.0,
            thousands(tick)
        )?;
    }
    writeln!(to, r#"<path class="axis" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>"#)?;
    let log = if y.is_log() { " (log scale)" } else { "" };
    writeln!(to, r#"<text class="name" x="{LEFT}" y="20">size{log}</text>"#)?;
    writeln!(
        to,
        r#"<text class="name end" x="{RIGHT}" y="{:.1}">tests, in the order of the search</text>"#,
        BOTTOM + 40.0
    )
}
