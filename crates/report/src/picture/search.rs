//! The picture of Tables 8 and 9 of "Yesterday, my program worked": the deltas left over the tests.

use crate::format::escape::escape;
use crate::format::trail::reason;
use crate::picture::scale::Scale;
use crate::{Summary, TrailStep};
use howcome_dd::Outcome;
use howcome_run::words::{count, cut, thousands, width};
use howcome_run::{AnswerSource, Unit};
use std::collections::HashSet;
use std::fmt::{self, Write};

const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 366.0;
const LEFT: f64 = 66.0;
/// About how wide a letter of a name is.
const LETTER: f64 = 6.5;
const RIGHT: f64 = 904.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 316.0;

/// Beyond this many tests nobody points at a single one.
const TESTS_WITH_TITLES: usize = 1_500;

/// The picture as an SVG element that brings its style along; `None` before the first question was answered.
#[must_use]
pub fn picture(summary: &Summary) -> Option<String> {
    let steps: Vec<&TrailStep> = summary.trail.iter().filter(|step| step.number.is_some()).collect();
    if steps.is_empty() {
        return None;
    }
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = SearchPicture::of(summary, steps).write(&mut svg);
    Some(svg)
}

struct SearchPicture<'a> {
    summary: &'a Summary,
    steps: Vec<&'a TrailStep>,
    x: Scale,
    y: Scale,
}

impl<'a> SearchPicture<'a> {
    fn of(summary: &'a Summary, steps: Vec<&'a TrailStep>) -> Self {
        let most_left = steps.iter().map(|step| step.left).max().unwrap_or(0);
        let deltas = summary.stages.iter().filter(|stage| stage.asked > 0).map(|stage| stage.deltas).max();
        let x = Scale::linear(steps.len() as u64, LEFT, RIGHT - 10.0);
        let y = Scale::linear_or_log(deltas.unwrap_or(0).max(most_left).into(), BOTTOM, TOP);
        Self { summary, steps, x, y }
    }

    fn write(&self, to: &mut String) -> fmt::Result {
        let what = self.unit();
        let tests = count(self.steps.len() as u64, "test");
        writeln!(
            to,
            r#"<svg class="howcome-picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{} left after each of {}">"#,
            escape(&what),
            tests
        )?;
        writeln!(to, "<style>{}</style>", include_str!("picture.css").trim())?;
        self.write_marks_to_use(to)?;
        self.write_axes(to, &what)?;
        self.write_stages(to)?;
        self.write_line(to)?;
        self.write_tests(to)?;
        self.write_legend(to)?;
        writeln!(to, "</svg>")
    }

    /// What is left: items, lines, or deltas where stages differ.
    fn unit(&self) -> String {
        let mut units: Vec<Unit> = self.steps.iter().map(|step| self.summary.unit(step.stage)).collect();
        units.dedup();
        match units.as_slice() {
            [unit] => unit.plural(),
            _ => "deltas".to_owned(),
        }
    }

    /// The signs of the papers as shapes, smaller where there are many.
    fn write_marks_to_use(&self, to: &mut String) -> fmt::Result {
        let room = (RIGHT - LEFT) / self.steps.len() as f64;
        writeln!(to, "<defs>")?;
        for outcome in Outcome::ALL {
            // What moved the search stands out among what did not.
            let smallest = if outcome == Outcome::Unresolved { 0.3 } else { 0.5 };
            let scale = (room / 13.0).clamp(smallest, 1.0);
            writeln!(
                to,
                r#"<g id="howcome-{outcome}"><g transform="scale({scale:.2})">{}</g></g>"#,
                shape(outcome)
            )?;
        }
        writeln!(to, "</defs>")
    }

