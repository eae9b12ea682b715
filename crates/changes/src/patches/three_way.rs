//! Changes of lines applied to another text that resembles the first one.

use crate::deltas::hunk::{LineEdit, edits};
use crate::deltas::splice::append;
use crate::deltas::text::Text;
use crate::patches::conflict::ConflictKind;
use std::cell::OnceCell;
use std::ops::Range;

/// Edits that do not apply to the other text: the number of the first one and its first line, and the numbers of the others.
pub(crate) struct Misfit {
    pub(crate) edit: usize,
    pub(crate) others: Vec<usize>,
    pub(crate) line: u32,
    pub(crate) why: ConflictKind,
}

/// Makes the given edits, which lead from one text to another, in a third text. Edits that are there already change nothing.
///
/// In an edit, `good` are lines of `from` and `bad` are lines of `to`.
pub(crate) fn three_way(from: &Text, to: &Text, chosen: &[LineEdit], onto: &Text) -> Result<Vec<u8>, Misfit> {
    let old = Whereabouts::new(from, onto);
    let new = OnceCell::new();
    let is_done = |lines: &Range<u32>| {
        let new = new.get_or_init(|| Whereabouts::new(to, onto));
        if lines.is_empty() { new.gap(lines.start).is_closed() } else { new.run(lines).is_some() }
    };
    let (mut bytes, mut line) = (Vec::with_capacity(onto.bytes().len()), 0);
    let mut misfit: Option<Misfit> = None;
    for (nth, edit) in chosen.iter().enumerate() {
        let found = if edit.good.is_empty() {
            let gap = old.gap(edit.good.start);
            match gap.before.or(gap.behind) {
                _ if !gap.is_closed() && is_done(&edit.bad) => continue,
                Some(at) => Ok(at..at),
                None => Err(ConflictKind::NeighboursDiffer),
            }
        } else {
            match old.run(&edit.good) {
                None if is_done(&edit.bad) => continue,
                found => found.ok_or(ConflictKind::LinesDiffer),
            }
        };
        let found = match (found, &mut misfit) {
            (Ok(found), _) => found,
            (Err(_), Some(misfit)) => {
                misfit.others.push(nth);
                continue;
            }
            (Err(why), None) => {
                let line = edit.good.start + 1;
                misfit = Some(Misfit { edit: nth, others: Vec::new(), line, why });
                continue;
            }
        };
        append(&mut bytes, onto.run(line..found.start));
        append(&mut bytes, to.run(edit.bad.clone()));
        line = found.end;
    }
    if let Some(misfit) = misfit {
        return Err(misfit);
    }
    append(&mut bytes, onto.run(line..onto.len()));
    Ok(bytes)
}

/// Whether a text has all lines of another, in their order.
pub(crate) fn holds(onto: &Text, lines: &Text) -> bool {
    edits(lines, onto).iter().all(|edit| edit.good.is_empty())
}

/// Where the lines of one text are in another.
struct Whereabouts {
    edits: Vec<LineEdit>,
    lines: u32,
    lines_there: u32,
}

/// Where the place between two lines is now, by the line before it and by the line after it.
struct Gap {
    before: Option<u32>,
    behind: Option<u32>,
}

impl Gap {
    /// Whether both lines exist with nothing between them.
    fn is_closed(&self) -> bool {
        self.before.is_some() && self.before == self.behind
    }
}

impl Whereabouts {
    fn new(of: &Text, onto: &Text) -> Self {
        Self { edits: edits(of, onto), lines: of.len(), lines_there: onto.len() }
    }

    /// Where a line is; `None` if it does not exist.
    fn line(&self, line: u32) -> Option<u32> {
        let next = self.edits.partition_point(|edit| edit.good.end <= line);
        let is_changed = self.edits.get(next).is_some_and(|edit| edit.good.start <= line);
        let (before, before_there) = match next.checked_sub(1) {
            Some(last) => (self.edits[last].good.end, self.edits[last].bad.end),
            None => (0, 0),
        };
        (!is_changed).then(|| before_there + (line - before))
    }

    /// Where some lines are, if all of them exist with nothing between them.
    fn run(&self, lines: &Range<u32>) -> Option<Range<u32>> {
        let start = self.line(lines.start)?;
        let all = lines.clone().zip(start..).all(|(line, there)| self.line(line) == Some(there));
        all.then(|| start..start + lines.len() as u32)
    }

    /// Where the place before a line is. The ends of a text count as lines, unless there is nothing between them.
    fn gap(&self, line: u32) -> Gap {
        if self.lines == 0 && self.lines_there > 0 {
            return Gap { before: None, behind: None };
        }
        let before = match line.checked_sub(1) {
            Some(before) => self.line(before).map(|there| there + 1),
            None => Some(0),
        };
        let behind = if line == self.lines { Some(self.lines_there) } else { self.line(line) };
        Gap { before, behind }
    }
}
