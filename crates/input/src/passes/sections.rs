//! Removes sections: the lines between headings, which start alike: `[`, `# `, `\section`, `diff`, `-----BEGIN`.

use crate::text::{EncodedText, NestedProposals, TextLine, fits_its_grammar, lines};
use crate::{Delta, Document, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use std::collections::HashMap;

/// Removes sections.
pub(super) struct SectionsPass;

/// How many kinds of headings are tried, those with the fewest sections first.
const KINDS: usize = 4;
/// How often a heading must occur.
const FEWEST: usize = 3;

impl Pass for SectionsPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "sections",
            about: "remove sections: the lines between headings that start alike",
            unit: Unit::Section,
            tier: Tier::Coarse,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut nesting = NestedProposals::default();
        for (piece, part) in document.parts() {
            let text = EncodedText::of(part.bytes());
            if part.bytes().len() <= LARGEST && !text.is_binary() && !fits_its_grammar(part) {
                add(piece, &lines(text), &mut nesting);
            }
        }
        nesting.finish()
    }
}

/// Larger texts are cut into chunks first.
const LARGEST: usize = 64_000_000;

fn add(piece: PieceId, lines: &[TextLine], nesting: &mut NestedProposals) {
    let ranks = ranks(lines);
    let end = lines.last().map_or(0, |line| line.range.end);
    // From the end: the headings that are not followed by a heading of the same or a higher rank yet.
    let mut next = [end; KINDS];
    let mut sections = Vec::new();
    for line in lines.iter().rev() {
        if let Some(rank) = ranks.get(&line.head).filter(|_| !line.is_blank) {
            sections.push((*rank, line.range.start..next[*rank]));
            next[*rank..].fill(line.range.start);
        }
    }
    for (rank, range) in sections.into_iter().rev() {
        nesting.add(rank, Delta::cut(piece, range));
    }
}

/// The beginnings of headings, with their ranks from coarse to fine.
fn ranks(lines: &[TextLine]) -> HashMap<u64, usize> {
    // How often a beginning occurs, and where first.
    let mut counts: HashMap<u64, (usize, usize)> = HashMap::new();
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_blank && !line.closes) {
        counts.entry(line.head).or_insert((0, number)).0 += 1;
    }
    let is_heading = |count: usize| count >= FEWEST && count * 2 <= lines.len();
    let mut kinds: Vec<(usize, usize, u64)> =
        counts.into_iter().map(|(head, (count, first))| (count, first, head)).collect();
    kinds.retain(|(count, ..)| is_heading(*count));
    // The most frequent beginnings divide the text; the rarest of these are the outermost.
    kinds.sort_unstable_by_key(|(count, first, _)| (usize::MAX - count, *first));
    kinds.truncate(KINDS);
    kinds.sort_unstable();
    kinds.into_iter().enumerate().map(|(rank, (.., head))| (head, rank)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn simplified(text: &str, fails: impl Fn(&str) -> bool) -> (String, u64) {
        let simplified = simplify(&Document::of_file("f", text), vec![Arc::new(SectionsPass)], |document| {
            fails(&document.text())
        });
        (simplified.document.text(), simplified.tests)
    }

    #[test]
    fn a_bundle_loses_all_members_but_one() {
        let member =
            |number: usize| format!("-----BEGIN THING-----\nxyz{number}\n{number}abc\n-----END THING-----\n");
        let bundle: String = (0..100).map(member).collect();
        let is_whole = |text: &str| {
            let lines: Vec<&str> = text.lines().collect();
            lines
                .chunks(4)
                .all(|member| member.len() == 4 && member[0].contains("BEGIN") && member[3].contains("END"))
        };
        let (text, tests) = simplified(&bundle, |text| is_whole(text) && text.contains("xyz42\n"));
        assert_eq!(text, member(42));
        assert!(tests < 25, "{tests} tests");
    }

    #[test]
    fn sections_are_removed_with_their_settings() {
        let settings: String =
            (0..9).map(|n| format!("[part{n}]\nname = x{n}\nsize = {n}\nkind = {n}\n")).collect();
        let is_good = |text: &str| text.is_empty() || text.starts_with('[');
        let (text, _) = simplified(&settings, |text| {
            is_good(text) && text.contains("[part7]") && text.contains("size = 7")
        });
        assert_eq!(text, "[part7]\nname = x7\nsize = 7\n");
    }
}
