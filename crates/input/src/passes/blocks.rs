//! Removes blocks: a line with all deeper-indented lines below it.

use crate::text::{DEEPEST, EncodedText, NestedProposals, TextLine, fits_its_grammar, lines};
use crate::{Delta, Document, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;

/// Removes blocks.
pub(super) struct BlocksPass;

impl Pass for BlocksPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "blocks",
            about: "remove lines together with the deeper-indented lines below them",
            unit: Unit::Block,
            tier: Tier::Structure,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut nesting = NestedProposals::default();
        for (piece, part) in document.parts() {
            let text = EncodedText::of(part.bytes());
            if !text.is_binary() && !fits_its_grammar(part) {
                add(piece, &lines(text), &mut nesting);
            }
        }
        nesting.finish()
    }
}

fn add(piece: PieceId, lines: &[TextLine], nesting: &mut NestedProposals) {
    // For each line, in how many blocks it is, and where its own block ends.
    let mut blocks: Vec<(usize, usize)> = vec![(0, 0); lines.len()];
    let mut open: Vec<usize> = Vec::new();
    // Blank lines at the end of a block do not belong to it.
    let mut end = 0;
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_blank) {
        while let Some(head) = open.pop_if(|head| lines[*head].indent >= line.indent) {
            let closes_it = line.closes && lines[head].indent == line.indent && head + 1 < number;
            blocks[head].1 = if closes_it { line.range.end } else { end };
        }
        blocks[number].0 = open.len();
        open.push(number);
        end = line.range.end;
    }
    open.into_iter().for_each(|head| blocks[head].1 = end);
    for (line, (depth, end)) in lines.iter().zip(blocks) {
        if end > line.range.end && depth < DEEPEST {
            nesting.add(depth, Delta::cut(piece, line.range.start..end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn simplified(text: &str, fails: impl Fn(&str) -> bool) -> String {
        simplify(&Document::of_file("f", text), vec![Arc::new(BlocksPass)], |document| {
            fails(&document.text())
        })
        .document
        .text()
    }

    #[test]
    fn a_block_is_removed_with_its_closing_line_and_its_neighbours_stay() {
        let text = "unit a {\n  x {\n    1\n  }\n  y {\n    2\n  }\n}\nunit b {\n  3\n}\n";
        assert_eq!(
            simplified(text, |text| text.contains("unit b") && text.contains('y')),
            "unit a {\n  y {\n    2\n  }\n}\nunit b {\n  3\n}\n"
        );
        assert_eq!(simplified(text, |text| text.contains("unit a")), "unit a {\n}\n");
    }

    #[test]
    fn blank_lines_do_not_end_a_block() {
        let text = "a:\n  1\n\n  2\nb:\n\tneeded\nc:\n  3\n";
        assert_eq!(simplified(text, |text| text.contains("needed")), "b:\n\tneeded\n");
    }

    #[test]
    fn lines_can_be_indented_deeper_and_deeper() {
        let deep: String = (0..2_000).map(|depth| format!("{}x\n", " ".repeat(depth))).collect();
        let document = Document::of_file("f", deep);
        assert_eq!(BlocksPass.proposals(&document).levels.len(), DEEPEST);
    }
}
