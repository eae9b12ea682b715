//! How probable it is of each revision that it changed how often the test fails.
//!
//! A revision of a history with a culprit fails at one rate if it contains the culprit, and at another rate if it does not. Both
//! rates are unknown, each with Jeffreys' prior. There is one more possibility: nothing has changed the rate.

use super::failure_rate::FailureCount;
use crate::{Ancestry, Configuration, DeltaId};
use std::sync::Arc;

/// The runs of each revision, and what follows from them.
#[derive(Clone, Debug)]
pub(super) struct Posterior {
    ancestry: Ancestry,
    /// The probability that a revision is the culprit before any run, and at the end that there is no culprit. As logarithms.
    prior: Arc<[f64]>,
    /// The runs of versions without and with all revisions. Each belongs to one of the two rates whatever the culprit is.
    outside: BothRates,
    /// The runs of each revision.
    runs: Vec<FailureCount>,
    /// The same as `prior`, after the runs. Not as logarithms.
    pub(super) chances: Vec<f64>,
    /// The runs without and with each possible culprit.
    counts: Vec<BothRates>,
}

/// Runs without the culprit and runs with it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BothRates {
    pub(super) without: FailureCount,
    pub(super) with: FailureCount,
}

/// What a search can test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TestedVersion {
    /// The version before all revisions.
    Good,
    /// A revision, with all its ancestors.
    Revision(DeltaId),
}

/// The probability before any run that no revision has changed the failure rate.
const NO_CULPRIT: f64 = 0.02;

impl Posterior {
    /// Nothing is known, so each revision is as probable as the others.
    pub(super) fn new(ancestry: Ancestry) -> Self {
        let count = ancestry.len() as usize;
        let mut posterior = Self {
            ancestry,
            prior: prior(vec![1.0; count]),
            outside: BothRates::default(),
            runs: vec![FailureCount::default(); count],
            chances: Vec::new(),
            counts: Vec::new(),
        };
        posterior.update();
        posterior
    }

    /// How probable each revision is the culprit before any run, as weights. A weight that is 0 or missing counts as 1.
    pub(super) fn set_weights(&mut self, weights: &[u32]) {
        let weight = |revision: usize| f64::from(weights.get(revision).map_or(1, |weight| (*weight).max(1)));
        self.prior = prior((0..self.runs.len()).map(weight).collect());
        self.update();
    }

    /// Adds runs of versions without and with all revisions.
    pub(super) fn add_outside(&mut self, runs: BothRates) {
        let BothRates { without, with } = &mut self.outside;
        (*without, *with) = (without.with(runs.without), with.with(runs.with));
        self.update();
    }

    /// Adds a run.
    pub(super) fn add(&mut self, version: TestedVersion, fails: bool) {
        let runs = match version {
            TestedVersion::Good => &mut self.outside.without,
            TestedVersion::Revision(revision) => &mut self.runs[revision.index()],
        };
        *runs = runs.with_run(fails);
        self.update();
    }

    /// How many runs there are.
    pub(super) fn runs(&self) -> u32 {
        let outside = self.outside.without.with(self.outside.with).runs();
        outside + self.runs.iter().map(|runs| runs.runs()).sum::<u32>()
    }

