//! From two versions to the causes of the failure: each with the changes that it needs in order to fail alone, and a proof.

use super::at_commit::AtCommit;
use super::better_answer::BetterAnswer;
use super::cause_part::{CausePart, undoing};
use super::commits::CommitSearch;
use super::first_answer::FirstAnswer;
use super::fixed_cause::FixSearch;
use super::found_cause::{CompanySearch, FixedCause, FoundCause};
use super::hunks::HunkSearch;
use super::limited_stages::LimitedStages;
use super::narrowed_changes::NarrowedChanges;
use super::plan::SearchPlan;
use super::proof::{CauseProof, ProofTest, Prover};
use super::tests_ahead::TestsAhead;
use super::version_pair::VersionPair;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::TreeStages;
use crate::deltas::change_set::ChangeSet;
use crate::versions::compared::ComparedVersions;
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Configuration, Outcome};
use howcome_run::{Halt, Round, StageRunner, Unit};
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
    /// Before the bad version, a revision fixed it. The search goes on from there.
    Fixed(FixedCause, Box<ComparedVersions>),
    Undecided(VersionPair),
    OnlyTests(VersionPair),
}

/// The search ends after this many causes.
const MOST_CAUSES: usize = 16;

/// A cause has at most this many parts.
const MOST_PARTS: usize = 8;

/// At most this many tests look for what a cause needs in order to fail in the good version, if the good version passes with it,
const MOST_COMPANY_TESTS: u32 = 30;

/// and if it cannot be judged with it.
const MOST_COMPANY_TESTS_IF_UNRESOLVED: u32 = 10;

