//! Whether an answer holds at the commit that it comes from: with it, the version before the commit fails; without it, the commit
//! passes.
//!
//! A mix that no author wrote can fail by accident. Changes that break the version before the commit, and that can be undone in the
//! commit without effect, are not what the commit broke. Then the search goes the other way round: for the fewest changes without
//! which the commit passes.

use super::cause_part::CausePart;
use super::edit_search::line_count;
use super::first_answer::FirstAnswer;
use super::found_cause::FoundCause;
use super::hunks::{HunkSearch, unreadable};
use super::limited_stages::LimitedStages;
use super::narrowed_changes::NarrowedChanges;
use super::necessary::FEW_HUNKS;
use super::proof::{CauseProof, ProofTest, worthless_file};
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::TreeStages;
use crate::deltas::change_set::ChangeSet;
use crate::syntax::breaks_syntax;
use howcome_dd::{Configuration, Outcome};
use howcome_run::{Because, CommitCheck, Halt, Leg, Problem, Round, RoundStep, StageRunner, Unit, Way};
use std::sync::Arc;

/// At most this many tests find the changes without which the commit passes, and what these need.
const MOST_TESTS: u32 = 30;

/// Up to this many lines are shown as an answer. More are shown only if they are at most `TIMES` as many as those of the answer that
/// they replace.
const FEW_LINES: usize = 12;
const TIMES: usize = 3;

/// The test of an answer at its commit, or in the mixes between which it was found.
pub(super) struct AtCommit<'a>(pub(super) FirstAnswer<'a>);

/// Changes without which the commit passes.
struct UndoneChanges {
    part: CausePart,
    /// The commit without them.
    left: Candidate,
}

