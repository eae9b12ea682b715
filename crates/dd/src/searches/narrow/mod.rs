//! Isolation (after Zeller 2002, Figure 2) for deltas most of whose combinations are unresolved. It is repeated until the
//! deltas it has found fail on their own (interference, Zeller 1999).

mod asked_before;
mod blame;
mod cut;
mod needs;
mod order;
mod proposed_repairs;
mod removal;

use crate::{Answer, Ask, Configuration, DeltaId, Difference, Outcome, Question, Relation, Search, Step};
use asked_before::AskedBefore;
use blame::Blame;
use cut::{Cut, CutPiece, Grouping};
use needs::Needs;
use order::{CUTS, HALVES_FIRST};
use proposed_repairs::ProposedRepairs;
use removal::Removal;
use std::sync::Arc;

/// Finds a small set of deltas that fails on its own, even if most configurations are unresolved.
///
/// A round narrows the difference between a passing and a failing configuration until no part of it can be resolved.
/// Every resolved answer narrows the difference, so if all answers are resolved, a round is a binary search. The deltas
/// that are left are part of the cause. If they do not fail on their own, the next round keeps them applied and looks for
/// the deltas that they need. In the end, the search tries to remove runs of deltas, and then single ones, unless a larger
/// configuration has already passed. So the finding always fails. It is 1-minimal if outcomes are monotone; if they are not, check it with
/// [`crate::Confirm`].
///
/// One culprit among n deltas takes ⌈log2 n⌉ + 1 tests, and two that need each other take twice as many.
#[derive(Clone, Debug)]
pub struct Narrow {
    suggestions: Arc<[Configuration]>,
    passing: Configuration,
    failing: Configuration,
    /// What earlier rounds found. It belongs to the passing side, even if it is unresolved on its own.
    held: Configuration,
    /// Configurations that passed. Smaller ones are assumed to pass too.
    passed: Vec<Configuration>,
    unresolved: AskedBefore,
    blame: Blame,
    cut: Cut,
    phase: NarrowPhase,
    needs: Needs,
    /// The deltas of each of the finest groups, as if each delta needed the others.
    together: Needs,
    /// Needs learned from answers.
    learned: Needs,
    ordered: OrderedCuts,
    /// Ends after the first round.
    is_isolating: bool,
    /// Whether repairs only add deltas, whichever side is nearer.
    repairs_add: bool,
    /// Whether the search ends after the suggestions. Not any more as soon as one narrowed the difference.
    needs_suggestion: bool,
    repairs: ProposedRepairs,
    next: Option<Question>,
}

/// The progress with cuts along the order of needs.
#[derive(Clone, Copy, Debug, Default)]
struct OrderedCuts {
    /// The index of the next cut.
    cut: usize,
    /// How often this cut was tried again with newly learned needs.
    retries: u32,
    /// Whether the last question was such a cut.
    is_asking: bool,
}

impl OrderedCuts {
    /// The size of the next cut, in sixteenths.
    fn sixteenths(&self, halves_first: bool) -> Option<usize> {
        let cuts = if halves_first { HALVES_FIRST } else { CUTS };
        cuts.get(self.cut).copied()
    }
}

/// A difference with fewer deltas is not cut along the order of its needs.
const FEWEST_TO_ORDER: usize = 24;

/// How often the same cut is tried again with newly learned needs.
const MOST_RETRIES: u32 = 12;

#[derive(Clone, Copy, Debug, PartialEq)]
enum NarrowPhase {
    /// Try the suggestions, starting with this one.
    Suggested(usize),
    /// Narrow the difference.
    Round,
    /// Test whether the deltas found so far fail on their own.
    Alone,
    /// Try to remove deltas.
    Removal(Removal),
    Done,
}

impl Narrow {
    /// Narrows a configuration that fails. The empty configuration passes.
    #[must_use]
    pub fn new(failing: Configuration) -> Self {
        let mut search = Self {
            suggestions: Arc::default(),
            passing: Configuration::empty(),
            cut: Cut::new(Grouping::default(), failing.clone()),
            failing,
            held: Configuration::empty(),
            passed: Vec::new(),
            unresolved: AskedBefore::default(),
            blame: Blame::none(),
            phase: NarrowPhase::Suggested(0),
            needs: Needs::default(),
            together: Needs::default(),
            learned: Needs::default(),
            ordered: OrderedCuts::default(),
            is_isolating: false,
            repairs_add: false,
            needs_suggestion: false,
            repairs: ProposedRepairs::new(6),
            next: None,
        };
        search.plan();
        search
    }

