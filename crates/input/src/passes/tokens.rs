//! Removes words and punctuation of any text.

use crate::text::{EncodedText, WordKind, put_together, words};
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;

/// Removes words and punctuation.
pub(super) struct TokensPass;

impl Pass for TokensPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "tokens",
            about: "remove words, numbers and punctuation",
            unit: Unit::Token,
            tier: Tier::Fine,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        let mut is_complete = true;
        for (piece, part) in document.parts() {
            let text = EncodedText::of(part.bytes());
            if part.bytes().len() > LARGEST || text.is_binary() {
                is_complete = false;
                continue;
            }
            // Blanks are removed with the word after them; the pass `characters` removes them alone.
            let mut start = None;
            let mut tokens = Vec::new();
            for word in words(text) {
                match word.kind {
                    WordKind::Blank => start = Some(word.range.start),
                    WordKind::LineEnd => start = None,
                    WordKind::Word | WordKind::Mark => {
                        let start = start.take().unwrap_or(word.range.start);
                        tokens.push(start..word.range.end);
                    }
                }
            }
            let tokens = put_together(part.bytes(), tokens);
            deltas.extend(tokens.into_iter().map(|token| Delta::cut(piece, token)));
        }
        Proposals { complete_in: is_complete.then_some(Unit::Token), ..Proposals::flat(deltas) }
    }
}

/// In larger text that no line or chunk could be removed from, single words are not tried.
const LARGEST: usize = 4_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    #[test]
    fn words_are_removed_with_the_blanks_before_them() {
        let text = "some words, and (one that) is needed; no more";
        let simplified = simplify(&Document::of_file("f", text), vec![Arc::new(TokensPass)], |f| {
            f.text().contains(" needed")
        });
        assert_eq!(simplified.document.text(), " needed");
    }
}
