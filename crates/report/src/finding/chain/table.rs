//! A cause-effect chain as a table: place, cause, passing value, tests.

use crate::account::Exhibit;
use crate::finding::chain::columns::{CauseColumns, INDENT, TableRow, in_columns};
use crate::finding::chain::{ChainReport, PlaceWords, StepWords, VariableWords};
use howcome_run::words::{count, printable};
use howcome_run::{ChainStep, DecidingVariable};

impl ChainReport {
    /// The chain, a line for each cause, the outcome last.
    pub(crate) fn exhibits(&self, columns: usize) -> Vec<Exhibit> {
        let columns = columns.saturating_sub(INDENT);
        let lines = if self.steps.is_empty() { Vec::new() } else { in_columns(&self.rows(), columns) };
        vec![Exhibit { lines, is_answer: true, is_close: true, ..Exhibit::default() }]
    }

    fn rows(&self) -> Vec<TableRow> {
        let mut rows = Vec::new();
        let mut file_above: Option<&str> = None;
        for group in self.groups() {
            rows.extend(rows_of(group.first, place(group.first, file_above)));
            file_above = Some(&group.first.location.file);
            if let Some(folded) = group.folded() {
                let tests = Some(group.tests()).filter(|tests| *tests > 0);
                let more =
                    tests.map(|tests| count(tests, "test")).into_iter().chain(group.otherwise_confirmed());
                let text = std::iter::once(folded).chain(more).collect::<Vec<_>>().join("; ");
                rows.push(TableRow::Across(format!("  {text}")));
                // The line between names another file.
                file_above = Some("");
            }
        }
        if !self.outcome.failing.is_empty() {
            rows.push(TableRow::CauseColumns(Box::new(CauseColumns {
                place: ["therefore".to_owned(), String::new(), String::new()],
                outcome: printable(&self.outcome.failing),
                instead: Some(self.other_outcome()).filter(|instead| !instead.is_empty()),
                ..CauseColumns::default()
            })));
        }
        rows
    }
}

/// The function and the line. The file is not repeated.
fn place(step: &ChainStep, file_above: Option<&str>) -> [String; 3] {
    let location = &step.location;
    let place = match file_above {
        Some(file) if file == location.file && !file.is_empty() => Some(location.place_as("…")),
        _ => location.place(),
    };
    let before = if file_above.is_some() { "therefore at " } else { "at " }.to_owned();
    let times = location.times().unwrap_or_default();
    let after = match place {
        Some(place) if !location.function.is_empty() => format!("{times} ({place})"),
        _ => times,
    };
    [before, location.name(), after]
}

/// A line for each cause. What holds for all of them is written once.
fn rows_of(step: &ChainStep, mut place: [String; 3]) -> Vec<TableRow> {
    let mut note = if step.tests > 0 { count(step.tests, "test") } else { String::new() };
    if step.causes.is_empty() {
        let outcome = "not narrowed down".to_owned();
        return vec![TableRow::CauseColumns(Box::new(CauseColumns {
            place,
            outcome,
            note,
            ..CauseColumns::default()
        }))];
    }
    let of_all = step.doubts_of_all();
    let row = |(number, cause): (usize, &DecidingVariable)| {
        let doubts = match &of_all {
            Some(doubts) if number == 0 => doubts.clone(),
            Some(_) => Vec::new(),
            None => cause.doubts(),
        };
        let aside = step.aside().filter(|_| number == 0);
        TableRow::CauseColumns(Box::new(CauseColumns {
            place: std::mem::take(&mut place),
            and: if number == 0 { "" } else { "and" },
            variable: printable(&cause.name),
            value: cause.failing.as_ref().map(|_| cause.failing_value()),
            instead: Some(cause.passing_value()),
            note: std::mem::take(&mut note),
            doubts: doubts.into_iter().chain(aside).collect::<Vec<_>>().join("; "),
            ..CauseColumns::default()
        }))
    };
    step.causes.iter().enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_run::words::width;
    use serde_json::json;

    /// The width of a page that is not a terminal.
    const WIDTH: usize = 118;

    fn lines(chain: serde_json::Value) -> Vec<String> {
        let chain = ChainReport(serde_json::from_value(chain).unwrap());
        chain.exhibits(WIDTH + INDENT).remove(0).lines
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
        assert!(lines.iter().all(|line| width(line) <= WIDTH), "{lines:#?}");
        let [first, _, second, cause, doubt] = lines.as_slice() else { panic!("five lines: {lines:#?}") };
        assert!(first.contains("x = 1 ") && first.ends_with("1,234 tests"), "{first}");
        assert!(first.contains("ction, 12th time (a.cc:1200)"), "{first}");
        // The name is the answer, so it gets a line of its own.
        assert!(second.contains("ction, 12th time (…:1200)") && second.contains("1,234 tests"), "{second}");
        assert!(cause.starts_with("    y->y->y->") && cause.contains("y-> = …777"), "{cause}");
        assert_eq!(doubt.trim(), "not enough alone; removing it does not help");
    }

    #[test]
    fn a_table_is_as_wide_as_the_terminal() {
        let cause = json!({"variable": "list->head->next->value", "failing": "1234567890123456789", "passing": "98765432109876543210", "alone_fails": true, "without_passes": true});
        let chain = json!({"chain": [{"location": {"function": "a_long_name_of_a_function", "file": "main.c", "line": 12}, "causes": [cause], "tests": 12}]});
        let chain = ChainReport(serde_json::from_value(chain).unwrap());
        let widest = |columns| chain.exhibits(columns)[0].lines.iter().map(|line| width(line)).max().unwrap();
        assert!(widest(80) + INDENT <= 80 && widest(80) < widest(160), "{} {}", widest(80), widest(160));
    }

    #[test]
    fn a_doubt_is_beside_its_cause_if_there_is_room() {
        let causes = json!([{"variable": "x", "failing": "1", "passing": "2", "alone_fails": false, "without_passes": true}]);
        let lines = lines(json!({"chain": [{"location": {"function": "f"}, "causes": causes, "tests": 1}]}));
        assert_eq!(lines, ["at f     x = 1     (instead of 2)     1 test; not enough alone"]);
    }

    #[test]
    fn columns_stay_aligned_beside_wide_characters() {
        let step = |name: &str| {
            let cause = json!({"variable": name, "failing": "1", "passing": "2", "alone_fails": true, "without_passes": true});
            json!({"location": {"function": "f"}, "causes": [cause], "tests": 1})
        };
        let lines = lines(json!({"chain": [step("名前"), step("name")]}));
        let column = |line: &str| line.find("(instead").map(|at| width(&line[..at]));
        assert_eq!(column(&lines[0]), column(&lines[1]), "{lines:#?}");
    }

    #[test]
    fn a_chain_without_places_has_no_lines() {
        assert!(lines(json!({"chain": [], "outcome": {"failing": "it crashes"}})).is_empty());
    }

    #[test]
    fn a_value_cannot_control_the_terminal() {
        let causes = json!([{"variable": "s\u{1b}[2J", "failing": "\"a\nb\"", "passing": "\u{202e}"}]);
        let lines =
            lines(json!({"chain": [{"location": {"function": "f\r", "file": "\u{7}"}, "causes": causes}]}));
        assert!(lines.iter().all(|line| !line.chars().any(char::is_control) && !line.contains('\u{202e}')));
        assert_eq!(lines.len(), 1);
    }
}