    /// Cuts along groups, from coarse levels to fine ones. A delta that is in no group of a level is a group of its own.
    /// The level of single deltas is always the last one and need not be given.
    #[must_use]
    pub fn along(mut self, levels: Vec<Vec<Configuration>>) -> Self {
        self.together = Needs::new(&levels.last().into_iter().flatten().flat_map(ring).collect::<Vec<_>>());
        self.cut = Cut::new(Grouping::new(&levels), self.difference());
        self.restarted()
    }

    /// Asks for these configurations first.
    #[must_use]
    pub fn trying_first(mut self, suggestions: Vec<Configuration>) -> Self {
        self.suggestions = suggestions.into();
        self.restarted()
    }

    /// Tries at most this many repairs for an unresolved question.
    #[must_use]
    pub fn with_repairs(mut self, most: u32) -> Self {
        self.repairs = ProposedRepairs::new(most);
        self
    }

    /// Ends with the smallest difference between a passing and a failing configuration, whether or not it fails on its own. Cuts
    /// along the order of needs in halves first: for deltas most of whose combinations can be resolved.
    #[must_use]
    pub fn isolating(mut self) -> Self {
        self.is_isolating = true;
        self
    }

    /// Repairs a configuration only by adding deltas, even if it is nearer to the passing side.
    #[must_use]
    pub fn repairing_by_adding(mut self) -> Self {
        self.repairs_add = true;
        self
    }

    /// Ends after the suggestions and their repairs if all of them are unresolved.
    #[must_use]
    pub fn only_if_a_suggestion_is_resolved(mut self) -> Self {
        self.needs_suggestion = true;
        self
    }

    /// Completes each configuration with the deltas that it needs before it asks.
    #[must_use]
    pub fn knowing(mut self, needs: &[Relation]) -> Self {
        self.needs = Needs::new(needs);
        self.restarted()
    }

    fn restarted(mut self) -> Self {
        self.phase = NarrowPhase::Suggested(0);
        self.cut = Cut::new(self.cut.grouping(), self.difference());
        self.plan();
        self
    }

    fn difference(&self) -> Configuration {
        self.failing.without(&self.passing)
    }

    /// Finds the next question, or ends the search.
    fn plan(&mut self) {
        self.next = self.repair();
        while self.next.is_none() && self.phase != NarrowPhase::Done {
            self.repairs.forget();
            self.next = match self.phase {
                NarrowPhase::Suggested(i) => self.suggestion(i),
                NarrowPhase::Round => self.piece(),
                NarrowPhase::Alone => self.alone(),
                NarrowPhase::Removal(removal) => self.removal(removal),
                NarrowPhase::Done => None,
            };
        }
    }

    fn repair(&mut self) -> Option<Question> {
        let Self { passing, failing, unresolved, learned, .. } = self;
        let bounds = NarrowBounds { passing, failing, unresolved };
        let usable = |repair: &Configuration| bounds.between(&learned.completed(repair, failing));
        self.repairs.next(usable).map(|repair| Question::new(repair, Step::Subset))
    }

    fn between(&self, configuration: &Configuration) -> Option<Configuration> {
        let Self { passing, failing, unresolved, .. } = self;
        NarrowBounds { passing, failing, unresolved }.between(configuration)
    }

    fn suggestion(&mut self, i: usize) -> Option<Question> {
        let suggestion = self.suggestions.get(i).and_then(|suggestion| self.between(suggestion));
        self.phase = match i < self.suggestions.len() {
            true => NarrowPhase::Suggested(i + 1),
            false if self.needs_suggestion => NarrowPhase::Done,
            false => NarrowPhase::Round,
        };
        suggestion.map(|suggestion| Question::new(suggestion, Step::Subset))
    }

    /// A prefix of the difference in the order of needs: each delta has what it is known to need.
    fn prefix(&mut self) -> Option<Question> {
        let difference = self.difference();
        if difference.len() < FEWEST_TO_ORDER || (self.needs.is_empty() && self.learned.is_empty()) {
            return None;
        }
        while let Some(sixteenths) = self.ordered.sixteenths(self.is_isolating) {
            let prefix =
                order::prefix(&difference, &[&self.needs, &self.together], &self.learned, sixteenths);
            let configuration = prefix.and_then(|prefix| self.between(&self.passing.with(&prefix)));
            if let Some(configuration) = configuration {
                self.ordered.is_asking = true;
                return Some(Question::new(configuration, Step::Subset));
            }
            (self.ordered.cut, self.ordered.retries) = (self.ordered.cut + 1, 0);
        }
        None
    }

