//! dd+ (Zeller 1999, Algorithm 2): dd for configurations that can be unresolved.
//!
//! ```text
//! dd+(c)       = dd3(c, ∅, 2)
//! dd3(c, r, n) = let c1, …, cn be the parts of c, and c̄i = c − (ci ∪ r)
//!   c                                           if |c| = 1                                        (found)
//!   dd3(ci, r, 2)                               if test(ci ∪ r) fails for some i                  (found in ci)
//!   dd3(ci, c̄i ∪ r, 2) ∪ dd3(c̄i, ci ∪ r, 2)     if test(ci ∪ r) and test(c̄i ∪ r) pass             (interference)
//!   dd3(ci, c̄i ∪ r, 2)                          if test(ci ∪ r) is unresolved, test(c̄i ∪ r) passes (preference)
//!   dd3(c', r', min(|c'|, 2n))                  if n < |c|                                        (try again)
//!   c'                                          otherwise                                         (nothing left)
//! where c' = c ∩ ⋂ {c̄i | test(c̄i ∪ r) fails} and r' = r ∪ ⋃ {ci | test(ci ∪ r) passes}
//! ```
//!
//! With [`DdPlus::with_repairs`], it also has the paper's failure resolution loop: if a configuration is unresolved and the answer
//! says which deltas it lacks, these are added, and the larger configuration is tested instead. If that passes, so do the deltas
//! in question. If it fails, the search goes on in the larger configuration.

use super::split::SplitParts;
use crate::{Answer, Ask, Configuration, Difference, Hints, Outcome, Question, Search, Split, Step};

/// dd that splits into more and more parts when outcomes are unresolved.
///
/// If every outcome is resolved, monotone and unambiguous, it finds exactly the failure-inducing deltas, as [`crate::Dd`]
/// does. If not, check the finding with [`crate::Confirm`] before you call it a cause.
#[derive(Clone, Debug)]
pub struct DdPlus {
    split: Split,
    current: Option<DdPlusRound>,
    /// The calls of the paper's `dd3(c, r, n)` that are left. The last one is next.
    calls: Vec<(Configuration, Configuration)>,
    found: Configuration,
    /// Each finding with what stays applied: configurations that fail.
    wholes: Vec<Configuration>,
    keeps_context: bool,
    most_repairs: u32,
    smallest_failing: Configuration,
}

/// One call of `dd3(c, r, n)`: its parts and their outcomes so far.
#[derive(Clone, Debug)]
struct DdPlusRound {
    c: Configuration,
    remain: Configuration,
    parts: SplitParts,
    of_parts: RoundOutcomes,
    of_complements: RoundOutcomes,
    repair: RepairAttempt,
}

/// The outcomes of the parts of a round, or of their complements.
#[derive(Clone, Debug, Default)]
struct RoundOutcomes {
    outcomes: Vec<Outcome>,
    /// What was added to some of them before they could be judged.
    added: Vec<(usize, Configuration)>,
}

impl RoundOutcomes {
    fn push(&mut self, outcome: Outcome, added: Configuration) {
        if !added.is_empty() {
            self.added.push((self.outcomes.len(), added));
        }
        self.outcomes.push(outcome);
    }

    fn len(&self) -> usize {
        self.outcomes.len()
    }

    fn added_to(&self, i: usize) -> Configuration {
        let added = self.added.iter().find(|(part, _)| *part == i);
        added.map_or_else(Configuration::empty, |(_, added)| added.clone())
    }
}

/// What is tested instead of an unresolved configuration.
#[derive(Clone, Debug, Default)]
struct RepairAttempt {
    /// The larger configuration, if one is being tested.
    configuration: Option<Configuration>,
    tried: Vec<Configuration>,
}

impl DdPlusRound {
    /// The paper's `c̄i = c − (ci ∪ r)`.
    fn complement(&self, i: usize) -> Configuration {
        self.c.without(&self.parts.get(i).with(&self.remain))
    }

