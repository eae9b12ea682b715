//! The names of a text: where each is defined, where it is used, and how its uses can be removed.

use super::TreeCuts;
use super::items::{defining, is_name};
use crate::{Delta, PieceId};
use howcome_syntax::NodeId;
use std::collections::HashMap;

/// All names of a text.
pub(crate) struct SymbolUses<'t> {
    pub(crate) cuts: TreeCuts<'t>,
    piece: PieceId,
    /// The nodes of each name, in order.
    names: HashMap<&'t [u8], Vec<NodeId>>,
}

/// A definition that can be removed if its uses are.
pub(crate) struct RemovableDefinition<'t> {
    /// The node that is removed.
    pub(crate) node: NodeId,
    pub(crate) name: &'t [u8],
    /// The node in which the name is visible.
    pub(crate) scope: NodeId,
}

impl<'t> SymbolUses<'t> {
    pub(crate) fn of(piece: PieceId, cuts: TreeCuts<'t>) -> Self {
        let mut names: HashMap<&[u8], Vec<NodeId>> = HashMap::new();
        let (bytes, tree) = (cuts.bytes, cuts.tree);
        for (id, node) in tree.iter() {
            if is_name(tree, id) {
                names.entry(&bytes[node.range.clone()]).or_default().push(id);
            }
        }
        Self { cuts, piece, names }
    }

    /// All definitions with the names that they define, in order.
    pub(crate) fn definitions(&self) -> Vec<RemovableDefinition<'t>> {
        let tree = self.cuts.tree;
        let names: Vec<(NodeId, Vec<NodeId>)> = tree
            .iter()
            .filter(|(id, _)| is_name(tree, *id))
            .map(|(id, _)| (id, defining(tree, id)))
            .collect();
        let mut defined: Vec<u32> = vec![0; tree.nodes().len()];
        names.iter().flat_map(|(_, nodes)| nodes).for_each(|node| defined[node.index()] += 1);
        let mut definitions = Vec::new();
        for (id, nodes) in names {
            // A node that defines several names is not removed with one of them.
            let can_go = |node: &&NodeId| {
                let found = tree.node(**node);
                defined[node.index()] == 1 && found.is_named && found.slot.can_go()
            };
            let Some(node) = nodes.iter().rev().find(can_go).copied() else { continue };
            let Some(parent) = tree.node(node).parent else { continue };
            let name = &self.cuts.bytes[tree.node(id).range.clone()];
            definitions.push(RemovableDefinition { node, name, scope: self.scope(parent) });
        }
        definitions
    }

    /// The block around a definition. For definitions that have none, such as parameters, it is the function.
    pub(crate) fn scope(&self, mut at: NodeId) -> NodeId {
        let tree = self.cuts.tree;
        loop {
            let node = tree.node(at);
            let is_scope = node.kind.ends_with("block")
                || matches!(
                    node.kind,
                    "compound_statement" | "function_definition" | "function_item" | "lambda"
                )
                || node.kind.starts_with("function_declaration")
                || node.kind.starts_with("method_");
            match node.parent {
                Some(parent) if !is_scope => at = parent,
                _ => return at,
            }
        }
    }

    /// The uses of a name in its scope, without its definition.
    pub(crate) fn of_definition(
        &self,
        definition: &RemovableDefinition<'t>,
    ) -> impl Iterator<Item = NodeId> + '_ {
        let tree = self.cuts.tree;
        let (node, scope) = (definition.node, definition.scope);
        let all = self.names.get(definition.name).map(Vec::as_slice).unwrap_or_default();
        let first = all.partition_point(|id| *id < scope);
        let after = all.partition_point(|id| *id < tree.node(scope).after);
        let inside = node..tree.node(node).after;
        all[first..after].iter().copied().filter(move |id| !inside.contains(id))
    }

    /// Removes a use of a name: replaces it by a value or a type, or removes the whole statement.
    pub(crate) fn without(&self, name: NodeId, value: &[u8]) -> Option<Delta> {
        let tree = self.cuts.tree;
        let mut at = name;
        loop {
            let node = tree.node(at);
            let parent = tree.node(node.parent?);
            let is_held =
                matches!(node.field, Some("function" | "argument" | "object" | "operand" | "value"))
                    && [
                        "call",
                        "field_expression",
                        "attribute",
                        "subscript",
                        "member_expression",
                        "pointer_expression",
                        "selector_expression",
                        "method_invocation",
                        "index_expression",
                    ]
                    .iter()
                    .any(|kind| parent.kind.starts_with(kind));
            let is_written = matches!(node.field, Some("left" | "argument"))
                && (parent.kind.contains("assignment") || parent.kind.contains("update"));
            let is_type = node.kind.contains("type") || parent.kind.ends_with("_specifier");
            if is_type && node.slot.allows("primitive_type") {
                return Some(Delta::replace(self.piece, node.range.clone(), *b"int"));
            }
            let takes_value = [
                "number_literal",
                "integer",
                "number",
                "decimal_integer_literal",
                "integer_literal",
                "int_literal",
            ];
            if !is_held && !is_written && !is_type && takes_value.iter().any(|kind| node.slot.allows(kind)) {
                return Some(Delta::replace(self.piece, node.range.clone(), value));
            }
            let is_expression = takes_value.iter().any(|kind| node.slot.allows(kind));
            if node.is_named && node.slot.can_go() && !is_expression {
                return Some(Delta::cut(self.piece, self.cuts.with_separator(at)));
            }
            at = node.parent?;
        }
    }
}
