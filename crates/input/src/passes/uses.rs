//! A definition goes together with everything that uses it: values become `0`, types `int`, assignments go.

use crate::trees::{SymbolUses, TreeCuts};
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::NodeId;
use std::collections::HashMap;

/// Takes definitions away with their uses.
pub(super) struct UsesPass;

/// How many changes there may be in all.
const MOST_CHANGES: usize = 300_000;

impl Pass for UsesPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "uses",
            about: "take definitions away with all uses of them, which become 0 or int or go",
            unit: Unit::Definition,
            tier: Tier::Structure,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas: Vec<Delta> = Vec::new();
        let mut changes = 0;
        for (piece, part) in document.parts() {
            let Some(tree) = part.tree() else { continue };
            let uses = SymbolUses::of(piece, TreeCuts::new(part.bytes(), tree));
            // What is declared and defined goes at once.
            let mut known: HashMap<(NodeId, &[u8]), usize> = HashMap::new();
            for definition in uses.definitions() {
                let cut = Delta::cut(piece, uses.cuts.with_separator(definition.node));
                if let Some(known) = known.get(&(definition.scope, definition.name)) {
                    deltas[*known].changes.extend(cut.changes);
                    continue;
                }
                let mut used = uses.of_definition(&definition).peekable();
                // What nobody uses is the affair of the pass of nodes.
                if used.peek().is_none() || changes > MOST_CHANGES {
                    continue;
                }
                known.insert((definition.scope, definition.name), deltas.len());
                let delta = used.filter_map(|name| uses.without(name, b"0")).fold(cut, Delta::and);
                changes += delta.changes.len();
                deltas.push(delta);
            }
        }
        deltas.retain(|delta| delta.gain() > 0);
        Proposals::flat(deltas)
    }
}
