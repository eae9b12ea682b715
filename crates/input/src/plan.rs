//! Which pass runs next: from coarse to fine, the most productive first, until no pass finds anything.

use crate::refused_deltas::RefusedDeltas;
use crate::{Delta, Document, Pass, Proposals, Tier};
use howcome_dd::{Balanced, CoarseToFine, Configuration, DeltaId, Productivity, StopEarly};
use howcome_run::{StageName, Unit};
use std::sync::Arc;

/// The passes, and what came of their turns so far. The plan depends only on what it is told.
#[derive(Clone)]
pub struct ReductionPlan {
    passes: Vec<PassTurn>,
    refused: RefusedDeltas,
    /// Deltas that remove fewer bytes than this are left for later: large deltas come first, wherever they are. Small deltas
    /// are often easy to carry out after the large ones.
    grain: u64,
    /// The size of the document when the grain was last made coarse.
    round: u64,
    /// Whether refused deltas are tried again, because nothing else is left.
    is_thorough: bool,
    stages: u32,
}

#[derive(Clone)]
struct PassTurn {
    pass: Arc<dyn Pass>,
    /// Whether the document has changed since its last turn.
    is_due: bool,
    tests: u64,
    gained: u64,
    /// The unit of which it tried to remove every single one from the present document, without success.
    exhausted: Option<Unit>,
}

/// A stage to be run.
#[derive(Clone)]
pub struct PlannedStage {
    /// The name of the stage. No other stage has it.
    pub name: StageName,
    /// The pass.
    pub pass: Arc<dyn Pass>,
    /// The deltas that it proposes.
    pub proposals: Proposals,
    /// Whether each delta must be tried on the final document.
    pub is_thorough: bool,
    /// Whether the search can end early if it removes hardly anything. The remaining deltas get another turn later.
    can_end_early: bool,
    turn: usize,
}

impl PlannedStage {
    /// The search of the stage, for the document that it was planned for.
    #[must_use]
    pub fn search(&self, document: &Document) -> StopEarly<CoarseToFine<Balanced>, Productivity> {
        let search = self.proposals.search(!self.is_thorough);
        let rule = match self.can_end_early {
            true => Productivity::of(self.proposals.deltas.iter().map(Delta::gain), document.size()),
            false => Productivity::any(),
        };
        StopEarly::new(search, rule)
    }
}

/// If there are more deltas, they are not all tried on the final document, and it is not claimed to be minimal.
const MOST_TRIED_SINGLY: usize = 5_000;

/// The next grain is this many times finer.
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

    /// The next stage for a document. `None` if no pass finds anything.
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
            let can_end_early = !self.is_thorough;
            return Some(PlannedStage { name, pass, proposals, is_thorough, can_end_early, turn });
        }
    }

    /// Starts again with large deltas: in a document that is much smaller, deltas that were refused before might work now.
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

    /// The due pass of the earliest tier that removed most bytes per test.
    fn most_promising(&self) -> Option<usize> {
        let may_run = |turn: &PassTurn| turn.is_due && (self.is_thorough || turn.pass.tier() < Tier::Last);
        let due = self.passes.iter().enumerate().filter(|(_, turn)| may_run(turn));
        let first: Option<Tier> = due.clone().map(|(_, turn)| turn.pass.tier()).min();
        let of_tier = due.filter(|(_, turn)| Some(turn.pass.tier()) == first);
        // A pass that has not run yet counts as the best.
        let rank = |turn: &PassTurn| match turn.tests {
            0 => u64::MAX,
            tests => turn.gained / tests,
        };
        of_tier.max_by_key(|(index, turn)| (rank(turn), usize::MAX - index)).map(|(index, _)| index)
    }

    /// Tells the plan the result of a stage: the deltas that were not carried out, the document after it, and the number of
    /// tests. Returns the document to continue with: if the new one is larger, because it compresses less well, that is the
    /// old one.
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
        // A delta that changes no bytes is not progress.
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

    /// The finest unit of which no single one can be removed: each was tried on the present document.
    #[must_use]
    pub fn minimal_in(&self) -> Option<Unit> {
        let exhausted = self.passes.iter().filter(|turn| turn.exhausted.is_some());
        exhausted.max_by_key(|turn| turn.pass.tier()).and_then(|turn| turn.exhausted)
    }
}
