//! Which commits the changes between two versions come from, by the history of their lines.

use crate::deltas::change::ChangeKind;
use crate::deltas::change_set::ChangeSet;
use crate::trees::tree_path::TreePath;
use crate::versions::revision_id::RevisionId;
use crate::versions::revision_range::RevisionRange;
use crate::versions::source::VersionSource;
use howcome_dd::{Configuration, DeltaId};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The commit of each of some changes that lead to the bad revision of a range. Changes whose commit the source does not know are
/// left out, and so are changes of whole files, unless these are wanted, too.
pub(crate) fn commits_of(
    source: &dyn VersionSource,
    range: &RevisionRange,
    changes: &ChangeSet,
    deltas: &Configuration,
    with_files: bool,
) -> BTreeMap<DeltaId, RevisionId> {
    let is_traced = |what: &ChangeKind<'_>| match what {
        ChangeKind::Lines => true,
        ChangeKind::Added(_) | ChangeKind::Removed(_) => with_files,
        _ => false,
    };
    let (mut added, mut removed): (Places<'_>, Places<'_>) = Default::default();
    for delta in deltas.iter() {
        let Some(change) = changes.describe(delta).filter(|change| is_traced(&change.what)) else { continue };
        if change.added.is_empty() && change.removed.is_empty() {
            continue;
        }
        let (places, first, count) = match change.added.len() {
            0 => (&mut removed, change.old_line, change.removed.len()),
            count => (&mut added, change.new_line, count),
        };
        places.entry(change.path).or_default().push((delta, first..=first + count as u32 - 1));
    }
    let mut commits = BTreeMap::new();
    for (path, places) in added {
        let lines: Vec<RangeInclusive<u32>> = places.iter().map(|(_, lines)| lines.clone()).collect();
        let blamed = source.added_by(range, path, &lines);
        for (delta, lines) in places {
            // The last commit that touched one of them.
            let own = blamed
                .iter()
                .filter(|blamed| lines.contains(&blamed.line))
                .filter_map(|blamed| blamed.revisions.first());
            let last = own.max_by_key(|commit| range.revisions.delta(commit));
            commits.extend(last.map(|commit| (delta, commit.clone())));
        }
    }
    let Some(good) = range.good.first() else { return commits };
    for (path, places) in removed {
        let lines: Vec<RangeInclusive<u32>> = places.iter().map(|(_, lines)| lines.clone()).collect();
        let traced = source.removed_by(range, good, path, &lines);
        for (delta, lines) in places {
            let mut own = traced.iter().filter(|traced| lines.contains(&traced.line));
            let first = own.find_map(|traced| traced.revisions.first());
            commits.extend(first.map(|commit| (delta, commit.clone())));
        }
    }
    commits
}

/// For each file the lines of its changes.
type Places<'a> = BTreeMap<&'a TreePath, Vec<(DeltaId, RangeInclusive<u32>)>>;

/// The changes of each commit together, the largest groups first.
pub(crate) fn by_commit(commits: &BTreeMap<DeltaId, RevisionId>) -> Vec<Configuration> {
    let mut groups: BTreeMap<RevisionId, Configuration> = BTreeMap::new();
    for (delta, commit) in commits {
        let group = groups.entry(commit.clone()).or_insert_with(Configuration::empty);
        *group = group.with_delta(*delta);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// The changes of each commit together, the oldest commit first.
pub(crate) fn by_time(range: &RevisionRange, commits: &BTreeMap<DeltaId, RevisionId>) -> Vec<Configuration> {
    let mut groups: BTreeMap<Option<DeltaId>, Configuration> = BTreeMap::new();
    for (delta, commit) in commits {
        let group = groups.entry(range.revisions.delta(commit)).or_insert_with(Configuration::empty);
        *group = group.with_delta(*delta);
    }
    groups.into_values().collect()
}
