//! Balanced: the default simplifier. It promises what ddmin promises, with close to the fewest tests that information
//! theory allows.
//!
//! Removing deltas is group testing: a run of deltas can go if it contains no needed delta. So the search walks over the
//! deltas and each time asks to remove the run that can go with a chance of one half. If the run cannot go, it tries
//! shorter runs until it has found the first needed delta. If outcomes are not monotone, this is only a good guess. So the
//! search repeats the walk until removing each single delta has been tried without success: the finding is always 1-minimal.

mod chances;

use crate::{Answer, Ask, Configuration, Difference, Outcome, Question, Search, Step};
use chances::{Chances, RunAhead};

/// The end at which the first walk starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RemovalOrder {
    /// From the last delta to the first, for later deltas that depend on earlier ones.
    #[default]
    Backward,
    /// From the first delta to the last.
    Forward,
}

impl RemovalOrder {
    fn reversed(self) -> Self {
        match self {
            RemovalOrder::Backward => RemovalOrder::Forward,
            RemovalOrder::Forward => RemovalOrder::Backward,
        }
    }
}

/// Simplifies a failing configuration with few tests.
#[derive(Clone, Debug)]
pub struct Balanced {
    /// The order of the current walk.
    order: RemovalOrder,
    failing: Configuration,
    /// Deltas that `failing` needs: it did not fail without any single one of them.
    confirmed: Configuration,
    walk: RemovalWalk,
    next: Option<RemovalRun>,
    /// Whether the search ends after the first walk.
    is_hasty: bool,
}

/// After this many needed deltas in a row, a hasty walk tries only some of the next deltas.
const SURELY_NEEDED: usize = 32;

/// One walk over the deltas that are left. The walk has decided some of them; the others are open.
#[derive(Clone, Debug)]
struct RemovalWalk {
    chances: Chances,
    open: usize,
    /// Whether the last decided delta is needed.
    after_needed: bool,
    found_needed: bool,
    /// How many of the next deltas are known to contain a needed one.
    holds_one: Option<usize>,
    has_removed: bool,
    is_first: bool,
    /// Whether deltas are tried one at a time.
    is_single: bool,
    /// How many deltas in a row are needed.
    needed_in_a_row: usize,
    /// Whether the last delta was tried and not skipped.
    was_tried: bool,
}

/// The run of open deltas that the current question removes.
#[derive(Clone, Debug)]
struct RemovalRun {
    deltas: Configuration,
    chance: f64,
}

impl Balanced {
    /// Simplifies a configuration that fails. The empty configuration does not fail.
    #[must_use]
    pub fn new(failing: Configuration) -> Self {
        Self::walking(failing, RemovalOrder::default())
    }

    /// The same in one walk. It takes fewer tests, but the finding might not be 1-minimal.
    #[must_use]
    pub fn once(failing: Configuration) -> Self {
        Self { is_hasty: true, ..Self::new(failing) }
    }

    /// The same in another order.
    #[must_use]
    pub fn walking(failing: Configuration, order: RemovalOrder) -> Self {
        let chances = Chances::few_needed(failing.len());
        let walk = RemovalWalk { is_first: true, ..RemovalWalk::over(&failing, chances, false) };
        let mut search =
            Self { order, failing, confirmed: Configuration::empty(), walk, next: None, is_hasty: false };
        search.advance();
        search
    }

    /// Finds the next run to ask for, in this walk or in a new one.
    fn advance(&mut self) {
        self.next = None;
        while self.confirmed.len() < self.failing.len() && self.failing.len() > 1 {
            if self.walk.open == 0 {
                if self.is_hasty {
                    return;
                }
                let is_single = !self.walk.has_removed;
                // If each delta needs the next one, a walk in the wrong order removes only one delta. To reverse the order
                // costs a few tests if dependencies go both ways, but otherwise it saves a quadratic number of tests.
                self.order = self.order.reversed();
                self.walk = RemovalWalk::over(&self.failing, Chances::most_needed(), is_single);
            }
            if self.is_hasty && self.walk.can_skip() {
                self.walk.skip();
                continue;
            }
            match self.walk.next_length() {
                // The run contains a needed delta, and this is the last delta that can be it.
                None => self.walk.decide_needed(),
                Some((length, chance)) => {
                    let deltas = self.ahead(length);
                    if length > 1 || !deltas.is_subset(&self.confirmed) {
                        self.next = Some(RemovalRun { deltas, chance });
                        return;
                    }
                    self.walk.decide_needed();
                }
            }
        }
    }

