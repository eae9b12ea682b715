//! How near deltas are to lines that are already known to matter, by the rare names that they share.

use crate::deltas::change_set::ChangeSet;
use std::collections::{BTreeMap, BTreeSet};

/// The weight of a name that only one delta has.
const WEIGHT: u32 = 1_000;
/// The weight of a delta in a file that is named.
const WEIGHT_OF_FILE: u32 = 500;

/// A weight for each delta: the more, and the rarer, the names it shares with those given.
///
/// Names are identifiers, as [`names_in`] finds them, or paths of files.
#[must_use]
pub fn related<Name: AsRef<[u8]>>(changes: &ChangeSet, to: &[Name]) -> Vec<u32> {
    let wanted: BTreeSet<&[u8]> = to.iter().map(AsRef::as_ref).collect();
    let mut holders: BTreeMap<&[u8], u32> = BTreeMap::new();
    let mut held = Vec::new();
    for delta in changes.all().iter() {
        let Some(change) = changes.describe(delta) else { continue };
        let lines = change.removed.iter().chain(&change.added);
        let own: BTreeSet<&[u8]> =
            lines.flat_map(|line| identifiers(line)).filter(|name| wanted.contains(name)).collect();
        own.iter().for_each(|name| *holders.entry(name).or_default() += 1);
        held.push((own, wanted.contains(change.path.as_bytes())));
    }
    let weight = |(own, in_file): &(BTreeSet<&[u8]>, bool)| {
        let of_names = own.iter().map(|name| WEIGHT / holders[name]).fold(0, u32::saturating_add);
        of_names.saturating_add(if *in_file { WEIGHT_OF_FILE } else { 0 })
    };
    held.iter().map(weight).collect()
}

/// The identifiers in some lines: letters, digits and underscores, not beginning with a digit, at least two of them.
#[must_use]
pub fn names_in<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> BTreeSet<Vec<u8>> {
    lines.into_iter().flat_map(identifiers).map(<[u8]>::to_vec).collect()
}

/// The identifiers of a text, in order.
pub(crate) fn identifiers(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = text.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    words.filter(|word| word.len() >= 2 && !word[0].is_ascii_digit())
}
