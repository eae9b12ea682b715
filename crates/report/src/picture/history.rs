//! History as one line of revisions: outcomes, patches, and the revision that broke it.

use crate::finding::history::HistoryReport;
use crate::finding::history::patches::why;
use crate::format::escape::escape;
use crate::picture::scale::Scale;
use crate::picture::search::shape;
use howcome_dd::Outcome;
use howcome_run::words::{count, thousands, width};
use howcome_run::{PatchMade, RevisionOutcome};
use std::fmt::{self, Write};

const WIDTH: f64 = 920.0;
const LEFT: f64 = 20.0;
const RIGHT: f64 = 900.0;
/// Below the legend.
const TOP: f64 = 44.0;
/// Room for one mark, to the side and upwards.
const ROOM: f64 = 15.0;
/// Marks that would overlap are stacked, up to this height.
const LANES: usize = 8;
/// More marks cannot be told apart.
const MARKS: usize = 2_000;
/// About how wide a letter of a name is.
const LETTER: f64 = 6.8;
/// Where a patch was made.
const PATCH: &str = r#"<path d="M0 0l6 9h-12Z" style="fill:var(--line)"/>"#;

/// The picture as an SVG element with its style. `None` if fewer than two revisions were tested.
pub(crate) fn history_picture(history: &HistoryReport) -> Option<String> {
    let sights = history.sights();
    let last_tried = *sights.keys().next_back()?;
    let newest = history.revisions.checked_sub(1).unwrap_or(last_tried);
    let sights: Vec<(u64, RevisionOutcome)> =
        sights.into_iter().filter(|(at, _)| *at <= newest).take(MARKS).collect();
    if sights.len() < 2 {
        return None;
    }
    let x = Scale::linear(newest, LEFT, RIGHT);
    let lanes = lanes(&sights, &x);
    let highest = lanes.iter().copied().max().unwrap_or(0);
    let y = TOP + ROOM * (highest as f64 + 1.0);
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = HistoryPicture { history, sights, lanes, x, y }.write(&mut svg);
    Some(svg)
}

/// How far above the line each mark is.
fn lanes(sights: &[(u64, RevisionOutcome)], x: &Scale) -> Vec<usize> {
    let mut ends: Vec<f64> = Vec::new();
    let mut place = |at: u64| {
        let x = x.at(at);
        match ends.iter_mut().position(|end| *end <= x) {
            Some(lane) => {
                ends[lane] = x + ROOM;
                lane
            }
            None if ends.len() < LANES => {
                ends.push(x + ROOM);
                ends.len() - 1
            }
            None => LANES - 1,
        }
    };
    sights.iter().map(|(at, _)| place(*at)).collect()
}

struct HistoryPicture<'a> {
    history: &'a HistoryReport,
    sights: Vec<(u64, RevisionOutcome)>,
    lanes: Vec<usize>,
    x: Scale,
    /// Of the line.
    y: f64,
}

