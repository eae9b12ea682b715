//! Bisection: the first bad one of ordered deltas, or of a graph of revisions, some of which cannot be tested.

mod weights;

use crate::{Answer, Ask, Configuration, DeltaId, Difference, Outcome, Question, Search, Step};
use std::sync::Arc;
use weights::Weights;

/// What is bisected. Testing a revision means testing it with all that it builds on.
#[derive(Clone, Debug)]
pub enum Ancestry {
    /// So many deltas, each of which builds on all earlier ones.
    Line(u32),
    /// Revisions with several parents: for each, itself and all that it builds on.
    Graph(Arc<[Configuration]>),
}

impl Ancestry {
    /// A graph, given the parents of each revision. Parents come before their children; what does not is left out.
    #[must_use]
    pub fn graph(parents: &[Vec<DeltaId>]) -> Self {
        let mut ancestry: Vec<Configuration> = Vec::with_capacity(parents.len());
        for (index, parents) in parents.iter().enumerate() {
            let own = Configuration::from_run(index as u32..index as u32 + 1);
            let known = parents.iter().filter_map(|parent| ancestry.get(parent.index()));
            let with_parents = known.fold(own, |all, parent| all.with(parent));
            ancestry.push(with_parents);
        }
        Ancestry::Graph(ancestry.into())
    }

    /// A revision and all that it builds on.
    #[must_use]
    pub fn up_to(&self, revision: DeltaId) -> Configuration {
        match self {
            Ancestry::Line(_) => Configuration::all(revision.0 + 1),
            Ancestry::Graph(ancestry) => ancestry[revision.index()].clone(),
        }
    }

    fn len(&self) -> u32 {
        match self {
            Ancestry::Line(len) => *len,
            Ancestry::Graph(ancestry) => ancestry.len() as u32,
        }
    }
}

/// Halves what may be the first bad revision. Where one cannot be tested it goes well away from it, the further the more
/// of them there were in a row, since untestable revisions stand together.
#[derive(Clone, Debug)]
pub struct Bisect {
    history: Ancestry,
    /// How probable each revision is beforehand; all the same where nothing is known.
    weights: Option<Weights>,
    bad: DeltaId,
    up_to_bad: Configuration,
    /// What may be the first bad revision: `bad`, and all below it that no good one holds.
    suspects: Configuration,
    untestable: Configuration,
    untestable_in_a_row: i32,
    good: Vec<DeltaId>,
    next: Option<DeltaId>,
    patience: Option<GiveUpLimit>,
}

/// When to leave a stretch of untestable revisions to somebody who looks below them.
#[derive(Clone, Copy, Debug)]
struct GiveUpLimit {
    in_a_row: i32,
    among: usize,
}

/// The first bad revision, or what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Culprit {
    /// The earliest revision that was seen to fail, or was given as bad.
    pub bad: DeltaId,
    /// The revisions that were seen to pass.
    pub good: Vec<DeltaId>,
    /// The revisions one of which is the first bad one. All but `bad` could not be tested, or were given up.
    pub suspects: Configuration,
}

impl Culprit {
    /// The one culprit, if it is known.
    #[must_use]
    pub fn decided(&self) -> Option<DeltaId> {
        (self.suspects.len() == 1).then_some(self.bad)
    }
}

/// More suspects than this are looked at by sample only.
const SAMPLE: usize = 128;

impl Bisect {
    /// Bisects a history whose last revision is bad, where nothing at all is good.
    #[must_use]
    pub fn new(history: Ancestry) -> Self {
        let bad = DeltaId(history.len().saturating_sub(1));
        Self::between(history, &[], bad)
    }

    /// Bisects what leads to a bad revision from good ones.
    #[must_use]
    pub fn between(history: Ancestry, good: &[DeltaId], bad: DeltaId) -> Self {
        let up_to_bad = if history.len() == 0 { Configuration::empty() } else { history.up_to(bad) };
        let suspects = good.iter().fold(up_to_bad.clone(), |left, good| left.without(&history.up_to(*good)));
        let mut search = Self {
            history,
            weights: None,
            bad,
            up_to_bad,
            suspects,
            untestable: Configuration::empty(),
            untestable_in_a_row: 0,
            good: good.to_vec(),
            next: None,
            patience: None,
        };
        search.next = search.choose();
        search
    }

