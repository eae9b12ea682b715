//! The order in which deltas are removed in the end: runs of half of them, shorter runs, then single ones. After a success it goes on
//! where it is. It ends when no single delta could be removed since the last success.

use crate::{Configuration, DeltaId};

/// The next deltas to remove.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Removal {
    /// Where the run that was tried last begins.
    last: DeltaId,
    /// Where the next run begins.
    from: DeltaId,
    /// The length of a run.
    size: usize,
    /// Where single deltas could be removed last.
    success: Option<DeltaId>,
    /// Where the second turn ends.
    until: Option<DeltaId>,
}

/// Fewer deltas are removed one by one.
const FEWEST_FOR_RUNS: usize = 8;

impl Removal {
    /// The first removal of a configuration.
    pub(crate) fn of(failing: &Configuration) -> Self {
        let size = if failing.len() < FEWEST_FOR_RUNS { 1 } else { failing.len() / 2 };
        Self::of_size(size)
    }

    fn of_size(size: usize) -> Self {
        Self { last: DeltaId(0), from: DeltaId(0), size, success: None, until: None }
    }

    /// The deltas to remove now, and how to go on. `None` after the last ones.
    pub(crate) fn next(&self, failing: &Configuration) -> Option<(Configuration, Self)> {
        let run: Configuration = failing.iter().filter(|delta| *delta >= self.from).take(self.size).collect();
        let from = DeltaId(run.last()?.0 + 1);
        if self.until.is_some_and(|until| from > until) {
            return None;
        }
        Some((run, Self { last: self.from, from, ..*self }))
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
        Self { success: Some(self.last), until: None, ..*self }
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
}