    /// The revisions of which there are runs.
    pub(super) fn tested(&self) -> impl Iterator<Item = DeltaId> + '_ {
        (0..self.ancestry.len()).map(DeltaId).filter(|revision| self.runs[revision.index()].runs() > 0)
    }

    /// The runs without and with a culprit.
    pub(super) fn counts(&self, culprit: DeltaId) -> BothRates {
        self.counts[culprit.index()]
    }

    /// The probability that there is no culprit.
    pub(super) fn no_culprit(&self) -> f64 {
        self.chances.last().copied().unwrap_or(1.0)
    }

    fn update(&mut self) {
        self.counts = match &self.ancestry {
            Ancestry::Line(_) => self.count_along_line(),
            Ancestry::Graph(with_ancestors) => self.count_in_graph(with_ancestors),
        };
        let mut logs: Vec<f64> = self
            .counts
            .iter()
            .zip(self.prior.iter())
            .map(|(runs, prior)| prior + runs.without.log_likelihood() + runs.with.log_likelihood())
            .collect();
        let all = self.all_runs();
        logs.extend(self.prior.last().map(|prior| prior + all.log_likelihood()));
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        let sum: f64 = shares.iter().sum();
        self.chances = shares.iter().map(|share| share / sum).collect();
    }

    fn all_runs(&self) -> FailureCount {
        let outside = self.outside.without.with(self.outside.with);
        self.runs.iter().fold(outside, |all, runs| all.with(*runs))
    }

    fn count_along_line(&self) -> Vec<BothRates> {
        let mut with = self.runs.iter().fold(self.outside.with, |all, runs| all.with(*runs));
        let mut without = self.outside.without;
        let mut counts = Vec::with_capacity(self.runs.len());
        for runs in &self.runs {
            counts.push(BothRates { without, with });
            without = without.with(*runs);
            with = FailureCount { fails: with.fails - runs.fails, passes: with.passes - runs.passes };
        }
        counts
    }

    fn count_in_graph(&self, with_ancestors: &[Configuration]) -> Vec<BothRates> {
        let mut counts = vec![self.outside; self.runs.len()];
        for tested in self.tested() {
            let runs = self.runs[tested.index()];
            for (culprit, counts) in counts.iter_mut().enumerate() {
                let is_with = with_ancestors[tested.index()].contains(DeltaId(culprit as u32));
                let side = if is_with { &mut counts.with } else { &mut counts.without };
                *side = side.with(runs);
            }
        }
        counts
    }

    /// What one more run of each of these versions is expected to tell: its probability to fail, and how much it tells about the
    /// culprit, in nats.
    pub(super) fn worth(&self, versions: &[TestedVersion]) -> Vec<RunWorth> {
        let rate_of_all = self.all_runs().rate();
        let of_none = ExpectedRun::of(self.no_culprit(), rate_of_all);
        let rates = self.counts.iter().zip(&self.chances);
        let of_culprits: Vec<[ExpectedRun; 2]> = rates
            .map(|(runs, chance)| [runs.without, runs.with].map(|runs| ExpectedRun::of(*chance, runs.rate())))
            .collect();
        match &self.ancestry {
            Ancestry::Line(_) => {
                // From the version before all revisions to the last one.
                let mut sum = of_culprits.iter().fold(of_none, |sum, [without, _]| sum.plus(*without));
                let mut of_positions = vec![sum.worth()];
                for [without, with] in &of_culprits {
                    sum = sum.minus(*without).plus(*with);
                    of_positions.push(sum.worth());
                }
                let position = |version: &TestedVersion| match version {
                    TestedVersion::Good => 0,
                    TestedVersion::Revision(revision) => revision.index() + 1,
                };
                versions.iter().map(|version| of_positions[position(version)]).collect()
            }
            Ancestry::Graph(with_ancestors) => {
                let worth = |version: &TestedVersion| {
                    let is_with = |culprit: usize| match version {
                        TestedVersion::Good => false,
                        TestedVersion::Revision(revision) => {
                            with_ancestors[revision.index()].contains(DeltaId(culprit as u32))
                        }
                    };
                    let of_culprit =
                        |(culprit, sides): (usize, &[ExpectedRun; 2])| sides[usize::from(is_with(culprit))];
                    of_culprits.iter().enumerate().map(of_culprit).fold(of_none, ExpectedRun::plus).worth()
                };
                versions.iter().map(worth).collect()
            }
        }
    }
}

/// The logarithms of the probabilities of revisions with these weights, and of no culprit.
fn prior(weights: Vec<f64>) -> Arc<[f64]> {
    let all: f64 = weights.iter().sum();
    let of_culprits = weights.iter().map(|weight| (weight / all * (1.0 - NO_CULPRIT)).ln());
    of_culprits.chain([NO_CULPRIT.ln()]).collect()
}

/// What one more run is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RunWorth {
    /// The probability that it fails.
    pub(super) chance: f64,
    /// How much it tells about the culprit on average: the mutual information, in nats.
    pub(super) information: f64,
}

/// A part of the expectation of a run: of some culprits.
#[derive(Clone, Copy, Debug)]
struct ExpectedRun {
    fails: f64,
    uncertainty: f64,
}

impl ExpectedRun {
    fn of(chance: f64, rate: f64) -> Self {
        Self { fails: chance * rate, uncertainty: chance * entropy(rate) }
    }

    fn plus(self, other: Self) -> Self {
        Self { fails: self.fails + other.fails, uncertainty: self.uncertainty + other.uncertainty }
    }

    fn minus(self, other: Self) -> Self {
        Self { fails: self.fails - other.fails, uncertainty: self.uncertainty - other.uncertainty }
    }

    fn worth(self) -> RunWorth {
        let chance = self.fails.clamp(0.0, 1.0);
        RunWorth { chance, information: (entropy(chance) - self.uncertainty).max(0.0) }
    }
}

/// The entropy of a run that fails with this probability, in nats.
fn entropy(chance: f64) -> f64 {
    let term = |chance: f64| if chance > 0.0 { -chance * chance.ln() } else { 0.0 };
    term(chance) + term(1.0 - chance)
}
