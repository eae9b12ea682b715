//! Removes a keyword together with what it introduces: `WITH a AS (SELECT 1)`, `ORDER BY x`. If a grammar has an optional
//! phrase inside a rule, none of its words can be removed alone.

use crate::trees::TreeCuts;
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::{NodeId, SyntaxTree};
use std::ops::Range;

/// Removes keywords with what follows them.
pub(super) struct PhrasesPass;

impl Pass for PhrasesPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "phrases",
            about: "remove a keyword together with what it introduces",
            unit: Unit::Phrase,
            tier: Tier::Fine,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            let Some(tree) = part.tree() else { continue };
            let cuts = TreeCuts::new(part.bytes(), tree);
            let phrases = tree.iter().filter_map(|(id, _)| phrase(part.bytes(), tree, &cuts, id));
            deltas.extend(phrases.map(|range| Delta::cut(piece, cuts.with_blanks(range))));
        }
        Proposals::flat(deltas)
    }
}

/// A keyword, the keywords right after it, and the one node that follows. A list with commas is reduced to one element
/// before.
fn phrase(bytes: &[u8], tree: &SyntaxTree, cuts: &TreeCuts<'_>, id: NodeId) -> Option<Range<usize>> {
    let is_first = cuts.siblings.before(id).is_none_or(|before| !is_keyword(bytes, tree, before));
    let mut last = Some(id).filter(|id| is_first && is_keyword(bytes, tree, *id))?;
    while is_keyword(bytes, tree, last) {
        last = cuts.siblings.after(tree, last)?;
    }
    let (start, end) = (tree.node(id).range.start, tree.node(last).range.end);
    (tree.node(last).is_named && start < end).then_some(start..end)
}

/// Whether a node is a keyword, and not a name or a value.
fn is_keyword(bytes: &[u8], tree: &SyntaxTree, id: NodeId) -> bool {
    let node = tree.node(id);
    let is_word = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_alphabetic);
    let is_token = !node.is_named || node.kind.starts_with("keyword_");
    is_token && tree.is_leaf(id) && is_word(&bytes[node.range.clone()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn simplified(name: &str, text: &str, fails: impl Fn(&str) -> bool) -> String {
        let passes: Vec<Arc<dyn Pass>> = vec![Arc::new(PhrasesPass)];
        let document = Document::of_file(name, text);
        simplify(&document, passes, |document| fails(&document.text())).document.text()
    }

    #[test]
    fn a_phrase_is_removed_although_none_of_its_words_can_be() {
        let fails = |text: &str| {
            let is_whole = text.contains("WITH") == text.contains("a AS (SELECT 0)");
            is_whole && text.contains("SELECT x") && !text.contains("WITH SELECT")
        };
        assert_eq!(simplified("f.sql", "WITH a AS (SELECT 0) SELECT x", fails), "SELECT x");
    }
}
