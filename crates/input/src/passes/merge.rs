//! Merges two definitions: replaces a function or variable by another one of the same kind in all uses.

use crate::trees::{RemovableDefinition, SymbolUses, TreeCuts};
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;

/// Removes definitions, and replaces their uses by another definition.
pub(super) struct MergePass;

/// The limit for all changes together.
const MOST_CHANGES: usize = 100_000;

impl Pass for MergePass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "merge",
            about: "replace a function or variable by another one of the same kind",
            unit: Unit::Definition,
            tier: Tier::Fine,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        let mut changes = 0;
        for (piece, part) in document.parts() {
            let Some(tree) = part.tree() else { continue };
            let uses = SymbolUses::of(piece, TreeCuts::new(part.bytes(), tree));
            let definitions = uses.definitions();
            // The next definition, which might use this one. There is always a last one, so this ends.
            for pair in definitions.windows(2) {
                let [definition, other] = pair else { continue };
                let kind = |definition: &RemovableDefinition<'_>| tree.node(definition.node).kind;
                let is_alike = kind(definition) == kind(other) && definition.scope == other.scope;
                if !is_alike || definition.name == other.name || changes > MOST_CHANGES {
                    continue;
                }
                let cut = Delta::cut(piece, uses.cuts.with_separator(definition.node));
                let renamed = |name| Delta::replace(piece, tree.node(name).range.clone(), other.name);
                let delta = uses.of_definition(definition).map(renamed).fold(cut, Delta::and);
                changes += delta.changes.len();
                // The pass `nodes` removes unused definitions.
                if delta.changes.len() > 1 && delta.gain() > 0 {
                    deltas.push(delta);
                }
            }
        }
        Proposals::flat(deltas)
    }
}
