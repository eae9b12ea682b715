//! The columns of a chain on a terminal. If a line is too long, values are cut first, then names of functions, and names of
//! variables last: they are the answer.

use howcome_run::words::{cut, cut_middle, cut_to_difference, pad, width};
use std::fmt::Write;

/// Each line is indented by this much.
pub(crate) const INDENT: usize = 2;
/// Between columns, if there is room.
const WIDE_GAP: usize = 5;
const NARROW_GAP: usize = 2;
/// The text around a value: `(instead of …)`.
const AROUND: usize = "(instead of )".len();
/// The outcome is a sentence, not a value.
const OUTCOME: usize = 30;
/// Values are not cut to less than this only to have a remark in the same line.
const VALUE_BESIDE_REMARK: usize = 20;

/// A line of the table.
pub(crate) enum TableRow {
    /// A cause, or the outcome.
    CauseColumns(Box<CauseColumns>),
    /// A text across all columns.
    Across(String),
}

/// A cause at a place, with the number of tests.
#[derive(Default)]
pub(crate) struct CauseColumns {
    /// `therefore at `, `shell_sort`, ` (sample.c:9)`
    pub(crate) place: [String; 3],
    /// `and` if it is not the first of its place.
    pub(crate) and: &'static str,
    pub(crate) variable: String,
    pub(crate) value: Option<String>,
    /// Instead of a variable and its value: the outcome.
    pub(crate) outcome: String,
    pub(crate) instead: Option<String>,
    pub(crate) note: String,
    /// What was not confirmed.
    pub(crate) doubts: String,
}

/// How wide the parts of a line may be.
#[derive(Clone, Copy)]
struct WidthLimits {
    value: usize,
    instead: usize,
    function: usize,
    variable: usize,
    place: usize,
}

impl WidthLimits {
    const WIDEST: Self = Self { value: 72, instead: 72, function: 36, variable: 80, place: 60 };

    /// The next narrower limits.
    fn narrower(self) -> Option<Self> {
        let less = |width: usize, least: usize| (width > least).then(|| width - 1);
        let value = |least| less(self.value, least).map(|value| Self { value, ..self });
        let instead = |least| less(self.instead, least).map(|instead| Self { instead, ..self });
        let function = |least| less(self.function, least).map(|function| Self { function, ..self });
        let variable = |least| less(self.variable, least).map(|variable| Self { variable, ..self });
        value(self.instead.max(14))
            .or_else(|| instead(14))
            .or_else(|| function(24))
            .or_else(|| value(10))
            .or_else(|| function(18))
            .or_else(|| variable(28))
            .or_else(|| instead(10))
            .or_else(|| function(12))
            .or_else(|| variable(12))
            .or_else(|| value(6))
            .or_else(|| less(self.place, 36).map(|place| Self { place, ..self }))
    }
}

impl CauseColumns {
    fn place(&self, most: WidthLimits) -> String {
        let [before, function, after] = &self.place;
        // The line number is at the end and must stay.
        let around = width(before) + width(after);
        let function = cut_middle(function, most.function.min(most.place.saturating_sub(around).max(8)));
        cut(&format!("{before}{function}{after}"), most.place)
    }

    fn cause(&self, most: WidthLimits) -> String {
        if !self.outcome.is_empty() {
            return cut(&self.outcome, most.value.max(OUTCOME));
        }
        let variable = cut_middle(&self.variable, most.variable);
        match &self.value {
            Some(value) => {
                let other = self.instead.as_deref().unwrap_or_default();
                format!("{variable} = {}", cut_to_difference(value, other, most.value))
            }
            None => variable,
        }
    }

    /// The same, with as much of the value as fits.
    fn cause_within(&self, most: WidthLimits, columns: usize) -> String {
        let variable = width(&self.variable).min(most.variable) + " = ".len();
        let value = columns.saturating_sub(if self.outcome.is_empty() { variable } else { 0 });
        self.cause(WidthLimits { value: value.max(most.value), ..most })
    }

    fn instead(&self, most: WidthLimits) -> String {
        let Some(instead) = &self.instead else { return String::new() };
        let other = self.value.as_deref().unwrap_or_default();
        format!("(instead of {})", cut_to_difference(instead, other, most.instead))
    }

    /// The number of tests, and what was not confirmed.
    fn noted(&self, with_doubts: bool) -> String {
        match (self.note.is_empty(), self.doubts.is_empty() || !with_doubts) {
            (_, true) => self.note.clone(),
            (true, false) => self.doubts.clone(),
            (false, false) => format!("{}; {}", self.note, self.doubts),
        }
    }
}

