//! Coarse to fine over a tree of groups: directory, file, hunk, line; object, member (hierarchical delta debugging).

use crate::{Answer, Ask, Configuration, DeltaId, Difference, Outcome, Question, Search, Step};
use std::ops::Range;
use std::sync::Arc;

/// Runs any search level by level: first over the coarsest groups, then over what is in those that are left.
///
/// A level is a list of groups, each a run of deltas; together they need not cover all deltas. So a tree whose inner
/// nodes are deltas themselves has its nodes numbered parents first, and the groups of a level are the subtrees that
/// begin there: taking a node away takes along what is below it.
#[derive(Clone, Debug)]
pub struct CoarseToFine<S> {
    levels: Arc<[LevelGroups]>,
    start: fn(Configuration) -> S,
    again: bool,
    tries_nothing: bool,
    /// What stays applied in any case: known to pass, and nothing unless the search inside keeps what passes.
    settled: Configuration,
    /// What is in question, beside the settled.
    open: Configuration,
    current: usize,
    changed: bool,
    /// The groups of the current level that hold something open.
    groups: Arc<LevelGroups>,
    asks: LevelQuestion<S>,
    best: Configuration,
}

#[derive(Clone, Debug)]
enum LevelQuestion<S> {
    /// Whether the whole level can go. Otherwise a search inside could not rely on nothing being enough.
    None,
    Inside(S),
    Done,
}

/// Disjoint groups in order.
#[derive(Clone, Debug, Default)]
struct LevelGroups {
    groups: Vec<Range<u32>>,
    /// For each group the index behind the last of those that follow it without a gap.
    joined: Vec<usize>,
}

impl LevelGroups {
    fn new(mut groups: Vec<Range<u32>>) -> Self {
        groups.retain(|group| group.start < group.end);
        groups.sort_by_key(|group| group.start);
        let mut joined = vec![groups.len(); groups.len()];
        for i in (1..groups.len()).rev() {
            joined[i - 1] = if groups[i - 1].end == groups[i].start { joined[i] } else { i };
        }
        Self { groups, joined }
    }

    /// The deltas of the chosen groups.
    fn deltas(&self, chosen: &Configuration) -> Configuration {
        let mut runs = Vec::new();
        for run in chosen.runs() {
            let (mut first, end) = (run.start as usize, run.end as usize);
            while first < end {
                let next = self.joined[first].min(end);
                runs.push(self.groups[first].start..self.groups[next - 1].end);
                first = next;
            }
        }
        runs.into_iter().collect()
    }

    fn all(&self) -> Configuration {
        Configuration::all(self.groups.len() as u32)
    }
}

impl<S: Search<Finding = Difference>> CoarseToFine<S> {
    /// Searches a configuration that fails, level by level, with the search that `start` makes of a set of groups.
    #[must_use]
    pub fn new(failing: Configuration, levels: Vec<Vec<Range<u32>>>, start: fn(Configuration) -> S) -> Self {
        let mut search = Self {
            levels: levels.into_iter().map(LevelGroups::new).collect(),
            start,
            again: false,
            tries_nothing: false,
            settled: Configuration::empty(),
            open: failing.clone(),
            current: 0,
            changed: false,
            groups: Arc::default(),
            asks: LevelQuestion::Done,
            best: failing,
        };
        search.enter(0);
        search
    }

    /// Begins again with the coarsest level until a round changes nothing.
    #[must_use]
    pub fn until_nothing_changes(mut self) -> Self {
        self.again = true;
        self
    }

    /// LevelQuestion at each level first whether all of it can go, where nobody knows yet that nothing at all does not fail.
    #[must_use]
    pub fn trying_nothing(mut self) -> Self {
        self.tries_nothing = true;
        self.enter(0);
        self
    }

