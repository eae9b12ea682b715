//! From two versions to the causes of the failure: each with the changes that it needs in order to fail alone, and a proof.

use super::cause_part::{CausePart, undoing};
use super::commits::CommitSearch;
use super::edit_search::{EditSearch, FoundEdit, line_count};
use super::hunks::{HunkSearch, NarrowedChanges};
use super::plan::SearchPlan;
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::{Space, TreeStages};
use crate::candidates::version_space::VersionSpace;
use crate::deltas::change_set::ChangeSet;
use crate::versions::compared::ComparedVersions;
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Configuration, DeltaId, Outcome};
use howcome_run::{
    Algorithm, Because, Halt, Leg, Observation, Problem, Purpose, Round, RoundStep, StageLabel, StageName,
    Unit, Way,
};
use std::sync::Arc;

/// One cause of the failure.
#[derive(Clone, Debug)]
pub struct FoundCause {
    /// The part that was found first, and the parts without which it does not fail.
    pub parts: Vec<CausePart>,
    /// The smallest unit that was tried: hunks or lines.
    pub unit: Unit,
    /// Whether every single one is known to be necessary.
    pub is_minimal: bool,
    /// The commits of which one is the culprit, if some of them could not be tested.
    pub suspects: Vec<RevisionId>,
    /// What was seen when the answer was tested once more.
    pub proof: CauseProof,
}

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
}

impl CauseProof {
    /// Whether the bad version passes without this cause, and not without the other, or breaks fewer tests without this one.
    fn is_better_than(&self, other: &CauseProof) -> bool {
        let passes =
            |proof: &CauseProof| proof.without.as_ref().and_then(|seen| seen.is(Outcome::Pass)) == Some(true);
        passes(self) && (!passes(other) || self.broken.len() < other.broken.len())
    }

    /// Whether the bad version passes without the cause, and breaks no other test.
    #[must_use]
    pub fn holds_without(&self) -> bool {
        self.broken.is_empty() && self.without.as_ref().and_then(|seen| seen.is(Outcome::Pass)) == Some(true)
    }
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
}

/// A test of the answer.
#[derive(Default)]
struct ProofTest {
    outcome: Option<ProofOutcome>,
    /// Whether it fails with other details than the bad version.
    differs: bool,
    /// Tests that fail there and on neither side.
    broken: Vec<String>,
    /// The version that was tested, if it can be made.
    candidate: Option<Candidate>,
}

impl ProofTest {
    fn fails(&self) -> bool {
        self.outcome.as_ref().and_then(|seen| seen.is(Outcome::Fail)) == Some(true)
    }

    fn fails_exactly(&self) -> bool {
        !self.differs && self.fails()
    }
}

/// What a search that came to its end has found.
#[derive(Clone, Debug)]
pub enum CausesFound {
    /// The causes, each found with those before it undone.
    Causes(Vec<FoundCause>),
    /// Only versions that cannot be judged lie between these two.
    Undecided(Box<VersionPair>),
    /// Nothing but a change of the test itself makes the difference between these two.
    OnlyTests(Box<VersionPair>),
}

/// What is known when a search is stopped.
#[derive(Clone, Debug, Default)]
pub struct CausesSoFar {
    /// The causes that were found.
    pub found: Vec<FoundCause>,
    /// How far the search for the next one has come.
    pub closest: Option<Box<ClosestVersions>>,
}

/// The nearest two versions of different outcomes, and what is known of the changes between them.
#[derive(Clone, Debug)]
pub struct ClosestVersions {
    /// The versions.
    pub pair: VersionPair,
    /// The fewest changes between them that are known to make the difference.
    pub changes: Option<NarrowedChanges>,
}

impl ClosestVersions {
    fn new(pair: VersionPair, changes: Option<NarrowedChanges>) -> Option<Box<Self>> {
        Some(Box::new(Self { pair, changes }))
    }
}

/// How the search for one cause has ended.
enum OneCause {
    Found(FoundCause, VersionPair),
    Undecided(VersionPair),
    OnlyTests(VersionPair),
}

/// The search ends after this many causes.
const MOST_CAUSES: usize = 16;

/// With at most this many lines, an answer is easy to read.
const FEW_LINES: usize = 4;

/// With more lines, an answer is hard to read, and worth more tests.
const MANY_LINES: usize = 10;

/// At most this many edits are undone to make an answer of many lines smaller.
const MOST_EDITS: usize = 14;

