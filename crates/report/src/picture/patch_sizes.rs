//! The size of the patch over the revisions of a history, as the paper draws it.

use crate::finding::history::HistoryReport;
use crate::finding::history::sizes::SizeAtRevision;
use crate::picture::scale::Scale;
use howcome_run::words::{count, thousands};
use std::fmt::{self, Write};

const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 246.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 900.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 196.0;

/// The picture as an SVG element with its style. `None` if no patch was made.
pub(crate) fn patch_sizes_picture(history: &HistoryReport) -> Option<String> {
    let sizes = history.patch_sizes();
    let largest = sizes.iter().map(|size| size.lines).max().filter(|_| sizes.len() > 1)?;
    let newest = sizes.iter().map(|size| size.index).max()?.max(history.revisions.saturating_sub(1));
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = write_sizes(&mut svg, &sizes, newest, largest);
    Some(svg)
}

fn write_sizes(to: &mut String, sizes: &[SizeAtRevision], newest: u64, largest: u64) -> fmt::Result {
    let x = Scale::linear(newest.max(1), LEFT, RIGHT);
    let y = Scale::linear_or_log(largest, BOTTOM, TOP);
    writeln!(
        to,
        r#"<svg class="howcome-picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="the size of the patch at {}">"#,
        count(sizes.len() as u64, "revision")
    )?;
    writeln!(to, "<style>{}</style>", include_str!("picture.css").trim())?;
    for tick in y.ticks() {
        let at = y.at(tick);
        writeln!(to, r#"<path class="grid" d="M{LEFT} {at:.1}H{RIGHT}"/>"#)?;
        writeln!(
            to,
            r#"<text class="end" x="{:.1}" y="{:.1}">{}</text>"#,
            LEFT - 9.0,
            at + 4.0,
            thousands(tick)
        )?;
    }
    writeln!(to, r#"<path class="axis" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>"#)?;
    let log = if y.is_log() { " (log scale)" } else { "" };
    writeln!(to, r#"<text class="name" x="{LEFT}" y="20">lines of the patch{log}</text>"#)?;
    writeln!(
        to,
        r#"<text class="name end" x="{RIGHT}" y="{:.1}">revisions, the oldest on the left</text>"#,
        BOTTOM + 40.0
    )?;
    // The walk goes to the left: each patch is used from its revision on, until there is another one.
    let mut line = format!("M{RIGHT:.1} {BOTTOM:.1}");
    for size in sizes {
        write!(line, "H{:.1}V{:.1}", x.at(size.index), y.at(size.lines))?;
    }
    writeln!(to, r#"<path class="line" d="{line}"/>"#)?;
    for size in sizes {
        writeln!(
            to,
            r#"<circle class="fail" cx="{:.1}" cy="{:.1}" r="3" fill="currentColor"><title>revision {}: {}</title></circle>"#,
            x.at(size.index),
            y.at(size.lines),
            thousands(size.index.saturating_add(1)),
            count(size.lines, "line")
        )?;
    }
    writeln!(to, "</svg>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_curve_goes_back_from_the_newest_revision() {
        let history = |patches: serde_json::Value| {
            let record = json!({"revisions": 101, "patches": patches});
            HistoryReport::new(serde_json::from_value(record).unwrap())
        };
        let two = history(json!([{"index": 100, "lines": 10}, {"index": 0, "lines": 40}]));
        let svg = patch_sizes_picture(&two).unwrap();
        assert!(svg.contains(r#"d="M900.0 196.0H900.0V156.0H76.0V36.0""#), "{svg}");
        assert!(svg.contains("<title>revision 1: 40 lines</title>"), "{svg}");
        assert!(patch_sizes_picture(&history(json!([]))).is_none());
    }
}
