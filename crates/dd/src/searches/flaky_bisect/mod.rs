//! Bisection with a flaky test: the revision that changed how often the test fails.
//!
//! Every run counts, and none decides anything on its own: there is one posterior over all revisions, and the next run is the one
//! that tells the most about the culprit. `git bayesect` works in the same way.

mod failure_rate;
mod posterior;
#[cfg(test)]
mod tests;

use crate::{
    Ancestry, Answer, Ask, Configuration, Culprit, DeltaId, Difference, Outcome, Question, Search, Step,
};
pub use failure_rate::FailureCount;
use posterior::{BothRates, Posterior, TestedVersion};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Searches for the revision that made a test fail more often. Each question asks for one run; the n-th run of a revision is a
/// question of its own.
#[derive(Clone, Debug)]
pub struct FlakyBisect {
    ancestry: Ancestry,
    posterior: Posterior,
    confidence: f64,
    /// The runs that were asked for.
    asked: HashMap<TestedVersion, AskedRuns>,
    /// The versions of which no more runs are asked for, because they cannot be judged.
    untestable: HashSet<TestedVersion>,
    next: NextStep,
    best: Configuration,
}

/// The runs of a version that were asked for.
#[derive(Clone, Copy, Debug, Default)]
struct AskedRuns {
    all: u32,
    unresolved: u32,
}

#[derive(Clone, Debug)]
enum NextStep {
    /// Runs a version, which fails with this probability.
    Run(TestedVersion, f64),
    End(FlakyCulprit),
}

/// What a search with a flaky test has found.
#[derive(Clone, Debug, PartialEq)]
pub struct FlakyCulprit {
    /// The culprit, or the suspects if some revisions cannot be tested. `None` if the failure rates cannot be told apart.
    pub culprit: Option<Culprit>,
    /// The probability that the culprit is among the suspects.
    pub confidence: f64,
    /// The runs without the most probable culprit.
    pub without: FailureCount,
    /// The runs with it.
    pub with: FailureCount,
}

impl FlakyBisect {
    /// After this many runs, a search ends unless it is almost certain that a revision has changed the failure rate.
    pub const RUNS_TO_TELL_APART: u32 = 400;

    /// After this many runs, a search ends in any case.
    pub const MOST_RUNS: u32 = 4000;

    /// Searches until the culprit is known with this probability. The last revision fails more often than the version before all
    /// revisions.
    #[must_use]
    pub fn new(ancestry: Ancestry, confidence: f64) -> Self {
        let mut search = Self {
            posterior: Posterior::new(ancestry.clone()),
            confidence: confidence.clamp(0.5, 1.0 - 1e-9),
            asked: HashMap::new(),
            untestable: HashSet::new(),
            next: NextStep::Run(TestedVersion::Good, 0.5),
            best: Configuration::all(ancestry.len()),
            ancestry,
        };
        search.plan();
        search
    }

    /// Uses runs of the version before all revisions, and of the last revision, that were made before.
    #[must_use]
    pub fn knowing(mut self, good: FailureCount, bad: FailureCount) -> Self {
        self.posterior.add_outside(BothRates { without: good, with: bad });
        self.plan();
        self
    }

    /// Uses a weight for each revision: how likely it is the culprit. A weight of 0 counts as 1.
    #[must_use]
    pub fn favouring(mut self, weights: &[u32]) -> Self {
        self.posterior.set_weights(weights);
        self.plan();
        self
    }

    fn configuration(&self, version: TestedVersion) -> Configuration {
        match version {
            TestedVersion::Good => Configuration::empty(),
            TestedVersion::Revision(revision) => self.ancestry.up_to(revision),
        }
    }

    /// Decides what comes next.
    fn plan(&mut self) {
        let suspects = self.most_probable();
        let chance = |revision: DeltaId| self.posterior.chances[revision.index()];
        let confidence: f64 = suspects.iter().map(chance).sum();
        self.best = suspects.last().map_or_else(Configuration::empty, |last| self.ancestry.up_to(last));
        let runs = self.posterior.runs();
        let is_alike = runs >= Self::RUNS_TO_TELL_APART && self.posterior.no_culprit() > ALIKE;
        let goes_on = confidence < self.confidence && !is_alike && runs < Self::MOST_RUNS;
        let next = self.choose().filter(|_| goes_on && self.ancestry.len() > 0);
        self.next = match next {
            Some((version, chance)) => NextStep::Run(version, chance),
            None => NextStep::End(self.conclude(suspects, confidence)),
        };
    }

