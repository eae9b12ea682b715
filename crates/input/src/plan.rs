//! Which pass comes next: from coarse to fine, in the order of what they yield, until none finds anything any more.

use crate::delta::Change;
use crate::document::What;
use crate::{Delta, Document, Pass, PieceId, Proposals, Tier};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The passes, and how far they have come with a document. It depends on nothing but what it is told.
#[derive(Clone)]
pub struct Plan {
    passes: Vec<Turn>,
    /// What was tried in vain: not again in the same surroundings, until everything else has been tried.
    refused: HashSet<u64>,
    /// Whether what was refused is tried again: nothing else is left.
    is_thorough: bool,
    stages: u32,
}

#[derive(Clone)]
struct Turn {
    pass: Arc<dyn Pass>,
    /// Whether the document has changed since it was last run.
    is_due: bool,
    tests: u64,
    gained: u64,
}

/// A stage to be run.
#[derive(Clone)]
pub struct Planned {
    /// The name of the stage, which no other has.
    pub name: String,
    /// The pass.
    pub pass: Arc<dyn Pass>,
    /// What it proposes.
    pub proposals: Proposals,
    /// Whether all that is left must have been tried once more.
    pub is_thorough: bool,
    turn: usize,
}

impl Plan {
    /// A plan to run these passes.
    #[must_use]
    pub fn new(passes: Vec<Arc<dyn Pass>>) -> Self {
        let turn = |pass| Turn { pass, is_due: true, tests: 0, gained: 0 };
        Self {
            passes: passes.into_iter().map(turn).collect(),
            refused: HashSet::new(),
            is_thorough: false,
            stages: 0,
        }
    }

    /// What to run next on a document; nothing where no pass finds anything any more.
    pub fn next(&mut self, document: &Document) -> Option<Planned> {
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
            let mut proposals = pass.proposals(document);
            if !self.is_thorough && proposals.levels.is_empty() {
                proposals.deltas.retain(|delta| !self.refused.contains(&mark(pass.name(), document, delta)));
            }
            if proposals.deltas.is_empty() {
                self.passes[turn].is_due = false;
                continue;
            }
            self.stages += 1;
            let name = format!("{} {}", self.stages, pass.name());
            return Some(Planned { name, pass, proposals, is_thorough: self.is_thorough, turn });
        }
    }

    /// The pass that is due, of the first tier, and of those the one that has gained the most by each of its tests.
    fn most_promising(&self) -> Option<usize> {
        let due = self.passes.iter().enumerate().filter(|(_, turn)| turn.is_due);
        let first: Option<Tier> = due.clone().map(|(_, turn)| turn.pass.tier()).min();
        let of_tier = due.filter(|(_, turn)| Some(turn.pass.tier()) == first);
        // Those that have not been tried are as good as the best.
        let rank = |turn: &Turn| match turn.tests {
            0 => u64::MAX,
            tests => turn.gained / tests,
        };
        of_tier.max_by_key(|(index, turn)| (rank(turn), usize::MAX - index)).map(|(index, _)| index)
    }

    /// What came of a stage: the deltas that are still there, in how many tests, and the document now.
    pub fn tell(&mut self, planned: &Planned, before: &Document, left: &[u32], after: &Document, tests: u64) {
        for number in left {
            let delta = &planned.proposals.deltas[*number as usize];
            self.refused.insert(mark(planned.pass.name(), before, delta));
        }
        let changed = left.len() < planned.proposals.deltas.len();
        let turn = &mut self.passes[planned.turn];
        turn.tests += tests;
        turn.gained += before.size().saturating_sub(after.size());
        turn.is_due = false;
        if changed {
            self.is_thorough = false;
            self.passes.iter_mut().for_each(|turn| turn.is_due = true);
        }
    }
}

/// What a delta would do, and where: the same again in the same surroundings would hardly end differently.
fn mark(pass: &str, document: &Document, delta: &Delta) -> u64 {
    let mut hasher = DefaultHasher::new();
    pass.hash(&mut hasher);
    for change in &delta.changes {
        match change {
            Change::Drop(piece) | Change::Become(piece, _) => {
                (1, &document.piece(*piece).name).hash(&mut hasher);
            }
            Change::Replace { piece, range, with } => {
                let around = surroundings(document, *piece, range.start, range.end);
                (2, around, with).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

/// How many bytes on both sides of a change are its surroundings.
const SURROUNDINGS: usize = 24;

fn surroundings(document: &Document, piece: PieceId, start: usize, end: usize) -> (&[u8], usize) {
    let What::Part(part) = &document.piece(piece).what else { return (&[], 0) };
    let bytes = part.bytes();
    let first = start.saturating_sub(SURROUNDINGS);
    (&bytes[first..bytes.len().min(end + SURROUNDINGS)], end - start)
}
