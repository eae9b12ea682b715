//! Which pass comes next: from coarse to fine, in the order of what they yield, until none finds anything any more.

use crate::refused_deltas::RefusedDeltas;
use crate::{Delta, Document, Pass, Proposals, Tier};
use howcome_dd::{Balanced, CoarseToFine, Configuration, DeltaId, StopWhenUnproductive};
use howcome_run::{StageName, Unit};
use std::sync::Arc;

/// The passes, and how far they have come with a document. It depends on nothing but what it is told.
#[derive(Clone)]
pub struct ReductionPlan {
    passes: Vec<PassTurn>,
    refused: RefusedDeltas,
    /// What is smaller than this, in bytes, is left for later: large things first, wherever they are. What belongs to
    /// them goes easily once they are gone.
    grain: u64,
    /// How large the document was when the grain was last coarse.
    round: u64,
    /// Whether what was refused is tried again, because nothing else is left.
    is_thorough: bool,
    stages: u32,
}

#[derive(Clone)]
struct PassTurn {
    pass: Arc<dyn Pass>,
    /// Whether the document has changed since it was last run.
    is_due: bool,
    tests: u64,
    gained: u64,
    /// The unit of which it has tried each single one of the document as it is now, in vain.
    exhausted: Option<Unit>,
}

/// A stage to be run.
#[derive(Clone)]
pub struct PlannedStage {
    /// The name of the stage, which no other has.
    pub name: StageName,
    /// The pass.
    pub pass: Arc<dyn Pass>,
    /// What it proposes.
    pub proposals: Proposals,
    /// Whether all that is left must have been tried once more.
    pub is_thorough: bool,
    /// Whether it may end when it hardly yields anything any more: what is left has its turn later.
    may_get_weary: bool,
    turn: usize,
}

impl PlannedStage {
    /// The search of the stage, in the document that it was planned for.
    #[must_use]
    pub fn search(&self, document: &Document) -> StopWhenUnproductive<CoarseToFine<Balanced>> {
        let search = self.proposals.search(!self.is_thorough);
        match self.may_get_weary {
            true => StopWhenUnproductive::new(
                search,
                self.proposals.deltas.iter().map(Delta::gain),
                document.size(),
            ),
            false => StopWhenUnproductive::never(search),
        }
    }
}

/// More than so many are not each tried once more at the end; then nothing is claimed of them.
const MOST_TRIED_SINGLY: usize = 5_000;

/// How much finer the next grain is.
const FINER: u64 = 4;

impl ReductionPlan {
    /// A plan to run these passes on a document.
    #[must_use]
    pub fn new(passes: Vec<Arc<dyn Pass>>, document: &Document) -> Self {
        let turn = |pass| PassTurn { pass, is_due: true, tests: 0, gained: 0, exhausted: None };
        let mut plan = Self {
            passes: passes.into_iter().map(turn).collect(),
            refused: RefusedDeltas::default(),
            grain: 1,
            round: 0,
            is_thorough: false,
            stages: 0,
        };
        plan.begin_round(document.size());
        plan
    }

    /// What to run next on a document; nothing where no pass finds anything any more.
    pub fn next(&mut self, document: &Document) -> Option<PlannedStage> {
        loop {
            let Some(turn) = self.most_promising() else {
                if self.is_thorough {
                    return None;
                }
                self.is_thorough = true;
                self.passes.iter_mut().for_each(|turn| turn.is_due = true);
                continue;
            };
            let pass = Arc::clone(&self.passes[turn].pass);
            if pass.tier() > Tier::Structure && !self.is_thorough {
                let size = document.size();
                let is_last = self.grain <= 1;
                let is_much_smaller = size * if is_last { 2 } else { FINER } <= self.round;
                if is_much_smaller && size < self.round {
                    self.begin_round(size);
                    continue;
                }
                if !is_last {
                    self.make_due(Tier::Structure);
                    self.grain /= FINER;
                    continue;
                }
            }
            let mut proposals = pass.proposals(document);
            if !self.is_thorough {
                let name = pass.name();
                let grain = if pass.tier() == Tier::Structure { self.grain } else { 0 };
                let is_large = |delta: &Delta| grain <= 1 || delta.gain() >= grain;
                proposals.retain(is_large, |delta| self.refused.contains(name, delta));
            }
            if proposals.deltas.is_empty() {
                self.passes[turn].is_due = false;
                continue;
            }
            let is_thorough = self.is_thorough && proposals.deltas.len() <= MOST_TRIED_SINGLY;
            self.stages += 1;
            let name = StageName::Pass { turn: self.stages, pass: pass.name().to_owned() };
            let may_get_weary = !self.is_thorough;
            return Some(PlannedStage { name, pass, proposals, is_thorough, may_get_weary, turn });
        }
    }

