//! Longest common subsequences (Myers 1986): which elements of two sequences are the same.

use std::collections::HashMap;

/// The maximum number of insertions and deletions, and of steps. Beyond them, only elements that occur once in each sequence
/// are paired.
const EDITS: usize = 512;
const STEPS: usize = 4_000_000;

/// Pairs of indices of equal elements, ascending if the sequences are similar enough. Swapping the sequences swaps the
/// pairs.
pub(super) fn align(base: &[u64], other: &[u64]) -> Vec<(usize, usize)> {
    // There can be several longest subsequences. Their content decides which sequence comes first, so that swapping has no
    // effect.
    if base <= other {
        return ordered(base, other);
    }
    ordered(other, base).into_iter().map(|(o, b)| (b, o)).collect()
}

/// Pairs of indices of elements that occur exactly once in each sequence, in an order that does not depend on which sequence
/// comes first.
pub(super) fn unique(base: &[u64], other: &[u64]) -> Vec<(usize, usize)> {
    let once = |sequence: &[u64]| {
        let mut places: HashMap<u64, Option<usize>> = HashMap::with_capacity(sequence.len());
        for (index, element) in sequence.iter().enumerate() {
            places.entry(*element).and_modify(|place| *place = None).or_insert(Some(index));
        }
        places
    };
    let (places, elsewhere) = (once(base), once(other));
    let pair = |(index, element): (usize, &u64)| {
        let is_unique = places.get(element) == Some(&Some(index));
        is_unique.then(|| elsewhere.get(element).copied().flatten().map(|there| (index, there))).flatten()
    };
    let mut pairs: Vec<_> = base.iter().enumerate().filter_map(pair).collect();
    pairs.sort_unstable_by_key(|(index, _)| base[*index]);
    pairs
}

fn ordered(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a[prefix..], &b[prefix..]);
    let suffix = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let middle_a = &rest_a[..rest_a.len() - suffix];
    let middle_b = &rest_b[..rest_b.len() - suffix];
    let mut pairs: Vec<_> = (0..prefix).map(|index| (index, index)).collect();
    let middle = myers(middle_a, middle_b).unwrap_or_else(|| unique(middle_a, middle_b));
    pairs.extend(middle.into_iter().map(|(i, j)| (i + prefix, j + prefix)));
    pairs.extend((0..suffix).rev().map(|index| (a.len() - 1 - index, b.len() - 1 - index)));
    pairs
}

/// The greedy algorithm: for each number of edits, how far each diagonal reaches. `None` if it takes too long.
fn myers(a: &[u64], b: &[u64]) -> Option<Vec<(usize, usize)>> {
    if a.is_empty() || b.is_empty() {
        return Some(Vec::new());
    }
    let (n, m) = (a.len() as isize, b.len() as isize);
    let most = EDITS.min(STEPS / (a.len() + b.len())).min(a.len() + b.len()) as isize;
    let middle = most + 1;
    let mut reach = vec![0isize; 2 * middle as usize + 1];
    let mut trace: Vec<Vec<isize>> = Vec::new();
    for edits in 0..=most {
        let window = (middle - edits - 1) as usize..=(middle + edits + 1) as usize;
        trace.push(reach[window].to_vec());
        let mut diagonal = -edits;
        while diagonal <= edits {
            let at = (middle + diagonal) as usize;
            let is_down = diagonal == -edits || (diagonal != edits && reach[at - 1] < reach[at + 1]);
            let mut x = if is_down { reach[at + 1] } else { reach[at - 1] + 1 };
            let mut y = x - diagonal;
            while x < n && y < m && a[x as usize] == b[y as usize] {
                x += 1;
                y += 1;
            }
            reach[at] = x;
            if x >= n && y >= m {
                return Some(backtrack(&trace, n, m));
            }
            diagonal += 2;
        }
    }
    None
}

/// Walks back from the end; every diagonal step is a pair.
fn backtrack(trace: &[Vec<isize>], n: isize, m: isize) -> Vec<(usize, usize)> {
    let (mut x, mut y) = (n, m);
    let mut pairs = Vec::new();
    for (edits, reach) in trace.iter().enumerate().rev() {
        let edits = edits as isize;
        let diagonal = x - y;
        // The window of this round begins one diagonal below its own.
        let at = |diagonal: isize| reach[(diagonal + edits + 1) as usize];
        let is_down = diagonal == -edits || (diagonal != edits && at(diagonal - 1) < at(diagonal + 1));
        let (from_x, from_y) = if edits == 0 {
            (0, 0)
        } else {
            let previous = if is_down { diagonal + 1 } else { diagonal - 1 };
            (at(previous), at(previous) - previous)
        };
        while x > from_x && y > from_y {
            x -= 1;
            y -= 1;
            pairs.push((x as usize, y as usize));
        }
        (x, y) = (from_x, from_y);
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::{align, unique};
    use proptest::prelude::*;

    /// The textbook table.
    fn length(a: &[u64], b: &[u64]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..a.len() {
            for j in 0..b.len() {
                table[i + 1][j + 1] =
                    if a[i] == b[j] { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn alignments_are_longest_common_subsequences_either_way_round(
            a in proptest::collection::vec(0u64..6, 0..40), b in proptest::collection::vec(0u64..6, 0..40)
        ) {
            let pairs = align(&a, &b);
            prop_assert_eq!(pairs.len(), length(&a, &b));
            prop_assert!(pairs.iter().all(|(i, j)| a[*i] == b[*j]));
            prop_assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
            let swapped: Vec<_> = align(&b, &a).into_iter().map(|(j, i)| (i, j)).collect();
            prop_assert_eq!(pairs, swapped);
        }
    }

    #[test]
    fn sequences_that_have_little_in_common_are_paired_by_what_is_unique() {
        let a: Vec<u64> = (0..5000).collect();
        let b: Vec<u64> = (0..5000).rev().collect();
        assert_eq!(align(&a, &b).len(), 5000);
        assert_eq!(unique(&[1, 2, 2, 3], &[3, 2, 1]), [(0, 2), (3, 0)]);
    }
}
