//! Removes a definition together with all its uses: values become `0`, types become `int`, assignments are removed.

use crate::trees::{SymbolUses, TreeCuts};
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::NodeId;
use std::collections::HashMap;

/// Removes definitions with their uses.
pub(super) struct UsesPass;

/// The limit for all changes together.
const MOST_CHANGES: usize = 300_000;

impl Pass for UsesPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "uses",
            about: "remove definitions with all their uses, which become 0 or int or are removed, too",
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
            // A declaration and its definition are removed together.
            let mut known: HashMap<(NodeId, &[u8]), usize> = HashMap::new();
            for definition in uses.definitions() {
                let cut = Delta::cut(piece, uses.cuts.with_separator(definition.node));
                if let Some(known) = known.get(&(definition.scope, definition.name)) {
                    deltas[*known].changes.extend(cut.changes);
                    continue;
                }
                let mut used = uses.of_definition(&definition).peekable();
                // The pass `nodes` removes unused definitions.
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