    /// Begins again with large things: of a document that is so much smaller, what could not go may well go now.
    fn begin_round(&mut self, size: u64) {
        self.round = size;
        self.grain = (size / (FINER * FINER)).max(1);
        self.refused = RefusedDeltas::default();
        self.make_due(Tier::Structure);
    }

    fn make_due(&mut self, tier: Tier) {
        let turns = self.passes.iter_mut().filter(|turn| turn.pass.tier() == tier);
        turns.for_each(|turn| turn.is_due = true);
    }

    /// The pass that is due, of the first tier, and of those the one that has gained the most by each of its tests.
    fn most_promising(&self) -> Option<usize> {
        let may_run = |turn: &PassTurn| turn.is_due && (self.is_thorough || turn.pass.tier() < Tier::Last);
        let due = self.passes.iter().enumerate().filter(|(_, turn)| may_run(turn));
        let first: Option<Tier> = due.clone().map(|(_, turn)| turn.pass.tier()).min();
        let of_tier = due.filter(|(_, turn)| Some(turn.pass.tier()) == first);
        // Those that have not been tried are as good as the best.
        let rank = |turn: &PassTurn| match turn.tests {
            0 => u64::MAX,
            tests => turn.gained / tests,
        };
        of_tier.max_by_key(|(index, turn)| (rank(turn), usize::MAX - index)).map(|(index, _)| index)
    }

    /// What came of a stage: the deltas that are still there, the document now, and in how many tests. Gives the document to
    /// go on with: what has become larger, because it can be compressed less, is given up.
    #[must_use]
    pub fn tell(
        &mut self,
        planned: &PlannedStage,
        before: Document,
        left: &Configuration,
        after: Document,
        tests: u64,
    ) -> Document {
        let deltas = &planned.proposals.deltas;
        let is_larger = after.is_packed() && after.size() > before.size();
        let after = if is_larger { before.clone() } else { after };
        let is_left = |(number, _): &(usize, &Delta)| is_larger || left.contains(DeltaId(*number as u32));
        let carried_out =
            || deltas.iter().enumerate().filter(|delta| !is_left(delta)).map(|(_, delta)| delta);
        for (_, delta) in deltas.iter().enumerate().filter(is_left) {
            self.refused.insert(planned.pass.name(), delta);
        }
        // What changes nothing is no progress, whatever it was meant to do.
        let is_other = before.pieces().len() != after.pieces().len() || before.content() != after.content();
        let changed = carried_out().next().is_some() && is_other;
        if changed {
            self.refused.follow(carried_out());
            self.is_thorough = false;
            for turn in &mut self.passes {
                (turn.is_due, turn.exhausted) = (true, None);
            }
        }
        let turn = &mut self.passes[planned.turn];
        turn.tests += tests;
        turn.gained += before.size().saturating_sub(after.size());
        turn.is_due = changed;
        let was_tried = !changed && planned.is_thorough && !before.is_packed();
        turn.exhausted = planned.proposals.complete_in.filter(|_| was_tried);
        after
    }

    /// The finest unit of which no single one can go: each was tried on the document as it is now.
    #[must_use]
    pub fn minimal_in(&self) -> Option<Unit> {
        let exhausted = self.passes.iter().filter(|turn| turn.exhausted.is_some());
        exhausted.max_by_key(|turn| turn.pass.tier()).and_then(|turn| turn.exhausted)
    }
}