/// How a table is laid out.
struct TableLayout {
    most: WidthLimits,
    widths: [usize; 3],
    gap: usize,
    are_doubts_beside: bool,
    /// No line is longer if that can be avoided.
    columns: usize,
}

impl TableLayout {
    fn of(rows: &[&CauseColumns], columns: usize) -> Self {
        let beside = Self::with(rows, columns, true);
        // If there is no room beside it, a doubt is below.
        let is_good = beside.most.value >= VALUE_BESIDE_REMARK;
        if is_good { beside } else { Self::with(rows, columns, false) }
    }

    fn with(rows: &[&CauseColumns], columns: usize, are_doubts_beside: bool) -> Self {
        let widest = |text: &dyn Fn(&CauseColumns) -> String| {
            rows.iter().map(|row| width(&text(row))).max().unwrap_or(0)
        };
        let note = widest(&|row| row.noted(are_doubts_beside));
        let mut most = WidthLimits::WIDEST;
        loop {
            let widths = [
                widest(&|row| row.place(most)),
                widest(&|row| row.cause(most)),
                widest(&|row| row.instead(most)).max(AROUND),
            ];
            let used = widths.iter().sum::<usize>() + note;
            let fits = |gap: usize| used + 3 * gap <= columns;
            let layout = |gap| Self { most, widths, gap, are_doubts_beside, columns };
            match most.narrower() {
                _ if fits(WIDE_GAP) => return layout(WIDE_GAP),
                Some(narrower) if !fits(NARROW_GAP) => most = narrower,
                _ => return layout(NARROW_GAP),
            }
        }
    }

    fn line(&self, row: &CauseColumns) -> String {
        let [place, cause, instead] = self.widths;
        let gap = self.gap;
        // An `and` is directly before its variable.
        let before = match row.and {
            "" => pad(&row.place(self.most), place + gap),
            and => format!("{and:>width$} ", width = place + gap - 1),
        };
        let mut line = before;
        // Writing to a string cannot fail.
        let _ = write!(
            line,
            "{}{}{}",
            pad(&row.cause_within(self.most, cause), cause + gap),
            pad(&row.instead(self.most), instead + gap),
            row.noted(self.are_doubts_beside)
        );
        line.trim_end().to_owned()
    }

    /// Whether the variable would be cut in its column.
    fn is_too_long(&self, row: &CauseColumns) -> bool {
        width(&row.variable) > self.most.variable
    }

    /// The variable gets a line of its own, below its place.
    fn own_line(&self, row: &CauseColumns) -> Vec<String> {
        let place = row.place(WidthLimits::WIDEST);
        let before = if row.and.is_empty() { "    ".to_owned() } else { format!("    {} ", row.and) };
        let mut most = WidthLimits::WIDEST;
        let said = loop {
            let said = format!("{before}{}  {}", row.cause(most), row.instead(most));
            match most.narrower() {
                Some(narrower) if width(&said) > self.columns => most = narrower,
                _ => break said.trim_end().to_owned(),
            }
        };
        if place.is_empty() {
            return vec![said];
        }
        let until_note = self.widths.iter().sum::<usize>() + 3 * self.gap;
        let note = row.noted(self.are_doubts_beside);
        let line = format!("{}{note}", pad(&place, until_note.max(width(&place) + NARROW_GAP)));
        vec![line.trim_end().to_owned(), said]
    }
}

/// The lines of a table, aligned.
pub(crate) fn in_columns(rows: &[TableRow], columns: usize) -> Vec<String> {
    let in_columns: Vec<&CauseColumns> = rows
        .iter()
        .filter_map(|row| match row {
            TableRow::CauseColumns(columns) => Some(columns.as_ref()),
            TableRow::Across(_) => None,
        })
        .collect();
    let mut layout = TableLayout::of(&in_columns, columns);
    let (long, short): (Vec<_>, Vec<_>) = in_columns.into_iter().partition(|row| layout.is_too_long(row));
    if !long.is_empty() {
        layout = TableLayout::of(&short, columns);
    }
    let mut lines = Vec::new();
    for row in rows {
        match row {
            TableRow::Across(text) => lines.push(cut(text, columns)),
            TableRow::CauseColumns(row) => {
                let is_long = long.iter().any(|long| std::ptr::eq(*long, row.as_ref()));
                match is_long {
                    true => lines.extend(layout.own_line(row)),
                    false => lines.push(layout.line(row)),
                }
                let is_said =
                    layout.are_doubts_beside && !(is_long && row.place(WidthLimits::WIDEST).is_empty());
                if !is_said && !row.doubts.is_empty() {
                    let indent = if is_long { 6 } else { layout.widths[0] + layout.gap + NARROW_GAP };
                    lines.push(format!("{:indent$}{}", "", row.doubts));
                }
            }
        }
    }
    lines
}
