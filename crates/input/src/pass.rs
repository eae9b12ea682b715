//! A pass: one idea of how inputs can be made smaller.

use crate::{Delta, Document};
use howcome_dd::{Balanced, CoarseToFine, Configuration};
use howcome_run::Unit;
use std::ops::Range;

/// One idea of how inputs can be made smaller. A pass is a function of the document: the same document, the same proposals.
pub trait Pass: Send + Sync {
    /// What there is to know of it.
    fn info(&self) -> PassInfo;

    /// What it would do to a document.
    fn proposals(&self, document: &Document) -> Proposals;

    /// Its name.
    fn name(&self) -> &'static str {
        self.info().name
    }

    /// When its turn comes.
    fn tier(&self) -> Tier {
        self.info().tier
    }
}

/// What there is to know of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassInfo {
    /// Its name, as `--skip-pass` takes it.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// What one of its deltas is: `line`.
    pub unit: Unit,
    /// When its turn comes.
    pub tier: Tier,
}

/// Passes of an earlier tier come first, and again as long as they still take something away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Whole files, members, chunks.
    Coarse,
    /// Nodes of syntax trees, blocks, lines.
    Structure,
    /// Tokens and rewriting of what is left.
    Fine,
    /// What makes the text shorter but harder to read. Long names would cost a test for each of their characters, so
    /// they are shortened before those are tried.
    Names,
    /// Single characters and bytes.
    Finest,
    /// What comes when nothing else finds anything.
    Last,
}

/// What a pass would do to a document.
#[derive(Clone, Debug, Default)]
pub struct Proposals {
    /// What could be done. Later ones may depend on earlier ones, so that they are tried first.
    pub deltas: Vec<Delta>,
    /// Groups of deltas from coarse to fine, each a run of them, as [`CoarseToFine`] takes them; if there are none, each delta is
    /// on its own.
    pub levels: Vec<Vec<Range<u32>>>,
    /// The unit of which each single one of the document is among them, so that one may say afterwards that none can go.
    pub complete_in: Option<Unit>,
}

impl Proposals {
    /// Deltas that are each on their own.
    #[must_use]
    pub fn flat(deltas: Vec<Delta>) -> Self {
        Self { deltas, levels: Vec::new(), complete_in: None }
    }

    /// Leaves out what is too small, what was refused, and what holds something that was refused.
    pub(crate) fn retain(&mut self, is_large: impl Fn(&Delta) -> bool, is_refused: impl Fn(&Delta) -> bool) {
        let mut stays: Vec<bool> = self.deltas.iter().map(is_large).collect();
        let refused: Vec<bool> = self.deltas.iter().map(is_refused).collect();
        let sums = |flags: &[bool]| -> Vec<u32> {
            let sums = flags.iter().scan(0, |sum, flag| {
                *sum += u32::from(*flag);
                Some(*sum)
            });
            std::iter::once(0).chain(sums).collect()
        };
        let refused_before = sums(&refused);
        for group in self.levels.iter().flatten() {
            let holds_refused = refused_before[group.end as usize] > refused_before[group.start as usize];
            stays[group.start as usize] &= !holds_refused;
        }
        stays.iter_mut().zip(&refused).for_each(|(stays, refused)| *stays &= !refused);
        let place = sums(&stays);
        for level in &mut self.levels {
            level.retain_mut(|group| {
                // A group is named by its first delta: the node itself, behind which come those inside.
                let is_there = stays[group.start as usize];
                *group = place[group.start as usize]..place[group.end as usize];
                is_there
            });
        }
        self.levels.retain(|level| !level.is_empty());
        let mut stays = stays.iter();
        self.deltas.retain(|_| *stays.next().unwrap_or(&true));
    }

    /// The search over them. A hasty one does not go over what is left again, to see whether it still cannot go.
    #[must_use]
    pub(crate) fn search(&self, hasty: bool) -> CoarseToFine<Balanced> {
        let count = self.deltas.len() as u32;
        let levels = match self.levels.is_empty() {
            true => vec![(0..count).map(|delta| delta..delta + 1).collect()],
            false => self.levels.clone(),
        };
        let start: fn(Configuration) -> Balanced = if hasty { Balanced::once } else { Balanced::new };
        CoarseToFine::new(Configuration::all(count), levels, start).trying_nothing()
    }
}