    fn enter(&mut self, level: usize) {
        self.asks = LevelQuestion::Done;
        self.current = level;
        while let Some(level) = self.levels.get(self.current) {
            let holds_open = |group: &Range<u32>| {
                self.open.first_from(DeltaId(group.start)).is_some_and(|first| first.0 < group.end)
            };
            let held = level.groups.iter().filter(|group| holds_open(group)).cloned().collect();
            self.groups = Arc::new(LevelGroups::new(held));
            let rest = self.open.without(&self.groups.deltas(&self.groups.all()));
            match self.groups.groups.len() {
                0 => {}
                _ if !rest.is_empty() || self.tries_nothing => return self.asks = LevelQuestion::None,
                _ => {
                    self.asks = LevelQuestion::Inside((self.start)(self.groups.all()));
                    if self.still_inside() {
                        return;
                    }
                }
            }
            self.current += 1;
        }
        self.asks = LevelQuestion::Done;
    }

    /// Whether the search inside goes on; takes over what it found where it does not.
    fn still_inside(&mut self) -> bool {
        let LevelQuestion::Inside(search) = &self.asks else { return false };
        let Ask::Done(Difference { passing, failing }) = search.ask() else { return true };
        // What passed is the passing side together with the deltas that are in no group of this level.
        let settled = if passing.is_empty() { self.settled.clone() } else { self.outside(&passing) };
        let gone = self.groups.deltas(&self.groups.all().without(&failing));
        self.changed |= failing.len() < self.groups.groups.len() || !passing.is_empty();
        self.open = self.open.without(&gone).without(&settled);
        self.settled = settled;
        false
    }

    fn leave(&mut self) {
        self.enter(self.current + 1);
        if matches!(self.asks, LevelQuestion::Done) && self.again && std::mem::take(&mut self.changed) {
            self.enter(0);
        }
    }

    /// What is tested for a choice of groups: all but the groups that are not chosen.
    fn outside(&self, chosen: &Configuration) -> Configuration {
        let gone = self.groups.deltas(&self.groups.all().without(chosen));
        self.settled.with(&self.open.without(&gone))
    }
}

impl<S: Search<Finding = Difference>> Search for CoarseToFine<S> {
    type Finding = Difference;
    const SEES_UNRESOLVED: bool = S::SEES_UNRESOLVED;
    const KEEPS_WHAT_PASSES: bool = S::KEEPS_WHAT_PASSES;

    fn ask(&self) -> Ask<Difference> {
        let finding = || Difference { passing: self.settled.clone(), failing: self.settled.with(&self.open) };
        match &self.asks {
            LevelQuestion::Done => Ask::Done(finding()),
            LevelQuestion::None => {
                Ask::Test(Question::new(self.outside(&Configuration::empty()), Step::Complement))
            }
            LevelQuestion::Inside(search) => match search.ask() {
                Ask::Test(question) => {
                    Ask::Test(Question { configuration: self.outside(&question.configuration), ..question })
                }
                Ask::Done(_) => Ask::Done(finding()),
            },
        }
    }

    fn tell(&mut self, answer: Answer) {
        match &mut self.asks {
            LevelQuestion::Done => {}
            LevelQuestion::None if answer.outcome == Outcome::Fail => {
                self.open = self.open.without(&self.groups.deltas(&self.groups.all()));
                self.changed = true;
                self.best = self.settled.with(&self.open);
                self.leave();
            }
            LevelQuestion::None => {
                if S::KEEPS_WHAT_PASSES && answer.outcome == Outcome::Pass {
                    self.settled = self.outside(&Configuration::empty());
                    self.open = self.open.without(&self.settled);
                    self.changed = true;
                }
                self.asks = LevelQuestion::Inside((self.start)(self.groups.all()));
                if !self.still_inside() {
                    self.leave();
                }
            }
            LevelQuestion::Inside(search) => {
                search.tell(answer);
                let best = search.best_so_far().clone();
                self.best = self.outside(&best);
                if !self.still_inside() {
                    self.leave();
                }
            }
        }
    }

    fn best_so_far(&self) -> &Configuration {
        &self.best
    }

    fn best_difference(&self) -> Difference {
        Difference { passing: self.settled.clone(), failing: self.best.clone() }
    }

    fn left(&self) -> usize {
        self.open.len()
    }
    /// Those of this level.
    fn questions_left(&self) -> Option<f64> {
        match &self.asks {
            LevelQuestion::Inside(search) => search.questions_left(),
            LevelQuestion::None => None,
            LevelQuestion::Done => Some(0.0),
        }
    }
}
