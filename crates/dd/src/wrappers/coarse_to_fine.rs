//! Hierarchical delta debugging: from coarse groups to fine ones, such as directories, files, hunks and lines.

use crate::{Answer, Ask, Configuration, DeltaId, Difference, Outcome, Question, Search, Step};
use std::ops::Range;
use std::sync::Arc;

/// Runs a search level by level: first over the coarsest groups, then over the groups inside those that are left.
///
/// A level is a list of groups, and a group is a run of deltas. The groups of a level need not cover all deltas. So the
/// nodes of a tree can be deltas too: number parents before children, and let each subtree be a group of the level of its
/// root. To remove a node then removes all nodes below it.
#[derive(Clone, Debug)]
pub struct CoarseToFine<S> {
    levels: Arc<[LevelGroups]>,
    start: fn(Configuration) -> S,
    repeats: bool,
    tries_nothing: bool,
    /// Deltas that stay applied and pass. Empty unless the search inside keeps what passes.
    settled: Configuration,
    /// All other deltas that can still be part of the finding.
    open: Configuration,
    current: usize,
    changed: bool,
    /// The groups of the current level that contain open deltas.
    groups: Arc<LevelGroups>,
    asking: LevelQuestion<S>,
    best: Configuration,
}

#[derive(Clone, Debug)]
enum LevelQuestion<S> {
    /// Test whether the whole level can go. The search inside assumes that its empty configuration does not fail.
    Whole,
    /// Ask what the search inside asks.
    Inside(S),
    Done,
}

/// Disjoint groups in order.
#[derive(Clone, Debug, Default)]
struct LevelGroups {
    groups: Vec<Range<u32>>,
    /// For each group, the index after the last group that follows it without a gap.
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
    /// Searches a configuration that fails, level by level. `start` makes the search for the groups of a level.
    #[must_use]
    pub fn new(failing: Configuration, levels: Vec<Vec<Range<u32>>>, start: fn(Configuration) -> S) -> Self {
        let mut search = Self {
            levels: levels.into_iter().map(LevelGroups::new).collect(),
            start,
            repeats: false,
            tries_nothing: false,
            settled: Configuration::empty(),
            open: failing.clone(),
            current: 0,
            changed: false,
            groups: Arc::default(),
            asking: LevelQuestion::Done,
            best: failing,
        };
        search.enter(0);
        search
    }

    /// Repeats all levels until nothing changes.
    #[must_use]
    pub fn until_nothing_changes(mut self) -> Self {
        self.repeats = true;
        self
    }

    /// First tests on each level whether all of it can go. Use this if the empty configuration was not tested yet.
    #[must_use]
    pub fn trying_nothing(mut self) -> Self {
        self.tries_nothing = true;
        self.enter(0);
        self
    }

    fn enter(&mut self, level: usize) {
        self.asking = LevelQuestion::Done;
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
                _ if !rest.is_empty() || self.tries_nothing => return self.asking = LevelQuestion::Whole,
                _ => {
                    self.asking = LevelQuestion::Inside((self.start)(self.groups.all()));
                    if self.continues_inside() {
                        return;
                    }
                }
            }
            self.current += 1;
        }
        self.asking = LevelQuestion::Done;
    }

    /// Whether the search inside has another question. If it has none, its finding is adopted.
    fn continues_inside(&mut self) -> bool {
        let LevelQuestion::Inside(search) = &self.asking else { return false };
        let Ask::Done(Difference { passing, failing }) = search.ask() else { return true };
        // The passing configuration includes the deltas that are in no group of this level.
        let settled = if passing.is_empty() { self.settled.clone() } else { self.configuration(&passing) };
        let gone = self.groups.deltas(&self.groups.all().without(&failing));
        self.changed |= failing.len() < self.groups.groups.len() || !passing.is_empty();
        self.open = self.open.without(&gone).without(&settled);
        self.settled = settled;
        false
    }

    fn leave(&mut self) {
        self.enter(self.current + 1);
        if matches!(self.asking, LevelQuestion::Done) && self.repeats && std::mem::take(&mut self.changed) {
            self.enter(0);
        }
    }

    /// The configuration to test for a choice of groups: everything except the groups that were not chosen.
    fn configuration(&self, chosen: &Configuration) -> Configuration {
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
        match &self.asking {
            LevelQuestion::Done => Ask::Done(finding()),
            LevelQuestion::Whole => {
                Ask::Test(Question::new(self.configuration(&Configuration::empty()), Step::Complement))
            }
            LevelQuestion::Inside(search) => match search.ask() {
                Ask::Test(question) => Ask::Test(Question {
                    configuration: self.configuration(&question.configuration),
                    ..question
                }),
                Ask::Done(_) => Ask::Done(finding()),
            },
        }
    }

    fn tell(&mut self, answer: Answer) {
        match &mut self.asking {
            LevelQuestion::Done => {}
            LevelQuestion::Whole if answer.outcome == Outcome::Fail => {
                self.open = self.open.without(&self.groups.deltas(&self.groups.all()));
                self.changed = true;
                self.best = self.settled.with(&self.open);
                self.leave();
            }
            LevelQuestion::Whole => {
                if S::KEEPS_WHAT_PASSES && answer.outcome == Outcome::Pass {
                    self.settled = self.configuration(&Configuration::empty());
                    self.open = self.open.without(&self.settled);
                    self.changed = true;
                }
                self.asking = LevelQuestion::Inside((self.start)(self.groups.all()));
                if !self.continues_inside() {
                    self.leave();
                }
            }
            LevelQuestion::Inside(search) => {
                search.tell(answer);
                let best = search.best_so_far().clone();
                self.best = self.configuration(&best);
                if !self.continues_inside() {
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

    /// The questions of this level.
    fn questions_left(&self) -> Option<f64> {
        match &self.asking {
            LevelQuestion::Inside(search) => search.questions_left(),
            LevelQuestion::Whole => None,
            LevelQuestion::Done => Some(0.0),
        }
    }
}
