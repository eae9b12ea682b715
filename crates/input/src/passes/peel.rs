//! Delimiters without what stands between them, found without a grammar.

use crate::text::{Text, pairs};
use crate::{Delta, Document, Pass, Proposals, Tier};

/// Takes both delimiters away and leaves what stands between them.
pub(super) struct Peel;

impl Pass for Peel {
    fn name(&self) -> &'static str {
        "peel"
    }

    fn about(&self) -> &'static str {
        "take brackets and quotes away, and leave what stands in them"
    }

    fn unit(&self) -> &'static str {
        "pair of delimiters"
    }

    fn tier(&self) -> Tier {
        Tier::Fine
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            let text = Text::of(part.bytes());
            if part.bytes().len() > LARGEST || text.is_binary() {
                continue;
            }
            deltas.extend(
                pairs(text)
                    .into_iter()
                    .map(|pair| Delta::cut(piece, pair.open).and(Delta::cut(piece, pair.close))),
            );
        }
        Proposals::flat(deltas)
    }
}

/// What is left of larger texts is needed as it is: they were cut into chunks and lines before.
const LARGEST: usize = 4_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn simplified(text: &str, fails: impl Fn(&str) -> bool) -> (String, u64) {
        let simplified =
            simplify(&Document::of_file("f", text), vec![Arc::new(Peel)], |document| fails(&document.text()));
        (simplified.document.text(), simplified.tests)
    }

    #[test]
    fn only_the_delimiters_that_are_needed_stay() {
        let (text, _) = simplified("((a[b]{(c)}))", |text| text.contains("[b]") && text.contains('c'));
        assert_eq!(text, "a[b]c");
    }

    #[test]
    fn nesting_as_deep_as_it_must_be_costs_few_tests() {
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        let (text, tests) = simplified(&deep, |text| text.len() >= 2_000 && text.len() % 2 == 0);
        assert_eq!(text.len(), 2_000);
        assert!(tests < 50, "{tests} tests");
    }
}