    /// The next open deltas in the order of the walk.
    fn ahead(&self, length: usize) -> Configuration {
        let (open, all) = (self.walk.open, self.failing.len());
        match self.order {
            RemovalOrder::Backward => self.failing.slice(open - length..open),
            RemovalOrder::Forward => self.failing.slice(all - open..all - open + length),
        }
    }
}

impl RemovalWalk {
    fn over(failing: &Configuration, chances: Chances, is_single: bool) -> Self {
        Self {
            chances,
            open: failing.len(),
            after_needed: false,
            found_needed: false,
            holds_one: None,
            has_removed: false,
            is_first: false,
            is_single,
            needed_in_a_row: 0,
            was_tried: false,
        }
    }

    /// How many deltas to remove, and the chance that they can go. `None` if the next delta must be needed.
    fn next_length(&self) -> Option<(usize, f64)> {
        // The empty configuration does not fail, so until the walk finds a needed delta, there is one among the open deltas.
        let holds_one = self.holds_one.or((!self.found_needed).then_some(self.open));
        let ahead = RunAhead { after_needed: self.after_needed, holds_one, open: self.open };
        match holds_one {
            Some(1) => None,
            _ if self.is_single => Some((1, 0.02)),
            _ => Some(self.chances.even_run(ahead)),
        }
    }

    fn can_skip(&self) -> bool {
        self.was_tried && self.holds_one.is_none() && self.needed_in_a_row >= SURELY_NEEDED
    }

    /// After many needed deltas in a row, half as many of the next deltas count as needed without a test.
    fn skip(&mut self) {
        let skipped = (self.needed_in_a_row / 2).min(self.open);
        self.open -= skipped;
        self.needed_in_a_row += skipped;
        self.was_tried = false;
    }

    fn decide_free(&mut self, count: usize) {
        self.chances.learn_free(self.after_needed, count);
        self.open -= count;
        self.after_needed = false;
        self.needed_in_a_row = 0;
        self.has_removed = true;
        self.holds_one = self.holds_one.map(|held| held - count);
    }

    fn decide_needed(&mut self) {
        self.chances.learn_needed(self.after_needed);
        self.open -= 1;
        self.after_needed = true;
        self.needed_in_a_row += 1;
        self.was_tried = true;
        self.found_needed = true;
        self.holds_one = None;
    }
}

impl Search for Balanced {
    type Finding = Difference;
    const SEES_UNRESOLVED: bool = false;

    fn ask(&self) -> Ask<Difference> {
        match &self.next {
            None => Ask::Done(Difference::from_nothing(self.failing.clone())),
            Some(RemovalRun { deltas, chance }) => {
                let step = if deltas.len() == 1 { Step::Single } else { Step::Removal };
                let configuration = self.failing.without(deltas);
                Ask::Test(Question { chance: Some(*chance), ..Question::new(configuration, step) })
            }
        }
    }

    fn tell(&mut self, answer: Answer) {
        let Some(RemovalRun { deltas, .. }) = self.next.take() else { return };
        if answer.outcome == Outcome::Fail {
            self.failing = self.failing.without(&deltas);
            self.confirmed = Configuration::empty();
            self.walk.decide_free(deltas.len());
        } else if deltas.len() == 1 {
            self.confirmed = self.confirmed.with(&deltas);
            self.walk.decide_needed();
        } else {
            self.walk.holds_one = Some(deltas.len());
        }
        self.advance();
    }

    fn best_so_far(&self) -> &Configuration {
        &self.failing
    }

    /// The rest of this walk, and the walk that confirms the finding.
    fn questions_left(&self) -> Option<f64> {
        let RemovalWalk { chances, open, .. } = &self.walk;
        let walk = if self.walk.is_first { chances.expected_tests(*open) } else { *open as f64 };
        let confirming = (self.failing.len() - open) as f64 + chances.expected_needed(*open);
        Some(if self.walk.is_first { walk + confirming } else { walk })
    }
}
