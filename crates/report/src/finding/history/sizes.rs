//! How large the patch was on its way back: the numbers of the table and of the figures in the paper.

use crate::account::{Exhibit, Section};
use crate::finding::history::HistoryReport;
use howcome_run::words::{count, thousands};

/// The size of the patch at a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SizeAtRevision {
    /// The position of the revision, counted from the oldest one, which is 0.
    pub(crate) index: u64,
    /// How many lines the patch removes and adds.
    pub(crate) lines: u64,
}

/// The longest bar.
const BAR: u64 = 40;
/// More rows are not shown.
const ROWS: usize = 16;

impl HistoryReport {
    /// The sizes of the patches that were made, the newest revision first, and of what is left of them at the revision that passes.
    pub(crate) fn patch_sizes(&self) -> Vec<SizeAtRevision> {
        let made = self.patches.iter().filter_map(|made| {
            Some(SizeAtRevision { index: made.index?, lines: made.lines }).filter(|size| size.lines > 0)
        });
        let mut sizes: Vec<SizeAtRevision> = made.collect();
        let left = self.neighbours().filter(|_| self.patch().is_some());
        let left = left.map(|(index, _)| SizeAtRevision { index, lines: self.backported_lines });
        sizes.extend(left.filter(|left| left.lines > 0));
        sizes
    }

    /// The numbers of the table in the paper, and a bar for each size.
    pub(crate) fn sizes_of_patches(&self) -> Option<Section> {
        let sizes = self.patch_sizes();
        let largest = sizes.iter().map(|size| size.lines).max().filter(|_| sizes.len() > 1)?;
        let made = match self.patches.len() as u64 {
            1 => "1 patch was made".to_owned(),
            patches => format!("{} patches were made", thousands(patches)),
        };
        let (tried, all) = (thousands(self.revisions_tried), count(self.revisions, "revision"));
        // Without a revision that passes, the patch was not made smaller, and has another size in each revision.
        let left = match self.backported_lines {
            0 => String::new(),
            _ if self.neighbours().is_none() => String::new(),
            lines => format!(", with {} in the end", count(lines, "line")),
        };
        let sentence = format!("{made} on the way back ({tried} of {all} tried){left}:");
        let number = |size: &SizeAtRevision| thousands(size.index + 1);
        let lines = |size: &SizeAtRevision| count(size.lines, "line");
        let widest = |text: &dyn Fn(&SizeAtRevision) -> String| {
            sizes.iter().take(ROWS).map(|size| text(size).len()).max().unwrap_or(0)
        };
        let (wide, lines_wide) = (widest(&number), widest(&lines));
        let row = |size: &SizeAtRevision| {
            let bar = "█".repeat((size.lines * BAR).div_ceil(largest) as usize);
            format!("revision {:>wide$}  {:>lines_wide$}  {bar}", number(size), lines(size))
        };
        let rows = Exhibit { lines: sizes.iter().take(ROWS).map(row).collect(), ..Exhibit::default() };
        Some(Section { title: "Patch sizes", sentences: vec![sentence], exhibits: vec![rows], folded: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_patch_grows_on_its_way_back_and_shrinks_in_the_end() {
        let record = json!({
            "passing_revision": "a", "failing_revision": "b", "revisions": 90, "revisions_tried": 3,
            "tried": [{"index": 3, "outcome": "pass"}, {"index": 4, "outcome": "fail"}],
            "patches": [{"revision": "y", "index": 80, "lines": 20}, {"revision": "x", "index": 41, "lines": 40}],
            "backported": "+x", "backported_lines": 1,
        });
        let section = HistoryReport::new(serde_json::from_value(record).unwrap()).sizes_of_patches().unwrap();
        assert_eq!(
            section.sentences,
            ["2 patches were made on the way back (3 of 90 revisions tried), with 1 line in the end:"]
        );
        let bars: Vec<usize> =
            section.exhibits[0].lines.iter().map(|line| line.matches('█').count()).collect();
        assert_eq!(bars, [20, 40, 1]);
        assert!(section.exhibits[0].lines[0].starts_with("revision 81  20 lines  "));
        let undecided = json!({
            "revisions": 90, "revisions_tried": 3,
            "patches": [{"revision": "y", "index": 80, "lines": 20}, {"revision": "x", "index": 41, "lines": 11}],
            "backported": "+x", "backported_lines": 13,
        });
        let section =
            HistoryReport::new(serde_json::from_value(undecided).unwrap()).sizes_of_patches().unwrap();
        assert_eq!(section.sentences, ["2 patches were made on the way back (3 of 90 revisions tried):"]);
    }
}