    /// Takes into account how probable each revision is to be the culprit beforehand: one weight for each, 0 counting
    /// as 1. Where they are right, it takes on average two tests more at most than the entropy of the weights.
    #[must_use]
    pub fn favouring(mut self, weights: Arc<[u32]>) -> Self {
        self.weights = Some(Weights::new(&weights, self.history.len()));
        self.next = self.choose();
        self
    }

    /// Gives up where so many in a row could not be tested and no more than so many suspects are left: for those who can
    /// look below the revisions, where the same number of tests tells more.
    #[must_use]
    pub fn giving_up(mut self, in_a_row: u32, among: usize) -> Self {
        self.patience = Some(GiveUpLimit { in_a_row: in_a_row as i32, among });
        self
    }

    fn gives_up(&self) -> bool {
        self.patience.is_some_and(|patience| {
            self.untestable_in_a_row >= patience.in_a_row && self.suspects.len() <= patience.among
        })
    }

    /// The revision whose test will probably tell the most.
    fn choose(&self) -> Option<DeltaId> {
        if let (Ancestry::Line(_), true) = (&self.history, self.untestable.is_empty()) {
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
        // A sample may happen to hold nothing that can be tested.
        best.map(|(_, revision)| revision)
            .or_else(|| self.suspects.without(&self.untestable).without_delta(self.bad).get(0))
    }

    /// The best in a line of which everything can be tested.
    fn middle(&self) -> Option<DeltaId> {
        match &self.weights {
            Some(weights) => weights.median(self.suspects.runs().next()?),
            None => (self.suspects.len() > 1).then(|| self.suspects.get(self.suspects.len() / 2 - 1))?,
        }
    }

    /// All suspects, or a sample if they are many.
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
        match self.history {
            // In a line the suspects are one run.
            Ancestry::Line(_) => self.suspects.get(0).map(|first| DeltaId(first.0 + rank as u32)),
            Ancestry::Graph(_) => self.suspects.get(rank),
        }
    }

    /// The bits that a test of a revision tells on average.
    fn worth(&self, revision: DeltaId) -> f64 {
        let older = match &self.history {
            Ancestry::Line(_) => {
                Configuration::from_run(self.suspects.get(0).map_or(0, |first| first.0)..revision.0 + 1)
            }
            Ancestry::Graph(ancestry) => ancestry[revision.index()].within(&self.suspects),
        };
        let weigh = |revisions: &Configuration| match &self.weights {
            Some(weights) => weights.of(revisions) as f64,
            None => revisions.len() as f64,
        };
        entropy(weigh(&older) / weigh(&self.suspects))
    }

    /// A guess at how probable it is that a revision can be tested: neighbours share their fate, and one that stands
    /// between two that cannot be tested shares it twice. So the search soon looks beyond the ends of a broken stretch
    /// instead of filling it up.
    fn testable(&self, revision: DeltaId, neighbours: [Option<DeltaId>; 2]) -> f64 {
        let reach =
            (self.suspects.len() as f64 / 64.0 * 2f64.powi(self.untestable_in_a_row.min(16))).max(1.0);
        let apart = |known: DeltaId| 1.0 - (-f64::from(known.0.abs_diff(revision.0)) / reach).exp2();
        neighbours.into_iter().map(|known| known.map_or(1.0, apart)).product()
    }
}

fn entropy(p: f64) -> f64 {
    let bits = |p: f64| if p <= 0.0 { 0.0 } else { -p * p.log2() };
    // A test that can tell nothing by itself still may turn out otherwise, so it is worth a little.
    bits(p) + bits(1.0 - p) + 1e-9
}

impl Search for Bisect {
    type Finding = Culprit;
    const SEES_UNRESOLVED: bool = true;

    fn ask(&self) -> Ask<Culprit> {
        match self.next {
            Some(revision) => Ask::Test(Question::new(self.history.up_to(revision), Step::Midpoint)),
            None => {
                let (good, suspects) = (self.good.clone(), self.suspects.clone());
                Ask::Done(Culprit { bad: self.bad, good, suspects })
            }
        }
    }

    fn tell(&mut self, answer: Answer) {
        let Some(revision) = self.next else { return };
        let up_to = self.history.up_to(revision);
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
        self.next = if self.gives_up() { None } else { self.choose() };
    }

    fn best_so_far(&self) -> &Configuration {
        &self.up_to_bad
    }

    /// Beside the bad one, the last revision that passed.
    fn best_difference(&self) -> Difference {
        let good = self.good.iter().max().map_or_else(Configuration::empty, |good| self.history.up_to(*good));
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
