//! What is seen when an answer is tested once more: alone in the good version, and removed from the bad one.

use super::cause_part::{CausePart, undoing};
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::{Space, TreeStages};
use crate::candidates::version_space::VersionSpace;
use crate::syntax::worthless_mix;
use crate::trees::tree::Tree;
use crate::versions::compared::ComparedVersions;
use howcome_dd::{Configuration, DeltaId, Outcome};
use howcome_run::{
    Algorithm, Because, Halt, Observation, Purpose, Round, RoundStep, StageLabel, StageName, Unit,
};
use std::sync::Arc;

/// What was seen when the answer was tested once more, each time from a clean checkout.
#[derive(Clone, Debug, Default)]
pub struct CauseProof {
    /// The good version with nothing but the cause.
    pub alone: Option<ProofOutcome>,
    /// The bad version without the cause.
    pub without: Option<ProofOutcome>,
    /// Tests that pass with the cause and fail without it, although the test in question passes.
    pub broken: Vec<String>,
    /// The bad version without the cause, if it can be made.
    pub fixed: Option<Candidate>,
    /// Whether the cause alone fails with other details than the bad version.
    pub differs: bool,
    /// What the good version prints with nothing but the cause, if it fails.
    pub(super) printed: Vec<u8>,
}

impl CauseProof {
    /// What both tests of an answer have shown.
    pub(super) fn of(alone: ProofTest, without: ProofTest) -> Self {
        let ProofTest { outcome: without, broken, candidate: fixed, .. } = without;
        let ProofTest { outcome: alone, differs, printed, .. } = alone;
        Self { alone, differs, printed, without, broken, fixed }
    }

    /// Whether the bad version passes without this cause, and not without the other, or breaks fewer tests without this one.
    pub(super) fn is_better_than(&self, other: &CauseProof) -> bool {
        self.passes_without() && (!other.passes_without() || self.broken.len() < other.broken.len())
    }

    pub(super) fn passes_without(&self) -> bool {
        saw(&self.without, Outcome::Pass)
    }

    /// Whether both tests could be judged, and neither shows what it should.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        saw(&self.alone, Outcome::Pass) && self.still_fails()
    }

    /// Whether the bad version fails without the cause.
    #[must_use]
    pub fn still_fails(&self) -> bool {
        saw(&self.without, Outcome::Fail)
    }

    /// Whether the good version fails with the cause.
    #[must_use]
    pub fn fails_alone(&self) -> bool {
        saw(&self.alone, Outcome::Fail)
    }

    /// Whether the bad version passes without the cause, and breaks no other test.
    #[must_use]
    pub fn holds_without(&self) -> bool {
        self.broken.is_empty() && self.passes_without()
    }
}

fn saw(check: &Option<ProofOutcome>, outcome: Outcome) -> bool {
    check.as_ref().and_then(|seen| seen.is(outcome)) == Some(true)
}

/// The outcome of a check, or why there is none.
#[derive(Clone, Debug)]
pub enum ProofOutcome {
    /// It was tested.
    Tested(Outcome),
    /// The change cannot be made, or undone, there.
    DidNotApply(String),
}

impl ProofOutcome {
    /// Whether it is the wanted outcome, if there is one at all.
    #[must_use]
    pub fn is(&self, wanted: Outcome) -> Option<bool> {
        match self {
            ProofOutcome::Tested(outcome) => Some(*outcome == wanted),
            ProofOutcome::DidNotApply(_) => None,
        }
    }

    pub(super) fn outcome(&self) -> Option<Outcome> {
        match self {
            ProofOutcome::Tested(outcome) => Some(*outcome),
            ProofOutcome::DidNotApply(_) => None,
        }
    }
}

