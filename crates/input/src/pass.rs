//! A pass: one idea of how inputs can be made smaller.

use crate::{Delta, Document};
use howcome_dd::{Balanced, Configuration, Levels};
use std::ops::Range;

/// One idea of how inputs can be made smaller. A pass is a function of the document: the same document, the same proposals.
pub trait Pass: Send + Sync {
    /// Its name, as `--skip-pass` takes it.
    fn name(&self) -> &'static str;
    /// What it does, in a few words.
    fn about(&self) -> &'static str;
    /// What one of its deltas is: `line`.
    fn unit(&self) -> &'static str;
    /// When its turn comes.
    fn tier(&self) -> Tier;
    /// What it would do to a document.
    fn proposals(&self, document: &Document) -> Proposals;
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
    /// Single characters and bytes.
    Finest,
    /// What makes the text shorter but harder to read.
    Names,
}

/// What a pass would do to a document.
#[derive(Clone, Debug, Default)]
pub struct Proposals {
    /// What could be done. Later ones may depend on earlier ones, so that they are tried first.
    pub deltas: Vec<Delta>,
    /// Groups of deltas from coarse to fine, each a run of them, as [`Levels`] takes them; if there are none, each delta is
    /// on its own.
    pub levels: Vec<Vec<Range<u32>>>,
}

impl Proposals {
    /// Deltas that are each on their own.
    #[must_use]
    pub fn flat(deltas: Vec<Delta>) -> Self {
        Self { deltas, levels: Vec::new() }
    }

    /// The search over them. A hasty one does not go over what is left again, to see whether it still cannot go.
    #[must_use]
    pub fn search(&self, hasty: bool) -> Levels<Balanced> {
        let count = self.deltas.len() as u32;
        let levels = match self.levels.is_empty() {
            true => vec![(0..count).map(|delta| delta..delta + 1).collect()],
            false => self.levels.clone(),
        };
        let start: fn(Configuration) -> Balanced = if hasty { Balanced::once } else { Balanced::new };
        Levels::new(Configuration::all(count), levels, start).trying_nothing()
    }
}