    fn piece(&mut self) -> Option<Question> {
        let prefix = self.prefix();
        if prefix.is_some() {
            return prefix;
        }
        self.ordered.is_asking = false;
        while let Some(piece) = self.cut.next() {
            let (configuration, step) = match piece {
                CutPiece::Add(part) => (self.passing.with(&part), Step::Subset),
                CutPiece::Remove(part) => (self.failing.without(&part), Step::Complement),
            };
            let fulfilled = self.needs.fulfil(configuration, &self.passing, &self.failing);
            if let Some(fulfilled) = fulfilled.filter(|fulfilled| !self.unresolved.contains(fulfilled)) {
                return Some(Question::new(self.sparing(fulfilled), step));
            }
        }
        self.end_round();
        None
    }

    /// A mix without what the latest unresolved mixes have in common, if that is new. Whole items that complaints drag along would
    /// otherwise be in every question.
    fn sparing(&self, configuration: Configuration) -> Configuration {
        let spared = self.blame.spared(&configuration, &self.passing, &self.failing);
        let spared = spared.filter(|_| self.is_isolating).and_then(|spared| self.between(&spared));
        spared.unwrap_or(configuration)
    }

    fn end_round(&mut self) {
        if self.is_isolating {
            self.phase = NarrowPhase::Done;
            return;
        }
        let found = self.held.with(&self.difference());
        if self.passing != self.held {
            self.passed.push(self.passing.clone());
        }
        self.held = found;
        self.phase = match self.held == self.failing {
            true => NarrowPhase::Removal(Removal::of(&self.failing)),
            false => NarrowPhase::Alone,
        };
    }

    /// The deltas found so far, and the same deltas with all that they are assumed or known to need.
    fn alone_and_completed(&self) -> [Configuration; 2] {
        let assumed = self.needs.completed(&self.learned.completed(&self.held, &self.failing), &self.failing);
        [self.held.clone(), self.learned.completed(&assumed, &self.failing)]
    }

    /// Asks for the deltas found so far, on their own or with what they need.
    fn alone(&mut self) -> Option<Question> {
        let candidates = self.alone_and_completed();
        let is_new = |candidate: &&Configuration| {
            !self.unresolved.contains(candidate)
                && !self.passed.iter().any(|passed| candidate.is_subset(passed))
        };
        let next = candidates.iter().filter(|candidate| **candidate != self.failing).find(is_new).cloned();
        if next.is_none() {
            self.next_round(candidates);
        }
        next.map(|next| Question::new(next, Step::Alone))
    }

    /// The deltas found so far do not fail on their own, so they need some of the other deltas.
    fn next_round(&mut self, [alone, completed]: [Configuration; 2]) {
        self.passing = if self.failing == completed { alone } else { completed };
        self.ordered = OrderedCuts::default();
        self.cut = Cut::new(self.cut.grouping(), self.difference());
        self.phase = NarrowPhase::Round;
    }

    fn removal(&mut self, removal: Removal) -> Option<Question> {
        // From now on, every smaller configuration that fails is progress, with the deltas found so far or without them.
        self.passing = Configuration::empty();
        let Some((run, next)) = removal.next(&self.failing) else {
            self.phase = removal.next_turn().map_or(NarrowPhase::Done, NarrowPhase::Removal);
            return None;
        };
        self.phase = NarrowPhase::Removal(next);
        let (gone, step) = match run.len() {
            1 => (run, Step::Single),
            _ => (self.with_dependents(run), Step::Removal),
        };
        let smaller = self.between(&self.failing.without(&gone))?;
        let passed = self.passed.iter().any(|passed| smaller.is_subset(passed));
        (!passed).then(|| Question::new(smaller, step))
    }

    /// The deltas, and those of the failing side that are assumed or known to need them.
    fn with_dependents(&self, deltas: Configuration) -> Configuration {
        let mut all = deltas;
        loop {
            let assumed = self.needs.dependents(&all, &self.failing);
            let more = self.learned.dependents(&assumed, &self.failing);
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// The repairs that move a configuration to the side that it is nearer to. Otherwise a search for a difference would go back and
    /// forth between what fits the one side and what fits the other.
    fn towards_nearer_side(
        &self,
        configuration: &Configuration,
        mut repairs: Vec<Configuration>,
    ) -> Vec<Configuration> {
        if self.is_isolating {
            let to_failing = self.failing.without(configuration).len();
            let to_passing = configuration.without(&self.passing).len();
            let grows = self.repairs_add || to_failing < to_passing;
            repairs.retain(|repair| (repair.len() > configuration.len()) == grows);
        }
        repairs
    }

    fn narrowed(&mut self) {
        self.blame = Blame::none();
        self.needs_suggestion = false;
        self.repairs.forget();
        self.ordered = OrderedCuts::default();
        self.cut = self.cut.onward(self.difference());
    }
}

/// Each delta needs the next one, and the last delta needs the first.
fn ring(deltas: &Configuration) -> Vec<Relation> {
    let next = deltas.iter().skip(1).chain(deltas.first_from(DeltaId(0)));
    deltas.iter().zip(next).map(|(one, other)| Relation::Needs(one, other)).collect()
}

/// The two sides between which the search asks.
struct NarrowBounds<'a> {
    passing: &'a Configuration,
    failing: &'a Configuration,
    unresolved: &'a AskedBefore,
}

impl NarrowBounds<'_> {
    /// The configuration, moved between the two sides. `None` if its outcome is known.
    fn between(&self, configuration: &Configuration) -> Option<Configuration> {
        let between = configuration.within(self.failing).with(self.passing);
        let is_side = between == *self.passing || between == *self.failing;
        (!is_side && !self.unresolved.contains(&between)).then_some(between)
    }
}

