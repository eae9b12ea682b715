//! The bodies of functions: nobody depends on what is in them, so they go before what is declared.

use crate::trees::Outline;
use crate::{Delta, Document, Part, Pass, Proposals, Tier};
use howcome_syntax::{Language, NodeId, Tree};
use std::ops::Range;

/// Empties bodies, from the outermost to the innermost.
pub(super) struct Bodies;

impl Pass for Bodies {
    fn name(&self) -> &'static str {
        "bodies"
    }

    fn about(&self) -> &'static str {
        "empty the bodies of functions"
    }

    fn unit(&self) -> &'static str {
        "body"
    }

    fn tier(&self) -> Tier {
        Tier::Coarse
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut outline = Outline::default();
        for (piece, part) in document.parts() {
            let (Some(language), Some(tree)) = (part.language(), part.tree()) else { continue };
            for (id, node) in tree.iter() {
                if node.field != Some("body") || !node.parent.is_some_and(|parent| is_function(tree, parent))
                {
                    continue;
                }
                let Some(inside) = inside(tree, part, id) else { continue };
                let with = emptied(language);
                if inside.len() > with.len() {
                    outline.push(tree, id, Delta::replace(piece, inside, with.as_bytes()));
                }
            }
            outline.end_tree();
        }
        outline.finish()
    }
}

/// What is between the braces of a body; all of it, where it has none.
fn inside(tree: &Tree, part: &Part, body: NodeId) -> Option<Range<usize>> {
    let range = tree.node(body).range.clone();
    let bytes = &part.bytes()[range.clone()];
    match (bytes.first()?, bytes.last()?) {
        (b'{', b'}') => Some(range.start + 1..range.end - 1),
        _ => Some(range),
    }
}

/// Whether a node is a function, a method, a closure. What a type consists of, others do depend on.
fn is_function(tree: &Tree, id: NodeId) -> bool {
    let kind = tree.node(id).kind;
    ["function", "method", "constructor", "closure", "lambda"].iter().any(|word| kind.contains(word))
}

/// What an empty body is: it must be legal whatever its function returns.
fn emptied(language: Language) -> &'static str {
    match language {
        Language::Python => "pass",
        Language::Rust => "loop{}",
        Language::Go => "panic(0)",
        Language::Java => "throw null;",
        _ => "",
    }
}