/// About how many runs of a flaky test tell as much as one test that is not flaky.
const RUNS_OF_A_FLAKY_TEST: u32 = 10;

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
        self.run_from(stages, 0)
    }

    /// The same if other causes were searched in this run before: the stages have the numbers after theirs.
    pub(crate) fn run_from(
        &self,
        stages: &mut impl TreeStages,
        first: u32,
    ) -> Result<CausesFound, Halt<CausesSoFar>> {
        let mut found: Vec<FoundCause> = Vec::new();
        let mut undone = PatchSeries::default();
        let mut fixed: Vec<FixedCause> = Vec::new();
        // The versions between which to search: what was fixed before the bad version does not count.
        let mut between: Option<Box<ComparedVersions>> = None;
        loop {
            let number = first + (found.len() + fixed.len()) as u32;
            let versions = between.as_deref().unwrap_or(self.versions);
            let cause = match self.next_cause(stages, versions, number, &undone) {
                Ok(OneCause::Found(cause)) => FoundCause { fixed: fixed.clone(), ..cause },
                Ok(OneCause::Fixed(cause, versions)) => {
                    stages.now("the test passed again in between: looking for what broke it after that");
                    fixed.push(cause);
                    between = Some(versions);
                    continue;
                }
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
            let still_fails = cause.proof.still_fails();
            found.push(cause);
            if !self.plan.all || !still_fails || found.len() + fixed.len() >= MOST_CAUSES {
                return Ok(CausesFound::Causes(found));
            }
            stages.now("looking for a further cause");
        }
    }

    /// One cause, with everything that it needs in order to fail alone.
    fn next_cause(
        &self,
        stages: &mut impl TreeStages,
        versions: &ComparedVersions,
        cause: u32,
        undone: &PatchSeries,
    ) -> Result<OneCause, Halt<CausesSoFar>> {
        let prover = Prover { versions: self.versions, undone, pair: None };
        let CauseParts { mut parts, pair, narrowed, began_after, mut alone, without, company } =
            match self.parts(stages, versions, cause, prover)? {
                PartsFound::Parts(found) => *found,
                PartsFound::Undecided(pair) => return Ok(OneCause::Undecided(pair)),
            };
        let prover = Prover { pair: Some(&pair), ..prover };
        if let Some(tests) = &self.plan.varied_tests
            && parts.iter().all(|part| part.is_all(|path| tests.holds(path)))
        {
            return Ok(OneCause::OnlyTests(pair));
        }
        let stopped = |halt: Halt| halt.keeping(CausesSoFar::closest(pair.clone(), Some(narrowed.clone())));
        // With what it needs, no line of it was left out.
        let mut is_minimal = narrowed.is_minimal && (parts.len() == 1 || narrowed.between.is_none());
        // Of what stays applied, only some may be necessary, but that is not the question.
        let is_context = narrowed.context.is_some() || narrowed.between.is_some();
        if parts.len() > 1 && !is_context {
            let before = parts.len();
            let was_reduced;
            (is_minimal, was_reduced) =
                self.check_together(stages, cause, &mut parts, alone.fails()).map_err(stopped)?;
            if was_reduced {
                // What is left was not tested alone yet.
                let round = Round { cause, part: before as u32 + 1, leg: None };
                alone = prover.alone(stages, round, &parts).map_err(stopped)?;
            }
        }
        if let Some(tests) = &self.plan.varied_tests {
            let apart = |part: CausePart| part.with_tests_apart(|path| tests.holds(path));
            parts = parts.into_iter().flat_map(apart).collect();
        }
        let round = Round { cause, part: parts.len() as u32, leg: None };
        let without = match without {
            Some(tested) => tested,
            None => prover.without(stages, round, &parts).map_err(stopped)?,
        };
        let fix = FixSearch { versions, prover, applied: &self.applied };
        let changed_by = match without.is(Outcome::Pass) {
            true => None,
            false => fix.gone_since(&parts, &pair),
        };
        if let (false, Some(commit)) = (without.is(Outcome::Pass), pair.commit.clone()) {
            let mut fixed_at = match &changed_by {
                Some(by) => fix.passes_at(stages, round, by).map_err(stopped)?.then(|| by.clone()),
                None => None,
            };
            if fixed_at.is_none() && self.plan.algorithm.is_none() {
                let part = round.part + 1;
                fixed_at = fix.passing_after(stages, (cause, part), &commit).map_err(stopped)?;
            }
            if let Some(by) = fixed_at
                && let Some(after) = fix.after(&by)
            {
                return Ok(OneCause::Fixed(FixedCause { commit, by }, Box::new(after)));
            }
        }
        let mut found = FoundCause {
            parts,
            unit: narrowed.unit,
            is_minimal,
            limit: narrowed.limit,
            suspects: pair.suspects.clone(),
            before: pair.low.clone(),
            proof: CauseProof::of(alone, without),
            at_commit: None,
            in_mix: narrowed.between.is_some(),
            company,
            fixed: Vec::new(),
            changed_by,
        };
        let plan = self.plan;
        let first = FirstAnswer { plan, prover, cause, pair: &pair, narrowed: &narrowed, began_after };
        match improve(stages, first, &mut found) {
            Ok(()) => Ok(OneCause::Found(found)),
            Err(halt) => Err(halt.keeping(CausesSoFar { found: vec![found], closest: None })),
        }
    }

    /// The changes of one commit, and those of earlier commits without which they do not fail in the good version.
    fn parts(
        &self,
        stages: &mut impl TreeStages,
        versions: &ComparedVersions,
        cause: u32,
        prover: Prover<'_>,
    ) -> Result<PartsFound, Halt<CausesSoFar>> {
        let commits = CommitSearch {
            versions,
            plan: self.plan,
            undone: prover.undone,
            applied: &self.applied,
            complaint: &[],
        };
        let mut stages = LimitedStages::new(stages);
        let round = Round { cause, ..Round::default() };
        let pair = commits.first_bad(&mut stages, round, &[], None).map_err(|halt| {
            halt.map_best(|pair| pair.map(|pair| CausesSoFar::closest(*pair, None)).unwrap_or_default())
        })?;
        // Each run of a flaky test counts as a test.
        let began_after = Some(stages.told()).filter(|_| stages.rates().is_none());
        let hunks = HunkSearch { began_after, ..HunkSearch::of(self.versions, self.plan) };
        let narrowed = match hunks.narrow(&mut stages, round, &pair) {
            Ok(Some(narrowed)) => narrowed,
            Ok(None) => return Ok(PartsFound::Undecided(pair)),
            Err(halt) => return Err(halt.map_best(|best| CausesSoFar::closest(pair, best))),
        };
        let closest = || CausesSoFar::closest(pair.clone(), Some(narrowed.clone()));
        let prover = Prover { pair: Some(&pair), ..prover };
        let mut parts = parts_of(&pair, &narrowed, false);
        let of_the_commit = parts.len();
        TestsAhead { commits, prover, cause }.foresee(&mut stages, &parts);
        // Tested alone in the good version. If that does not fail, the changes need something from an earlier commit.
        let mut alone = prover.alone(&mut stages, round, &parts).map_err(|halt| halt.keeping(closest()))?;
        let mut end = pair.low_commit.clone().filter(|low| commits.lies_between(low));
        let (mut without, mut company) = (None, CompanySearch::Complete);
        let most_company_tests =
            if alone.is_unresolved() { MOST_COMPANY_TESTS_IF_UNRESOLVED } else { MOST_COMPANY_TESTS };
        // Each run of a flaky test counts as a test.
        let most_company_tests = match stages.rates() {
            Some(_) => most_company_tests * RUNS_OF_A_FLAKY_TEST,
            None => most_company_tests,
        };
        let is_possible = narrowed.between.is_none() && end.is_some();
        let first_alone = alone.clone();
        while is_possible && parts.len() < MOST_PARTS && !alone.fails() && alone.applies() && end.is_some() {
            if parts.len() == of_the_commit {
                let round = Round { cause, part: 1, leg: None };
                let tested =
                    prover.without(&mut stages, round, &parts).map_err(|halt| halt.keeping(closest()))?;
                if !tested.is(Outcome::Pass) {
                    // Perhaps these are the wrong changes, and nothing makes sense of them.
                    (without, company) = (Some(tested), CompanySearch::Skipped);
                    break;
                }
                if !self.plan.is_thorough {
                    stages.limit(most_company_tests);
                }
            }
            let round = Round { cause, part: parts.len() as u32, leg: None };
            let lacking = CommitSearch { complaint: &alone.complaint, ..commits };
            let found = self.next_part(&mut stages, &lacking, round, &parts, end.as_ref());
            let (earlier, more) = match found {
                Ok(Some(found)) => found,
                Ok(None) => break,
                Err(Halt::Stopped { .. }) if stages.is_cut() => {
                    company = CompanySearch::EndedAfter(most_company_tests);
                    break;
                }
                Err(halt) => return Err(halt.keeping(closest())),
            };
            parts.extend(parts_of(&earlier, &more, alone.is_unresolved()));
            alone = prover.alone(&mut stages, round, &parts).map_err(|halt| halt.keeping(closest()))?;
            end = earlier.low_commit.filter(|low| commits.lies_between(low));
        }
        if alone.is_unresolved() {
            // Nothing that was found lets it build or run.
            parts.truncate(of_the_commit);
            alone = first_alone;
        }
        let can_be_completed = self.plan.varied_tests.is_none() && !self.plan.is_filtered;
        if let (Some(mixes), true, [part], true) =
            (&narrowed.between, alone.is_unresolved(), parts.as_slice(), can_be_completed)
        {
            let round = Round { cause, part: 1, leg: None };
            let tested =
                prover.without(&mut stages, round, &parts).map_err(|halt| halt.keeping(closest()))?;
            if tested.is(Outcome::Pass) {
                let completed =
                    self.with_company_in_mix(stages.stages(), cause, part, (&alone, mixes), prover);
                if let Some((needed, fails)) = completed.map_err(|halt| halt.keeping(closest()))? {
                    parts.push(needed);
                    alone = fails;
                }
            }
            without = Some(tested);
        }
        Ok(PartsFound::Parts(Box::new(CauseParts {
            parts,
            pair,
            narrowed,
            began_after,
            alone,
            without,
            company,
        })))
    }

    /// The changes of an earlier commit with which some parts fail. `None` if nothing could be judged.
    fn next_part(
        &self,
        stages: &mut impl TreeStages,
        commits: &CommitSearch<'_>,
        round: Round,
        parts: &[CausePart],
        end: Option<&RevisionId>,
    ) -> Result<Option<(VersionPair, NarrowedChanges)>, Halt> {
        let pair = commits.first_bad(stages, round, parts, end).map_err(|halt| halt.keeping(()))?;
        let hunks = HunkSearch {
            before: parts,
            complaint: commits.complaint,
            ..HunkSearch::of(self.versions, self.plan)
        };
        let narrowed = hunks.narrow(stages, round, &pair).map_err(|halt| halt.keeping(()))?;
        Ok(narrowed.map(|narrowed| (pair, narrowed)))
    }

    /// Tests whether each line of several parts that fail together is necessary. Each part was narrowed with those before it only. Returns
    /// whether each line that is left is, and whether lines were left out.
    fn check_together(
        &self,
        stages: &mut impl TreeStages,
        cause: u32,
        parts: &mut Vec<CausePart>,
        fails: bool,
    ) -> Result<(bool, bool), Halt> {
        let series = PatchSeries(parts.iter().map(|part| part.patch(false)).collect());
        let good = &self.versions.good;
        let (true, Ok(together)) = (fails, series.apply_to(good)) else { return Ok((false, false)) };
        let changes = ChangeSet::by_lines(&good.tree(), &together.tree());
        let Ok(changes) = changes.map(Arc::new) else { return Ok((false, false)) };
        let hunks = HunkSearch::of(self.versions, self.plan);
        let all = NarrowedChanges::of(&changes, changes.all(), Unit::Line);
        let round = Round { cause, part: parts.len() as u32, leg: None };
        let checked = hunks
            .check_against(stages, round, good, self.versions.good_commit.clone(), all)
            .map_err(|halt| halt.keeping(()))?;
        let was_reduced = checked.chosen.len() < checked.changes.len() as usize;
        let is_minimal = checked.is_minimal;
        if was_reduced {
            let NarrowedChanges { changes, chosen, .. } = checked;
            let whole = CausePart { changes, chosen, commit: None, is_needed_only: false, forms: None };
            *parts = whole.with_needed_apart(parts);
        }
        Ok((is_minimal, was_reduced))
    }
}

