//! Bisection: the first bad revision of a line or a graph of revisions, even if some revisions cannot be tested.

mod weights;

use crate::{Answer, Ask, Configuration, DeltaId, Difference, Outcome, Question, Search, Step};
use std::sync::Arc;
use weights::Weights;

/// The revisions to bisect. A test of a revision includes all its ancestors.
#[derive(Clone, Debug)]
pub enum Ancestry {
    /// This number of revisions, each the child of the one before.
    Line(u32),
    /// Revisions that can have several parents. For each revision: the revision and all its ancestors.
    Graph(Arc<[Configuration]>),
}

impl Ancestry {
    /// A graph from the parents of each revision. Parents come before their children; other parents are ignored.
    #[must_use]
    pub fn graph(parents: &[Vec<DeltaId>]) -> Self {
        let mut with_ancestors: Vec<Configuration> = Vec::with_capacity(parents.len());
        for (index, parents) in parents.iter().enumerate() {
            let own = Configuration::from_run(index as u32..index as u32 + 1);
            let known = parents.iter().filter_map(|parent| with_ancestors.get(parent.index()));
            let with_parents = known.fold(own, |all, parent| all.with(parent));
            with_ancestors.push(with_parents);
        }
        Ancestry::Graph(with_ancestors.into())
    }

    /// A revision and all its ancestors.
    #[must_use]
    pub fn up_to(&self, revision: DeltaId) -> Configuration {
        match self {
            Ancestry::Line(_) => Configuration::all(revision.0 + 1),
            Ancestry::Graph(with_ancestors) => with_ancestors[revision.index()].clone(),
        }
    }

    pub(crate) fn len(&self) -> u32 {
        match self {
            Ancestry::Line(len) => *len,
            Ancestry::Graph(with_ancestors) => with_ancestors.len() as u32,
        }
    }
}

/// Halves the revisions that can be the first bad one. If a revision cannot be tested, it continues at some distance.
/// The distance grows with each untestable revision in a row, because untestable revisions come in clusters.
#[derive(Clone, Debug)]
pub struct Bisect {
    ancestry: Ancestry,
    /// How likely each revision is the culprit, before any test. `None` if all are equally likely.
    weights: Option<Weights>,
    bad: DeltaId,
    up_to_bad: Configuration,
    /// The revisions that can be the first bad one: `bad` and its ancestors, without the ancestors of good revisions.
    suspects: Configuration,
    untestable: Configuration,
    untestable_in_a_row: i32,
    good: Vec<DeltaId>,
    next: Option<DeltaId>,
    give_up_limit: Option<GiveUpLimit>,
    /// Whether only the ends of a range of untestable revisions are still looked for.
    is_giving_up: bool,
}

/// When to give up on a range of untestable revisions.
#[derive(Clone, Copy, Debug)]
struct GiveUpLimit {
    in_a_row: i32,
    among: usize,
}

/// The first bad revision, or the suspects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Culprit {
    /// The earliest revision that failed, or that was given as bad.
    pub bad: DeltaId,
    /// The revisions that passed.
    pub good: Vec<DeltaId>,
    /// One of these revisions is the first bad one. Except for `bad`, they could not be tested or were not tried.
    pub suspects: Configuration,
}

impl Culprit {
    /// The culprit, if only one suspect is left.
    #[must_use]
    pub fn decided(&self) -> Option<DeltaId> {
        (self.suspects.len() == 1).then_some(self.bad)
    }
}

/// If there are more suspects than this, only a sample is considered.
const SAMPLE: usize = 128;

impl Bisect {
    /// Bisects revisions the last of which is bad. The version before all of them is good.
    #[must_use]
    pub fn new(ancestry: Ancestry) -> Self {
        let bad = DeltaId(ancestry.len().saturating_sub(1));
        Self::between(ancestry, &[], bad)
    }

