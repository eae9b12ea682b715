//! The order in which deltas are removed in the end: runs of half of them, shorter runs, then single ones. After a success it goes on
//! where it is. It ends when no single delta could be removed since the last success. After some single ones in a row that could be
//! removed, it tries two at a time, then four, and so on, until that does not succeed.

use crate::{Configuration, DeltaId};

/// The next deltas to remove.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Removal {
    /// Where the run that was tried last begins.
    last: DeltaId,
    /// Where the next run begins.
    from: DeltaId,
    /// Where it begins if the last one was removed.
    end: DeltaId,
    /// How many removals have succeeded in a row,
    in_a_row: u32,
    /// and how many had when the last one was tried.
    in_a_row_then: u32,
    /// The length of a run.
    size: usize,
    /// Where single deltas could be removed last.
    success: Option<DeltaId>,
    /// Where the second turn ends.
    until: Option<DeltaId>,
}

/// After this many single deltas in a row, more are removed at a time.
const MOST_SINGLES: u32 = 3;

/// Fewer deltas are removed one by one.
const FEWEST_FOR_RUNS: usize = 8;

impl Removal {
    /// The first removal of a configuration.
    pub(crate) fn of(failing: &Configuration) -> Self {
        let size = if failing.len() < FEWEST_FOR_RUNS { 1 } else { failing.len() / 2 };
        Self::of_size(size)
    }

    fn of_size(size: usize) -> Self {
        let start = DeltaId(0);
        Self {
            last: start,
            from: start,
            end: start,
            in_a_row: 0,
            in_a_row_then: 0,
            size,
            success: None,
            until: None,
        }
    }

    /// The deltas to remove now, and how to go on. `None` after the last ones.
    pub(crate) fn next(&self, failing: &Configuration) -> Option<(Configuration, Self)> {
        let more = self.in_a_row.saturating_sub(MOST_SINGLES - 1).min(u32::BITS - 1);
        let most = if self.size == 1 { 1_usize << more } else { self.size };
        let run: Configuration = failing.iter().filter(|delta| *delta >= self.from).take(most).collect();
        let end = DeltaId(run.last()?.0 + 1);
        if self.until.is_some_and(|until| end > until) {
            return None;
        }
        // If more than one delta cannot be removed, the first of them is tried alone.
        let from = if run.len() > self.size { self.from } else { end };
        Some((run, Self { last: self.from, from, end, in_a_row: 0, in_a_row_then: self.in_a_row, ..*self }))
    }

    /// The same deltas once more. `None` if it was a single one.
    pub(crate) fn again(&self) -> Option<Self> {
        (self.size > 1).then_some(Self { from: self.last, ..*self })
    }

    /// After the last deltas: the first removal of shorter runs, or a second turn of single ones up to the last success. `None` if
    /// nothing is left to try.
    pub(crate) fn next_turn(&self) -> Option<Self> {
        match self.size {
            1 => self.success.map(|until| Self { until: Some(until), ..Self::of_size(1) }),
            _ => Some(Self::of_size(self.size / 2)),
        }
    }

    /// Goes on after the last deltas were removed.
    pub(crate) fn succeeded(&self) -> Self {
        let in_a_row = self.in_a_row_then + 1;
        Self { from: self.end, in_a_row, success: Some(self.last), until: None, ..*self }
    }

    /// How many questions are left if nothing can be removed any more.
    pub(crate) fn questions_left(&self, failing: &Configuration) -> f64 {
        let untried = failing.iter().filter(|delta| *delta >= self.from).count();
        let finer = if self.size > 1 { 2 * failing.len() } else { 0 };
        (untried.div_ceil(self.size) + finer) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_on_where_it_is_and_ends_if_no_single_delta_can_be_removed() {
        let mut failing = Configuration::all(8);
        let mut removal = Some(Removal::of(&failing));
        let mut tried = Vec::new();
        while let Some(now) = removal {
            removal = match now.next(&failing) {
                Some((run, next)) => {
                    tried.push(run.to_string());
                    let is_removed = ["3-4", "5"].contains(&run.to_string().as_str());
                    if is_removed {
                        failing = failing.without(&run);
                    }
                    Some(if is_removed { next.succeeded() } else { next })
                }
                None => now.next_turn(),
            };
        }
        assert_eq!(tried, ["1-4", "5-8", "1-2", "3-4", "5-6", "7-8", "1", "2", "5", "6", "7", "8", "1", "2"]);
    }
    #[test]
    fn after_some_single_deltas_in_a_row_it_removes_more_at_a_time() {
        let mut failing = Configuration::all(24);
        // Delta 21 is needed.
        let mut removal = Removal::of_size(1);
        let mut tried = Vec::new();
        while let Some((run, next)) = removal.next(&failing) {
            let is_removed = !run.contains(DeltaId(20));
            tried.push(run.to_string());
            failing = if is_removed { failing.without(&run) } else { failing };
            removal = if is_removed { next.succeeded() } else { next };
        }
        assert_eq!(
            tried,
            [
                "1", "2", "3", "4-5", "6-9", "10-17", "18-24", "18", "19", "20", "21-22", "21", "22", "23",
                "24"
            ]
        );
        assert_eq!(failing, Configuration::empty().with_delta(DeltaId(20)));
    }
}
