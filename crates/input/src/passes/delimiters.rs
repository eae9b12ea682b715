//! Removes the text between delimiters, found without a grammar.

use crate::text::{DEEPEST, EncodedText, NestedProposals, fits_its_grammar, pairs};
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;

/// Removes the text between delimiters, with or without the delimiters.
pub(super) struct DelimitersPass;

impl Pass for DelimitersPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "delimiters",
            about: "remove the text between brackets or quotes, with or without them",
            unit: Unit::Delimiters,
            tier: Tier::Structure,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut nesting = NestedProposals::default();
        for (piece, part) in document.parts() {
            let text = EncodedText::of(part.bytes());
            if text.is_binary() || fits_its_grammar(part) {
                continue;
            }
            for pair in pairs(text).into_iter().filter(|pair| (pair.depth as usize) < DEEPEST / 2) {
                let level = 2 * pair.depth as usize;
                nesting.add(level, Delta::cut(piece, pair.open.start..pair.close.end));
                if pair.open.end < pair.close.start {
                    nesting.add(level + 1, Delta::cut(piece, pair.open.end..pair.close.start));
                }
            }
        }
        nesting.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    #[test]
    fn brackets_are_removed_with_their_content_or_stay_empty() {
        let text = "f(a, g(b), [1, (2)]) {x \"y\"} <z>";
        let simplified = |fails: fn(&str) -> bool| {
            let passes: Vec<Arc<dyn Pass>> = vec![Arc::new(DelimitersPass)];
            simplify(&Document::of_file("f", text), passes, |f| fails(&f.text())).document.text()
        };
        assert_eq!(simplified(|text| text.contains("f(") && text.contains(')')), "f()  ");
        assert_eq!(simplified(|text| text.contains("[1")), "f(a, g, [1, ])  ");
        assert_eq!(simplified(|text| text.contains('"')), "f {x \"\"} ");
    }
}
