//! The order in which one would write a text, so that the unfinished text makes sense at any time: first a statement without
//! its optional parts, then these parts; first an operand, then the operation that it is part of.

use super::tokens::{TextToken, Tokenization};
use howcome_syntax::{NodeId, SyntaxTree};

/// How likely the unfinished text makes sense if writing stops at a seam: the smaller the kind, the more likely.
pub(super) const STATEMENT: usize = 0;
pub(super) const OPTIONAL: usize = 1;
pub(super) const OPERATION: usize = 2;
pub(super) const KINDS: usize = 4;

/// For each token, the time at which it is written, and the kind of the seam before that time.
pub(super) struct WritingOrder {
    times: Vec<(u32, usize)>,
}

impl WritingOrder {
    /// The order of the tokens of a text.
    pub(super) fn of(
        tokens: &[TextToken],
        bytes: &[u8],
        kind: Tokenization,
        tree: Option<&SyntaxTree>,
    ) -> Self {
        let times = match (kind, tree) {
            (Tokenization::Tree, Some(tree)) => of_tree(tokens, tree),
            (Tokenization::Bytes, _) => (0..tokens.len() as u32).map(|at| (at, OPTIONAL)).collect(),
            _ => of_words(tokens, bytes),
        };
        Self { times }
    }

    /// The time at which a token is written, and the kind of the seam before that time.
    pub(super) fn time(&self, token: usize) -> (u32, usize) {
        self.times[token]
    }
}

/// Line by line, and word by word.
fn of_words(tokens: &[TextToken], bytes: &[u8]) -> Vec<(u32, usize)> {
    let begins_line = |token: &TextToken| token.bytes.start == 0 || bytes[token.bytes.start - 1] == b'\n';
    let kind = |token: &TextToken| match token {
        token if begins_line(token) => STATEMENT,
        token if token.text.start > token.bytes.start => OPTIONAL,
        _ => OPERATION,
    };
    (0..).zip(tokens).map(|(at, token)| (at, kind(token))).collect()
}

/// A time at which tokens are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct WritingTime {
    /// The node before which they are written.
    before: u32,
    /// Operations are written before their optional parts.
    is_optional: bool,
    /// Inner operations are written before outer ones.
    height: u32,
    kind: usize,
}

fn of_tree(tokens: &[TextToken], tree: &SyntaxTree) -> Vec<(u32, usize)> {
    let first = WritingTime { before: 0, is_optional: false, height: u32::MAX, kind: STATEMENT };
    let mut written = vec![first; tree.nodes().len()];
    let operands: Vec<Option<NodeId>> = tree.iter().map(|(id, _)| operand(tree, id)).collect();
    for (id, node) in tree.iter().skip(1) {
        let Some(parent) = node.parent else { continue };
        written[id.index()] = if is_optional(tree, id) {
            optional(tree, id)
        } else {
            match operands[parent.index()] {
                Some(operand) if operand != id => WritingTime {
                    before: tree.node(operand).after.0,
                    is_optional: false,
                    height: u32::MAX - tree.node(parent).depth,
                    kind: OPERATION,
                },
                _ => written[parent.index()],
            }
        };
    }
    for (separator, element) in separators(tree) {
        written[separator.index()] = optional(tree, element);
    }
    let mut times: Vec<WritingTime> = written.clone();
    times.sort_unstable();
    times.dedup();
    let time = |token: &TextToken| {
        let written = token.node.map_or(first, |node| written[node.index()]);
        (times.partition_point(|other| *other < written) as u32, written.kind)
    };
    tokens.iter().map(time).collect()
}

fn is_optional(tree: &SyntaxTree, id: NodeId) -> bool {
    let node = tree.node(id);
    (node.is_named && node.slot.can_go()) || node.parent.is_some_and(|parent| tree.node(parent).is_error)
}

fn optional(tree: &SyntaxTree, id: NodeId) -> WritingTime {
    let kind = if tree.node(id).slot.is_repeated { STATEMENT } else { OPTIONAL };
    WritingTime { before: id.0, is_optional: true, height: 0, kind }
}

/// The child that could replace a node: of `a + b` it is `a`. Of `(a)` it is none: brackets that are added after their content
/// would change its meaning.
fn operand(tree: &SyntaxTree, id: NodeId) -> Option<NodeId> {
    let slot = &tree.node(id).slot;
    // The operand is among the first children.
    let named = tree.children(id).take(8).filter(|child| tree.node(*child).is_named);
    let mut named = named.map(|child| (child, tree.node(child)));
    let (first, node) = named.next()?;
    let fits = slot.allows(node.kind) && !is_optional(tree, first);
    (fits && named.next().is_some()).then_some(first)
}

/// The commas between the elements of a list, each with the element after it, with which it is written.
fn separators(tree: &SyntaxTree) -> Vec<(NodeId, NodeId)> {
    let mut separators = Vec::new();
    let is_element = |id: NodeId| is_optional(tree, id) && tree.node(id).slot.is_repeated;
    let is_separator = |id: NodeId| matches!(tree.node(id).kind, "," | ";" | "|");
    for (id, node) in tree.iter().filter(|(id, _)| is_separator(*id) && tree.is_leaf(*id)) {
        let next = node.after;
        let follows = next.index() < tree.nodes().len() && tree.node(next).parent == node.parent;
        if follows && is_element(next) {
            separators.push((id, next));
        }
    }
    separators
}
