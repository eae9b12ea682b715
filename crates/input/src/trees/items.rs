//! The definitions of a text, and which definitions they use, by their names.

use howcome_syntax::{NodeId, SyntaxTree};
use std::collections::HashMap;

/// Top-level nodes, including those in namespaces and conditionals, with the names that they define and use.
pub(crate) struct TopLevelItems {
    /// In the order of the text.
    pub(crate) nodes: Vec<NodeId>,
    /// For each item, the other items that it uses, in order.
    pub(crate) uses: Vec<Vec<usize>>,
}

impl TopLevelItems {
    pub(crate) fn of(bytes: &[u8], tree: &SyntaxTree) -> Self {
        let nodes = top_level(tree);
        let mut defined: HashMap<&[u8], Vec<usize>> = HashMap::new();
        let mut item_of: Vec<Option<usize>> = vec![None; tree.nodes().len()];
        let mut uses: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (item, id) in nodes.iter().enumerate() {
            // If an item is removed, all items in it are removed, too.
            if let Some(outer) = item_of[id.index()] {
                uses[outer].push(item);
            }
            item_of[id.index()..tree.node(*id).after.index()].fill(Some(item));
        }
        for (id, node) in tree.iter() {
            let Some(item) = item_of[id.index()].filter(|_| is_name(tree, id)) else { continue };
            if defining(tree, id).contains(&nodes[item]) {
                let items = defined.entry(&bytes[node.range.clone()]).or_default();
                if items.last() != Some(&item) && items.len() < MOST_DEFINED {
                    items.push(item);
                }
            }
        }
        for (id, node) in tree.iter() {
            let Some(item) = item_of[id.index()].filter(|_| is_name(tree, id)) else { continue };
            let definitions = defined.get(&bytes[node.range.clone()]).into_iter().flatten();
            uses[item].extend(definitions.filter(|definition| **definition != item));
        }
        for used in &mut uses {
            used.sort_unstable();
            used.dedup();
        }
        Self { nodes, uses }
    }
}

/// The optional children of the root, of nodes that only contain others or are most of the text, and of classes.
fn top_level(tree: &SyntaxTree) -> Vec<NodeId> {
    let mut items = Vec::new();
    let whole = tree.node(NodeId(0)).range.len();
    let mut at = NodeId(1);
    while at.index() < tree.nodes().len() {
        let node = tree.node(at);
        let holds_others = HOLD_OTHERS.iter().any(|kind| node.kind.starts_with(kind));
        if node.is_named && node.slot.can_go() && !node.range.is_empty() {
            items.push(at);
        }
        let opens = node.depth < DEEPEST && (holds_others || node.range.len() > whole / 2);
        at = if opens { NodeId(at.0 + 1) } else { node.after };
    }
    items
}

/// How deep definitions are looked for inside other definitions.
const DEEPEST: u32 = 12;

/// The beginnings of the kinds of nodes that contain definitions.
const HOLD_OTHERS: [&str; 12] = [
    "namespace",
    "linkage",
    "preproc_if",
    "preproc_else",
    "declaration_list",
    "mod_item",
    "export_statement",
    "class",
    "impl_item",
    "interface",
    "decorated_definition",
    "block",
];

/// Whether a node is a name: a leaf that the grammar calls an identifier.
pub(crate) fn is_name(tree: &SyntaxTree, id: NodeId) -> bool {
    let kind = tree.node(id).kind;
    tree.is_leaf(id)
        && (kind.ends_with("identifier") || kind == "name" || kind == "constant")
        && kind != "field_identifier"
}

/// How many definitions of a name count. If there are many, it is not known which of them is used.
const MOST_DEFINED: usize = 16;

/// The kinds of nodes that import names.
const IMPORTING: [&str; 3] = ["import", "dotted_name", "use_"];

/// How far above a name its definition can be.
const HIGHEST: usize = 12;

/// The nodes that define a name, from the innermost: on the way up, each is a name, a declarator or a left side.
pub(crate) fn defining(tree: &SyntaxTree, name: NodeId) -> Vec<NodeId> {
    let (mut at, mut found) = (name, Vec::new());
    for _ in 0..HIGHEST {
        let node = tree.node(at);
        let Some(parent) = node.parent else { break };
        let is_way = match node.field {
            Some("name" | "declarator" | "left" | "definition" | "pattern" | "alias") => true,
            // `struct s { … }` defines s, `struct s` uses it.
            Some("type") => tree.child(at, "body").is_some(),
            Some("body") => node.kind == "enumerator_list",
            Some(_) => false,
            // A name without a role is a use, unless it is imported.
            None if at == name => IMPORTING.iter().any(|kind| tree.node(parent).kind.contains(kind)),
            None => !["block", "compound_statement", "argument_list", "parameter_list"].contains(&node.kind),
        };
        let is_mentioned =
            tree.node(parent).kind.ends_with("_specifier") && tree.child(parent, "body").is_none();
        if !is_way || is_mentioned || tree.node(parent).kind.contains("parameter") {
            break;
        }
        found.push(parent);
        at = parent;
    }
    found
}
