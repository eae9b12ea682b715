//! When the search of a stage ends, even if it might find less.

use super::hunks::{HunkSearch, Level};
use howcome_dd::{Outcome, SearchLimit};
use howcome_run::RoundStep;

/// A search ends after this many tests in a row that leave hardly fewer changes.
const MOST_WITHOUT_PROGRESS: u32 = 25;

/// The same if only few whole functions, types and declarations are left,
const MOST_WITHOUT_PROGRESS_OF_FEW_ITEMS: u32 = 10;

/// which are at most this many.
const FEW_ITEMS: usize = 64;

/// A search ends after this many tests, whatever its progress.
const MOST_IN_ALL: u32 = 75;

/// After this many tests for a cause, each further stage is short,
const MOST_OF_A_CAUSE: u32 = 120;

/// and takes at most this many tests.
const FEWEST_OF_A_STAGE: u32 = 8;

/// A search that the user has chosen ends after this many tests in a row that leave no fewer changes.
const MOST_WITHOUT_PROGRESS_AS_CHOSEN: u32 = 100;

/// The same as above for a search that the user has chosen.
const MOST_IN_ALL_AS_CHOSEN: u32 = 300;

/// The same as above for a search that the user has chosen.
const MOST_OF_A_CAUSE_AS_CHOSEN: u32 = 400;

/// The same for a patch with which an older version fails. It need not be the smallest: a version that passes shows what matters.
const MOST_WITHOUT_PROGRESS_FOR_PATCH: u32 = 12;

/// A search by lines ends after this many mixes that cannot be judged.
const MOST_UNRESOLVED_LINES: u32 = 6;

/// A search by lines may take this many tests more than it takes to find one line that fails alone. If it takes more, the answer has many
/// lines, and the whole hunks are as good.
const MORE_TESTS_OF_LINES: u32 = 4;

/// Of at most this many lines, each can be needed,
const FEW_LINES: u32 = 8;

/// and then the search takes up to this many tests.
const MOST_OF_FEW_LINES: u32 = 16;

fn most_of_lines(lines: u32) -> u32 {
    match lines <= FEW_LINES {
        true => MOST_OF_FEW_LINES,
        false => FEWEST_OF_A_STAGE.max(lines.next_power_of_two().ilog2() + MORE_TESTS_OF_LINES),
    }
}

impl HunkSearch<'_> {
    /// When a search at one granularity ends, even if it might find less.
    pub(super) fn limit(&self, level: &Level, told: u64) -> SearchLimit {
        let limit = match self.plan.is_thorough {
            true => SearchLimit::of_progress(u32::MAX),
            false if self.sought == Some(Outcome::Fail) => {
                SearchLimit::of_progress(MOST_WITHOUT_PROGRESS_FOR_PATCH).by_eighths()
            }
            false => {
                let limit = SearchLimit::of_progress(MOST_WITHOUT_PROGRESS).by_eighths();
                let most = match level.step {
                    RoundStep::Lines => MOST_IN_ALL.min(most_of_lines(level.changes.len())),
                    _ => MOST_IN_ALL,
                };
                let limit = limit.and_in_all(self.most_tests(most, told));
                // Among the hunks of few items, the search goes on.
                let is_coarse = level.step == RoundStep::Items;
                if is_coarse {
                    limit.and_if_few(FEW_ITEMS, MOST_WITHOUT_PROGRESS_OF_FEW_ITEMS)
                } else {
                    limit
                }
            }
        };
        match level.step {
            RoundStep::Blocks | RoundStep::Lines if !self.plan.is_thorough => {
                limit.and_unresolved(MOST_UNRESOLVED_LINES)
            }
            _ => limit,
        }
    }

    /// The same for a search that the user has chosen. Published algorithms take their time.
    pub(super) fn limit_as_chosen(&self, told: u64) -> SearchLimit {
        if self.plan.is_thorough {
            return SearchLimit::of_progress(u32::MAX);
        }
        SearchLimit::of_progress(MOST_WITHOUT_PROGRESS_AS_CHOSEN)
            .and_in_all(self.most_tests(MOST_IN_ALL_AS_CHOSEN, told))
    }

    /// How many tests a stage may take: as many as it is worth, as long as all stages together may take more.
    fn most_tests(&self, of_a_stage: u32, told: u64) -> u32 {
        let Some(began_after) = self.began_after.filter(|_| !self.plan.is_thorough) else {
            return of_a_stage;
        };
        let of_a_cause =
            if self.plan.algorithm.is_some() { MOST_OF_A_CAUSE_AS_CHOSEN } else { MOST_OF_A_CAUSE };
        let left = u64::from(of_a_cause).saturating_sub(told.saturating_sub(began_after));
        of_a_stage.min(u32::try_from(left).unwrap_or(u32::MAX)).max(FEWEST_OF_A_STAGE)
    }
}
