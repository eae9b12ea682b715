//! Which commit removed a line.

use super::{NoBlame, ObjectId, Repository};
use crate::versions::revision_id::RevisionId;
use crate::versions::revision_range::RevisionRange;
use std::ops::RangeInclusive;

/// A line of a good revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedLine {
    /// Its number in the good revision, from 1.
    pub line: u32,
    /// The last commit that has it, on at least one path from good to bad.
    pub last_in: ObjectId,
    /// The commits one of which removed it: usually one; several if branches part and the file is removed. Empty if the bad revision
    /// still has the line.
    pub removed_by: Vec<RevisionId>,
}

impl Repository {
    /// Which commit of a range removed each line of a file of a good revision that the bad one was made from. All lines if
    /// no ranges of them are given.
    ///
    /// # Errors
    /// If the good revision has no such file or lines, or is not an ancestor of the bad one.
    pub fn removals(
        &self,
        range: &RevisionRange,
        good: ObjectId,
        path: &[u8],
        lines: &[RangeInclusive<u32>],
    ) -> Result<Vec<RemovedLine>, NoBlame> {
        let bad = ObjectId::of(&range.bad)?;
        let revisions = ["--reverse".to_owned(), format!("{good}..{bad}")];
        let traced = self.trace(&revisions, good, path, lines)?;
        let removed = traced.into_iter().map(|traced| {
            let last_in = traced.commit;
            let removed_by = match traced.next {
                _ if last_in == bad => Vec::new(),
                Some(next) => vec![next.into()],
                // Git names the next commit only if that one still has the file.
                None => children(range, &last_in.into()),
            };
            RemovedLine { line: traced.line, last_in, removed_by }
        });
        Ok(removed.collect())
    }
}

fn children(range: &RevisionRange, parent: &RevisionId) -> Vec<RevisionId> {
    let children = range.revisions.iter().filter(|revision| revision.parents.contains(parent));
    children.map(|revision| revision.id.clone()).collect()
}