    /// Bisects between good revisions and a bad one.
    #[must_use]
    pub fn between(ancestry: Ancestry, good: &[DeltaId], bad: DeltaId) -> Self {
        let up_to_bad = if ancestry.len() == 0 { Configuration::empty() } else { ancestry.up_to(bad) };
        let suspects = good.iter().fold(up_to_bad.clone(), |left, good| left.without(&ancestry.up_to(*good)));
        let mut search = Self {
            ancestry,
            weights: None,
            bad,
            up_to_bad,
            suspects,
            untestable: Configuration::empty(),
            untestable_in_a_row: 0,
            good: good.to_vec(),
            next: None,
            give_up_limit: None,
            is_giving_up: false,
        };
        search.next = search.choose();
        search
    }

    /// Uses a weight for each revision: how likely it is the culprit. A weight of 0 counts as 1. If the weights are right,
    /// the search takes on average at most two tests more than the entropy of the weights.
    #[must_use]
    pub fn favouring(mut self, weights: Arc<[u32]>) -> Self {
        self.weights = Some(Weights::new(&weights, self.ancestry.len()));
        self.next = self.choose();
        self
    }

    /// Gives up after `in_a_row` untestable revisions in a row if at most `among` suspects are left. Before that it looks for both
    /// ends of the untestable range, as `git bisect skip` does, so that few suspects are left. This is for callers that can search
    /// inside the revisions, where the same number of tests tells more.
    #[must_use]
    pub fn giving_up(mut self, in_a_row: u32, among: usize) -> Self {
        self.give_up_limit = Some(GiveUpLimit { in_a_row: in_a_row as i32, among });
        self
    }

    fn gives_up(&self) -> bool {
        let is_over = self.give_up_limit.is_some_and(|limit| {
            self.untestable_in_a_row >= limit.in_a_row && self.suspects.len() <= limit.among
        });
        (is_over || self.is_giving_up) && !self.untestable.is_empty()
    }

    /// The middle of the suspects before all untestable revisions, or of those after them, whichever are more. The range of untestable
    /// revisions is known when there are none.
    fn near_the_ends(&self) -> Option<DeltaId> {
        let (first, last) = (self.untestable.get(0)?, self.untestable.last()?);
        let testable = self.suspects.without_delta(self.bad);
        let before: Configuration = testable.iter().filter(|revision| *revision < first).collect();
        let after: Configuration = testable.iter().filter(|revision| *revision > last).collect();
        let longer = if before.len() >= after.len() { before } else { after };
        longer.get(longer.len() / 2)
    }

