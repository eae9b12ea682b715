//! From two versions to the causes of the failure: each with the changes that it needs in order to fail alone, and a proof.

use super::better_answer::BetterAnswer;
use super::cause_part::{CausePart, undoing};
use super::commits::CommitSearch;
use super::found_cause::FoundCause;
use super::hunks::HunkSearch;
use super::narrowed_changes::NarrowedChanges;
use super::plan::SearchPlan;
use super::proof::{CauseProof, ProofTest, Prover};
use super::version_pair::VersionPair;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::TreeStages;
use crate::deltas::change_set::ChangeSet;
use crate::versions::compared::ComparedVersions;
use howcome_dd::{Configuration, Outcome};
use howcome_run::{Halt, Problem, Round, Unit};
use std::sync::Arc;

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

impl CausesSoFar {
    fn closest(pair: VersionPair, changes: Option<NarrowedChanges>) -> Self {
        Self { found: Vec::new(), closest: Some(Box::new(ClosestVersions { pair, changes })) }
    }
}

/// How the search for one cause has ended.
enum OneCause {
    Found(FoundCause),
    Undecided(VersionPair),
    OnlyTests(VersionPair),
}

/// The search ends after this many causes.
const MOST_CAUSES: usize = 16;

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
                Ok(OneCause::Found(cause)) => cause,
                Ok(OneCause::Undecided(pair)) if found.is_empty() => {
                    return Ok(CausesFound::Undecided(Box::new(pair)));
                }
                Ok(OneCause::OnlyTests(pair)) if found.is_empty() => {
                    return Ok(CausesFound::OnlyTests(Box::new(pair)));
                }
                Ok(OneCause::Undecided(_) | OneCause::OnlyTests(_)) => return Ok(CausesFound::Causes(found)),
                Err(halt) => {
                    return Err(halt.map_best(|so_far| {
                        found.extend(so_far.found);
                        CausesSoFar { found, ..so_far }
                    }));
                }
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
    ) -> Result<OneCause, Halt<CausesSoFar>> {
        let commits =
            CommitSearch { versions: self.versions, plan: self.plan, undone, applied: &self.applied };
        let mut parts: Vec<CausePart> = Vec::new();
        let mut first: Option<(VersionPair, NarrowedChanges)> = None;
        let closest = |first: Option<(VersionPair, NarrowedChanges)>| {
            first.map(|(pair, changes)| CausesSoFar::closest(pair, Some(changes))).unwrap_or_default()
        };
        let prover = Prover { versions: self.versions, undone };
        let mut end = None;
        let mut alone: Option<ProofTest> = None;
        while parts.len() < MOST_PARTS {
            let round = Round { cause, part: parts.len() as u32, leg: None };
            let pair = match commits.first_bad(stages, round, &parts, end.as_ref()) {
                Ok(pair) => pair,
                Err(halt) if parts.is_empty() => {
                    return Err(halt.map_best(|pair| {
                        pair.map(|pair| CausesSoFar::closest(*pair, None)).unwrap_or_default()
                    }));
                }
                Err(halt) => return Err(halt.keeping(closest(first))),
            };
            let hunks = HunkSearch { before: &parts, ..HunkSearch::of(self.versions, self.plan) };
            let narrowed = match hunks.narrow(stages, round, &pair) {
                Ok(Some(narrowed)) => narrowed,
                Ok(None) if parts.is_empty() => return Ok(OneCause::Undecided(pair)),
                Ok(None) => break,
                Err(halt) if parts.is_empty() => {
                    return Err(halt.map_best(|best| CausesSoFar::closest(pair, best)));
                }
                Err(halt) => return Err(halt.keeping(closest(first))),
            };
            let is_needed_only = alone.as_ref().is_some_and(ProofTest::is_unresolved);
            end = pair.low_commit.clone().filter(|low| commits.lies_between(low));
            let commit = if pair.suspects.len() > 1 { None } else { pair.commit.clone() };
            let part = |changes: &Arc<ChangeSet>, chosen: &Configuration, is_needed_only| CausePart {
                changes: Arc::clone(changes),
                chosen: chosen.clone(),
                commit: commit.clone(),
                is_needed_only,
                forms: None,
            };
            // The changes were made on top of these.
            parts.extend(narrowed.context.as_deref().map(|(changes, chosen)| part(changes, chosen, true)));
            parts.push(part(&narrowed.changes, &narrowed.chosen, is_needed_only));
            if first.is_none() {
                first = Some((pair, narrowed));
            }
            // Tested alone in the good version. If that does not fail, the changes need something from an earlier commit.
            let tested = match prover.alone(stages, round, &parts) {
                Ok(tested) => tested,
                Err(halt) => return Err(halt.keeping(closest(first))),
            };
            let is_enough = tested.fails() || !tested.applies() || end.is_none();
            alone = Some(tested);
            if is_enough {
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
        let stopped = |halt: Halt| halt.keeping(CausesSoFar::closest(pair.clone(), Some(narrowed.clone())));
        let mut is_minimal = narrowed.is_minimal;
        // Of what stays applied, only some may be necessary, but that is not the question.
        if parts.len() > 1 && narrowed.context.is_none() {
            let before = parts.len();
            let fails = alone.as_ref().is_some_and(ProofTest::fails);
            is_minimal = match self.check_together(stages, cause, &mut parts, fails) {
                Ok(is_minimal) => is_minimal,
                Err(halt) => return Err(stopped(halt)),
            };
            if parts.len() < before {
                // The remaining part was not tested alone yet.
                let round = Round { cause, part: before as u32 + 1, leg: None };
                alone = match prover.alone(stages, round, &parts) {
                    Ok(tested) => Some(tested),
                    Err(halt) => return Err(stopped(halt)),
                };
            }
        }
        if let Some(tests) = &self.plan.varied_tests {
            let apart = |part: CausePart| part.with_tests_apart(|path| tests.holds(path));
            parts = parts.into_iter().flat_map(apart).collect();
        }
        let round = Round { cause, part: parts.len() as u32, leg: None };
        let without = match prover.without(stages, round, &parts) {
            Ok(tested) => tested,
            Err(halt) => return Err(stopped(halt)),
        };
        let mut found = FoundCause {
            parts,
            unit: narrowed.unit,
            is_minimal,
            limit: narrowed.limit,
            suspects: pair.suspects.clone(),
            before: pair.low.clone(),
            proof: CauseProof::of(alone.unwrap_or_default(), without),
        };
        let better = BetterAnswer { plan: self.plan, prover, cause, pair: &pair, narrowed: &narrowed };
        match better.improve(stages, &mut found) {
            Ok(()) => Ok(OneCause::Found(found)),
            Err(halt) => Err(halt.keeping(CausesSoFar { found: vec![found], closest: None })),
        }
    }

    /// Tests whether each line of several parts that fail together is necessary. Each part was narrowed with those before it only.
    fn check_together(
        &self,
        stages: &mut impl TreeStages,
        cause: u32,
        parts: &mut Vec<CausePart>,
        fails: bool,
    ) -> Result<bool, Halt> {
        let series = PatchSeries(parts.iter().map(|part| part.patch(false)).collect());
        let good = &self.versions.good;
        let (true, Ok(together)) = (fails, series.apply_to(good)) else { return Ok(false) };
        let changes = ChangeSet::by_lines(&good.tree(), &together.tree());
        let Ok(changes) = changes.map(Arc::new) else { return Ok(false) };
        let hunks = HunkSearch::of(self.versions, self.plan);
        let all = NarrowedChanges::of(&changes, changes.all(), Unit::Line);
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
}
