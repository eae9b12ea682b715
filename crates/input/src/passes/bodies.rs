//! Empties the bodies of functions. Nothing outside depends on their content, so they are removed before declarations.

use crate::text::ascii::words;
use crate::trees::TreeProposals;
use crate::{Delta, Document, DocumentPart, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::{NodeId, SyntaxTree};
use std::ops::Range;

/// Empties bodies, from the outermost to the innermost.
pub(super) struct BodiesPass;

impl Pass for BodiesPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "bodies",
            about: "empty the bodies of functions",
            unit: Unit::Body,
            tier: Tier::Coarse,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut outline = TreeProposals::default();
        for (piece, part) in document.parts() {
            let (Some(language), Some(tree)) = (part.language(), part.tree()) else { continue };
            for (id, node) in tree.iter() {
                if node.field != Some("body") || !node.parent.is_some_and(|parent| is_function(tree, parent))
                {
                    continue;
                }
                let Some(inside) = inside(tree, part, id).filter(|_| can_be_empty(tree, part, id)) else {
                    continue;
                };
                let with = language.info().empty_body;
                if inside.len() > with.len() {
                    outline.push(tree, id, Delta::replace(piece, inside, with.as_bytes()));
                }
            }
            outline.end_tree();
        }
        outline.finish()
    }
}

/// The bytes between the braces of a body, or the whole body if it has no braces.
fn inside(tree: &SyntaxTree, part: &DocumentPart, body: NodeId) -> Option<Range<usize>> {
    let range = tree.node(body).range.clone();
    let bytes = &part.bytes()[range.clone()];
    match (bytes.first()?, bytes.last()?) {
        (b'{', b'}') => Some(range.start + 1..range.end - 1),
        _ => Some(range),
    }
}

/// Whether a node is a function, a method or a closure. The body of a type does not count: other code depends on it.
fn is_function(tree: &SyntaxTree, id: NodeId) -> bool {
    let kind = tree.node(id).kind;
    ["function", "method", "constructor", "closure", "lambda"].iter().any(|word| kind.contains(word))
}

/// Whether an empty body compiles. If a function must be constant, or its return type is deduced, there must be a `return`.
/// Headers of C++ have thousands of such functions, and each of them would cost tests.
fn can_be_empty(tree: &SyntaxTree, part: &DocumentPart, body: NodeId) -> bool {
    let Some(function) = tree.node(body).parent else { return false };
    let head = &part.bytes()[tree.node(function).range.start..tree.node(body).range.start];
    let with_return = part.language().map_or(&[][..], |language| language.info().words_that_need_return);
    let needs_return =
        |word: Range<usize>| with_return.iter().any(|known| known.as_bytes() == &head[word.clone()]);
    !words(head).any(needs_return)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    #[test]
    fn functions_that_must_return_something_keep_their_bodies() {
        let text = "int f() { return 1; } constexpr int g() { return 2; } auto h() { return 3; }";
        let passes: Vec<Arc<dyn Pass>> = vec![Arc::new(BodiesPass)];
        let found = simplify(&Document::of_file("f.cpp", text), passes, |_| true);
        let expected = "int f() {} constexpr int g() { return 2; } auto h() { return 3; }";
        assert_eq!((found.document.text(), found.tests), (expected.to_owned(), 1));
    }
}
