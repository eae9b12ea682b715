//! Removes a parameter together with its argument in all calls, and with its uses.

use crate::trees::{RemovableDefinition, SymbolUses, TreeCuts, is_name};
use crate::{Delta, Document, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::{Language, NodeId, SyntaxTree};
use std::collections::BTreeMap;

/// Removes parameters.
pub(super) struct ArgumentsPass;

impl Pass for ArgumentsPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "arguments",
            about: "remove parameters together with their arguments in all calls",
            unit: Unit::Parameter,
            tier: Tier::Structure,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let texts: Vec<NamedFunctions<'_>> = document
            .parts()
            .filter_map(|(piece, part)| {
                let uses = SymbolUses::of(piece, TreeCuts::new(part.bytes(), part.tree()?));
                Some(NamedFunctions { piece, uses, language: part.language()? })
            })
            .collect();
        // By name and position, so that functions and calls in all files are brought together.
        let mut deltas: BTreeMap<(&[u8], usize), Delta> = BTreeMap::new();
        let mut order: Vec<(&[u8], usize)> = Vec::new();
        for text in &texts {
            for (name, place, delta) in text.parameters() {
                let known = deltas.entry((name, place)).or_insert_with(|| {
                    order.push((name, place));
                    Delta::default()
                });
                known.changes.extend(delta.changes);
            }
        }
        for text in &texts {
            for (name, place, argument) in text.arguments() {
                if let Some(delta) = deltas.get_mut(&(name, place)) {
                    delta
                        .changes
                        .extend(Delta::cut(text.piece, text.uses.cuts.with_separator(argument)).changes);
                }
            }
        }
        Proposals::flat(
            order.iter().filter_map(|key| deltas.remove(key)).filter(|delta| delta.gain() > 0).collect(),
        )
    }
}

/// The named functions of a part.
struct NamedFunctions<'t> {
    piece: PieceId,
    uses: SymbolUses<'t>,
    language: Language,
}

impl<'t> NamedFunctions<'t> {
    /// All parameters of named functions: the name of the function, the position, and the delta that removes the parameter.
    fn parameters(&self) -> Vec<(&'t [u8], usize, Delta)> {
        let (tree, mut found) = (self.uses.cuts.tree, Vec::new());
        for (list, node) in tree.iter() {
            let Some(function) = node.parent.filter(|_| node.field == Some("parameters")) else { continue };
            let name = tree.child(function, "name").or_else(|| tree.child(function, "declarator"));
            let Some(name) = name.filter(|name| tree.is_leaf(*name)) else { continue };
            for (place, parameter) in elements(tree, list).enumerate() {
                found.push((self.text(name), place, self.without(function, parameter)));
            }
        }
        found
    }

    fn without(&self, function: NodeId, parameter: NodeId) -> Delta {
        let cut = Delta::cut(self.piece, self.uses.cuts.with_separator(parameter));
        let tree = self.uses.cuts.tree;
        let mut names = (parameter.0..tree.node(parameter).after.0).map(NodeId);
        let is_plain = |id: &NodeId| is_name(tree, *id) && tree.node(*id).kind == "identifier";
        // Some languages write the type first, others the name.
        let name = match self.language.info().has_type_before_name {
            true => names.rfind(is_plain),
            false => names.find(is_plain),
        };
        let Some(name) = name.map(|name| self.text(name)) else { return cut };
        let definition = RemovableDefinition { node: parameter, name, scope: self.uses.scope(function) };
        let used = self.uses.of_definition(&definition);
        used.filter_map(|name| self.uses.without(name, b"0")).fold(cut, Delta::and)
    }

    /// All arguments of calls: the name of the function, the position, and the argument.
    fn arguments(&self) -> Vec<(&'t [u8], usize, NodeId)> {
        let (tree, mut found) = (self.uses.cuts.tree, Vec::new());
        for (list, node) in tree.iter() {
            let Some(call) = node.parent.filter(|_| node.field == Some("arguments")) else { continue };
            let called = ["function", "name", "constructor"].iter().find_map(|field| tree.child(call, field));
            let Some(called) = called else { continue };
            let name = (called.0..tree.node(called).after.0).rev().map(NodeId).find(|id| tree.is_leaf(*id));
            let Some(name) = name else { continue };
            // The object of a method is its first parameter.
            let is_method = name != called && self.language.info().has_object_as_parameter;
            for (place, argument) in elements(tree, list).enumerate() {
                found.push((self.text(name), place + usize::from(is_method), argument));
            }
        }
        found
    }

    fn text(&self, id: NodeId) -> &'t [u8] {
        &self.uses.cuts.bytes[self.uses.cuts.tree.node(id).range.clone()]
    }
}

fn elements(tree: &SyntaxTree, list: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let is_element = |id: &NodeId| tree.node(*id).is_named && !tree.node(*id).kind.contains("comment");
    tree.children(list).filter(is_element)
}