impl AtCommit<'_> {
    /// Tests an answer at its commit unless the bad version passes without it, and replaces it by one that holds there, if there is one.
    /// That the version before the commit fails with it is known from the search.
    ///
    /// # Errors
    /// If the run is stopped, or something is wrong.
    pub(super) fn settle(&self, stages: &mut impl TreeStages, found: &mut FoundCause) -> Result<(), Halt> {
        let (Some(part), true) = (found.only_deciding().cloned(), self.is_possible(found)) else {
            return Ok(());
        };
        let part = &part;
        let undone = self.without(stages, part, &found.proof)?;
        found.at_commit = Some(match undone {
            Some(Outcome::Pass) => CommitCheck::Holds,
            Some(Outcome::Fail) => CommitCheck::Refuted,
            _ => CommitCheck::Unknown,
        });
        let is_refuted = undone == Some(Outcome::Fail);
        let is_judged = matches!(undone, Some(Outcome::Pass | Outcome::Fail));
        let is_torn = self.breaks_syntax(part) || !is_judged && self.leaves_incomplete(part);
        if is_torn && self.passes_without_hunks(stages, found)? {
            return self.take_hunks(stages, found);
        }
        if undone == Some(Outcome::Pass) || !is_refuted && self.fails_alone_with_details(found) {
            return Ok(());
        }
        stages.now(
            "the failure does not depend on the answer where it was found: looking for the changes it depends on",
        );
        let mut stages = LimitedStages::new(stages);
        if !self.0.plan.is_thorough {
            stages.limit(MOST_TESTS);
        }
        let is_unproved = !found.proof.fails_alone() && !found.proof.passes_without();
        let most = if is_unproved { FEW_HUNKS } else { 0 };
        let Some(others) = self.fewest_undone(&mut stages, part, most)? else {
            return match !is_refuted && self.is_of_its_own_kind(&mut stages, found)? {
                true => self.take_all(&mut stages, part, found),
                false => Ok(()),
            };
        };
        let is_among_them = self.is_undone_in(part, &others.left);
        let before = self.before_with(&mut stages, &others.part)?;
        // Half of a change can fail in its own way: with the call of a function that another hunk defines, for example.
        let before_fails = match self.0.pair.fails_like_bad {
            true => before.fails_exactly(),
            false => before.fails(),
        };
        if !before_fails && is_unproved && !is_refuted && self.take_both(&mut stages, &others, part, found)? {
            return Ok(());
        }
        // An answer that holds at the commit is better than one of which nothing is known elsewhere.
        let is_in_mix = self.0.narrowed.between.is_some();
        let is_proved = is_unproved && before_fails && (!is_in_mix || self.is_small(&others.part, part));
        // Nothing speaks against a small answer, and much more than it explains less.
        if !is_refuted && !is_proved && !self.is_small(&others.part, part) {
            found.at_commit =
                Some(if is_among_them { CommitCheck::HoldsWithOthers } else { CommitCheck::Unknown });
            return Ok(());
        }
        let is_needed_too = is_among_them && !is_refuted && !is_proved;
        if is_needed_too && !(before_fails && self.is_small(&others.part, part)) {
            found.at_commit = Some(CommitCheck::HoldsWithOthers);
            return Ok(());
        }
        let mut parts = vec![others.part];
        let mut check = CommitCheck::Holds;
        if !before_fails {
            match self.needed(&mut stages, &before, &parts[0])? {
                Some(needed) => parts.push(needed),
                None => check = CommitCheck::Decides,
            }
        }
        let alone = self.0.prover.alone(&mut stages, self.round(), &parts)?;
        let without = self.0.prover.without(&mut stages, self.round(), &parts)?;
        *found = FoundCause {
            parts,
            unit: Unit::Hunk,
            is_minimal: false,
            proof: CauseProof::of(alone, without),
            at_commit: Some(check),
            ..found.clone()
        };
        Ok(())
    }

    /// Whether a file no longer parses in the commit without a part. Then the part is no whole statement: it can be lines of several, which
    /// fail together by accident.
    fn breaks_syntax(&self, part: &CausePart) -> bool {
        let left = undo(part, &self.0.pair.high);
        left.is_ok_and(|left| worthless_file(&left, &self.0.prover.written()).is_some())
    }

    /// Whether a statement of the commit lacks its body without a part, or something else that it had.
    fn leaves_incomplete(&self, part: &CausePart) -> bool {
        let (Ok(left), before) = (undo(part, &self.0.pair.high), self.0.pair.high.tree()) else {
            return false;
        };
        left.mix.iter().any(|(path, mixed)| {
            let whole = before.get(path).and_then(|file| file.contents.read().ok());
            mixed.zip(whole).is_some_and(|(mixed, whole)| breaks_syntax(path, &whole, &mixed.bytes))
        })
    }

    /// Whether the commit passes without the whole hunks that the lines of an answer belong to.
    fn passes_without_hunks(&self, stages: &mut impl TreeStages, found: &FoundCause) -> Result<bool, Halt> {
        let (Some(hunks), Unit::Line) = (&self.0.narrowed.hunks, found.unit) else { return Ok(false) };
        let Some(part) = found.only_deciding().map(|part| of_hunks(part, hunks)) else { return Ok(false) };
        let left = undo(&part, &self.0.pair.high);
        Ok(self.0.prover.test(stages, self.round(), RoundStep::Reverted, left)?.is(Outcome::Pass))
    }

    /// Whether the good version fails with the answer alone, with the same message as the bad version.
    fn fails_alone_with_details(&self, found: &FoundCause) -> bool {
        found.proof.fails_alone()
            && !found.proof.differs
            && !self.0.plan.printed_when_failing().trim_ascii().is_empty()
    }

    /// Whether an answer fails neither like the bad version nor like its commit. A part of a function that was rewritten can fail in a way
    /// of its own.
    fn is_of_its_own_kind(&self, stages: &mut impl TreeStages, found: &FoundCause) -> Result<bool, Halt> {
        if !found.proof.fails_alone() || !found.proof.differs || found.proof.printed.is_empty() {
            return Ok(false);
        }
        let high = Ok(self.0.pair.high.clone());
        let whole = self.0.prover.test(stages, self.round(), RoundStep::Whole, high)?;
        Ok(whole.fails() && !are_alike(&whole.printed, &found.proof.printed))
    }

    /// Replaces an answer by all changes of its commit.
    fn take_all(
        &self,
        stages: &mut impl TreeStages,
        part: &CausePart,
        found: &mut FoundCause,
    ) -> Result<(), Halt> {
        let Some(all) = self.undone(part, self.0.pair.low.clone())? else { return Ok(()) };
        self.replace_by(stages, self.round(), vec![all.part], found)
    }

    /// Replaces an answer by hunks that hold at the commit, and proves them in the good and the bad version.
    fn replace_by(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        parts: Vec<CausePart>,
        found: &mut FoundCause,
    ) -> Result<(), Halt> {
        let alone = self.0.prover.alone(stages, round, &parts)?;
        let without = self.0.prover.without(stages, round, &parts)?;
        *found = FoundCause {
            parts,
            unit: Unit::Hunk,
            is_minimal: false,
            proof: CauseProof::of(alone, without),
            at_commit: Some(CommitCheck::Holds),
            ..found.clone()
        };
        Ok(())
    }

    /// Replaces an answer by what it has together with changes without which the commit passes, if both hold at the commit. One half can lack
    /// what the other half needs in order to build. Returns whether that is so.
    fn take_both<R: TreeStages>(
        &self,
        stages: &mut LimitedStages<'_, R>,
        others: &UndoneChanges,
        part: &CausePart,
        found: &mut FoundCause,
    ) -> Result<bool, Halt> {
        let Ok(left) = undo(part, &others.left) else { return Ok(false) };
        let Some(both) = self.undone(part, left)? else { return Ok(false) };
        let before = PatchSeries(vec![both.part.patch(false)]).apply_to(&self.0.pair.low);
        if both.left.is_same(&self.0.pair.low) || both.left.is_same(&others.left) {
            return Ok(false);
        }
        let round = self.needed_round();
        let passes = self.0.prover.test(stages, round, RoundStep::Reverted, Ok(both.left))?.is(Outcome::Pass);
        if !passes || !self.0.prover.test(stages, round, RoundStep::Reapplied, before)?.fails() {
            return Ok(false);
        }
        self.replace_by(stages, round, vec![both.part], found)?;
        Ok(true)
    }

    /// Replaces lines by the whole hunks that they belong to. Without these, the commit was seen to pass.
    fn take_hunks(&self, stages: &mut impl TreeStages, found: &mut FoundCause) -> Result<(), Halt> {
        let narrowed = self.0.narrowed;
        let hunks = narrowed.hunks.as_deref().unwrap_or(narrowed);
        let parts: Vec<CausePart> = found.parts.iter().map(|part| of_hunks(part, hunks)).collect();
        self.replace_by(stages, self.round(), parts, found)?;
        found.is_minimal = hunks.is_minimal;
        Ok(())
    }

    fn is_possible(&self, found: &FoundCause) -> bool {
        let is_of =
            |narrowed: &NarrowedChanges, part: &CausePart| Arc::ptr_eq(&part.changes, &narrowed.changes);
        let is_narrowed = |part: &CausePart| {
            is_of(self.0.narrowed, part)
                || self.0.narrowed.hunks.as_ref().is_some_and(|hunks| is_of(hunks, part))
        };
        let mut deciding = found.parts.iter().filter(|part| !part.is_needed_only);
        let is_of_commit = deciding.all(is_narrowed)
            && (self.0.pair.commit.is_some()
                || self.0.pair.suspects.len() > 1
                || self.0.narrowed.between.is_some());
        // The search for all causes finds the others one by one.
        let is_followed = self.0.plan.all && found.proof.still_fails();
        is_of_commit
            && !found.proof.passes_without()
            && !is_followed
            && self.0.plan.algorithm.is_none()
            && !self.0.plan.is_filtered
            && self.0.plan.varied_tests.is_none()
    }

    fn round(&self) -> Round {
        Round { leg: Some(Leg { way: Way::Undone, number: self.0.cause + 1 }), ..Round::default() }
    }

    fn needed_round(&self) -> Round {
        Round { leg: Some(Leg { way: Way::Needed, number: self.0.cause + 1 }), ..Round::default() }
    }

    /// How the commit ends without a part.
    fn without(
        &self,
        stages: &mut impl TreeStages,
        part: &CausePart,
        proof: &CauseProof,
    ) -> Result<Option<Outcome>, Halt> {
        if self.0.pair.high.content() == self.0.prover.versions.bad.content() {
            return Ok(proof.without.as_ref().and_then(|seen| seen.outcome()));
        }
        let version = undo(part, &self.0.pair.high);
        let round = Round { cause: self.0.cause, ..Round::default() };
        let tested = self.0.prover.test(stages, round, RoundStep::Reverted, version)?;
        Ok(tested.outcome.and_then(|seen| seen.outcome()))
    }

    /// How the version before the commit ends with a part.
    fn before_with(&self, stages: &mut impl TreeStages, part: &CausePart) -> Result<ProofTest, Halt> {
        let version = PatchSeries(vec![part.patch(false)]).apply_to(&self.0.pair.low);
        self.0.prover.test(stages, self.round(), RoundStep::Reapplied, version)
    }

    /// The fewest other changes of the commit with which the version before it fails, if a part alone does not make it fail.
    fn needed<R: TreeStages>(
        &self,
        stages: &mut LimitedStages<'_, R>,
        before: &ProofTest,
        part: &CausePart,
    ) -> Result<Option<CausePart>, Halt> {
        let Some(low) = before.candidate.clone() else { return Ok(None) };
        let pair = VersionPair { low, ..self.0.pair.clone() };
        let hunks = HunkSearch::of(self.0.prover.versions, self.0.plan);
        let search = HunkSearch { sought: Some(Outcome::Fail), ..hunks };
        let round = self.needed_round();
        let was_exact = stages.count_only_exact(true);
        stages.count_only_exact(was_exact || self.0.pair.fails_like_bad);
        let found = search.fewest(stages, round, &pair, false);
        stages.count_only_exact(was_exact);
        let found = match found {
            Ok(found) => found,
            Err(Halt::Stopped { .. }) if stages.is_cut() => None,
            Err(halt) => return Err(halt.keeping(())),
        };
        Ok(found.map(|NarrowedChanges { changes, chosen, .. }| {
            let is_needed_only = before.is_unresolved();
            CausePart { changes, chosen, is_needed_only, forms: None, ..part.clone() }
        }))
    }

    /// The fewest hunks without which the commit passes, as far as `MOST_TESTS` tests find them. All of its hunks are an answer only if
    /// there are at most so many.
    fn fewest_undone<R: TreeStages>(
        &self,
        stages: &mut LimitedStages<'_, R>,
        like: &CausePart,
        most_if_all: usize,
    ) -> Result<Option<UndoneChanges>, Halt> {
        let reversed = VersionPair {
            low: self.0.pair.high.clone(),
            low_commit: self.0.pair.commit.clone(),
            high: self.0.pair.low.clone(),
            commit: self.0.pair.low_commit.clone(),
            suspects: Vec::new(),
            merged: Vec::new(),
            fails_like_bad: false,
        };
        let hunks = HunkSearch::of(self.0.prover.versions, self.0.plan);
        let search = HunkSearch { sought: Some(Outcome::Pass), first: self.in_reverse(&reversed)?, ..hunks };
        let found = match search.fewest(stages, self.round(), &reversed, false) {
            Ok(found) => found,
            Err(Halt::Stopped { best, .. }) if stages.is_cut() => best,
            Err(halt) => return Err(halt.keeping(())),
        };
        // All changes of a commit explain nothing, unless they are few.
        let is_answer = |found: &NarrowedChanges| {
            found.chosen.len() < found.changes.len() as usize || found.chosen.len() <= most_if_all
        };
        let Some(mut found) = found.filter(is_answer) else { return Ok(None) };
        found.chosen = search.without_superfluous(stages, self.round(), &self.0.pair.high, &found)?;
        Ok(self.undone(like, found.on(&self.0.pair.high).version(&found.chosen))?)
    }

    /// The hunks that were found first, among the changes that lead back from the commit. `None` if they are cut differently there.
    fn in_reverse(&self, reversed: &VersionPair) -> Result<Option<Configuration>, Problem> {
        let hunks = self.0.narrowed.hunks.as_deref().unwrap_or(self.0.narrowed);
        let back = ChangeSet::between(&reversed.low.tree(), &reversed.high.tree()).map_err(unreadable)?;
        let is_same =
            hunks.unit == Unit::Hunk && hunks.context.is_none() && back.len() == hunks.changes.len();
        Ok(is_same.then(|| hunks.chosen.clone()))
    }

    /// What leads from a version to the commit, as a part.
    fn undone(&self, like: &CausePart, left: Candidate) -> Result<Option<UndoneChanges>, Problem> {
        let changes = ChangeSet::between(&left.tree(), &self.0.pair.high.tree()).map_err(unreadable)?;
        if changes.is_empty() {
            return Ok(None);
        }
        let (chosen, changes) = (changes.all(), Arc::new(changes));
        Ok(Some(UndoneChanges { part: CausePart { changes, chosen, forms: None, ..like.clone() }, left }))
    }

    /// Whether undoing a part changes nothing in a version.
    fn is_undone_in(&self, part: &CausePart, version: &Candidate) -> bool {
        undo(part, version).is_ok_and(|left| left.is_same(version))
    }

    fn is_small(&self, part: &CausePart, than: &CausePart) -> bool {
        let [own, other] = [part, than].map(|part| line_count(&part.changes, &part.chosen));
        own <= FEW_LINES.max(TIMES * other)
    }
}

/// The whole hunks that were found to make the difference, instead of lines of them. What is only needed stays as it is.
fn of_hunks(part: &CausePart, hunks: &NarrowedChanges) -> CausePart {
    if part.is_needed_only {
        return part.clone();
    }
    let (changes, chosen) = (Arc::clone(&hunks.changes), hunks.chosen.clone());
    CausePart { changes, chosen, forms: None, ..part.clone() }
}

/// Whether two tests print the same. Numbers can differ from run to run.
fn are_alike(one: &[u8], other: &[u8]) -> bool {
    let text = |bytes: &[u8]| {
        let mut text: Vec<u8> =
            bytes.iter().map(|byte| if byte.is_ascii_digit() { b'0' } else { *byte }).collect();
        text.dedup_by(|next, last| *next == b'0' && *last == b'0');
        text
    };
    text(one) == text(other)
}

fn undo(part: &CausePart, version: &Candidate) -> Result<Candidate, Because> {
    PatchSeries(vec![part.patch(true)]).apply_to(version)
}
