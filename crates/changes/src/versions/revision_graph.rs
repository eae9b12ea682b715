//! The revisions that are bisected: a graph of commits, each after its parents.

use super::revision_id::RevisionId;
use howcome_dd::{Ancestry, DeltaId};
use std::collections::{HashMap, HashSet};

/// A commit and its parents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The commit.
    pub id: RevisionId,
    /// All its parents, the mainline first, whether or not they are among the revisions.
    pub parents: Vec<RevisionId>,
}

/// Commits in an order in which parents come before their children. Each has a number, which is its delta.
#[derive(Clone, Debug, Default)]
pub struct RevisionGraph {
    revisions: Vec<Revision>,
    deltas: HashMap<RevisionId, DeltaId>,
}

impl RevisionGraph {
    /// Revisions that come after their parents.
    #[must_use]
    pub fn new(revisions: Vec<Revision>) -> Self {
        let numbered = revisions.iter().zip(0..);
        let deltas = numbered.map(|(revision, index)| (revision.id.clone(), DeltaId(index))).collect();
        Self { revisions, deltas }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.revisions.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.revisions.is_empty()
    }

    /// All of them, parents first.
    pub fn iter(&self) -> impl Iterator<Item = &Revision> {
        self.revisions.iter()
    }

    /// The revision of a delta.
    #[must_use]
    pub fn get(&self, delta: DeltaId) -> Option<&Revision> {
        self.revisions.get(delta.index())
    }

    /// The delta of a commit, if it is among the revisions.
    #[must_use]
    pub fn delta(&self, commit: &RevisionId) -> Option<DeltaId> {
        self.deltas.get(commit).copied()
    }

    /// The parents that are among the revisions.
    pub fn parents(&self, delta: DeltaId) -> impl Iterator<Item = DeltaId> {
        let all = self.get(delta).map_or(&[][..], |revision| &revision.parents);
        all.iter().filter_map(|parent| self.delta(parent))
    }

    /// What a search bisects: a line, if there are no branches, and a graph otherwise.
    #[must_use]
    pub fn history(&self) -> Ancestry {
        let count = self.len() as u32;
        let parents: Vec<Vec<DeltaId>> =
            (0..count).map(|index| self.parents(DeltaId(index)).collect()).collect();
        let is_line = parents.iter().zip(0..count).all(|(parents, index)| match index.checked_sub(1) {
            Some(before) => *parents == [DeltaId(before)],
            None => parents.is_empty(),
        });
        if is_line { Ancestry::Line(count) } else { Ancestry::graph(&parents) }
    }

    /// The mainline that leads to the last revision: the last revision, its first parent, the first parent of that, and so on.
    #[must_use]
    pub fn first_parents(&self) -> Self {
        let mut line = Vec::new();
        let mut next = self.revisions.last();
        while let Some(revision) = next {
            line.push(revision.clone());
            let mainline = revision.parents.first();
            next = mainline.and_then(|parent| self.delta(parent)).and_then(|delta| self.get(delta));
        }
        line.reverse();
        Self::new(line)
    }

    /// The commits that a merge added to the mainline, the merge itself being the last. A commit that is not a merge adds only itself.
    /// Empty if it is not among the revisions.
    #[must_use]
    pub fn merged_by(&self, merge: &RevisionId) -> Self {
        let Some(merge) = self.delta(merge) else { return Self::default() };
        let mainline = self.get(merge).and_then(|revision| revision.parents.first());
        let mainline = self.ancestry(mainline.and_then(|parent| self.delta(parent)));
        let merged = self.ancestry(Some(merge));
        let brought = merged.difference(&mainline).map(|delta| delta.index());
        let mut brought: Vec<usize> = brought.collect();
        brought.sort_unstable();
        Self::new(brought.into_iter().map(|index| self.revisions[index].clone()).collect())
    }

    /// A revision and all its ancestors among the revisions.
    #[must_use]
    pub fn up_to(&self, commit: &RevisionId) -> Self {
        let mut deltas: Vec<DeltaId> = self.ancestry(self.delta(commit)).into_iter().collect();
        deltas.sort_unstable();
        Self::new(deltas.into_iter().map(|delta| self.revisions[delta.index()].clone()).collect())
    }

    fn ancestry(&self, delta: Option<DeltaId>) -> HashSet<DeltaId> {
        let mut seen = HashSet::new();
        let mut open: Vec<DeltaId> = delta.into_iter().collect();
        while let Some(delta) = open.pop() {
            if seen.insert(delta) {
                open.extend(self.parents(delta));
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_dd::Configuration;

    fn id(number: u8) -> RevisionId {
        RevisionId::new(number.to_string())
    }

    /// 0 is good; 1 and 4 are the mainline, 2 and 3 a branch of 1, 5 a child of their merge.
    fn merged() -> RevisionGraph {
        let revision = |number, parents: &[u8]| Revision {
            id: id(number),
            parents: parents.iter().map(|parent| id(*parent)).collect(),
        };
        RevisionGraph::new(vec![
            revision(1, &[0]),
            revision(2, &[1]),
            revision(3, &[2]),
            revision(6, &[1]),
            revision(4, &[6, 3]),
            revision(5, &[4]),
        ])
    }

    fn ids(revisions: &RevisionGraph) -> Vec<RevisionId> {
        revisions.iter().map(|revision| revision.id.clone()).collect()
    }

    #[test]
    fn the_mainline_leaves_out_what_was_merged() {
        let line = merged().first_parents();
        assert_eq!(ids(&line), [id(1), id(6), id(4), id(5)]);
        assert!(matches!(line.history(), Ancestry::Line(4)));
    }

    #[test]
    fn a_merge_brings_its_branch_and_itself_only() {
        assert_eq!(ids(&merged().merged_by(&id(4))), [id(2), id(3), id(4)]);
        assert_eq!(ids(&merged().merged_by(&id(2))), [id(2)]);
        assert!(merged().merged_by(&id(9)).is_empty());
    }

    #[test]
    fn a_graph_holds_only_parents_that_are_among_the_revisions() {
        let history = merged().history();
        assert_eq!(history.up_to(DeltaId(2)), Configuration::all(3));
        assert_eq!(history.up_to(DeltaId(3)), Configuration::all(1).with_delta(DeltaId(3)));
        assert_eq!(history.up_to(DeltaId(5)), Configuration::all(6));
    }
}
