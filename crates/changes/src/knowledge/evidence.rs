//! Where to look first: pieces of text that are in only one of the two outputs, and that a delta removes or adds.

use super::relatedness::identifiers;
use crate::deltas::change_set::ChangeSet;
use howcome_dd::DeltaId;
use std::collections::{BTreeSet, HashMap, HashSet};

/// How long the pieces are, in bytes.
const PIECE: usize = 8;
/// The weight of a piece that only one delta has, and of a word.
const WEIGHT: u64 = 10_000;
const WEIGHT_OF_WORD: u64 = 1_000;
/// Shorter words are everywhere.
const SHORTEST_WORD: usize = 4;

/// The deltas that are related to the difference of the outputs, the heaviest first; none if there is no evidence.
///
/// A piece of a removed line counts if only the good output has it, one of an added line if only the bad output has it.
/// The more deltas have it, the less it counts. It only orders what to try; it proves nothing.
#[must_use]
pub fn evidence(changes: &ChangeSet, good_output: &[u8], bad_output: &[u8]) -> Vec<(DeltaId, u64)> {
    let of_pieces = weigh(changes, WEIGHT, &OnlyInOne::of(good_output, bad_output, pieces));
    let of_words = weigh(changes, WEIGHT_OF_WORD, &OnlyInOne::of(good_output, bad_output, words));
    let sums = of_pieces.iter().zip(of_words).map(|(pieces, words)| pieces + words);
    let mut ranked: Vec<(DeltaId, u64)> =
        (0..).map(DeltaId).zip(sums).filter(|(_, weight)| *weight > 0).collect();
    ranked.sort_by_key(|(delta, weight)| (u64::MAX - weight, *delta));
    ranked
}

type Parts<Part> = fn(&[u8]) -> Vec<Part>;

/// Pieces that are in only one of the outputs.
struct OnlyInOne<Part> {
    only_good: HashSet<Part>,
    only_bad: HashSet<Part>,
    parts: Parts<Part>,
}

impl<Part: Eq + std::hash::Hash> OnlyInOne<Part> {
    fn of(good: &[u8], bad: &[u8], parts: Parts<Part>) -> Self {
        let [mut good, mut bad] = [good, bad].map(|output| parts(output).into_iter().collect::<HashSet<_>>());
        // Pieces that are in both outputs are dropped.
        bad.retain(|part| !good.remove(part));
        Self { only_good: good, only_bad: bad, parts }
    }
}

fn weigh<Part: Clone + Ord + std::hash::Hash>(
    changes: &ChangeSet,
    weight: u64,
    sides: &OnlyInOne<Part>,
) -> Vec<u64> {
    let mut holders: HashMap<(bool, Part), u64> = HashMap::new();
    let mut held = Vec::new();
    for delta in changes.all().iter() {
        let Some(change) = changes.describe(delta) else { continue };
        let parts = |lines: &[&[u8]]| {
            lines.iter().flat_map(|line| (sides.parts)(line.trim_ascii())).collect::<BTreeSet<Part>>()
        };
        let (removed, added) = (parts(&change.removed), parts(&change.added));
        // A delta did not change pieces that it has on both sides.
        let went = removed.difference(&added).filter(|part| sides.only_good.contains(part));
        let came = added.difference(&removed).filter(|part| sides.only_bad.contains(part));
        let own: Vec<(bool, Part)> =
            went.map(|part| (false, part.clone())).chain(came.map(|part| (true, part.clone()))).collect();
        own.iter().for_each(|part| *holders.entry(part.clone()).or_default() += 1);
        held.push(own);
    }
    held.iter().map(|own| own.iter().map(|part| weight / holders[part]).sum()).collect()
}

fn pieces(text: &[u8]) -> Vec<[u8; PIECE]> {
    let windows = text.windows(PIECE).filter_map(|window| <[u8; PIECE]>::try_from(window).ok());
    // Ruled lines and margins are not evidence.
    windows.filter(|piece| piece.iter().any(|byte| *byte != piece[0])).collect()
}

fn words(text: &[u8]) -> Vec<Vec<u8>> {
    identifiers(text).filter(|word| word.len() >= SHORTEST_WORD).map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_outputs_have_is_on_neither_side() {
        let sides = OnlyInOne::of(b"same word here", b"same thing here", words);
        assert_eq!(sides.only_good, HashSet::from([b"word".to_vec()]));
        assert_eq!(sides.only_bad, HashSet::from([b"thing".to_vec()]));
    }
}
