//! Other failures that tests showed. The smallest document of each kind is kept: it might be a second bug.

use crate::{Candidates, Document};
use howcome_run::Noticed;
use std::collections::BTreeMap;

/// More kinds than this are noise.
const MOST_KINDS: usize = 20;

/// Other failures that tests showed, by kind.
#[derive(Clone, Debug, Default)]
pub struct NoticedDocuments {
    kinds: BTreeMap<String, NoticedKind>,
}

/// One kind of failure.
#[derive(Clone, Debug)]
pub struct NoticedKind {
    /// How many tests showed it.
    pub tests: u64,
    /// The smallest document that showed it.
    pub smallest: Document,
}

impl NoticedDocuments {
    /// Adds what was noticed in a stage.
    pub(crate) fn add(&mut self, candidates: &Candidates, noticed: Vec<Noticed>) {
        for (configuration, kinds) in noticed {
            let candidate = candidates.document(&configuration);
            for kind in kinds {
                let is_room = self.kinds.len() < MOST_KINDS;
                match self.kinds.get_mut(&kind) {
                    Some(known) => {
                        known.tests += 1;
                        if candidate.size() < known.smallest.size() {
                            known.smallest = candidate.clone();
                        }
                    }
                    None if is_room => {
                        self.kinds.insert(kind, NoticedKind { tests: 1, smallest: candidate.clone() });
                    }
                    None => {}
                }
            }
        }
    }

    /// Every kind, in alphabetical order.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, &NoticedKind)> {
        self.kinds.iter().map(|(kind, noticed)| (kind.as_str(), noticed))
    }
}