    /// The version of which one more run tells the most.
    fn choose(&self) -> Option<(TestedVersion, f64)> {
        let revisions = self.sample().into_iter().map(TestedVersion::Revision);
        let versions: Vec<TestedVersion> = revisions
            .chain([TestedVersion::Good])
            .filter(|version| !self.untestable.contains(version))
            .collect();
        let worth = self.posterior.worth(&versions);
        // Among equals, the one in the middle.
        let middle = self.ancestry.len() / 2;
        let distance = |version: &TestedVersion| match version {
            TestedVersion::Good => u32::MAX,
            TestedVersion::Revision(revision) => revision.0.abs_diff(middle),
        };
        let best = versions.iter().zip(&worth).min_by(|(one, worth_of_one), (other, worth_of_other)| {
            let rounded = |information: f64| (information * 1e12).round();
            let by_worth = rounded(worth_of_other.information).total_cmp(&rounded(worth_of_one.information));
            by_worth.then_with(|| distance(one).cmp(&distance(other)))
        });
        best.map(|(version, worth)| (*version, worth.chance))
    }

    /// The revisions to choose from: all of a line. Of a large graph a sample at equal distances by probability, each with its
    /// predecessor, because the worth of each revision takes as long as there are revisions.
    fn sample(&self) -> Vec<DeltaId> {
        let count = self.ancestry.len();
        if count as usize <= SAMPLE || matches!(self.ancestry, Ancestry::Line(_)) {
            return (0..count).map(DeltaId).collect();
        }
        let all: f64 = self.posterior.chances[..count as usize].iter().sum();
        let (mut sum, mut taken) = (0.0, 0);
        let mut sample: BTreeSet<DeltaId> = BTreeSet::new();
        for revision in 0..count {
            sum += self.posterior.chances[revision as usize] / all;
            let place = (sum * SAMPLE as f64) as usize;
            if place > taken {
                sample.extend(revision.checked_sub(1).into_iter().chain([revision]).map(DeltaId));
                taken = place;
            }
        }
        sample.insert(DeltaId(count - 1));
        sample.into_iter().collect()
    }

    /// The most probable culprit, together with the revisions that no testable revision separates from it.
    fn most_probable(&self) -> Configuration {
        let mut best: Option<(f64, Vec<DeltaId>)> = None;
        for group in self.inseparable() {
            let chance = group.iter().map(|revision| self.posterior.chances[revision.index()]).sum();
            if best.as_ref().is_none_or(|(most, _)| chance > *most) {
                best = Some((chance, group));
            }
        }
        best.into_iter().flat_map(|(_, group)| group).collect()
    }

    /// Groups of revisions that are in the same testable revisions, so that no run can tell them apart.
    fn inseparable(&self) -> Vec<Vec<DeltaId>> {
        let revisions = (0..self.ancestry.len()).map(DeltaId);
        match &self.ancestry {
            _ if self.untestable.is_empty() => revisions.map(|revision| vec![revision]).collect(),
            Ancestry::Line(_) => {
                let mut groups: Vec<Vec<DeltaId>> = Vec::new();
                let mut continues = false;
                for revision in revisions {
                    match groups.last_mut().filter(|_| continues) {
                        Some(group) => group.push(revision),
                        None => groups.push(vec![revision]),
                    }
                    continues = self.untestable.contains(&TestedVersion::Revision(revision));
                }
                groups
            }
            Ancestry::Graph(with_ancestors) => {
                let is_testable =
                    |revision: &DeltaId| !self.untestable.contains(&TestedVersion::Revision(*revision));
                let testable: Vec<DeltaId> = revisions.clone().filter(is_testable).collect();
                let mut groups: Vec<Vec<DeltaId>> = Vec::new();
                let mut known: HashMap<Vec<DeltaId>, usize> = HashMap::new();
                for revision in revisions {
                    let contains = |tested: &&DeltaId| with_ancestors[tested.index()].contains(revision);
                    let place = known.entry(testable.iter().filter(contains).copied().collect());
                    let place = *place.or_insert(groups.len());
                    if place == groups.len() {
                        groups.push(Vec::new());
                    }
                    groups[place].push(revision);
                }
                groups
            }
        }
    }

