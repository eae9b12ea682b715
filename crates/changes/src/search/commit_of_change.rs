//! Which commits the changes between two versions come from, by the history of their lines.

use crate::git::{ObjectId, Range, Repository};
use crate::{ChangeKind, ChangeSet, TreePath};
use howcome_dd::{Configuration, DeltaId};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The commit of each of some changes that lead to the bad revision of a range. What git does not tell is left out.
pub(crate) fn commits_of(
    repository: &Repository,
    range: &Range,
    changes: &ChangeSet,
    deltas: &Configuration,
) -> BTreeMap<DeltaId, ObjectId> {
    let (mut added, mut removed): (Places<'_>, Places<'_>) = Default::default();
    for delta in deltas.iter() {
        let Some(change) = changes.describe(delta).filter(|change| change.what == ChangeKind::Lines) else {
            continue;
        };
        let (places, first, count) = match change.added.len() {
            0 => (&mut removed, change.old_line, change.removed.len()),
            count => (&mut added, change.new_line, count),
        };
        places.entry(change.path).or_default().push((delta, first..=first + count as u32 - 1));
    }
    let mut commits = BTreeMap::new();
    for (path, places) in added {
        let lines: Vec<RangeInclusive<u32>> = places.iter().map(|(_, lines)| lines.clone()).collect();
        let Ok(blamed) = repository.blame(range, path.as_bytes(), &lines) else { continue };
        for (delta, lines) in places {
            // The last commit that touched one of them.
            let own = blamed
                .iter()
                .filter(|blamed| lines.contains(&blamed.line))
                .filter_map(|blamed| blamed.commit);
            commits.extend(
                own.max_by_key(|commit| range.revisions().delta(*commit)).map(|commit| (delta, commit)),
            );
        }
    }
    let Some(good) = range.good().first() else { return commits };
    for (path, places) in removed {
        let lines: Vec<RangeInclusive<u32>> = places.iter().map(|(_, lines)| lines.clone()).collect();
        let Ok(traced) = repository.removals(range, *good, path.as_bytes(), &lines) else { continue };
        for (delta, lines) in places {
            let own = traced.iter().filter(|traced| lines.contains(&traced.line));
            commits.extend(
                own.flat_map(|traced| traced.removed_by.first()).next().map(|commit| (delta, *commit)),
            );
        }
    }
    commits
}

/// For each file the lines of its changes.
type Places<'a> = BTreeMap<&'a TreePath, Vec<(DeltaId, RangeInclusive<u32>)>>;

/// The changes of each commit together, the largest groups first.
pub(crate) fn by_commit(commits: &BTreeMap<DeltaId, ObjectId>) -> Vec<Configuration> {
    let mut groups: BTreeMap<ObjectId, Configuration> = BTreeMap::new();
    for (delta, commit) in commits {
        let group = groups.entry(*commit).or_insert_with(Configuration::empty);
        *group = group.with_delta(*delta);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}
