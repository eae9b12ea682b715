//! dd from both sides where most mixes may be unresolved (after Zeller 2002, Figure 2), round after round until what was
//! found fails by itself (interference, Zeller 1999).

mod asked_before;
mod cut;
mod needs;
mod order;
mod proposed_repairs;

use crate::{Answer, Ask, Configuration, DeltaId, Difference, Outcome, Question, Relation, Search, Step};
use asked_before::AskedBefore;
use cut::{Cut, CutPiece, Grouping};
use needs::Needs;
use order::CUTS;
use proposed_repairs::ProposedRepairs;
use std::sync::Arc;

/// Finds a small set of deltas that fails by itself, where most mixes of them may be unresolved.
///
/// A round narrows a passing and a failing configuration until nothing between them can be told apart. Every resolved
/// answer narrows, so where all are resolved a round is a binary search. What is left is part of the cause; where it does
/// not fail by itself, the next round looks for what it needs, and holds it meanwhile. In the end single deltas are taken
/// away, but where something larger passed already. So the finding always fails, and it is 1-minimal where the world is
/// monotone; elsewhere see [`crate::Confirm`].
///
/// One culprit among n takes ⌈log2 n⌉ + 1 tests, two that need each other twice as many.
#[derive(Clone, Debug)]
pub struct Narrow {
    suggestions: Arc<[Configuration]>,
    passing: Configuration,
    failing: Configuration,
    /// What earlier rounds found. It is part of the passing side, even where by itself it is unresolved.
    held: Configuration,
    /// The largest configurations that were seen to pass.
    passed: Vec<Configuration>,
    unresolved: AskedBefore,
    cut: Cut,
    phase: NarrowPhase,
    needs: Needs,
    /// What is in one of the finest groups, as if each needed the others.
    together: Needs,
    /// What answers have taught of the needs.
    learned: Needs,
    ordered: OrderedCuts,
    repairs: ProposedRepairs,
    next: Option<Question>,
}

/// How far the search has come with cuts along the order of needs.
#[derive(Clone, Copy, Debug, Default)]
struct OrderedCuts {
    /// The next place to cut at.
    cut: usize,
    /// How often it was tried again, with what had been learned.
    again: u32,
    /// Whether the last question was such a cut.
    is_asking: bool,
}

/// Fewer deltas than this are not cut along the order of their needs.
const FEWEST_TO_ORDER: usize = 24;

/// So often the same cut is tried again with what was learned.
const MOST_AGAIN: u32 = 12;

#[derive(Clone, Copy, Debug, PartialEq)]
enum NarrowPhase {
    /// The suggestions, from this one on.
    Suggested(usize),
    Round,
    /// Whether what was found fails by itself.
    Alone,
    /// Whether the delta of this rank can go.
    Removal(usize),
    Done,
}

