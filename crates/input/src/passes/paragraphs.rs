//! Removes paragraphs: the lines between blank lines.

use crate::text::{EncodedText, fits_its_grammar, lines};
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;

/// Removes paragraphs.
pub(super) struct ParagraphsPass;

impl Pass for ParagraphsPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "paragraphs",
            about: "remove paragraphs, with the blank lines after them",
            unit: Unit::Paragraph,
            tier: Tier::Structure,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            let text = EncodedText::of(part.bytes());
            if text.is_binary() || fits_its_grammar(part) {
                continue;
            }
            let mut starts = vec![0];
            let mut was_blank = false;
            for line in lines(text) {
                if was_blank && !line.is_blank {
                    starts.push(line.range.start);
                }
                was_blank = line.is_blank;
            }
            if starts.len() > 1 {
                starts.push(part.bytes().len());
                deltas.extend(starts.windows(2).map(|ends| Delta::cut(piece, ends[0]..ends[1])));
            }
        }
        Proposals::flat(deltas)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    #[test]
    fn paragraphs_are_removed_with_the_blank_lines_after_them() {
        let text = "one\nand\n\n\ntwo\nneeded\n  \nthree\n";
        let simplified = simplify(&Document::of_file("f", text), vec![Arc::new(ParagraphsPass)], |f| {
            f.text().contains("needed")
        });
        assert_eq!(simplified.document.text(), "two\nneeded\n  \n");
    }
}