    fn conclude(&self, suspects: Configuration, confidence: f64) -> FlakyCulprit {
        let Some(bad) = suspects.last() else {
            let nothing = FailureCount::default();
            return FlakyCulprit { culprit: None, confidence: 0.0, without: nothing, with: nothing };
        };
        let BothRates { without, with } = self.posterior.counts(bad);
        let is_found = confidence >= self.confidence && with.rate() > without.rate();
        let is_good = |revision: &DeltaId| suspects.within(&self.ancestry.up_to(*revision)).is_empty();
        let good = self.posterior.tested().filter(is_good).collect();
        let culprit = is_found.then_some(Culprit { bad, good, suspects });
        FlakyCulprit { culprit, confidence, without, with }
    }

    /// The fewest revisions around the most probable one that contain the culprit with the requested probability, as far as they
    /// are known. They are in a row.
    fn credible(&self) -> (u32, u32) {
        let count = self.ancestry.len();
        let chances = &self.posterior.chances[..count as usize];
        let rest = (1.0 - self.confidence) / 2.0 * chances.iter().sum::<f64>();
        let within = |chances: &mut dyn Iterator<Item = &f64>| {
            let mut sum = 0.0;
            let outside = chances.take_while(|chance| {
                sum += **chance;
                sum < rest
            });
            outside.count() as u32
        };
        let first = within(&mut chances.iter()).min(count.saturating_sub(1));
        let end = (count - within(&mut chances.iter().rev())).max(first + 1).min(count);
        (first, end)
    }
}

/// After many runs of a test whose rate has changed, it is less probable than this that nothing has changed it. (If nothing has, the
/// probability grows very slowly: after 400 runs, it is about 0.14.)
const ALIKE: f64 = 0.125;

/// Of a graph with more revisions than this, only a sample is considered.
const SAMPLE: usize = 128;

/// A version of which more runs than this could not be judged, and more than could be judged, is not run again.
const MOST_UNRESOLVED: u32 = 2;

impl Search for FlakyBisect {
    type Finding = FlakyCulprit;

    const SEES_UNRESOLVED: bool = true;
    const KEEPS_WHAT_PASSES: bool = true;

    fn ask(&self) -> Ask<FlakyCulprit> {
        match &self.next {
            NextStep::Run(version, chance) => {
                let repeat = self.asked.get(version).map_or(0, |asked| asked.all);
                let question = Question::new(self.configuration(*version), Step::Midpoint);
                Ask::Test(Question { chance: Some(*chance), repeat: Some(repeat), ..question })
            }
            NextStep::End(finding) => Ask::Done(finding.clone()),
        }
    }

    fn tell(&mut self, answer: Answer) {
        let NextStep::Run(version, _) = self.next else { return };
        let asked = self.asked.entry(version).or_default();
        asked.all += 1;
        match answer.outcome {
            Outcome::Fail => self.posterior.add(version, true),
            Outcome::Pass => self.posterior.add(version, false),
            Outcome::Unresolved => {
                asked.unresolved += 1;
                let is_mostly_unresolved =
                    asked.unresolved > MOST_UNRESOLVED && 2 * asked.unresolved > asked.all;
                // Whether a version can be made and built does not depend on chance.
                if is_mostly_unresolved || !answer.was_run {
                    self.untestable.insert(version);
                }
            }
        }
        self.plan();
    }

    fn best_so_far(&self) -> &Configuration {
        &self.best
    }

    fn best_difference(&self) -> Difference {
        match &self.ancestry {
            Ancestry::Line(_) => {
                let (first, end) = self.credible();
                Difference { passing: Configuration::all(first), failing: Configuration::all(end) }
            }
            Ancestry::Graph(_) => Difference::from_nothing(self.best.clone()),
        }
    }

    fn left(&self) -> usize {
        let (first, end) = self.credible();
        (end - first) as usize
    }
}
