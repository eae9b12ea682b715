//! Removes a definition together with all definitions that only it uses.

use crate::trees::{Dominators, TopLevelItems, TreeCuts};
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;

/// Removes definitions with what only they use.
pub(super) struct DefinitionsPass;

/// The limit for all cuts together. In a long chain of definitions, each one includes all below it.
const MOST_CUTS: usize = 500_000;

impl Pass for DefinitionsPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "definitions",
            about: "remove definitions with all that only they use",
            unit: Unit::Definition,
            tier: Tier::Coarse,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        let mut cut = 0;
        for (piece, part) in document.parts() {
            let Some(tree) = part.tree() else { continue };
            let (items, cuts) = (TopLevelItems::of(part.bytes(), tree), TreeCuts::new(part.bytes(), tree));
            let dominators = Dominators::of(&items.uses);
            for place in 0..dominators.order.len() {
                let dominated = dominators.dominated(place);
                cut += dominated.len();
                if cut > MOST_CUTS {
                    break;
                }
                let range = |item: &usize| cuts.with_separator(items.nodes[*item]);
                let delta = dominated.iter().map(|item| Delta::cut(piece, range(item))).reduce(Delta::and);
                deltas.extend(delta);
            }
        }
        deltas.retain(|delta| delta.gain() > 0);
        Proposals::flat(deltas)
    }
}
