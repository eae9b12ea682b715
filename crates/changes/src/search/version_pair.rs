//! Two versions with as little as possible between them.

use crate::candidates::candidate::Candidate;
use crate::versions::revision_id::RevisionId;

/// Two versions, of which one fails and the other is not known to fail, with as little as possible between them.
#[derive(Clone, Debug)]
pub struct VersionPair {
    /// The version that is not known to fail.
    pub low: Candidate,
    /// The commit that it is, or is made from.
    pub low_commit: Option<RevisionId>,
    /// The version that fails.
    pub high: Candidate,
    /// The commit that fails.
    pub commit: Option<RevisionId>,
    /// The commits of which one is the culprit: several if some of them could not be tested.
    pub suspects: Vec<RevisionId>,
    /// The commits that were merged, if the commit that fails is a merge.
    pub merged: Vec<RevisionId>,
    /// Whether the version that fails is known to fail with the same details as the bad version.
    pub fails_like_bad: bool,
}
