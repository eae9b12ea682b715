//! Reads a unified diff line by line: what each line is, and which number it has.

use crate::account::DiffMark;
use howcome_run::words::printable_lines;

/// The lines of a patch, printable, each with its kind.
pub(crate) fn marked(patch: &str) -> Vec<(DiffMark, String)> {
    let mut place = HunkPosition::default();
    printable_lines(patch).into_iter().map(|line| (place.mark(&line), line)).collect()
}

/// The position in a hunk.
#[derive(Default)]
struct HunkPosition {
    old: HunkSide,
    new: HunkSide,
}

/// The number of the next line of one side, and how many are still to come.
#[derive(Default)]
struct HunkSide {
    line: u64,
    left: u64,
}

impl HunkSide {
    /// Of `-120,3`.
    fn of(range: &str, sign: char) -> Option<Self> {
        let range = range.strip_prefix(sign)?;
        let (line, left) = range.split_once(',').unwrap_or((range, "1"));
        Some(Self { line: line.parse().ok()?, left: left.parse().ok()? })
    }

    fn step(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        self.line = self.line.checked_add(1)?;
        Some(self.line - 1)
    }
}

impl HunkPosition {
    fn mark(&mut self, line: &str) -> DiffMark {
        let within = self.old.left > 0 || self.new.left > 0;
        match line.chars().next() {
            // A patch without headers can still be read by its signs.
            Some('-') if within || !line.starts_with("--- ") => DiffMark::Removed(self.old.step()),
            Some('+') if within || !line.starts_with("+++ ") => DiffMark::Added(self.new.step()),
            Some(' ') | None if within => {
                self.old.step();
                DiffMark::Context(self.new.step())
            }
            Some('\\') => DiffMark::Context(None),
            _ => {
                let mut words = line.strip_prefix("@@ ").unwrap_or_default().split(' ');
                let old = words.next().and_then(|range| HunkSide::of(range, '-'));
                let new = words.next().and_then(|range| HunkSide::of(range, '+'));
                if let (Some(old), Some(new)) = (old, new) {
                    *self = Self { old, new };
                }
                DiffMark::Place
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_the_number_of_its_own_side() {
        let patch = "--- a/x\n+++ b/x\n@@ -8,3 +9,3 @@ fn\n a\n--- b\n+++ c\n d\n--- a/y\n";
        let marks: Vec<DiffMark> = marked(patch).into_iter().map(|(mark, _)| mark).collect();
        use DiffMark::{Added, Context, Place, Removed};
        assert_eq!(
            marks,
            [
                Place,
                Place,
                Place,
                Context(Some(9)),
                Removed(Some(9)),
                Added(Some(10)),
                Context(Some(11)),
                Place
            ]
        );
    }

    #[test]
    fn lines_without_a_hunk_are_recognised_by_their_signs() {
        let marks: Vec<DiffMark> = marked("-a\n+b\n").into_iter().map(|(mark, _)| mark).collect();
        assert_eq!(marks, [DiffMark::Removed(None), DiffMark::Added(None)]);
    }
}