    fn first(&self, part: Outcome, complement: Outcome) -> Option<usize> {
        let seen = self.of_parts.outcomes.iter().zip(&self.of_complements.outcomes);
        seen.into_iter().position(|outcomes| outcomes == (&part, &complement))
    }

    fn is_at_parts(&self) -> bool {
        self.of_parts.len() < self.parts.count()
    }

    /// The part or the complement whose outcome is next, with what stays applied.
    fn next(&self) -> Configuration {
        let next = match self.is_at_parts() {
            true => self.parts.get(self.of_parts.len()),
            false => self.complement(self.of_complements.len()),
        };
        next.with(&self.remain)
    }

    /// A larger configuration to test instead of an unresolved one. One that includes everything is known to fail, and that a part fails
    /// together with nearly all of c tells nothing.
    fn repaired(&self, asked: &Configuration, hints: &Hints) -> Option<Configuration> {
        let everything = self.c.with(&self.remain);
        let is_new = |larger: &&Configuration| {
            asked != *larger
                && asked.is_subset(larger)
                && !everything.is_subset(larger)
                && (!self.is_at_parts() || self.is_much_smaller(&larger.without(&self.remain)))
                && !self.repair.tried.contains(larger)
        };
        hints.repairs.iter().find(is_new).cloned()
    }

    /// Whether a configuration is so much smaller than c that it is worth starting again with it.
    fn is_much_smaller(&self, than_c: &Configuration) -> bool {
        4 * than_c.len() <= 3 * self.c.len()
    }
}

impl DdPlus {
    /// Searches a configuration that fails. The empty configuration passes.
    #[must_use]
    pub fn new(failing: Configuration) -> Self {
        Self::with_split(failing, Split::Even)
    }

    /// The same with another way to split.
    #[must_use]
    pub fn with_split(failing: Configuration, split: Split) -> Self {
        let mut search = Self {
            split,
            current: None,
            calls: vec![(failing.clone(), Configuration::empty())],
            found: Configuration::empty(),
            wholes: Vec::new(),
            keeps_context: false,
            most_repairs: 0,
            smallest_failing: failing,
        };
        search.next_call();
        search
    }

    /// The same with at most this many repairs of each unresolved configuration.
    #[must_use]
    pub fn with_repairs(mut self, most_repairs: u32) -> Self {
        self.most_repairs = most_repairs;
        self
    }

    /// If the deltas of the finding were found together with others that stay applied, the finding is a difference: its passing
    /// side are the others. Without that, the finding is what was found, whether it fails alone or not.
    #[must_use]
    pub fn keeping_context(mut self) -> Self {
        self.keeps_context = true;
        self
    }

    fn next_call(&mut self) {
        self.current = None;
        while self.current.is_none() {
            let Some((c, remain)) = self.calls.pop() else { return };
            self.start(c, remain, 2);
        }
    }

    fn start(&mut self, c: Configuration, remain: Configuration, n: usize) {
        if c.len() <= 1 {
            return self.find(&c, &remain); // found
        }
        let parts = self.split.parts(&c, n);
        let (of_parts, of_complements) = (RoundOutcomes::default(), RoundOutcomes::default());
        let repair = RepairAttempt::default();
        self.current = Some(DdPlusRound { c, remain, parts, of_parts, of_complements, repair });
    }

    fn find(&mut self, found: &Configuration, remain: &Configuration) {
        self.found = self.found.with(found);
        self.wholes.push(remain.with(found));
    }

