//! A cause that was found.

use super::cause_part::CausePart;
use super::proof::CauseProof;
use crate::candidates::candidate::Candidate;
use crate::versions::revision_id::RevisionId;
use howcome_dd::LimitReached;
use howcome_run::Unit;

/// One cause of the failure.
#[derive(Clone, Debug)]
pub struct FoundCause {
    /// The part that was found first, and the parts without which it does not fail.
    pub parts: Vec<CausePart>,
    /// The smallest unit that was tried: hunks or lines.
    pub unit: Unit,
    /// Whether every single one is known to be necessary.
    pub is_minimal: bool,
    /// The limit that ended the search for fewer, if one did.
    pub limit: Option<LimitReached>,
    /// The commits of which one is the culprit, if some of them could not be tested.
    pub suspects: Vec<RevisionId>,
    /// The version that passes, and with the answer fails: the one before the culprit commit.
    pub before: Candidate,
    /// What was seen when the answer was tested once more.
    pub proof: CauseProof,
}