impl Narrow {
    /// Narrows a configuration that fails, where nothing at all passes.
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
            phase: NarrowPhase::Suggested(0),
            needs: Needs::default(),
            together: Needs::default(),
            learned: Needs::default(),
            ordered: OrderedCuts::default(),
            repairs: ProposedRepairs::new(6),
            next: None,
        };
        search.plan();
        search
    }

    /// Cuts along groups, from coarse to fine. What is in no group of a level is there on its own; the single deltas
    /// come last and need not be given.
    #[must_use]
    pub fn along(mut self, levels: Vec<Vec<Configuration>>) -> Self {
        self.together = Needs::new(&levels.last().into_iter().flatten().flat_map(ring).collect::<Vec<_>>());
        self.cut = Cut::new(Grouping::new(&levels), self.difference());
        self.restarted()
    }

    /// Asks for these before anything else.
    #[must_use]
    pub fn trying_first(mut self, suggestions: Vec<Configuration>) -> Self {
        self.suggestions = suggestions.into();
        self.restarted()
    }

    /// Tries at most so many repairs in a row instead of a question that is unresolved.
    #[must_use]
    pub fn with_repairs(mut self, most: u32) -> Self {
        self.repairs = ProposedRepairs::new(most);
        self
    }

    /// Asks only for mixes that have whatever their deltas need.
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

    /// Finds the next question, and what the search comes to by itself on the way there.
    fn plan(&mut self) {
        self.next = self.repair();
        while self.next.is_none() && self.phase != NarrowPhase::Done {
            self.repairs.forget();
            self.next = match self.phase {
                NarrowPhase::Suggested(i) => self.suggestion(i),
                NarrowPhase::Round => self.piece(),
                NarrowPhase::Alone => self.alone(),
                NarrowPhase::Removal(rank) => self.removal(rank),
                NarrowPhase::Done => None,
            };
        }
    }

    fn repair(&mut self) -> Option<Question> {
        let step = if matches!(self.phase, NarrowPhase::Removal(_)) { Step::Removal } else { Step::Subset };
        let Self { passing, failing, unresolved, learned, .. } = self;
        let bounds = NarrowBounds { passing, failing, unresolved };
        let usable = |repair: &Configuration| bounds.between(&learned.completed(repair, failing));
        self.repairs.next(usable).map(|repair| Question::new(repair, step))
    }

    fn between(&self, configuration: &Configuration) -> Option<Configuration> {
        let Self { passing, failing, unresolved, .. } = self;
        NarrowBounds { passing, failing, unresolved }.between(configuration)
    }

    fn suggestion(&mut self, i: usize) -> Option<Question> {
        let suggestion = self.suggestions.get(i).and_then(|suggestion| self.between(suggestion));
        self.phase =
            if i < self.suggestions.len() { NarrowPhase::Suggested(i + 1) } else { NarrowPhase::Round };
        suggestion.map(|suggestion| Question::new(suggestion, Step::Subset))
    }

    /// A mix in which each delta has what it needs, as far as that is known.
    fn beginning(&mut self) -> Option<Question> {
        let difference = self.difference();
        if difference.len() < FEWEST_TO_ORDER || (self.needs.is_empty() && self.learned.is_empty()) {
            return None;
        }
        while let Some(sixteenths) = CUTS.get(self.ordered.cut) {
            let beginning =
                order::beginning(&difference, &[&self.needs, &self.together], &self.learned, *sixteenths);
            let mix = beginning.and_then(|beginning| self.between(&self.passing.with(&beginning)));
            if let Some(mix) = mix {
                self.ordered.is_asking = true;
                return Some(Question::new(mix, Step::Subset));
            }
            (self.ordered.cut, self.ordered.again) = (self.ordered.cut + 1, 0);
        }
        None
    }

    fn piece(&mut self) -> Option<Question> {
        let beginning = self.beginning();
        if beginning.is_some() {
            return beginning;
        }
        self.ordered.is_asking = false;
        while let Some(piece) = self.cut.next() {
            let (configuration, step) = match piece {
                CutPiece::Add(part) => (self.passing.with(&part), Step::Subset),
                CutPiece::TakeAway(part) => (self.failing.without(&part), Step::Complement),
            };
            let settled = self.needs.settle(configuration, &self.passing, &self.failing);
            if let Some(settled) = settled.filter(|settled| !self.unresolved.contains(settled)) {
                return Some(Question::new(settled, step));
            }
        }
        self.end_round();
        None
    }

    fn end_round(&mut self) {
        let found = self.held.with(&self.difference());
        if self.passing != self.held {
            self.passed.push(self.passing.clone());
        }
        self.held = found;
        self.phase = if self.held == self.failing { NarrowPhase::Removal(0) } else { NarrowPhase::Alone };
    }

    /// What was found, and the same with what it is thought and known to need.
    fn alone_and_completed(&self) -> [Configuration; 2] {
        let thought = self.needs.completed(&self.learned.completed(&self.held, &self.failing), &self.failing);
        [self.held.clone(), self.learned.completed(&thought, &self.failing)]
    }

    /// What was found, by itself or with what it is known to need.
    fn alone(&mut self) -> Option<Question> {
        let candidates = self.alone_and_completed();
        let is_new = |mix: &&Configuration| {
            !self.unresolved.contains(mix) && !self.passed.iter().any(|passed| mix.is_subset(passed))
        };
        let next = candidates.iter().filter(|mix| **mix != self.failing).find(is_new).cloned();
        if next.is_none() {
            self.next_round(candidates);
        }
        next.map(|next| Question::new(next, Step::Alone))
    }

    /// What was found does not fail by itself, so something of the rest is needed as well.
    fn next_round(&mut self, [alone, completed]: [Configuration; 2]) {
        self.passing = if self.failing == completed { alone } else { completed };
        self.ordered = OrderedCuts::default();
        self.cut = Cut::new(self.cut.grouping(), self.difference());
        self.phase = NarrowPhase::Round;
    }

    fn removal(&mut self, rank: usize) -> Option<Question> {
        // From now on anything smaller counts, with what was held or without.
        self.passing = Configuration::empty();
        let Some(delta) = self.failing.get(rank) else {
            self.phase = NarrowPhase::Done;
            return None;
        };
        self.phase = NarrowPhase::Removal(rank + 1);
        let smaller = self.between(&self.failing.without_delta(delta))?;
        let passed = self.passed.iter().any(|passed| smaller.is_subset(passed));
        (!passed).then(|| Question::new(smaller, Step::Single))
    }

    fn narrowed(&mut self) {
        self.repairs.forget();
        self.ordered = OrderedCuts::default();
        self.cut = self.cut.onward(self.difference());
    }
}

