//! Balanced: the default simplifier. Ours: ddmin's promise for about as many tests as information theory asks for.
//!
//! Taking deltas away is group testing: a group can go if it holds no needed delta. So walk over the deltas, each time
//! ask to take away the run that can go with a chance of one half, and where it cannot, halve the chance until the first
//! needed delta is found. In a world that is not monotone that is only a good guess, so walks go on until each single
//! delta that is left has been tried in vain: what is found is 1-minimal in any world.

mod chances;

use crate::{Answer, Ask, Configuration, Difference, Outcome, Question, Search, Step};
use chances::{Chances, RunAhead};

/// Which end the first walk begins at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RemovalOrder {
    /// From the end to the start, for deltas of which later ones depend on earlier ones.
    #[default]
    Backward,
    /// From the start to the end.
    Forward,
}

impl RemovalOrder {
    fn turned(self) -> Self {
        match self {
            RemovalOrder::Backward => RemovalOrder::Forward,
            RemovalOrder::Forward => RemovalOrder::Backward,
        }
    }
}

/// Simplifies a failing configuration with few tests.
#[derive(Clone, Debug)]
pub struct Balanced {
    /// Of the current walk.
    direction: RemovalOrder,
    failing: Configuration,
    /// Deltas that are needed in what is left now: taking them away alone was tried.
    confirmed: Configuration,
    walk: RemovalWalk,
    next: Option<RemovalRun>,
    /// Whether it ends after the first walk.
    is_hasty: bool,
}

/// After so many needed deltas in a row a hasty walk tries only some of those that follow.
const SURELY_NEEDED: usize = 32;

/// One walk over what is left: so many deltas are decided, the others open.
#[derive(Clone, Debug)]
struct RemovalWalk {
    chances: Chances,
    open: usize,
    after_needed: bool,
    found_needed: bool,
    holds_one: Option<usize>,
    took_away: bool,
    is_first: bool,
    singly: bool,
    /// How many deltas in a row were found needed, each by itself.
    needed_in_a_row: usize,
    /// The last one was tried, not skipped.
    may_skip: bool,
}

/// The run of open deltas that is asked for.
#[derive(Clone, Debug)]
struct RemovalRun {
    deltas: Configuration,
    chance: f64,
}

impl Balanced {
    /// Simplifies a configuration that fails, where nothing applied does not.
    #[must_use]
    pub fn new(failing: Configuration) -> Self {
        Self::walking(failing, RemovalOrder::default())
    }

    /// The same in one walk: what is left may not be 1-minimal, which costs fewer tests where that will be checked later.
    #[must_use]
    pub fn once(failing: Configuration) -> Self {
        Self { is_hasty: true, ..Self::new(failing) }
    }

    /// The same, first walking from the given end.
    #[must_use]
    pub fn walking(failing: Configuration, direction: RemovalOrder) -> Self {
        let chances = Chances::few_needed(failing.len());
        let walk = RemovalWalk { is_first: true, ..RemovalWalk::over(&failing, chances, false) };
        let mut search =
            Self { direction, failing, confirmed: Configuration::empty(), walk, next: None, is_hasty: false };
        search.advance();
        search
    }

    /// Finds the next run to ask for, in this walk or another one.
    fn advance(&mut self) {
        self.next = None;
        while self.confirmed.len() < self.failing.len() && self.failing.len() > 1 {
            if self.walk.open == 0 {
                if self.is_hasty {
                    return;
                }
                let singly = !self.walk.took_away;
                // Where each delta needs the next one, a walk in the wrong direction takes away only one. Turning back
                // costs a few tests where dependencies go both ways and saves a square of them there.
                self.direction = self.direction.turned();
                self.walk = RemovalWalk::over(&self.failing, Chances::most_needed(), singly);
            }
            if self.is_hasty && self.walk.can_skip() {
                self.walk.skip();
                continue;
            }
            match self.walk.next_length() {
                // Of a run that holds a needed delta the last one left must be it.
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

    /// The next open deltas in the direction of the walk.
    fn ahead(&self, length: usize) -> Configuration {
        let (open, all) = (self.walk.open, self.failing.len());
        match self.direction {
            RemovalOrder::Backward => self.failing.slice(open - length..open),
            RemovalOrder::Forward => self.failing.slice(all - open..all - open + length),
        }
    }
}

impl RemovalWalk {
    fn over(failing: &Configuration, chances: Chances, singly: bool) -> Self {
        Self {
            chances,
            open: failing.len(),
            after_needed: false,
            found_needed: false,
            holds_one: None,
            took_away: false,
            is_first: false,
            singly,
            needed_in_a_row: 0,
            may_skip: false,
        }
    }

    /// How many deltas to ask for, and the chance that they can go. `None` if the next one must be needed.
    fn next_length(&self) -> Option<(usize, f64)> {
        // Nothing at all does not fail, so as long as no needed delta was found there is one among those open.
        let holds_one = self.holds_one.or((!self.found_needed).then_some(self.open));
        let ahead = RunAhead { after_needed: self.after_needed, holds_one, open: self.open };
        match holds_one {
            Some(1) => None,
            _ if self.singly => Some((1, 0.02)),
            _ => Some(self.chances.even_run(ahead)),
        }
    }

    fn can_skip(&self) -> bool {
        self.may_skip && self.holds_one.is_none() && self.needed_in_a_row >= SURELY_NEEDED
    }

    /// Behind so many needed deltas the next ones are taken to be needed, half as many; then one is tried again.
    fn skip(&mut self) {
        let skipped = (self.needed_in_a_row / 2).min(self.open);
        self.open -= skipped;
        self.needed_in_a_row += skipped;
        self.may_skip = false;
    }

    fn decide_free(&mut self, count: usize) {
        self.chances.learn_free(self.after_needed, count);
        self.open -= count;
        self.after_needed = false;
        self.needed_in_a_row = 0;
        self.took_away = true;
        self.holds_one = self.holds_one.map(|held| held - count);
    }

    fn decide_needed(&mut self) {
        self.chances.learn_needed(self.after_needed);
        self.open -= 1;
        self.after_needed = true;
        self.needed_in_a_row += 1;
        self.may_skip = true;
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
                Ask::Test(Question { configuration, step, chance: Some(*chance) })
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
    /// What is left of this walk, and the confirming one.
    fn questions_left(&self) -> Option<f64> {
        let RemovalWalk { chances, open, .. } = &self.walk;
        let walk = if self.walk.is_first { chances.expected_tests(*open) } else { *open as f64 };
        let confirming = (self.failing.len() - open) as f64 + chances.expected_needed(*open);
        Some(if self.walk.is_first { walk + confirming } else { walk })
    }
}
