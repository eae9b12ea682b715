//! Answers that are better proved, or easier to read, than the one that a search has found.
//!
//! A mix of two versions can fail for a reason of its own, so what is found first is not always what broke the bad version. Each of
//! these answers is tested in the same way as the first one.

use super::cause_part::{CausePart, undoing};
use super::edit_search::{EditSearch, FoundEdit, line_count};
use super::first_answer::FirstAnswer;
use super::found_cause::FoundCause;
use super::hunks::HunkSearch;
use super::limited_stages::LimitedStages;
use super::narrowed_changes::NarrowedChanges;
use super::proof::{CauseProof, ProofOutcome, ProofTest};
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::TreeStages;
use howcome_dd::{Configuration, DeltaId, Outcome};
use howcome_run::{CommitCheck, Halt, Leg, Round, RoundStep, StageName, Unit, Way};
use std::sync::Arc;

/// With at most this many lines, an answer is easy to read.
const FEW_LINES: usize = 4;

/// With more lines, an answer is hard to read, and worth more tests.
const MANY_LINES: usize = 10;

/// At most this many edits are undone to make an answer of many lines smaller.
const MOST_EDITS: usize = 14;

/// Among more lines, it takes too long to find those that moved or were renamed.
const MOST_LINES_TO_COMPARE: u32 = 1_000;

/// At most this many edits are undone to check an answer of few lines.
const MOST_EDITS_OF_FEW_LINES: usize = 5;

/// At most one of so many changes of an answer decides if the rest was seen to pass.
const FEW_OF_AN_ANSWER: usize = 4;

/// At most this many tests look for an answer that fails with the same details as the bad version.
const MOST_EXACT_TESTS: u32 = 30;

/// The search for a better answer.
pub(super) struct BetterAnswer<'a>(pub(super) FirstAnswer<'a>);