/// Each needs the next one, and the last the first.
fn ring(deltas: &Configuration) -> Vec<Relation> {
    let next = deltas.iter().skip(1).chain(deltas.first_from(DeltaId(0)));
    deltas.iter().zip(next).map(|(one, other)| Relation::Needs(one, other)).collect()
}

/// What is asked for lies between the two sides.
struct NarrowBounds<'a> {
    passing: &'a Configuration,
    failing: &'a Configuration,
    unresolved: &'a AskedBefore,
}

impl NarrowBounds<'_> {
    /// The configuration brought between the two sides, if it is news there.
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
                let is_news = self.learned.learn(&answer.hints.suspected);
                if phase == NarrowPhase::Round
                    && self.ordered.is_asking
                    && is_news
                    && self.ordered.again < MOST_AGAIN
                {
                    self.ordered.again += 1;
                    self.repairs.forget();
                } else {
                    self.repairs.propose(answer.hints.repairs);
                }
                match phase {
                    // It is asked for again, with what it lacks.
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
            (Outcome::Fail, NarrowPhase::Alone | NarrowPhase::Removal(_)) => {
                self.failing = configuration;
                self.phase = NarrowPhase::Removal(0);
                self.repairs.forget();
            }
            (Outcome::Pass, NarrowPhase::Removal(_)) => {
                self.passed.push(configuration);
                self.repairs.forget();
            }
        }
        self.plan();
    }

    fn best_so_far(&self) -> &Configuration {
        &self.failing
    }

    /// What is between the two sides is all that is in question in the first round only.
    fn best_difference(&self) -> Difference {
        let passing = if self.held.is_empty() { self.passing.clone() } else { Configuration::empty() };
        Difference { passing, failing: self.failing.clone() }
    }

    fn left(&self) -> usize {
        match self.phase {
            NarrowPhase::Removal(_) | NarrowPhase::Done => self.failing.len(),
            NarrowPhase::Alone => self.held.len(),
            _ => self.failing.len() - self.passing.len() + self.held.len(),
        }
    }

    fn questions_left(&self) -> Option<f64> {
        Some(match self.phase {
            NarrowPhase::Done => 0.0,
            NarrowPhase::Alone => 1.0,
            NarrowPhase::Removal(rank) => 1.0 + self.failing.len().saturating_sub(rank) as f64,
            _ => 1.0 + ((self.failing.len() - self.passing.len()).max(1) as f64).log2(),
        })
    }
}
