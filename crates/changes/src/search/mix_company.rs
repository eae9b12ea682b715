//! What changes that were found in a mix of both versions need in order to fail in the good version.

use super::cause::CauseSearch;
use super::cause_part::CausePart;
use super::hunks::HunkSearch;
use super::limited_stages::LimitedStages;
use super::necessary::FEW_HUNKS;
use super::proof::{ProofTest, Prover};
use super::version_pair::VersionPair;
use crate::candidates::space::TreeStages;
use howcome_dd::Outcome;
use howcome_run::{Halt, Leg, Round, Way};

/// At most this many tests look for them.
const MOST_TESTS: u32 = 10;

/// An answer with more hunks that it needs is not easier to believe.
const MOST_HUNKS: usize = 16;

impl CauseSearch<'_> {
    /// The changes of the mix that fails which let the good version with a part fail, instead of not being judged, and the test of both.
    /// `None` if they are not found, or if they are many.
    pub(super) fn with_company_in_mix(
        &self,
        stages: &mut impl TreeStages,
        cause: u32,
        part: &CausePart,
        (alone, mixes): (&ProofTest, &VersionPair),
        prover: Prover<'_>,
    ) -> Result<Option<(CausePart, ProofTest)>, Halt> {
        // Each run of a flaky test would count as a test.
        if stages.rates().is_some() {
            return Ok(None);
        }
        let was_exact = stages.count_only_exact(true);
        stages.count_only_exact(was_exact || mixes.fails_like_bad);
        let needed = self.company_in_mix(stages, cause, alone, mixes);
        stages.count_only_exact(was_exact);
        let Some(needed) = needed? else { return Ok(None) };
        let round = Round { cause, part: 1, leg: None };
        let together = prover.alone(stages, round, &[part.clone(), needed.clone()])?;
        let fails = if mixes.fails_like_bad { together.fails_exactly() } else { together.fails() };
        Ok(fails.then_some((needed, together)))
    }

    fn company_in_mix(
        &self,
        stages: &mut impl TreeStages,
        cause: u32,
        alone: &ProofTest,
        mixes: &VersionPair,
    ) -> Result<Option<CausePart>, Halt> {
        let Some(low) = alone.candidate.clone() else { return Ok(None) };
        let pair = VersionPair { low, low_commit: self.versions.good_commit.clone(), ..mixes.clone() };
        let hunks = HunkSearch::of(self.versions, self.plan);
        let search = HunkSearch { sought: Some(Outcome::Fail), complaint: &alone.complaint, ..hunks };
        let round = Round { leg: Some(Leg { way: Way::Company, number: cause + 1 }), ..Round::default() };
        let mut limited = LimitedStages::new(stages);
        if !self.plan.is_thorough {
            limited.limit(MOST_TESTS);
        }
        let found = match search.fewest(&mut limited, round, &pair, false) {
            Ok(found) => found,
            Err(Halt::Stopped { best, .. }) if limited.is_cut() => best,
            Err(halt) => return Err(halt.keeping(())),
        };
        let Some(found) = found.filter(|found| found.chosen.len() <= MOST_HUNKS) else { return Ok(None) };
        let mut limited = LimitedStages::new(stages);
        limited.limit(FEW_HUNKS as u32);
        let chosen = search.without_superfluous(&mut limited, round, &pair.low, &found)?;
        let changes = found.changes;
        // They can come from other commits.
        Ok(Some(CausePart { changes, chosen, commit: None, is_needed_only: true, forms: None }))
    }
}
