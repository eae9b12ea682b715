//! Removes delimiters and keeps the text between them, found without a grammar.

use crate::text::{DelimiterPair, EncodedText, pairs};
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;
use std::ops::Range;

/// Removes both delimiters and keeps the text between them.
pub(super) struct PeelPass;

impl Pass for PeelPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "peel",
            about: "remove brackets and quotes, and keep the text between them",
            unit: Unit::Delimiters,
            tier: Tier::Fine,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            let text = EncodedText::of(part.bytes());
            if part.bytes().len() > LARGEST || text.is_binary() {
                continue;
            }
            let layers = layers(part.bytes(), pairs(text)).into_iter();
            deltas.extend(layers.map(|(open, close)| Delta::cut(piece, open).and(Delta::cut(piece, close))));
        }
        Proposals::flat(deltas)
    }
}

/// The delimiters, outer ones first. Many equal ones directly inside each other are joined, as in
/// [`put_together`](crate::text::put_together): it does not matter which of them are removed.
fn layers(bytes: &[u8], pairs: Vec<DelimiterPair>) -> Vec<(Range<usize>, Range<usize>)> {
    let mut layers: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let (mut row, mut last) = (0, 0);
    let mut before = (0..0, 0..0);
    for DelimiterPair { open, close, .. } in pairs {
        let is_inside = before.0.end == open.start && close.end == before.1.start;
        let is_alike = is_inside && bytes[before.0] == bytes[open.clone()];
        match layers.last_mut() {
            Some(layer) if is_alike && row >= 2 && last < (row + 1) / 2 => {
                (layer.0.end, layer.1.start) = (open.end, close.start);
                last += 1;
            }
            _ => {
                layers.push((open.clone(), close.clone()));
                last = 1;
            }
        }
        row = if is_alike { row + 1 } else { 1 };
        before = (open, close);
    }
    layers
}

/// Larger texts were cut into chunks and lines before, so the rest of them is probably needed.
const LARGEST: usize = 4_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn simplified(text: &str, fails: impl Fn(&str) -> bool) -> (String, u64) {
        let simplified = simplify(&Document::of_file("f", text), vec![Arc::new(PeelPass)], |document| {
            fails(&document.text())
        });
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