/// A test of the answer.
#[derive(Clone, Default)]
pub(super) struct ProofTest {
    pub(super) outcome: Option<ProofOutcome>,
    /// Whether it fails with other details than the bad version.
    pub(super) differs: bool,
    /// Tests that fail there and on neither side.
    pub(super) broken: Vec<String>,
    /// The version that was tested, if it can be made.
    pub(super) candidate: Option<Candidate>,
    /// What it prints, if it cannot be judged: that can name what it lacks.
    pub(super) complaint: Vec<u8>,
    /// What it prints, if it fails.
    pub(super) printed: Vec<u8>,
}

impl ProofTest {
    pub(super) fn fails(&self) -> bool {
        self.is(Outcome::Fail)
    }

    pub(super) fn is(&self, wanted: Outcome) -> bool {
        self.outcome.as_ref().and_then(|seen| seen.is(wanted)) == Some(true)
    }

    pub(super) fn is_unresolved(&self) -> bool {
        matches!(self.outcome, Some(ProofOutcome::Tested(Outcome::Unresolved)))
    }

    /// Whether the version could be made.
    pub(super) fn applies(&self) -> bool {
        matches!(self.outcome, Some(ProofOutcome::Tested(_)))
    }

    pub(super) fn fails_exactly(&self) -> bool {
        !self.differs && self.fails()
    }
}

/// A test of an answer that can be run.
pub(super) struct PlannedProof {
    pub(super) stage: StageLabel,
    pub(super) space: Arc<dyn Space>,
    pub(super) purpose: Purpose,
    what: &'static str,
    pub(super) configuration: Configuration,
    candidate: Candidate,
}

/// Tests answers. Each answer needs a round of its own, because tests of the same stage are not repeated.
#[derive(Clone, Copy)]
pub(super) struct Prover<'a> {
    pub(super) versions: &'a ComparedVersions,
    /// The causes that were found before, undone.
    pub(super) undone: &'a PatchSeries,
    /// The commit that the answers come from, and the version before it.
    pub(super) pair: Option<&'a VersionPair>,
}

