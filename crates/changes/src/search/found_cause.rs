//! A cause that was found.

use super::cause_part::CausePart;
use super::proof::CauseProof;
use crate::candidates::candidate::Candidate;
use crate::versions::revision_id::RevisionId;
use howcome_dd::LimitReached;
use howcome_run::{CommitCheck, Unit};

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
    /// What was seen when it was tested at the commit that it comes from; `None` if the bad version passes without it, or it
    /// has no commit.
    pub at_commit: Option<CommitCheck>,
    /// Whether that was seen between two mixes of versions.
    pub in_mix: bool,
    /// Whether everything was looked for that the answer needs in order to fail in the good version.
    pub company: CompanySearch,
    /// Earlier commits that broke the test, too, and revisions at which it was fixed again.
    pub fixed: Vec<FixedCause>,
    /// The revision that changed the lines, so that the bad version no longer has them.
    pub changed_by: Option<RevisionId>,
}

impl FoundCause {
    /// The part that decides, if there is only one; the others let it build or run.
    pub(super) fn only_deciding(&self) -> Option<&CausePart> {
        let mut deciding = self.parts.iter().filter(|part| !part.is_needed_only);
        let only = deciding.next();
        only.filter(|_| deciding.next().is_none())
    }
}

/// Whether everything was looked for that an answer needs in order to fail in the good version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompanySearch {
    /// It was, or nothing is needed.
    #[default]
    Complete,
    /// It was not, because the bad version does not pass without the answer.
    Skipped,
    /// The search ended after this many tests.
    EndedAfter(u32),
}

/// A commit that broke the test, and a revision before the bad version at which it was fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedCause {
    /// The commit.
    pub commit: RevisionId,
    /// A revision after it that passes.
    pub by: RevisionId,
}
