//! Blocks of changed lines.

use super::change_set::ChangeSet;
use howcome_dd::Configuration;

/// The changed lines in groups: those of a group have no unchanged line between them.
#[must_use]
pub(crate) fn blocks(lines: &ChangeSet) -> Vec<Configuration> {
    let mut blocks: Vec<Configuration> = Vec::new();
    let mut end = None;
    for delta in lines.all().iter() {
        let Some(change) = lines.describe(delta) else { continue };
        let next = (
            change.path,
            change.old_line + change.removed.len() as u32,
            change.new_line + change.added.len() as u32,
        );
        match (end == Some((change.path, change.old_line, change.new_line)), blocks.last_mut()) {
            (true, Some(block)) => *block = block.with_delta(delta),
            _ => blocks.push(Configuration::empty().with_delta(delta)),
        }
        end = Some(next);
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::tree::Tree;

    #[test]
    fn an_unchanged_line_separates_two_blocks() {
        let good = Tree::of_texts(&[("a", "1\n2\n3\n4\n"), ("b", "x\n")]);
        let bad = Tree::of_texts(&[("a", "one\ntwo\n3\n4\nfive\n"), ("b", "y\nz\n")]);
        let lines = ChangeSet::by_lines(&good, &bad).unwrap();
        let expected: Vec<Configuration> = ["1-2", "3", "4-6"].map(|text| text.parse().unwrap()).to_vec();
        assert_eq!(blocks(&lines), expected);
    }
}