    fn write_axes(&self, to: &mut String, what: &str) -> fmt::Result {
        let mut ticks = self.y.ticks();
        // What the search began with is worth a label of its own.
        ticks.extend(
            Some(self.y.largest())
                .filter(|all| ticks.last().is_some_and(|last| self.y.at(*last) - self.y.at(*all) > 16.0)),
        );
        for tick in ticks {
            let y = self.y.at(tick);
            writeln!(to, r#"<path class="grid" d="M{LEFT} {y:.1}H{RIGHT}"/>"#)?;
            writeln!(
                to,
                r#"<text class="end" x="{:.1}" y="{:.1}">{}</text>"#,
                LEFT - 9.0,
                y + 4.0,
                thousands(tick)
            )?;
        }
        for tick in self.x.ticks() {
            let x = self.x.at(tick);
            writeln!(to, r#"<path class="axis" d="M{x:.1} {BOTTOM}v5"/>"#)?;
            writeln!(
                to,
                r#"<text class="middle" x="{x:.1}" y="{:.1}">{}</text>"#,
                BOTTOM + 20.0,
                thousands(tick)
            )?;
        }
        writeln!(to, r#"<path class="axis" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>"#)?;
        let log = if self.y.is_log() { " (log scale)" } else { "" };
        writeln!(to, r#"<text class="name" x="{LEFT}" y="20">{} left{log}</text>"#, escape(what))?;
        writeln!(
            to,
            r#"<text class="name end" x="{RIGHT}" y="{:.1}">tests, in the order of the search</text>"#,
            BOTTOM + 40.0
        )
    }

    /// Where a stage begins, if there is more than one.
    fn write_stages(&self, to: &mut String) -> fmt::Result {
        if self.stages().count() < 2 {
            return Ok(());
        }
        // Names that would cover one another are left out; the table of the stages has them all.
        let mut free = f64::MIN;
        for (before, first) in self.stages() {
            let x = self.x.at(before);
            let subject =
                self.summary.stage(first.stage).map_or_else(String::new, |stage| stage.subject.to_string());
            if before > 0 {
                writeln!(to, r#"<path class="stage" d="M{x:.1} {TOP}V{BOTTOM}"/>"#)?;
            }
            let subject = cut(&subject, 24);
            let width = (width(&subject) as f64 + 2.0) * LETTER;
            let subject = escape(&subject);
            // A name at the right end would leave the picture.
            let (class, x, name) = match x > RIGHT - 160.0 {
                true => ("stage end", x + 4.0, format!("{subject} ↘")),
                false => ("stage", x + 4.0, subject),
            };
            let (from, to_x) = if class == "stage" { (x, x + width) } else { (x - width, x) };
            if from >= free {
                writeln!(to, r#"<text class="{class}" x="{x:.1}" y="{:.1}">{name}</text>"#, TOP - 9.0)?;
                free = to_x;
            }
        }
        Ok(())
    }

    /// The first step of each stage, and how many tests there were before it.
    fn stages(&self) -> impl Iterator<Item = (u64, &TrailStep)> {
        let begins = |i: usize| i == 0 || self.steps[i - 1].stage != self.steps[i].stage;
        (0..self.steps.len()).filter(move |i| begins(*i)).map(|i| (i as u64, self.steps[i]))
    }

    /// A step line from all deltas of a stage down to what is left, and the area below it.
    fn write_line(&self, to: &mut String) -> fmt::Result {
        let mut starts: Vec<usize> = self.stages().map(|(before, _)| before as usize).collect();
        starts.push(self.steps.len());
        for range in starts.windows(2) {
            let (start, end) = (range[0], range[1]);
            let deltas = self.summary.stage(self.steps[start].stage).map(|stage| stage.deltas);
            let mut y = self.y.at(deltas.unwrap_or(self.steps[start].left).into());
            let x0 = self.x.at(start as u64);
            let mut line = format!("M{x0:.1} {y:.1}");
            for (i, step) in self.steps[start..end].iter().enumerate() {
                let next = self.y.at(step.left.into());
                if (next - y).abs() > 0.05 {
                    write!(line, "H{:.1}V{next:.1}", self.x.at((start + i + 1) as u64))?;
                    y = next;
                }
            }
            let x1 = self.x.at(end as u64);
            write!(line, "H{x1:.1}")?;
            writeln!(to, r#"<path class="area" d="{line}V{BOTTOM}H{x0:.1}Z"/>"#)?;
            writeln!(to, r#"<path class="line" d="{line}"/>"#)?;
        }
        Ok(())
    }

    fn write_tests(&self, to: &mut String) -> fmt::Result {
        let with_titles = self.steps.len() <= TESTS_WITH_TITLES;
        let mut drawn = HashSet::new();
        let mut tests: Vec<(usize, &TrailStep)> = self.steps.iter().copied().enumerate().collect();
        // Those that moved the search are drawn last, above the others.
        tests.sort_by_key(|(_, step)| match step.outcome {
            Outcome::Unresolved => 0,
            Outcome::Pass => 1,
            Outcome::Fail => 2,
        });
        for (i, step) in tests {
            let (x, y) = (self.x.at(i as u64 + 1), self.y.at(step.left.into()));
            // Where there are thousands, marks in the same place are drawn once.
            if !with_titles && !drawn.insert((step.outcome, x as i64 / 3, y as i64)) {
                continue;
            }
            let how = if step.how == AnswerSource::Predicted { " predicted" } else { "" };
            write!(
                to,
                r##"<use class="{}{how}" href="#howcome-{}" x="{x:.1}" y="{y:.1}""##,
                step.outcome, step.outcome
            )?;
            if with_titles {
                writeln!(to, "><title>{}</title></use>", escape(&self.title(step)))?;
            } else {
                writeln!(to, "/>")?;
            }
        }
        Ok(())
    }

    fn title(&self, step: &TrailStep) -> String {
        let number = step.number.unwrap_or_default();
        let left = count(step.left.into(), self.summary.unit(step.stage).as_str());
        match reason(step) {
            reason if reason.is_empty() => format!("{number}: {}; {left} left", step.outcome),
            reason => format!("{number}: {}, {reason}; {left} left", step.outcome),
        }
    }

    fn write_legend(&self, to: &mut String) -> fmt::Result {
        let mut x = RIGHT;
        let predicted = self.steps.iter().any(|step| step.how == AnswerSource::Predicted);
        let entries = [
            (Outcome::Pass, "", "pass", 44.0, true),
            (Outcome::Fail, "", "fail", 38.0, true),
            (Outcome::Unresolved, "", "unresolved", 78.0, true),
            (Outcome::Unresolved, " predicted", "predicted (pale)", 112.0, predicted),
        ];
        for (outcome, class, name, width, present) in entries.into_iter().rev() {
            if !present {
                continue;
            }
            x -= width + 22.0;
            writeln!(
                to,
                r#"<g class="{outcome}{class}" transform="translate({:.1} 16)">{}</g><text x="{:.1}" y="20">{name}</text>"#,
                x + 8.0,
                shape(outcome),
                x + 19.0
            )?;
        }
        Ok(())
    }
}

/// ✓ in a disc, a bare ✗, ? in a diamond: told apart without colour and when small.
///
/// Style sheets do not reach into what is used by reference, but colours and variables are inherited.
pub(crate) fn shape(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => concat!(
            r#"<circle r="6.2" fill="currentColor" style="stroke:var(--paper)" stroke-width="1.5"/>"#,
            r#"<path d="M-3 .2l2.2 2.3L3-2.3" fill="none" style="stroke:var(--paper)" stroke-width="1.8" stroke-linecap="round"/>"#,
        ),
        Outcome::Fail => concat!(
            r#"<path d="M-5-5L5 5M-5 5L5-5" fill="none" style="stroke:var(--paper)" stroke-width="6" stroke-linecap="round"/>"#,
            r#"<path d="M-5-5L5 5M-5 5L5-5" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"/>"#,
        ),
        Outcome::Unresolved => concat!(
            r#"<path d="M0-7.4L7.4 0L0 7.4L-7.4 0Z" style="fill:var(--paper)" stroke="currentColor" stroke-width="1.8"/>"#,
            r#"<path d="M-1.7-1.5a1.8 1.7 0 1 1 2.6 1.5q-.9.5-.9 1.4M0 3.4v.1" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>"#,
        ),
    }
}
