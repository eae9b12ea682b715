//! A cause-effect chain as lines of a terminal: place, cause, what it is instead of, what it took, in columns.

use crate::chain::{Chain, ChainStep};
use crate::exhibit::Exhibit;
use crate::printable::{cut, cut_front, printable};
use crate::quantity::count;
use std::fmt::Write;

/// No line is longer, where that can be helped; each is indented by two.
const WIDTH: usize = 118;
/// Between columns, if there is room.
const WIDE_GAP: usize = 5;
const NARROW_GAP: usize = 2;
/// What place, cause and value keep when they are cut, and what they keep where that is still too wide.
const NARROWEST: [[usize; 3]; 2] = [[52, 30, 10], [20, 14, 8]];
/// And of a name so much is left.
const NAME_LEFT: usize = 8;
/// What stands around a value: `(instead of …)`.
const AROUND: usize = "(instead of )".len();

/// A line of the table.
#[derive(Default)]
struct Row {
    place: Cell,
    cause: Cell,
    instead: Option<String>,
    note: String,
    /// What was not confirmed.
    doubts: String,
}

/// Text that may have to become narrower, by cutting the name in it first.
#[derive(Clone, Default)]
struct Cell {
    before: String,
    name: String,
    after: String,
}

impl Row {
    /// What it took, and what was not confirmed.
    fn noted(&self) -> String {
        let parts: Vec<&str> = [&self.note, &self.doubts]
            .into_iter()
            .map(String::as_str)
            .filter(|part| !part.is_empty())
            .collect();
        parts.join("; ")
    }
}

impl Cell {
    fn plain(text: &str) -> Self {
        Self { after: text.to_owned(), ..Self::default() }
    }

    fn width(&self) -> usize {
        [&self.before, &self.name, &self.after].into_iter().map(|text| text.chars().count()).sum()
    }

    fn fit(&self, width: usize) -> String {
        let more = self.width().saturating_sub(width);
        let name_width = self.name.chars().count();
        let name = cut_front(&self.name, name_width.saturating_sub(more).max(name_width.min(NAME_LEFT)));
        cut(&format!("{}{name}{}", self.before, self.after), width)
    }
}

impl Chain {
    /// The chain, a line for each cause, the outcome last.
    pub(crate) fn exhibits(&self) -> Vec<Exhibit> {
        let lines = if self.steps.is_empty() { Vec::new() } else { in_columns(&self.rows()) };
        vec![Exhibit { lines, is_answer: true, is_close: true, ..Exhibit::default() }]
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut file_above: Option<&str> = None;
        for step in &self.steps {
            rows.extend(rows_of(step, place(step, file_above)));
            file_above = Some(&step.location.file);
        }
        if !self.outcome.failing.is_empty() {
            let instead = Some(self.other_outcome()).filter(|instead| !instead.is_empty());
            let cause = Cell::plain(&printable(&self.outcome.failing));
            rows.push(Row { place: Cell::plain("therefore"), cause, instead, ..Row::default() });
        }
        rows
    }
}

/// The function and the line; the file is not repeated.
fn place(step: &ChainStep, file_above: Option<&str>) -> Cell {
    let location = &step.location;
    let place = match file_above {
        Some(file) if file == location.file && !file.is_empty() => Some(location.place_as("…")),
        _ => location.place(),
    };
    let before = if file_above.is_some() { "therefore at " } else { "at " }.to_owned();
    let times = location.times().unwrap_or_default();
    match place {
        Some(place) if !location.function.is_empty() => {
            Cell { before, name: location.name(), after: format!("{times} ({place})") }
        }
        _ => Cell { before, name: location.name(), after: times },
    }
}

fn rows_of(step: &ChainStep, mut place: Cell) -> Vec<Row> {
    if step.causes.is_empty() {
        let cause = Cell::plain("not narrowed down");
        return vec![Row { place, cause, note: count(step.tests, "test"), ..Row::default() }];
    }
    let mut rows = Vec::new();
    let mut note = count(step.tests, "test");
    for cause in &step.causes {
        let value = cause.failing.as_ref().map(|_| format!(" = {}", cause.failing_value()));
        rows.push(Row {
            place: std::mem::take(&mut place),
            cause: Cell { name: cause.short_name(), after: value.unwrap_or_default(), ..Cell::default() },
            instead: Some(cause.passing_value()),
            note: std::mem::take(&mut note),
            doubts: cause.doubts().into_iter().chain(step.aside()).collect::<Vec<_>>().join("; "),
        });
    }
    rows
}