    /// The revision whose test is expected to tell the most.
    fn choose(&self) -> Option<DeltaId> {
        if let (Ancestry::Line(_), true) = (&self.ancestry, self.untestable.is_empty()) {
            return self.middle();
        }
        let untestable: Vec<DeltaId> = self.untestable.iter().collect();
        let mut best: Option<(f64, DeltaId)> = None;
        for revision in self.sample() {
            let place = untestable.partition_point(|known| *known < revision);
            if revision == self.bad || untestable.get(place) == Some(&revision) {
                continue;
            }
            let (before, after) =
                (place.checked_sub(1).map(|i| untestable[i]), untestable.get(place).copied());
            let worth = self.worth(revision) * self.testable(revision, [before, after]);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, revision));
            }
        }
        // A sample might contain no revision that can be tested.
        best.map(|(_, revision)| revision)
            .or_else(|| self.suspects.without(&self.untestable).without_delta(self.bad).get(0))
    }

    /// The best revision of a line in which every revision can be tested.
    fn middle(&self) -> Option<DeltaId> {
        match &self.weights {
            Some(weights) => weights.median(self.suspects.runs().next()?),
            None => (self.suspects.len() > 1).then(|| self.suspects.get(self.suspects.len() / 2 - 1))?,
        }
    }

    /// All suspects, or a sample if there are many.
    fn sample(&self) -> Vec<DeltaId> {
        let count = self.suspects.len();
        match &self.weights {
            Some(weights) if count > SAMPLE => weights.sample(&self.suspects, SAMPLE),
            _ => {
                let ranks = (0..count.min(SAMPLE)).map(|i| i * count / count.min(SAMPLE));
                ranks.filter_map(|rank| self.suspect(rank)).collect()
            }
        }
    }

    fn suspect(&self, rank: usize) -> Option<DeltaId> {
        match self.ancestry {
            // In a line the suspects are one run.
            Ancestry::Line(_) => self.suspects.get(0).map(|first| DeltaId(first.0 + rank as u32)),
            Ancestry::Graph(_) => self.suspects.get(rank),
        }
    }

    /// The information that a test of a revision gives on average, in bits.
    fn worth(&self, revision: DeltaId) -> f64 {
        let older = match &self.ancestry {
            Ancestry::Line(_) => {
                Configuration::from_run(self.suspects.get(0).map_or(0, |first| first.0)..revision.0 + 1)
            }
            Ancestry::Graph(with_ancestors) => with_ancestors[revision.index()].within(&self.suspects),
        };
        let weigh = |revisions: &Configuration| match &self.weights {
            Some(weights) => weights.of(revisions) as f64,
            None => revisions.len() as f64,
        };
        entropy(weigh(&older) / weigh(&self.suspects))
    }

    /// An estimate of how likely a revision can be tested. It is low near an untestable revision, and lower between two of
    /// them. So the search soon looks beyond both ends of a broken range instead of testing everything in it.
    fn testable(&self, revision: DeltaId, neighbours: [Option<DeltaId>; 2]) -> f64 {
        let reach =
            (self.suspects.len() as f64 / 64.0 * 2f64.powi(self.untestable_in_a_row.min(16))).max(1.0);
        let apart = |known: DeltaId| 1.0 - (-f64::from(known.0.abs_diff(revision.0)) / reach).exp2();
        neighbours.into_iter().map(|known| known.map_or(1.0, apart)).product()
    }
}

fn entropy(p: f64) -> f64 {
    let bits = |p: f64| if p <= 0.0 { 0.0 } else { -p * p.log2() };
    // A test whose outcome seems certain can still be wrong about it, so it is worth a little.
    bits(p) + bits(1.0 - p) + 1e-9
}

impl Search for Bisect {
    type Finding = Culprit;
    const SEES_UNRESOLVED: bool = true;

    fn ask(&self) -> Ask<Culprit> {
        match self.next {
            Some(revision) => Ask::Test(Question::new(self.ancestry.up_to(revision), Step::Midpoint)),
            None => {
                let (good, suspects) = (self.good.clone(), self.suspects.clone());
                Ask::Done(Culprit { bad: self.bad, good, suspects })
            }
        }
    }

    fn tell(&mut self, answer: Answer) {
        let Some(revision) = self.next else { return };
        let up_to = self.ancestry.up_to(revision);
        match answer.outcome {
            Outcome::Pass => {
                self.suspects = self.suspects.without(&up_to);
                self.good.push(revision);
            }
            Outcome::Fail => {
                self.suspects = self.suspects.within(&up_to);
                self.bad = revision;
                self.up_to_bad = up_to;
            }
            Outcome::Unresolved => self.untestable = self.untestable.with_delta(revision),
        }
        let resolved = answer.outcome != Outcome::Unresolved;
        self.untestable_in_a_row = if resolved { 0 } else { self.untestable_in_a_row + 1 };
        self.untestable = self.untestable.within(&self.suspects);
        self.is_giving_up = self.gives_up();
        self.next = if self.is_giving_up { self.near_the_ends() } else { self.choose() };
    }

    fn best_so_far(&self) -> &Configuration {
        &self.up_to_bad
    }

    /// The last revision that passed, and the bad one.
    fn best_difference(&self) -> Difference {
        let good =
            self.good.iter().max().map_or_else(Configuration::empty, |good| self.ancestry.up_to(*good));
        Difference { passing: good, failing: self.up_to_bad.clone() }
    }

    fn left(&self) -> usize {
        self.suspects.len()
    }

    fn questions_left(&self) -> Option<f64> {
        Some(match &self.weights {
            Some(weights) => weights.entropy(&self.suspects),
            None => (self.suspects.len() as f64).log2(),
        })
    }
}