/// At most this many edits are undone to check an answer of few lines.
const MOST_EDITS_OF_FEW_LINES: usize = 5;

/// A cause has at most this many parts.
const MOST_PARTS: usize = 8;

/// The search for the causes of a failure.
pub struct CauseSearch<'a> {
    /// The versions.
    pub versions: &'a ComparedVersions,
    /// How to search.
    pub plan: &'a SearchPlan,
    /// What is applied to every commit. The good and the bad version have it already.
    pub applied: PatchSeries,
}

impl CauseSearch<'_> {
    /// Finds the cause, or all causes if these are wanted.
    ///
    /// # Errors
    /// If the run is stopped, with what is known, or something is wrong.
    pub fn run(&self, stages: &mut impl TreeStages) -> Result<CausesFound, Halt<CausesSoFar>> {
        let mut found: Vec<FoundCause> = Vec::new();
        let mut undone = PatchSeries::default();
        loop {
            let number = found.len() as u32;
            let cause = match self.next_cause(stages, number, &undone) {
                Ok(OneCause::Found(cause, pair)) => self
                    .exact_or(stages, number, &undone, cause, &pair)
                    .map_err(|halt| halt.keeping(CausesSoFar { found: found.clone(), closest: None }))?,
                Ok(OneCause::Undecided(pair)) if found.is_empty() => {
                    return Ok(CausesFound::Undecided(Box::new(pair)));
                }
                Ok(OneCause::OnlyTests(pair)) if found.is_empty() => {
                    return Ok(CausesFound::OnlyTests(Box::new(pair)));
                }
                Ok(OneCause::Undecided(_) | OneCause::OnlyTests(_)) => return Ok(CausesFound::Causes(found)),
                Err(halt) => return Err(halt.map_best(|closest| CausesSoFar { found, closest })),
            };
            // Changes that were made last have to be undone first.
            undone.0.extend(undoing(&cause.parts));
            let still_fails =
                cause.proof.without.as_ref().and_then(|seen| seen.is(Outcome::Fail)) == Some(true);
            found.push(cause);
            if !self.plan.all || !still_fails || found.len() >= MOST_CAUSES {
                return Ok(CausesFound::Causes(found));
            }
            stages.now("looking for a further cause");
        }
    }

    /// One cause, with everything that it needs in order to fail alone.
    fn next_cause(
        &self,
        stages: &mut impl TreeStages,
        cause: u32,
        undone: &PatchSeries,
    ) -> Result<OneCause, Halt<Option<Box<ClosestVersions>>>> {
        let commits =
            CommitSearch { versions: self.versions, plan: self.plan, undone, applied: &self.applied };
        let mut parts: Vec<CausePart> = Vec::new();
        let mut first: Option<(VersionPair, NarrowedChanges)> = None;
        let closest = |first: Option<(VersionPair, NarrowedChanges)>| {
            first.and_then(|(pair, changes)| ClosestVersions::new(pair, Some(changes)))
        };
        let mut end = None;
        let (mut alone, mut differs) = (None, false);
        while parts.len() < MOST_PARTS {
            let round = Round { cause, part: parts.len() as u32, leg: None };
            let pair = match commits.first_bad(stages, round, &parts, end.as_ref()) {
                Ok(pair) => pair,
                Err(halt) if parts.is_empty() => {
                    return Err(halt.map_best(|pair| pair.and_then(|pair| ClosestVersions::new(*pair, None))));
                }
                Err(halt) => return Err(halt.keeping(closest(first))),
            };
            let hunks = HunkSearch {
                versions: self.versions,
                plan: self.plan,
                before: &parts,
                sought: None,
                complaint: &[],
            };
            let narrowed = match hunks.narrow(stages, round, &pair) {
                Ok(Some(narrowed)) => narrowed,
                Ok(None) if parts.is_empty() => return Ok(OneCause::Undecided(pair)),
                Ok(None) => break,
                Err(halt) if parts.is_empty() => {
                    return Err(halt.map_best(|best| ClosestVersions::new(pair, best)));
                }
                Err(halt) => return Err(halt.keeping(closest(first))),
            };
            let is_needed_only = matches!(&alone, Some(ProofOutcome::Tested(Outcome::Unresolved)));
            end = pair.low_commit.clone().filter(|low| commits.lies_between(low));
            parts.push(CausePart {
                changes: Arc::clone(&narrowed.changes),
                chosen: narrowed.chosen.clone(),
                commit: if pair.suspects.len() > 1 { None } else { pair.commit.clone() },
                is_needed_only,
                forms: None,
            });
            if first.is_none() {
                first = Some((pair, narrowed));
            }
            // Tested alone in the good version. If that does not fail, the changes need something from an earlier commit.
            let proof = match self.prove(stages, round, &parts, undone, Purpose::ConfirmAlone) {
                Ok(tested) => tested,
                Err(halt) => return Err(halt.keeping(closest(first))),
            };
            differs = proof.differs;
            let proof = proof.outcome;
            let fails = proof.as_ref().is_some_and(|seen| seen.is(Outcome::Fail) == Some(true));
            let applies = matches!(proof, Some(ProofOutcome::Tested(_)));
            alone = proof;
            if fails || !applies || end.is_none() {
                break;
            }
        }
        let Some((pair, narrowed)) = first else {
            return Err(Problem::bug("nothing was searched").into());
        };
        if let Some(tests) = &self.plan.varied_tests
            && parts.iter().all(|part| part.is_all(|path| tests.holds(path)))
        {
            return Ok(OneCause::OnlyTests(pair));
        }
        let (suspects, mut unit, mut is_minimal) =
            (pair.suspects.clone(), narrowed.unit, narrowed.is_minimal);
        let hunks = narrowed.hunks.clone().filter(|_| parts.len() == 1 && self.plan.varied_tests.is_none());
        let searched = (pair.clone(), narrowed.clone());
        let stopped = |halt: Halt| halt.keeping(ClosestVersions::new(pair.clone(), Some(narrowed.clone())));
        if parts.len() > 1 {
            let before = parts.len();
            is_minimal = match self.check_together(stages, cause, &mut parts, alone.as_ref()) {
                Ok(is_minimal) => is_minimal,
                Err(halt) => return Err(stopped(halt)),
            };
            if parts.len() < before {
                // The remaining part was not tested alone yet.
                let round = Round { cause, part: before as u32 + 1, leg: None };
                let tested = match self.prove(stages, round, &parts, undone, Purpose::ConfirmAlone) {
                    Ok(tested) => tested,
                    Err(halt) => return Err(stopped(halt)),
                };
                (alone, differs) = (tested.outcome, tested.differs);
            }
        }
        if let Some(tests) = &self.plan.varied_tests {
            let apart = |part: CausePart| part.with_tests_apart(|path| tests.holds(path));
            parts = parts.into_iter().flat_map(apart).collect();
        }
        let round = Round { cause, part: parts.len() as u32, leg: None };
        let ProofTest { outcome: without, candidate: fixed, broken, .. } =
            match self.prove(stages, round, &parts, undone, Purpose::ConfirmWithout) {
                Ok(tested) => tested,
                Err(halt) => return Err(stopped(halt)),
            };
        let mut proof = CauseProof { alone, without, broken, fixed, differs };
        match self.prove_edit(stages, round, &searched, &parts, &proof, undone) {
            Ok(Some((edit, edit_proof, is_edit_minimal))) => {
                (parts, proof) = (edit, edit_proof);
                (unit, is_minimal) = (Unit::Line, is_edit_minimal);
            }
            Ok(None) => {}
            Err(halt) => return Err(stopped(halt)),
        }
        if parts.len() == 1 && !proof.holds_without() {
            // Some of the changes can be there only to let the others build.
            let round_of_changes = Round { cause, part: 0, leg: None };
            match self.prove_deciding(stages, round_of_changes, &parts[0], (&proof, unit), undone) {
                Ok(Some((apart, apart_proof))) => (parts, proof) = (apart, apart_proof),
                Ok(None) => {}
                Err(halt) => return Err(stopped(halt)),
            }
        }
        if let Some(hunks) = hunks.filter(|_| !proof.holds_without()) {
            // Some lines of a hunk can be enough to fail, and still not be what has to be undone.
            match self.prove_hunks(stages, round, &parts, &proof, &hunks, undone) {
                Ok(Some((whole, whole_proof))) => {
                    (parts, proof) = (whole, whole_proof);
                    (unit, is_minimal) = (Unit::Hunk, hunks.is_minimal);
                }
                Ok(None) => {}
                Err(halt) => return Err(stopped(halt)),
            }
        }
        Ok(OneCause::Found(FoundCause { parts, unit, is_minimal, suspects, proof }, pair))
    }

    /// A cause that fails with the same details as the bad version, if the one that was found does not and the bad version does not
    /// pass without it; else the one that was found. A mix of two versions can fail for a reason of its own.
    fn exact_or(
        &self,
        stages: &mut impl TreeStages,
        cause: u32,
        undone: &PatchSeries,
        found: FoundCause,
        pair: &VersionPair,
    ) -> Result<FoundCause, Halt> {
        let is_doubtful = found.proof.differs && !found.proof.holds_without() && found.parts.len() == 1;
        if !is_doubtful || self.plan.algorithm.is_some() {
            return Ok(found);
        }
        let round = Round { leg: Some(Leg { way: Way::Exact, number: cause + 1 }), ..Round::default() };
        if !self
            .test(stages, round, RoundStep::Whole, Purpose::ConfirmAlone, pair.high.clone())?
            .fails_exactly()
        {
            return Ok(found);
        }
        stages.now("the answer fails in another way than the bad version: looking for one that fails in the same way");
        let hunks = HunkSearch {
            versions: self.versions,
            plan: self.plan,
            before: &[],
            sought: None,
            complaint: &[],
        };
        stages.count_only_exact(true);
        let narrowed = hunks.narrow(stages, round, pair);
        stages.count_only_exact(false);
        let Some(narrowed) = narrowed.map_err(|halt| halt.keeping(()))? else { return Ok(found) };
        let parts = vec![CausePart {
            changes: Arc::clone(&narrowed.changes),
            chosen: narrowed.chosen.clone(),
            ..found.parts[0].clone()
        }];
        let alone = self.prove(stages, round, &parts, undone, Purpose::ConfirmAlone)?;
        if !alone.fails_exactly() {
            return Ok(found);
        }
        let ProofTest { outcome: without, candidate: fixed, broken, .. } =
            self.prove(stages, round, &parts, undone, Purpose::ConfirmWithout)?;
        let proof = CauseProof { alone: alone.outcome, without, broken, fixed, differs: false };
        let NarrowedChanges { unit, is_minimal, .. } = narrowed;
        Ok(FoundCause { parts, unit, is_minimal, proof, ..found })
    }

    /// The single edit that decides, if the answer has many lines or the bad version does not pass without it.
    fn prove_edit(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        (pair, narrowed): &(VersionPair, NarrowedChanges),
        parts: &[CausePart],
        proof: &CauseProof,
        undone: &PatchSeries,
    ) -> Result<Option<(Vec<CausePart>, CauseProof, bool)>, Halt> {
        let [part] = parts else { return Ok(None) };
        let lines = line_count(&part.changes, &part.chosen);
        let is_unconfirmed =
            matches!(proof.without, Some(ProofOutcome::Tested(Outcome::Fail | Outcome::Unresolved)));
        // A few lines that only break the good version can break it in another way than they broke the bad version.
        let is_doubtful = is_unconfirmed && lines <= FEW_LINES;
        let is_possible = self.plan.algorithm.is_none() && self.plan.varied_tests.is_none();
        if !is_possible || !(is_doubtful || lines > FEW_LINES) {
            return Ok(None);
        }
        let hunks = HunkSearch {
            versions: self.versions,
            plan: self.plan,
            before: &[],
            sought: None,
            complaint: &[],
        };
        let Some((low, changes)) = hunks.all_lines(pair)? else { return Ok(None) };
        let failing = NarrowedChanges {
            passed: narrowed.passed.clone(),
            ..narrowed.hunks.as_deref().unwrap_or(narrowed).clone()
        };
        let most_lines = if is_doubtful { FEW_LINES } else { lines - 1 };
        let search = EditSearch {
            versions: self.versions,
            plan: self.plan,
            low: &low,
            changes: &changes,
            most_lines,
            most_edits: if lines > MANY_LINES { MOST_EDITS } else { MOST_EDITS_OF_FEW_LINES },
            failing: &failing,
        };
        let Some(found) = search.run(stages, Round { part: 0, ..round })? else { return Ok(None) };
        // An edit that hides the failure is not the cause of it, unless nothing is known that fails and passes.
        if !found.fails_alone && !is_doubtful {
            return Ok(None);
        }
        let FoundEdit { lines, shown, forms, fails_alone } = found;
        // Nothing can be left out of a line, or of a line and the line that replaces it.
        let is_minimal = fails_alone && line_count(&shown, &lines) <= 2;
        let edit = CausePart { changes: shown, chosen: lines, forms: Some(forms), ..part.clone() };
        let parts = vec![edit];
        let round = Round { part: round.part + 2, ..round };
        let ProofTest { outcome: without, candidate: fixed, broken, .. } =
            self.prove(stages, round, &parts, undone, Purpose::ConfirmWithout)?;
        if without.as_ref().and_then(|seen| seen.is(Outcome::Pass)) == Some(false) {
            return Ok(None);
        }
        let alone = self.prove(stages, round, &parts, undone, Purpose::ConfirmAlone)?;
        let proof = CauseProof { alone: alone.outcome, without, broken, fixed, differs: alone.differs };
        let fails_alone = proof.alone.as_ref().and_then(|seen| seen.is(Outcome::Fail)) != Some(false);
        let is_confirmed = fails_alone || is_doubtful && proof.holds_without();
        Ok(is_confirmed.then_some((parts, proof, is_minimal)))
    }

    /// The changes without which the version that fails passes, apart from those without which it cannot be judged, if they are better
    /// proved than all together.
    fn prove_deciding(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        all: &CausePart,
        (proof_of_all, unit): (&CauseProof, Unit),
        undone: &PatchSeries,
    ) -> Result<Option<(Vec<CausePart>, CauseProof)>, Halt> {
        let step = if unit == Unit::Line { RoundStep::Lines } else { RoundStep::Hunks };
        let stage = StageName::Round(round, step);
        let passes_without = |delta: &DeltaId| {
            let seen = stages.seen(&stage, &all.chosen.without_delta(*delta));
            seen.is_some_and(|seen| seen.outcome == Outcome::Pass)
        };
        let deciding: Configuration = all.chosen.iter().filter(passes_without).collect();
        let needed = all.chosen.without(&deciding);
        if deciding.is_empty() || needed.is_empty() {
            return Ok(None);
        }
        let part = |chosen, is_needed_only| CausePart { chosen, is_needed_only, ..all.clone() };
        let parts = vec![part(deciding, false), part(needed, true)];
        let round = Round { part: 5, ..round };
        let ProofTest { outcome: without, candidate: fixed, broken, .. } =
            self.prove(stages, round, &parts, undone, Purpose::ConfirmWithout)?;
        let proof = CauseProof { without, broken, fixed, ..proof_of_all.clone() };
        Ok(proof.is_better_than(proof_of_all).then_some((parts, proof)))
    }

    /// The whole hunks that some lines belong to, if they are better proved than the lines, or if the bad version crashes: then the
    /// good version must fail with them.
    fn prove_hunks(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        lines: &[CausePart],
        proof_of_lines: &CauseProof,
        hunks: &NarrowedChanges,
        undone: &PatchSeries,
    ) -> Result<Option<(Vec<CausePart>, CauseProof)>, Halt> {
        let whole: Vec<CausePart> = lines.iter().take(1).map(|part| whole_hunks(part, hunks)).collect();
        let round = Round { part: round.part + 1, ..round };
        let without = self.prove(stages, round, &whole, undone, Purpose::ConfirmWithout)?;
        let ProofTest { outcome: without, candidate: fixed, broken, .. } = without;
        let proof = CauseProof { alone: None, without, broken, fixed, differs: false };
        // That some lines crash proves little: a part of a rewritten function does so as well.
        if !proof.is_better_than(proof_of_lines) && !self.plan.fails_by_crash() {
            return Ok(None);
        }
        let alone = self.prove(stages, round, &whole, undone, Purpose::ConfirmAlone)?;
        if !proof.holds_without() && !alone.fails() {
            return Ok(None);
        }
        Ok(Some((whole, CauseProof { alone: alone.outcome, differs: alone.differs, ..proof })))
    }

    /// Tests whether each line of several parts is necessary. Each part was narrowed with those before it only.
    fn check_together(
        &self,
        stages: &mut impl TreeStages,
        cause: u32,
        parts: &mut Vec<CausePart>,
        alone: Option<&ProofOutcome>,
    ) -> Result<bool, Halt> {
        let fails = alone.is_some_and(|seen| seen.is(Outcome::Fail) == Some(true));
        let series = PatchSeries(parts.iter().map(|part| part.patch(false)).collect());
        let good = &self.versions.good;
        let (true, Ok(together)) = (fails, series.apply_to(good)) else { return Ok(false) };
        let changes = ChangeSet::by_lines(&good.tree(), &together.tree());
        let Ok(changes) = changes.map(Arc::new) else { return Ok(false) };
        let hunks = HunkSearch {
            versions: self.versions,
            plan: self.plan,
            before: &[],
            sought: None,
            complaint: &[],
        };
        let all = NarrowedChanges {
            chosen: changes.all(),
            changes,
            unit: Unit::Line,
            is_minimal: false,
            passed: Vec::new(),
            opposite: None,
            hunks: None,
        };
        let round = Round { cause, part: parts.len() as u32, leg: None };
        let checked = hunks
            .check_against(stages, round, good, self.versions.good_commit.clone(), all)
            .map_err(|halt| halt.keeping(()))?;
        if checked.chosen.len() < checked.changes.len() as usize {
            let NarrowedChanges { changes, chosen, .. } = checked;
            *parts = vec![CausePart { changes, chosen, commit: None, is_needed_only: false, forms: None }];
        }
        Ok(checked.is_minimal)
    }

    /// Tests the good version with nothing but these parts, or the bad one without them.
    fn prove(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        parts: &[CausePart],
        undone: &PatchSeries,
        purpose: Purpose,
    ) -> Result<ProofTest, Halt> {
        let (what, step, made) = match purpose {
            Purpose::ConfirmAlone => {
                let series = PatchSeries(parts.iter().map(|part| part.patch(false)).collect());
                ("the good version with it", RoundStep::Alone, series.apply_to(&self.versions.good))
            }
            _ => {
                let series = PatchSeries(undone.0.iter().cloned().chain(undoing(parts)).collect());
                ("the bad version without it", RoundStep::Without, series.apply_to(&self.versions.bad))
            }
        };
        let candidate = match made {
            Ok(candidate) => candidate,
            Err(because) => {
                let why = match because {
                    Because::DidNotApply(why) => why,
                    other => other.to_string(),
                };
                let outcome = Some(ProofOutcome::DidNotApply(why));
                return Ok(ProofTest { outcome, ..ProofTest::default() });
            }
        };
        stages.now(&format!("confirming the answer: {what}"));
        self.test(stages, round, step, purpose, candidate)
    }

    /// Tests a version from a clean start.
    fn test(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        step: RoundStep,
        purpose: Purpose,
        candidate: Candidate,
    ) -> Result<ProofTest, Halt> {
        let what = match step {
            RoundStep::Alone => "the good version with it",
            RoundStep::Without => "the bad version without it",
            _ => "the version that fails",
        };
        let good =
            ("the good version".to_owned(), self.versions.good.clone(), self.versions.good_commit.clone());
        let space: Arc<dyn Space> =
            Arc::new(VersionSpace { candidates: vec![good, (what.to_owned(), candidate.clone(), None)] });
        let stage = StageLabel {
            name: StageName::Round(round, step),
            search: Algorithm::Confirm,
            unit: Unit::Version,
        };
        let only = Configuration::empty().with_delta(DeltaId(0));
        let seen = stages.check(&stage, &space, &[(purpose, only)])?;
        let seen: Option<&Observation> = seen.first();
        let outcome = seen.map(|seen| ProofOutcome::Tested(seen.outcome));
        let differs = seen.is_some_and(|seen| seen.differs);
        let broken = seen.map(|seen| seen.also.to_vec()).unwrap_or_default();
        Ok(ProofTest { outcome, differs, broken, candidate: Some(candidate) })
    }
}

/// The whole hunks of which some changes are lines. If the lines are many, all hunks that were found to make the difference.
fn whole_hunks(part: &CausePart, hunks: &NarrowedChanges) -> CausePart {
    let touches = |hunk: &DeltaId| {
        let Some(hunk) = hunks.changes.describe(*hunk) else { return false };
        let old_lines = hunk.old_line..=hunk.old_line + hunk.removed.len() as u32;
        let mut lines = part.chosen.iter().filter_map(|line| part.changes.describe(line));
        lines.any(|line| line.path == hunk.path && old_lines.contains(&line.old_line))
    };
    let is_torn = part.chosen.len() > 2 * hunks.chosen.len();
    let chosen = hunks.chosen.iter().filter(|hunk| is_torn || touches(hunk)).collect();
    CausePart { changes: Arc::clone(&hunks.changes), chosen, ..part.clone() }
}