impl Prover<'_> {
    /// Tests the good version with nothing but these parts.
    pub(super) fn alone(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        parts: &[CausePart],
    ) -> Result<ProofTest, Halt> {
        self.test(stages, round, RoundStep::Alone, self.version_with(parts))
    }

    /// The good version with nothing but these parts.
    pub(super) fn version_with(&self, parts: &[CausePart]) -> Result<Candidate, Because> {
        let series = PatchSeries(parts.iter().map(|part| part.patch(false)).collect());
        let good = &self.versions.good;
        changed(good, series.apply_to(good), "the good version has these lines already")
    }

    /// Tests the bad version without these parts.
    pub(super) fn without(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        parts: &[CausePart],
    ) -> Result<ProofTest, Halt> {
        self.test(stages, round, RoundStep::Without, self.version_without(parts))
    }

    /// The bad version without these parts.
    pub(super) fn version_without(&self, parts: &[CausePart]) -> Result<Candidate, Because> {
        let series = PatchSeries(self.undone.0.iter().cloned().chain(undoing(parts)).collect());
        let bad = PatchSeries(self.undone.0.clone()).apply_to(&self.versions.bad);
        bad.and_then(|bad| {
            changed(&bad, series.apply_to(&self.versions.bad), "the bad version no longer has these lines")
        })
    }

    /// The versions that mixes are compared with.
    pub(super) fn written(&self) -> Vec<Candidate> {
        let ComparedVersions { good, bad, .. } = self.versions;
        let of_commit = self.pair.iter().flat_map(|pair| [&pair.low, &pair.high]);
        [good, bad].into_iter().chain(of_commit).cloned().collect()
    }

    /// Tests a version from a clean start, if it can be made.
    pub(super) fn test(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        step: RoundStep,
        version: Result<Candidate, Because>,
    ) -> Result<ProofTest, Halt> {
        let planned = match self.planned(round, step, version) {
            Ok(planned) => planned,
            Err(why) => {
                let outcome = Some(ProofOutcome::DidNotApply(why));
                return Ok(ProofTest { outcome, ..ProofTest::default() });
            }
        };
        let PlannedProof { stage, space, purpose, what, configuration, candidate } = planned;
        stages.now(&format!("confirming the answer: {what}"));
        let seen = stages.check(&stage, &space, &[(purpose, configuration)])?;
        let seen: Option<&Observation> = seen.first();
        let outcome = seen.map(|seen| ProofOutcome::Tested(seen.outcome));
        let differs = seen.is_some_and(|seen| seen.differs);
        let broken = seen.map(|seen| seen.also.to_vec()).unwrap_or_default();
        let printed_if = |outcome| {
            let seen = seen.filter(|seen| seen.outcome == outcome);
            seen.map(|seen| stages.printed(seen)).unwrap_or_default()
        };
        let (complaint, printed) = (printed_if(Outcome::Unresolved), printed_if(Outcome::Fail));
        Ok(ProofTest { outcome, differs, broken, candidate: Some(candidate), complaint, printed })
    }

    /// The test of a version, or why there is none.
    pub(super) fn planned(
        &self,
        round: Round,
        step: RoundStep,
        version: Result<Candidate, Because>,
    ) -> Result<PlannedProof, String> {
        // Other steps test versions as authors wrote them.
        let is_mix = matches!(
            step,
            RoundStep::Alone | RoundStep::Without | RoundStep::Reverted | RoundStep::Reapplied
        );
        let written = if is_mix { self.written() } else { Vec::new() };
        let version = version.and_then(|version| match worthless_file(&version, &written) {
            Some(why) => Err(Because::DidNotApply(why)),
            None => Ok(version),
        });
        let candidate = version.map_err(|because| match because {
            Because::DidNotApply(why) => why,
            other => other.to_string(),
        })?;
        let (purpose, what) = match step {
            RoundStep::Alone => (Purpose::ConfirmAlone, "the good version with it"),
            RoundStep::Without => (Purpose::ConfirmWithout, "the bad version without it"),
            RoundStep::Before => (Purpose::ConfirmAgain, "the version before it"),
            RoundStep::Reverted => (Purpose::ConfirmAgain, "its commit without it"),
            RoundStep::Reapplied => (Purpose::ConfirmAgain, "the version before its commit with it"),
            RoundStep::Later => (Purpose::ConfirmAgain, "a revision after it"),
            _ => (Purpose::ConfirmAgain, "the version that fails"),
        };
        let good =
            ("the good version".to_owned(), self.versions.good.clone(), self.versions.good_commit.clone());
        let space: Arc<dyn Space> = Arc::new(
            VersionSpace::of(vec![good, (what.to_owned(), candidate.clone(), None)]).mixing(written),
        );
        let stage = StageLabel {
            name: StageName::Round(round, step),
            search: Algorithm::Confirm,
            unit: Unit::Version,
        };
        let configuration = Configuration::empty().with_delta(DeltaId(0));
        Ok(PlannedProof { stage, space, purpose, what, configuration, candidate })
    }
}

/// Why a test of a mix says nothing, if the syntax of one of its files is that of none of the versions that it is made of.
pub(super) fn worthless_file(mix: &Candidate, versions: &[Candidate]) -> Option<String> {
    let trees: Vec<Tree> = versions.iter().map(Candidate::tree).collect();
    mix.mix.iter().find_map(|(path, mixed)| {
        let mixed = &mixed?.bytes;
        let written: Vec<_> = trees.iter().filter_map(|tree| tree.get(path)?.contents.read().ok()).collect();
        if written.is_empty() || written.contains(mixed) {
            return None;
        }
        worthless_mix(path, mixed, written.iter().map(|bytes| &bytes[..]))
    })
}

/// A version that something was done to, unless that changed nothing: a test of the same version proves nothing.
fn changed(
    before: &Candidate,
    after: Result<Candidate, Because>,
    otherwise: &str,
) -> Result<Candidate, Because> {
    let after = after?;
    match after.is_same(before) {
        true => Err(Because::DidNotApply(otherwise.to_owned())),
        false => Ok(after),
    }
}