impl Search for Narrow {
    type Finding = Difference;
    const SEES_UNRESOLVED: bool = true;

    fn ask(&self) -> Ask<Difference> {
        match &self.next {
            Some(question) => Ask::Test(question.clone()),
            None if self.is_isolating => Ask::Done(self.best_difference()),
            None => Ask::Done(Difference::from_nothing(self.failing.clone())),
        }
    }

    fn tell(&mut self, answer: Answer) {
        let Some(Question { configuration, .. }) = &self.next else { return };
        let configuration = configuration.clone();
        match (answer.outcome, self.phase) {
            (_, NarrowPhase::Done) => {}
            (Outcome::Unresolved, phase) => {
                self.unresolved.insert(&configuration);
                self.blame.note(&configuration, &self.passing, &self.failing);
                let is_news = self.learned.learn(&answer.hints.suspected);
                if phase == NarrowPhase::Round
                    && self.ordered.is_asking
                    && is_news
                    && self.ordered.retries < MOST_RETRIES
                {
                    self.ordered.retries += 1;
                    self.repairs.forget();
                } else if !matches!(phase, NarrowPhase::Removal(_)) {
                    let repairs = self.towards_nearer_side(&configuration, answer.hints.repairs);
                    self.repairs.propose(repairs, answer.hints.problems);
                }
                match phase {
                    // Remove them again, together with what is now known to need them.
                    NarrowPhase::Removal(removal) if is_news => {
                        self.phase = removal.again().map_or(phase, NarrowPhase::Removal);
                    }
                    // Ask again with what it lacks.
                    NarrowPhase::Alone if is_news => self.repairs.forget(),
                    NarrowPhase::Alone => self.next_round(self.alone_and_completed()),
                    _ => {}
                }
            }
            (Outcome::Fail, NarrowPhase::Suggested(_) | NarrowPhase::Round) => {
                self.failing = configuration;
                self.narrowed();
            }
            (Outcome::Pass, NarrowPhase::Suggested(_) | NarrowPhase::Round) => {
                self.passing = configuration;
                self.narrowed();
            }
            (Outcome::Pass, NarrowPhase::Alone) => {
                self.passed.push(configuration);
            }
            (Outcome::Fail, NarrowPhase::Alone) => {
                self.failing = configuration;
                self.phase = NarrowPhase::Removal(Removal::of(&self.failing));
            }
            (Outcome::Fail, NarrowPhase::Removal(removal)) => {
                self.failing = configuration;
                self.phase = NarrowPhase::Removal(removal.succeeded());
            }
            (Outcome::Pass, NarrowPhase::Removal(_)) => self.passed.push(configuration),
        }
        self.plan();
    }

    fn best_so_far(&self) -> &Configuration {
        &self.failing
    }

    /// Only in the first round are all suspects between the two sides.
    fn best_difference(&self) -> Difference {
        let passing = if self.held.is_empty() { self.passing.clone() } else { Configuration::empty() };
        Difference { passing, failing: self.failing.clone() }
    }

    fn left(&self) -> usize {
        match self.phase {
            NarrowPhase::Done if self.is_isolating => self.difference().len(),
            NarrowPhase::Removal(_) | NarrowPhase::Done => self.failing.len(),
            NarrowPhase::Alone => self.held.len(),
            _ => self.failing.len() - self.passing.len() + self.held.len(),
        }
    }

    fn questions_left(&self) -> Option<f64> {
        Some(match self.phase {
            NarrowPhase::Done => 0.0,
            NarrowPhase::Alone => 1.0,
            NarrowPhase::Removal(removal) => 1.0 + removal.questions_left(&self.failing),
            _ => 1.0 + ((self.failing.len() - self.passing.len()).max(1) as f64).log2(),
        })
    }
}
