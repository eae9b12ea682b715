//! What changes that were found in a mix of both versions need in order to fail in the good version.

use super::cause::CauseSearch;
use super::cause_part::CausePart;
use super::hunks::HunkSearch;
use super::limited_stages::LimitedStages;
use super::narrowed_changes::NarrowedChanges;
use super::proof::ProofTest;
use super::version_pair::VersionPair;
use crate::candidates::space::TreeStages;
use howcome_dd::Outcome;
use howcome_run::{Halt, Leg, Round, Way};

/// An answer with more hunks that it needs is not easier to believe.
const MOST_HUNKS: usize = 16;

impl CauseSearch<'_> {
    /// The changes of the mix that fails which let the good version with a part fail, instead of not being judged. `None` if they are not
    /// found, or if they are many.
    pub(super) fn company_in_mix<R: TreeStages>(
        &self,
        stages: &mut LimitedStages<'_, R>,
        cause: u32,
        (part, alone): (&CausePart, &ProofTest),
        mixes: &VersionPair,
    ) -> Result<Option<CausePart>, Halt> {
        let Some(low) = alone.candidate.clone() else { return Ok(None) };
        let pair = VersionPair { low, ..mixes.clone() };
        let hunks = HunkSearch::of(self.versions, self.plan);
        let search = HunkSearch { sought: Some(Outcome::Fail), complaint: &alone.complaint, ..hunks };
        let leg = Some(Leg { way: Way::Needed, number: cause + 1 });
        let found = match search.fewest(stages, Round { leg, ..Round::default() }, &pair, false) {
            Ok(found) => found,
            Err(Halt::Stopped { best, .. }) if stages.is_cut() => best,
            Err(halt) => return Err(halt.keeping(())),
        };
        let few = found.filter(|found| found.chosen.len() <= MOST_HUNKS);
        Ok(few.map(|NarrowedChanges { changes, chosen, .. }| CausePart {
            changes,
            chosen,
            is_needed_only: true,
            forms: None,
            ..part.clone()
        }))
    }
}
