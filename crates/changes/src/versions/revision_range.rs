//! What lies between good revisions and a bad one.

use super::revision_graph::RevisionGraph;
use super::revision_id::RevisionId;

/// The revisions that lead to a bad revision and not to a good one.
#[derive(Clone, Debug)]
pub struct RevisionRange {
    /// The revisions that are said to be good.
    pub good: Vec<RevisionId>,
    /// The revision that is said to be bad.
    pub bad: RevisionId,
    /// The revisions at which a good revision and the bad one parted, if the good one is not an ancestor of the bad one. The
    /// search takes them for good, so they have to be tested first, as `git bisect` does. If one fails, the good revision was
    /// fixed after it.
    pub untested_bases: Vec<RevisionId>,
    /// The revisions in between, the bad one being the last.
    pub revisions: RevisionGraph,
}