/// Replaces an answer by a better one. Few lines can be an accident, so they are tested at their commit first. Many lines often have
/// moved, and then the edit among them that decides takes fewer tests.
fn improve(stages: &mut impl TreeStages, first: FirstAnswer<'_>, found: &mut FoundCause) -> Result<(), Halt> {
    let pair = first.narrowed.between.as_deref().unwrap_or(first.pair);
    let (at_commit, better) = (AtCommit(FirstAnswer { pair, ..first }), BetterAnswer(first));
    if better.has_many_lines(found) {
        better.improve(stages, found)?;
        return at_commit.settle(stages, found);
    }
    if !better.hunks_decide(stages, found)? {
        at_commit.settle(stages, found)?;
    }
    better.improve(stages, found)
}

/// The changes that were found between two versions, as parts of a cause, after those that they were made on top of.
fn parts_of(pair: &VersionPair, narrowed: &NarrowedChanges, is_needed_only: bool) -> Vec<CausePart> {
    let part = |changes: &Arc<ChangeSet>, chosen: &Configuration, is_needed_only| CausePart {
        changes: Arc::clone(changes),
        chosen: chosen.clone(),
        commit: if pair.suspects.len() > 1 { None } else { pair.commit.clone() },
        is_needed_only,
        forms: None,
    };
    let context = narrowed.context.as_deref().map(|(changes, chosen)| part(changes, chosen, true));
    context.into_iter().chain([part(&narrowed.changes, &narrowed.chosen, is_needed_only)]).collect()
}

/// How the search for the parts of a cause has ended.
enum PartsFound {
    Parts(Box<CauseParts>),
    /// Only versions that cannot be judged lie between these two.
    Undecided(VersionPair),
}

/// The parts of a cause.
struct CauseParts {
    parts: Vec<CausePart>,
    /// The versions between which the first part was found.
    pair: VersionPair,
    /// What makes the difference between them.
    narrowed: NarrowedChanges,
    /// How many tests were told before it was searched.
    began_after: Option<u64>,
    /// The good version with all parts.
    alone: ProofTest,
    /// The bad version without the first part, if that was tested and no other part was found.
    without: Option<ProofTest>,
    company: CompanySearch,
}
