//! A pass: one way to make inputs smaller.

use crate::{Delta, Document};
use howcome_dd::{Balanced, CoarseToFine, Configuration};
use howcome_run::Unit;
use std::ops::Range;

/// One way to make inputs smaller. A pass is a pure function: for the same document it proposes the same deltas.
pub trait Pass: Send + Sync {
    /// Its name, its unit, when its turn comes.
    fn info(&self) -> PassInfo;

    /// The deltas that it proposes for a document.
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

/// What is known about a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassInfo {
    /// Its name, as in `--skip-pass`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// What one of its deltas is: `line`.
    pub unit: Unit,
    /// When its turn comes.
    pub tier: Tier,
}

/// When the turn of a pass comes. Passes of an earlier tier run first, and again as long as they remove something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Whole files, members, chunks.
    Coarse,
    /// Nodes of syntax trees, blocks, lines.
    Structure,
    /// Tokens, and simpler spellings.
    Fine,
    /// Shorter names, which are harder to read. Removing a long name character by character would cost a test for each
    /// character, so names are shortened first.
    Names,
    /// Single characters and bytes.
    Finest,
    /// Passes that run only after all others have found nothing.
    Last,
}

/// The deltas that a pass proposes for a document.
#[derive(Clone, Debug, Default)]
pub struct Proposals {
    /// The deltas. Later deltas can depend on earlier ones, so they are tried first.
    pub deltas: Vec<Delta>,
    /// Groups of consecutive deltas, from coarse to fine, as [`CoarseToFine`] needs them. If there are none, each delta is a
    /// group.
    pub levels: Vec<Vec<Range<u32>>>,
    /// The unit of which every single one has a delta here. If no delta can be carried out, the document is minimal in this
    /// unit.
    pub complete_in: Option<Unit>,
}

impl Proposals {
    /// Deltas without groups.
    #[must_use]
    pub fn flat(deltas: Vec<Delta>) -> Self {
        Self { deltas, levels: Vec::new(), complete_in: None }
    }

    /// Drops deltas that are too small, that were refused, or whose group contains a refused delta.
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
                // The first delta of a group is the node itself; the deltas of the nodes inside follow.
                let is_there = stays[group.start as usize];
                *group = place[group.start as usize]..place[group.end as usize];
                is_there
            });
        }
        self.levels.retain(|level| !level.is_empty());
        let mut stays = stays.iter();
        self.deltas.retain(|_| *stays.next().unwrap_or(&true));
    }

    /// The search over these deltas. A hasty search tries each delta once and does not try the remaining ones again.
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