impl BetterAnswer<'_> {
    /// Replaces an answer by better ones.
    ///
    /// # Errors
    /// If the run is stopped, or something is wrong. The answer is then the best so far.
    pub(super) fn improve(&self, stages: &mut impl TreeStages, best: &mut FoundCause) -> Result<(), Halt> {
        if let Some(edit) = self.single_edit(stages, best)? {
            *best = edit;
        } else {
            if let Some(apart) = self.deciding(stages, best)? {
                *best = apart;
            }
            if let Some(hunks) = self.whole_hunks(stages, best)? {
                *best = hunks;
            }
        }
        if let Some(exact) = self.exact(stages, best)? {
            *best = exact;
        }
        Ok(())
    }

    /// Whether an answer has more lines than are easy to read.
    pub(super) fn has_many_lines(&self, found: &FoundCause) -> bool {
        found.parts.iter().map(|part| line_count(&part.changes, &part.chosen)).sum::<usize>() > FEW_LINES
    }

    /// The round of an answer of this kind.
    fn round(&self, way: Way) -> Round {
        Round { leg: Some(Leg { way, number: self.0.cause + 1 }), ..Round::default() }
    }

    /// Whether a part has the changes that were narrowed down, not a mixture of several parts.
    fn is_narrowed(&self, part: &CausePart) -> bool {
        Arc::ptr_eq(&part.changes, &self.0.narrowed.changes)
    }

    /// The single edit that decides, if the answer has many lines or the bad version does not pass without it.
    fn single_edit(
        &self,
        stages: &mut impl TreeStages,
        found: &FoundCause,
    ) -> Result<Option<FoundCause>, Halt> {
        let [part] = found.parts.as_slice() else { return Ok(None) };
        let proof = &found.proof;
        let lines = line_count(&part.changes, &part.chosen);
        let is_unconfirmed =
            matches!(proof.without, Some(ProofOutcome::Tested(Outcome::Fail | Outcome::Unresolved)));
        // A few lines that only break the good version can break it in another way than they broke the bad version.
        let is_doubtful = is_unconfirmed && lines <= FEW_LINES;
        let is_settled = matches!(found.at_commit, Some(CommitCheck::Holds | CommitCheck::Decides))
            && (lines <= FEW_LINES || !self.is_narrowed(part));
        let is_possible =
            self.0.plan.algorithm.is_none() && self.0.plan.varied_tests.is_none() && !is_settled;
        if !is_possible || !(is_doubtful || lines > FEW_LINES) {
            return Ok(None);
        }
        let hunks = HunkSearch::of(self.0.prover.versions, self.0.plan);
        let Some((low, changes)) = hunks.all_lines(self.0.pair)? else { return Ok(None) };
        if changes.len() > MOST_LINES_TO_COMPARE {
            return Ok(None);
        }
        let failing = NarrowedChanges {
            passed: self.0.narrowed.passed.clone(),
            ..self.0.narrowed.hunks.as_deref().unwrap_or(self.0.narrowed).clone()
        };
        let most_lines = if is_doubtful { FEW_LINES } else { lines - 1 };
        let search = EditSearch {
            versions: self.0.prover.versions,
            plan: self.0.plan,
            low: &low,
            changes: &changes,
            most_lines,
            most_edits: if lines > MANY_LINES { MOST_EDITS } else { MOST_EDITS_OF_FEW_LINES },
            failing: &failing,
        };
        let round = Round { cause: self.0.cause, ..Round::default() };
        let Some(edit) = search.run(stages, round)? else { return Ok(None) };
        // An edit that hides the failure is not the cause of it, unless nothing is known that fails and passes.
        if !edit.fails_alone && !is_doubtful {
            return Ok(None);
        }
        let FoundEdit { lines, shown, forms, fails_alone } = edit;
        // Nothing can be left out of a line, or of a line and the line that replaces it. Of two lines elsewhere, one could be enough.
        let is_minimal = fails_alone && lines.len() == 1;
        let parts = vec![CausePart { changes: shown, chosen: lines, forms: Some(forms), ..part.clone() }];
        let round = self.round(Way::Edit);
        let without = self.0.prover.without(stages, round, &parts)?;
        if without.outcome.as_ref().and_then(|seen| seen.is(Outcome::Pass)) == Some(false) {
            return Ok(None);
        }
        let proof = CauseProof::of(self.0.prover.alone(stages, round, &parts)?, without);
        let fails_alone = proof.alone.as_ref().and_then(|seen| seen.is(Outcome::Fail)) != Some(false);
        let is_confirmed = fails_alone || is_doubtful && proof.holds_without();
        let unit = Unit::Line;
        Ok(is_confirmed.then(|| FoundCause { parts, unit, is_minimal, proof, ..found.clone() }))
    }

    /// The changes without which the version that fails passes, apart from those without which it cannot be judged, if they are better
    /// proved than all together. Some of the changes can be there only to let the others build.
    fn deciding(&self, stages: &mut impl TreeStages, found: &FoundCause) -> Result<Option<FoundCause>, Halt> {
        let ([all], false) = (found.parts.as_slice(), found.proof.holds_without()) else { return Ok(None) };
        if !self.is_narrowed(all) {
            return Ok(None);
        }
        let step = NarrowedChanges { unit: found.unit, ..self.0.narrowed.clone() }.checked_in();
        let stage = StageName::Round(Round { cause: self.0.cause, ..Round::default() }, step);
        let passes_without = |delta: &DeltaId| {
            let seen = stages.seen(&stage, &all.chosen.without_delta(*delta));
            seen.is_some_and(|seen| seen.outcome == Outcome::Pass)
        };
        let mut deciding: Configuration = all.chosen.iter().filter(passes_without).collect();
        if deciding.is_empty() {
            deciding = self.outside_of_a_passing_mix(all);
        }
        let needed = all.chosen.without(&deciding);
        if deciding.is_empty() || needed.is_empty() {
            return Ok(None);
        }
        let part = |chosen, is_needed_only| CausePart { chosen, is_needed_only, ..all.clone() };
        let parts = vec![part(deciding, false), part(needed, true)];
        let without = self.0.prover.without(stages, self.round(Way::Deciding), &parts)?;
        // All parts together were tested alone already.
        let alone = ProofTest {
            outcome: found.proof.alone.clone(),
            differs: found.proof.differs,
            printed: found.proof.printed.clone(),
            ..ProofTest::default()
        };
        let proof = CauseProof::of(alone, without);
        Ok(proof.is_better_than(&found.proof).then(|| FoundCause { parts, proof, ..found.clone() }))
    }

    /// The changes of a large answer that a mix lacks which passes, if these are few: the rest does not make it fail.
    fn outside_of_a_passing_mix(&self, all: &CausePart) -> Configuration {
        let passed = self.0.narrowed.passed.iter().filter(|(changes, _)| Arc::ptr_eq(changes, &all.changes));
        let outside = passed.map(|(_, passed)| all.chosen.without(passed));
        let outside = outside.filter(|outside| !outside.is_empty()).min_by_key(Configuration::len);
        let is_small = |outside: &Configuration| outside.len() * FEW_OF_AN_ANSWER <= all.chosen.len();
        outside.filter(is_small).unwrap_or_else(Configuration::empty)
    }

    /// Whether the bad version passes without the whole hunks that the lines of an answer belong to.
    pub(super) fn hunks_decide(
        &self,
        stages: &mut impl TreeStages,
        found: &FoundCause,
    ) -> Result<bool, Halt> {
        let (Some(hunks), [lines], false) =
            (&self.0.narrowed.hunks, found.parts.as_slice(), found.proof.holds_without())
        else {
            return Ok(false);
        };
        if !self.is_narrowed(lines) || self.0.plan.varied_tests.is_some() {
            return Ok(false);
        }
        let parts = [whole_hunks(lines, hunks)];
        Ok(self.0.prover.without(stages, self.round(Way::Hunks), &parts)?.is(Outcome::Pass))
    }

    /// The whole hunks that some lines belong to, if they are better proved than the lines, or if the bad version crashes: then the
    /// good version must fail with them. Some lines of a hunk can be enough to fail, and still not be what has to be undone.
    fn whole_hunks(
        &self,
        stages: &mut impl TreeStages,
        found: &FoundCause,
    ) -> Result<Option<FoundCause>, Halt> {
        let (Some(hunks), [lines, ..], false) =
            (&self.0.narrowed.hunks, found.parts.as_slice(), found.proof.holds_without())
        else {
            return Ok(None);
        };
        if !found.parts.iter().all(|part| self.is_narrowed(part)) || self.0.plan.varied_tests.is_some() {
            return Ok(None);
        }
        let parts = vec![whole_hunks(lines, hunks)];
        let round = self.round(Way::Hunks);
        let without = self.0.prover.without(stages, round, &parts)?;
        let proof = CauseProof::of(ProofTest::default(), without);
        // That some lines crash proves little: a part of a rewritten function does so as well.
        if !proof.is_better_than(&found.proof) && !self.0.plan.fails_by_crash() {
            return Ok(None);
        }
        let alone = self.0.prover.alone(stages, round, &parts)?;
        if !proof.holds_without() && !alone.fails() {
            return Ok(None);
        }
        let ProofTest { outcome: alone, differs, printed, .. } = alone;
        let proof = CauseProof { alone, differs, printed, ..proof };
        let (unit, is_minimal) = (Unit::Hunk, hunks.is_minimal);
        Ok(Some(FoundCause { parts, unit, is_minimal, proof, ..found.clone() }))
    }

    /// An answer that fails with the same details as the bad version, if the one that was found does not and the bad version does not
    /// pass without it.
    fn exact(&self, stages: &mut impl TreeStages, found: &FoundCause) -> Result<Option<FoundCause>, Halt> {
        let is_doubtful = found.proof.differs && !found.proof.holds_without() && !self.0.narrowed.is_exact;
        let ([part], true, None) = (found.parts.as_slice(), is_doubtful, self.0.plan.algorithm) else {
            return Ok(None);
        };
        let round = self.round(Way::Exact);
        let high = Ok(self.0.pair.high.clone());
        if !self.0.prover.test(stages, round, RoundStep::Whole, high)?.fails_exactly() {
            return Ok(None);
        }
        stages.now("the answer fails in another way than the bad version: looking for one that fails in the same way");
        let hunks = HunkSearch::of(self.0.prover.versions, self.0.plan);
        let hunks = HunkSearch { counts_only_exact: true, began_after: self.0.began_after, ..hunks };
        let mut stages = LimitedStages::new(stages);
        if !self.0.plan.is_thorough {
            stages.limit(MOST_EXACT_TESTS);
        }
        let narrowed = match hunks.narrow(&mut stages, round, self.0.pair) {
            Ok(Some(narrowed)) => narrowed,
            Ok(None) => return Ok(None),
            Err(Halt::Stopped { .. }) if stages.is_cut() => return Ok(None),
            Err(halt) => return Err(halt.keeping(())),
        };
        let stages = &mut stages;
        let NarrowedChanges { changes, chosen, context, unit, is_minimal, limit, between, .. } = narrowed;
        let part_of = |changes, chosen, is_needed_only| CausePart {
            changes,
            chosen,
            is_needed_only,
            forms: None,
            ..part.clone()
        };
        let needed = context.map(|context| part_of(context.0, context.1, true));
        let parts: Vec<CausePart> =
            needed.into_iter().chain([part_of(changes, chosen, part.is_needed_only)]).collect();
        let alone = self.0.prover.alone(stages, round, &parts)?;
        // What was seen of the other answer at its commit says nothing about this one.
        let mut at_commit = None;
        if !alone.fails_exactly() {
            // The good version can lack what it needs. The version before the commit was seen to fail with it.
            let is_of_commit = self.0.pair.commit.is_some() && between.is_none();
            let undone = PatchSeries(undoing(&parts).collect()).apply_to(&self.0.pair.high);
            if !is_of_commit
                || !self.0.prover.test(stages, round, RoundStep::Reverted, undone)?.is(Outcome::Pass)
            {
                return Ok(None);
            }
            at_commit = Some(CommitCheck::Holds);
        }
        let proof = CauseProof::of(alone, self.0.prover.without(stages, round, &parts)?);
        let in_mix = between.is_some();
        Ok(Some(FoundCause { parts, unit, is_minimal, limit, proof, at_commit, in_mix, ..found.clone() }))
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
