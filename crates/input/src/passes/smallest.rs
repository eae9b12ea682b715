//! Replaces a node by the smallest text that the grammar allows in its place: `0`, `;`, `{}`, `int`.

use crate::trees::{Siblings, TreeProposals};
use crate::{Delta, Document, DocumentPart, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::{NodeId, SyntaxTree};
use std::sync::Arc;

/// Replaces nodes by the smallest text that fits.
pub(super) struct SmallestPass;

impl Pass for SmallestPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "smallest",
            about: "replace expressions, statements and types by the smallest that fits: 0, ;, {}, int",
            unit: Unit::Node,
            tier: Tier::Structure,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut outline = TreeProposals::default();
        for (piece, part) in document.parts() {
            let Some(tree) = part.tree() else { continue };
            let siblings = Siblings::of(tree);
            let mut cases = SwitchLabels::default();
            for (id, node) in tree.iter() {
                cases.count(tree, id);
                let Some(smallest) = smallest(part, tree, id) else { continue };
                let smallest = cases.label(tree, &siblings, id).unwrap_or_else(|| smallest.as_bytes().into());
                // A name can become a number of the same length. There are fewer names each time, so this ends.
                let longest = node.range.len() - usize::from(node.kind != "identifier");
                if smallest.len() <= longest && part.bytes()[node.range.clone()] != *smallest {
                    outline.push(tree, id, Delta::replace(piece, node.range.clone(), smallest));
                }
            }
            outline.end_tree();
        }
        outline.finish()
    }
}

/// The smallest text that fits in the place of a node, if the node is not such a text already.
fn smallest(part: &DocumentPart, tree: &SyntaxTree, id: NodeId) -> Option<&'static str> {
    let node = tree.node(id);
    if !node.is_named || node.range.is_empty() || node.kind.contains("comment") || is_hopeless(tree, id) {
        return None;
    }
    let table = part.language()?.info().smallest_nodes;
    let of_slot = |entry: &&(&str, &str)| node.slot.allows(entry.0);
    let (kind, text) = table.iter().find(of_slot)?;
    let is_literal = table.iter().any(|(kind, _)| *kind == node.kind) && !node.kind.ends_with("block");
    // Optional nodes are removed, not replaced, except for values: their number often matters.
    let is_value = *text == "0";
    let has_body = *text == "{}" || (*kind == "expression_statement" || *kind == "empty_statement");
    let stays = is_value || !node.slot.can_go() || has_body && !node.slot.can_go();
    let is_type = *text == "int" || *text == "u8";
    (stays && (!is_literal || (is_type && node.kind != *kind) || has_body)).then_some(*text)
}

/// Whether the grammar allows a value but compilers do not: the left side of an assignment, the function of a call.
fn is_hopeless(tree: &SyntaxTree, id: NodeId) -> bool {
    let node = tree.node(id);
    let Some(parent) = node.parent.map(|parent| tree.node(parent)) else { return true };
    let is_place = parent.kind.contains("assignment") || parent.kind.contains("update_expression");
    let is_accessed =
        ["field_expression", "attribute", "member_expression", "selector_expression", "pointer_expression"];
    match node.field {
        Some("left" | "argument") if is_place => true,
        Some("function" | "name" | "declarator" | "constructor") => true,
        Some("argument" | "object" | "operand" | "value") => is_accessed.contains(&parent.kind),
        _ => false,
    }
}

/// The labels of a `switch` must differ, so they become numbers in order.
#[derive(Default)]
struct SwitchLabels {
    /// The open nodes with labels, the innermost last, and how many labels each has.
    open: Vec<(NodeId, usize)>,
}

impl SwitchLabels {
    fn count(&mut self, tree: &SyntaxTree, id: NodeId) {
        let node = tree.node(id);
        while self.open.last().is_some_and(|(switch, _)| tree.node(*switch).after <= id) {
            self.open.pop();
        }
        if node.kind != "case_statement" {
            return;
        }
        match (self.open.last_mut(), node.parent) {
            (Some((switch, count)), Some(parent)) if *switch == parent => *count += 1,
            (_, Some(parent)) => self.open.push((parent, 0)),
            _ => {}
        }
    }

    fn label(&self, tree: &SyntaxTree, siblings: &Siblings, id: NodeId) -> Option<Arc<[u8]>> {
        let case = tree.node(id).parent.map(|parent| tree.node(parent))?;
        let before = siblings.before(id).map(|before| tree.node(before).kind);
        let is_label = case.kind == "case_statement" && before == Some("case");
        let (_, count) = self.open.last().filter(|_| is_label)?;
        Some(count.to_string().into_bytes().into())
    }
}