impl HistoryPicture<'_> {
    fn write(&self, to: &mut String) -> fmt::Result {
        let height = self.y + if self.history.neighbours().is_some() { 66.0 } else { 44.0 };
        writeln!(
            to,
            r#"<svg class="howcome-picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0}" role="img" aria-label="the outcomes of {}, from the oldest to the newest">"#,
            count(self.sights.len() as u64, "revision")
        )?;
        writeln!(to, "<style>{}</style>", include_str!("picture.css").trim())?;
        let all = count(self.x.largest().saturating_add(1), "revision");
        writeln!(to, r#"<text class="name" x="{LEFT}" y="20">{all}, the oldest on the left</text>"#)?;
        self.write_legend(to)?;
        self.write_patched(to)?;
        writeln!(to, r#"<path class="axis" d="M{LEFT} {0:.1}H{RIGHT}"/>"#, self.y)?;
        self.write_break(to)?;
        self.write_marks(to)?;
        self.write_ends(to)?;
        writeln!(to, "</svg>")
    }

    /// The revisions that were tested with a patch, and where it was made.
    fn write_patched(&self, to: &mut String) -> fmt::Result {
        let made = self.made();
        let Some(newest) = made.iter().map(|(at, _)| *at).max() else { return Ok(()) };
        let mut judged = self
            .sights
            .iter()
            .filter(|(_, sight)| matches!(sight, RevisionOutcome::Fail | RevisionOutcome::Pass));
        let oldest = judged.next().map_or(newest, |(at, _)| *at).min(newest);
        let (from, end) = (self.x.at(oldest) - ROOM / 2.0, self.x.at(newest) + ROOM / 2.0);
        writeln!(
            to,
            r#"<rect x="{from:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="6" style="fill:var(--line)" fill-opacity=".13"/>"#,
            TOP - 6.0,
            end - from,
            self.y - TOP + 26.0
        )?;
        for (at, made) in made {
            let (x, y, reason) = (self.x.at(at), self.y + 8.0, escape(&why(made)));
            writeln!(to, r#"<g transform="translate({x:.1} {y:.1})">{PATCH}<title>{reason}</title></g>"#)?;
        }
        Ok(())
    }

    /// The revisions for which patches were made.
    fn made(&self) -> Vec<(u64, &PatchMade)> {
        let made = self.history.patches.iter().filter_map(|made| Some((made.index?, made)));
        made.filter(|(at, _)| *at <= self.x.largest()).collect()
    }

    /// Between the last revision that passes and the first one that fails.
    fn write_break(&self, to: &mut String) -> fmt::Result {
        let Some((passing, failing)) = self.history.neighbours() else { return Ok(()) };
        let x = f64::midpoint(self.x.at(passing), self.x.at(failing));
        writeln!(
            to,
            r#"<path class="fail" d="M{x:.1} {:.1}V{:.1}" stroke="currentColor" stroke-width="1.5" stroke-dasharray="3 3"/>"#,
            TOP - 10.0,
            self.y + 42.0
        )?;
        let name = |name: Option<String>| name.unwrap_or_else(|| "?".to_owned());
        let label =
            format!("passes in {} · fails in {}", name(self.history.passing()), name(self.history.failing()));
        let half = width(&label) as f64 * LETTER / 2.0;
        let middle = if half * 2.0 > RIGHT - LEFT { WIDTH / 2.0 } else { x.clamp(LEFT + half, RIGHT - half) };
        let label = escape(&label);
        writeln!(to, r#"<text class="name middle" x="{middle:.1}" y="{:.1}">{label}</text>"#, self.y + 56.0)
    }

    fn write_marks(&self, to: &mut String) -> fmt::Result {
        for ((at, sight), lane) in self.sights.iter().zip(&self.lanes) {
            let y = self.y - ROOM * *lane as f64;
            let (class, shape, what) = mark(*sight);
            let number = thousands(at.saturating_add(1));
            writeln!(
                to,
                r#"<g class="{class}" transform="translate({:.1} {y:.1})">{shape}<title>revision {number}: {what}</title></g>"#,
                self.x.at(*at)
            )?;
        }
        Ok(())
    }

    fn write_ends(&self, to: &mut String) -> fmt::Result {
        let y = self.y + 34.0;
        if let Some(oldest) = self.history.oldest() {
            writeln!(to, r#"<text x="{LEFT}" y="{y:.1}">{}</text>"#, escape(&oldest))?;
        }
        writeln!(to, r#"<text class="end" x="{RIGHT}" y="{y:.1}">{}</text>"#, escape(&self.history.newest()))
    }

    fn write_legend(&self, to: &mut String) -> fmt::Result {
        let sights = [
            (RevisionOutcome::Pass, 42.0),
            (RevisionOutcome::Fail, 28.0),
            (RevisionOutcome::Otherwise, 92.0),
            (RevisionOutcome::Skipped, 48.0),
        ];
        let seen = |sight: RevisionOutcome| self.sights.iter().any(|(_, seen)| *seen == sight);
        let mut entries: Vec<_> = sights
            .into_iter()
            .filter(|(sight, _)| seen(*sight))
            .map(|(sight, width)| (mark(sight), 16.0, width))
            .collect();
        if !self.made().is_empty() {
            entries.push((("patch", PATCH, "patch made; shaded: tested with a patch"), 11.0, 196.0));
        }
        let mut x = RIGHT;
        for ((class, shape, what), y, width) in entries.into_iter().rev() {
            x -= width + 32.0;
            writeln!(
                to,
                r#"<g class="{class}" transform="translate({:.1} {y})">{shape}</g><text x="{:.1}" y="20">{what}</text>"#,
                x + 8.0,
                x + 19.0
            )?;
        }
        Ok(())
    }
}

/// Its class, its shape and its name.
fn mark(sight: RevisionOutcome) -> (&'static str, &'static str, &'static str) {
    match sight {
        RevisionOutcome::Pass => ("pass", shape(Outcome::Pass), "passes"),
        RevisionOutcome::Fail => ("fail", shape(Outcome::Fail), "fails"),
        RevisionOutcome::Otherwise => ("unresolved", shape(Outcome::Unresolved), "fails differently"),
        RevisionOutcome::Skipped | RevisionOutcome::Unknown => (
            "skipped",
            r#"<circle r="3.6" style="fill:var(--paper);stroke:var(--muted)" stroke-width="1.8"/>"#,
            "skipped",
        ),
    }
}
