//! What was found is tested once more: a test that passes by chance leads to a wrong commit.

use super::cause::{CausesFound, CausesSoFar};
use super::proof::Prover;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::TreeStages;
use crate::versions::compared::ComparedVersions;
use howcome_run::{Halt, Round, RoundStep};

/// Tests once more that the bad version fails, and that the version before each cause passes.
///
/// # Errors
/// If that is not so, because then the test contradicts itself, or if the run is stopped, with the causes.
pub fn test_again(
    stages: &mut impl TreeStages,
    versions: &ComparedVersions,
    found: CausesFound,
) -> Result<CausesFound, Halt<CausesSoFar>> {
    let CausesFound::Causes(causes) = found else { return Ok(found) };
    let prover = Prover { versions, undone: &PatchSeries::default(), pair: None };
    let bad = (RoundStep::Whole, versions.bad.clone());
    let before = causes.iter().map(|cause| (RoundStep::Before, cause.before.clone()));
    for (number, (step, version)) in (0..).zip(std::iter::once(bad).chain(before)) {
        let round = Round { cause: number, ..Round::default() };
        if let Err(halt) = prover.test(stages, round, step, Ok(version)) {
            return Err(halt.keeping(CausesSoFar { found: causes, closest: None }));
        }
    }
    Ok(CausesFound::Causes(causes))
}
