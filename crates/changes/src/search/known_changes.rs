//! What the user knows of the changes between two versions: by the names of their files and the places of their hunks.

use crate::deltas::change::DescribedChange;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::path_filter::PathFilter;
use howcome_dd::{Configuration, DeltaId};
use howcome_lab::inquiry::{KnownRelations, RelationsRequest, UnknownName};
use howcome_run::Problem;
use std::collections::BTreeSet;

/// What the user knows of the changes of one search.
#[derive(Debug, Default)]
pub(crate) struct KnownChanges {
    pub(crate) relations: KnownRelations,
    /// The changes in the order of time, if each needs all earlier ones.
    pub(crate) in_order: Option<Vec<Configuration>>,
}

const UNKNOWN: UnknownName = UnknownName {
    message: "names no change between the two versions",
    hint: "write a file that differs, a folder, a pattern ('src/*.c'), or a hunk by a line of it in the bad version (src/main.c:120)",
};

/// Checks that what the user knows is about changes between two versions.
pub(crate) fn check_relations(relations: &RelationsRequest, changes: &ChangeSet) -> Result<(), Problem> {
    relations.check(|name| named(changes, name, None), &UNKNOWN)
}

/// The changes that a name stands for. If lines have other numbers than in the bad version, `whole` are the changes between the good and
/// the bad version, and the changes of the same lines are meant.
pub(super) fn named(changes: &ChangeSet, name: &str, whole: Option<&ChangeSet>) -> Configuration {
    let of_paths = |changes: &ChangeSet, pattern: &str| {
        let filter = PathFilter::new(&[pattern.into()], &[]);
        filter.map_or_else(|_| Configuration::empty(), |filter| changes.split_by(&filter).0)
    };
    let by_path = of_paths(changes, name);
    let Some((path, lines)) = name.rsplit_once(':').filter(|_| by_path.is_empty()) else { return by_path };
    let Some((first, last)) = numbers(lines) else { return Configuration::empty() };
    let at_place = |changes: &ChangeSet| {
        let is_meant = |delta: &DeltaId| {
            changes.describe(*delta).is_some_and(|change| {
                let end = change.new_line + change.new_lines.max(1);
                (first < end) && (change.new_line <= last)
            })
        };
        of_paths(changes, path).iter().filter(is_meant).collect::<Configuration>()
    };
    let Some(whole) = whole else { return at_place(changes) };
    let found = at_place(whole);
    let texts: BTreeSet<&[u8]> =
        found.iter().filter_map(|delta| whole.describe(delta)).flat_map(texts_of).collect();
    let shares = |delta: &DeltaId| {
        changes.describe(*delta).is_some_and(|change| texts_of(change).any(|text| texts.contains(text)))
    };
    of_paths(changes, path).iter().filter(shares).collect()
}

/// The lines of a change that say something.
fn texts_of<'a>(change: DescribedChange<'a>) -> impl Iterator<Item = &'a [u8]> {
    change.added.into_iter().chain(change.removed).filter(|line| line.iter().any(u8::is_ascii_alphanumeric))
}

/// `7` or `3-5`.
fn numbers(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some((first.parse().ok()?, last.parse().ok()?))
}
