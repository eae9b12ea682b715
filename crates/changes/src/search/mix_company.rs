//! What changes that were found in a mix of both versions need in order to fail in the good version.

use super::cause::CauseSearch;
use super::cause_part::CausePart;
use super::hunks::HunkSearch;
use super::limited_stages::LimitedStages;
use super::necessary::FEW_HUNKS;
use super::proof::ProofTest;
use super::version_pair::VersionPair;
use crate::candidates::space::TreeStages;
use howcome_dd::Outcome;
use howcome_run::{Halt, Leg, Round, Way};

/// At most this many tests look for them.
const MOST_TESTS: u32 = 10;

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
        let round = Round { leg: Some(Leg { way: Way::Needed, number: cause + 1 }), ..Round::default() };
        if !self.plan.is_thorough {
            stages.limit(MOST_TESTS);
        }
        let found = match search.fewest(stages, round, &pair, false) {
            Ok(found) => found,
            Err(Halt::Stopped { best, .. }) if stages.is_cut() => best,
            Err(halt) => return Err(halt.keeping(())),
        };
        let Some(found) = found.filter(|found| found.chosen.len() <= MOST_HUNKS) else { return Ok(None) };
        stages.limit(FEW_HUNKS as u32);
        let chosen = search.without_superfluous(stages, round, &pair.low, &found)?;
        let changes = found.changes;
        Ok(Some(CausePart { changes, chosen, is_needed_only: true, forms: None, ..part.clone() }))
    }
}