    fn conclude(&mut self, round: &DdPlusRound) {
        let n = round.parts.count();
        let complement = |i: usize| round.complement(i);
        let with_part = |i: usize| round.parts.get(i).with(&round.remain).with(&round.of_parts.added_to(i));
        let others = |i: usize| complement(i).with(&round.remain).with(&round.of_complements.added_to(i));
        let part = |i: usize| round.parts.get(i).without(&round.of_complements.added_to(i));
        if let Some(i) = round.first(Outcome::Pass, Outcome::Pass) {
            // interference
            self.calls.push((complement(i).without(&round.of_parts.added_to(i)), with_part(i)));
            self.calls.push((part(i), others(i)));
        } else if let Some(i) = round.first(Outcome::Unresolved, Outcome::Pass) {
            // preference
            self.calls.push((part(i), others(i)));
        } else {
            let (mut c, mut remain) = (round.c.clone(), round.remain.clone());
            for i in 0..n {
                if round.of_complements.outcomes[i] == Outcome::Fail {
                    c = c.within(&complement(i).with(&round.of_complements.added_to(i)));
                }
                if round.of_parts.outcomes[i] == Outcome::Pass {
                    remain = remain.with(&with_part(i));
                }
            }
            if c.is_empty() {
                self.find(&round.c, &round.remain); // our addition: the paper does not define an empty c'
            } else if n < round.c.len() {
                self.current = None;
                let n = c.len().min(2 * n);
                self.start(c, remain, n); // try again
                if self.current.is_some() {
                    return;
                }
            } else {
                self.find(&c, &round.remain); // nothing left
            }
        }
        self.next_call();
    }
}

impl Search for DdPlus {
    type Finding = Difference;
    const SEES_UNRESOLVED: bool = true;

    fn ask(&self) -> Ask<Difference> {
        let Some(round) = &self.current else {
            let wholes = self.wholes.iter().filter(|whole| self.keeps_context && self.found.is_subset(whole));
            return Ask::Done(match wholes.min_by_key(|whole| whole.len()) {
                Some(whole) => Difference { passing: whole.without(&self.found), failing: whole.clone() },
                None => Difference::from_nothing(self.found.clone()),
            });
        };
        let step = if round.is_at_parts() { Step::Subset } else { Step::Complement };
        Ask::Test(Question::new(round.repair.configuration.clone().unwrap_or_else(|| round.next()), step))
    }

    fn tell(&mut self, answer: Answer) {
        let Some(mut round) = self.current.take() else { return };
        let next = round.next();
        let attempt = std::mem::take(&mut round.repair);
        let asked = attempt.configuration.as_ref().unwrap_or(&next);
        let added = asked.without(&next);
        let mut outcome = answer.outcome;
        if outcome == Outcome::Fail && asked.len() < self.smallest_failing.len() {
            self.smallest_failing = asked.clone();
        }
        if outcome == Outcome::Unresolved && attempt.tried.len() < self.most_repairs as usize {
            round.repair.tried = attempt.tried.clone();
            if let Some(larger) = round.repaired(asked, &answer.hints) {
                round.repair.tried.push(larger.clone());
                round.repair.configuration = Some(larger);
                return self.current = Some(round);
            }
            round.repair = RepairAttempt::default();
        }
        if round.is_at_parts() {
            let c = match added.is_empty() {
                true => round.parts.get(round.of_parts.len()),
                false => asked.without(&round.remain),
            };
            if outcome == Outcome::Fail && (added.is_empty() || round.is_much_smaller(&c)) {
                // found in ci, or in ci with what was added to it
                self.calls.push((c, round.remain));
                return self.next_call();
            }
            outcome = if outcome == Outcome::Fail { Outcome::Unresolved } else { outcome };
            round.of_parts.push(outcome, added);
        } else {
            // The others of c cannot be left out if what was added to it is not in c.
            let is_within = added.is_subset(&round.c);
            outcome = if outcome == Outcome::Fail && !is_within { Outcome::Unresolved } else { outcome };
            round.of_complements.push(outcome, added);
        }
        if round.of_complements.len() == round.parts.count() {
            self.conclude(&round);
        } else {
            self.current = Some(round);
        }
    }

    fn best_so_far(&self) -> &Configuration {
        &self.smallest_failing
    }

    fn questions_left(&self) -> Option<f64> {
        Some({
            let sizes =
                self.calls.iter().map(|(c, _)| c.len()).chain(self.current.iter().map(|round| round.c.len()));
            sizes.map(|size| 2.0 * (size.max(1) as f64).log2()).sum()
        })
    }
}