fn in_columns(rows: &[Row]) -> Vec<String> {
    let widest = |width: fn(&Row) -> usize| rows.iter().map(width).max().unwrap_or(0);
    let mut widths = [
        widest(|row| row.place.width()),
        widest(|row| row.cause.width()),
        widest(|row| row.instead.as_ref().map_or(0, |instead| instead.chars().count())),
    ];
    let (note, with_doubts) =
        (widest(|row| row.note.chars().count()), widest(|row| row.noted().chars().count()));
    let room = |widths: [usize; 3], gap: usize| {
        WIDTH.saturating_sub(widths.iter().sum::<usize>() + AROUND + 3 * gap)
    };
    let is_doubt_beside = with_doubts <= room(widths, NARROW_GAP);
    let note = if is_doubt_beside { with_doubts } else { note };
    let fits = |widths: [usize; 3], gap: usize| note <= room(widths, gap);
    let gap = if fits(widths, WIDE_GAP) { WIDE_GAP } else { NARROW_GAP };
    // The widest column gives first, as long as it is wider than it should be.
    for narrowest in NARROWEST {
        while !fits(widths, gap) {
            let wide = widths.iter_mut().zip(narrowest).filter(|(width, least)| **width > *least);
            match wide.max_by_key(|(width, _)| **width) {
                Some((width, _)) => *width -= 1,
                None => break,
            }
        }
    }
    let mut lines = Vec::new();
    for row in rows {
        let note = if is_doubt_beside { row.noted() } else { row.note.clone() };
        lines.push(line(row, &note, widths, gap));
        // Where there is no room beside it, the doubt stands below.
        if !is_doubt_beside && !row.doubts.is_empty() {
            lines.push(format!("{:indent$}{}", "", row.doubts, indent = widths[0] + gap + NARROW_GAP));
        }
    }
    lines
}

fn line(row: &Row, note: &str, [place, cause, instead]: [usize; 3], gap: usize) -> String {
    let value = row.instead.as_ref().map(|value| format!("(instead of {})", cut(value, instead)));
    let value = value.unwrap_or_default();
    let mut line = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        line,
        "{:place$}{:gap$}{:cause$}{:gap$}{value:instead$}{:gap$}{}",
        row.place.fit(place),
        "",
        row.cause.fit(cause),
        "",
        "",
        note,
        instead = instead + AROUND,
    );
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn lines(chain: serde_json::Value) -> Vec<String> {
        let chain = Chain::of(&chain).unwrap();
        chain.exhibits().remove(0).lines
    }

    #[test]
    fn no_line_is_wider_than_the_page_and_the_columns_stay_aligned() {
        let step = |name: &str, value: &str| {
            json!({
                "location": {"function": "a::very::long::name::of::a::function", "file": "a.cc", "line": 1200, "hit": 12},
                "causes": [{"variable": name, "failing": value, "passing": value, "alone_fails": false, "without_passes": false}],
                "tests": 1234,
            })
        };
        let lines = lines(json!({"chain": [step("x", "1"), step(&"y->".repeat(90), &"7".repeat(900))]}));
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{lines:#?}");
        let column = |line: &str, text: &str| line.find(text).map(|at| line[..at].chars().count());
        assert_eq!(column(&lines[0], "(instead of"), column(&lines[2], "(instead of"));
        let [first, doubt, second, ..] = lines.as_slice() else { panic!("four lines") };
        assert_eq!(doubt.trim(), "not alone; its removal does not help");
        for line in [first, second] {
            assert!(
                line.contains("nction, 12th time (")
                    && line.contains(":1200)")
                    && line.ends_with("1,234 tests")
            );
        }
    }

    #[test]
    fn a_doubt_stands_beside_its_cause_where_there_is_room() {
        let causes = json!([{"variable": "x", "failing": "1", "passing": "2", "alone_fails": false, "without_passes": true}]);
        let lines = lines(json!({"chain": [{"location": {"function": "f"}, "causes": causes, "tests": 1}]}));
        assert_eq!(lines, ["at f     x = 1     (instead of 2)     1 test; not alone"]);
    }

    #[test]
    fn a_chain_without_places_has_no_lines() {
        assert!(lines(json!({"chain": [], "outcome": {"failing": "it crashes"}})).is_empty());
    }

    #[test]
    fn what_the_program_wrote_cannot_talk_to_the_terminal() {
        let causes = json!([{"variable": "s\u{1b}[2J", "failing": "\"a\nb\"", "passing": "\u{202e}"}]);
        let lines =
            lines(json!({"chain": [{"location": {"function": "f\r", "file": "\u{7}"}, "causes": causes}]}));
        assert!(lines.iter().all(|line| !line.chars().any(char::is_control) && !line.contains('\u{202e}')));
        assert_eq!(lines.len(), 1);
    }
}
