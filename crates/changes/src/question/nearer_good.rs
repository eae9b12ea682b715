//! A good version that the user did not name: the newest one that is found to pass with the test of the bad version.
//!
//! Old versions often cannot run a test that was written later, so they neither pass nor fail. Between them and the versions that
//! fail there are mostly versions that pass.

use super::held_parts::HeldParts;
use super::request::ChangesRequest;
use crate::candidates::candidate::Candidate;
use crate::candidates::space::Space;
use crate::candidates::tree_test::{Recipe, TreeTest};
use crate::candidates::version_space::VersionSpace;
use crate::test_code::other_tests::other_tests;
use crate::versions::compared::ComparedVersions;
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Configuration, Outcome};
use howcome_lab::inquiry::{BaselineTerms, Session, explain_no_verdict};
use howcome_lab::runners::{PrintedText, TestReport, read_report};
use howcome_lab::{Baseline, Execution, JudgingTerms, Lab, LookError, Oracle, Prepare};
use howcome_run::{Halt, Problem, ProblemKind, Stop};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Arc;

/// The most versions that are tested. Halving finds the place among thousands with this many.
const MOST: usize = 14;

/// Looks for versions that pass.
pub(super) struct GoodVersionSearch<'a> {
    pub(super) request: &'a ChangesRequest,
    /// The versions, with everything held.
    pub(super) versions: &'a ComparedVersions,
    pub(super) recipe: &'a Arc<Recipe>,
    pub(super) terms: &'a BaselineTerms,
    /// Whether the good version neither passes nor fails with the test of the bad version.
    pub(super) is_good_unresolved: Cell<bool>,
    /// The tests that fail in the bad version, if they are known by name.
    pub(super) failing_tests: RefCell<Vec<String>>,
}

impl GoodVersionSearch<'_> {
    /// What is held if a version between good and bad that passes is the good version, if one is found.
    ///
    /// # Errors
    /// If the user wants to stop, or the test cannot be run.
    pub(super) fn run(&self, session: &Session, lab: &mut dyn Lab) -> Result<Option<HeldParts>, Halt> {
        let Some(between) = self.versions.between.as_ref() else { return Ok(None) };
        let line = between.range.revisions.first_parents();
        let mut commits: Vec<RevisionId> = line.iter().map(|revision| revision.id.clone()).collect();
        if !between.ends_uncommitted {
            // The last one is the bad version itself.
            commits.pop();
        }
        if self.request.finds_good {
            // The first commit, from which the range begins.
            commits.splice(0..0, self.versions.good_commit.clone());
        }
        if commits.is_empty() {
            return Ok(None);
        }
        session.listener.now("looking for a version that passes with the test of the bad version");
        let bad = (&self.versions.bad, self.versions.bad_commit.clone());
        let Some(failing) = self.look(session, lab, bad)? else { return Ok(None) };
        if let Some(needed) = self.terms.needs_folder(&failing) {
            return Err(needed.refuse(&failing));
        }
        let sides = self.request.side_words(&HeldParts::ALL);
        let judging = JudgingTerms { sides, ..self.terms.judging.clone() };
        let baseline = match Baseline::of_failing(&judging, &failing) {
            Ok(baseline) => baseline,
            Err(refusal) if self.request.finds_good => {
                let why = refusal.to_string();
                let problem = Problem::new(why.clone()).of_kind(ProblemKind::NothingToExplain);
                let problem = refusal.hint().map_or(problem.clone(), |hint| problem.hint(hint));
                return Err(Halt::Refused { problem, why });
            }
            Err(_) => return Ok(None),
        };
        let report = read_report(&PrintedText::of(&failing));
        self.failing_tests
            .replace(report.iter().flat_map(TestReport::failures).map(|(name, _)| name.to_owned()).collect());
        let good = (&self.versions.good, self.versions.good_commit.clone());
        if !self.request.finds_good {
            let good = self.look(session, lab, good)?;
            let outcome = good.map_or(Outcome::Unresolved, |good| baseline.judge.judge(&good).outcome);
            self.is_good_unresolved.set(outcome == Outcome::Unresolved);
            if outcome == Outcome::Fail {
                // The same failure was there before.
                return Ok(None);
            }
        }
        let mut outcome = |index: usize| -> Result<Outcome, Halt> {
            let Ok(base) = self.versions.source.tree(&commits[index]) else { return Ok(Outcome::Unresolved) };
            let version = (&Candidate::of(base), Some(commits[index].clone()));
            let seen = self.look(session, lab, version)?;
            Ok(seen.map_or(Outcome::Unresolved, |seen| baseline.judge.judge(&seen).outcome))
        };
        let found = match self.request.finds_good {
            true => stride_back(commits.len(), &mut outcome)?,
            false => halve(0..commits.len(), &mut outcome)?,
        };
        Ok(found.map(|index| HeldParts { good: Some(commits[index].to_string()), ..HeldParts::ALL }))
    }

    /// What is held if the good version cannot run the tests because of test files that have nothing to do with the failure.
    pub(super) fn without_other_tests(&self) -> Option<HeldParts> {
        let held = self.request.held_tests();
        let bad = self.versions.bad.base.tree();
        let left_out = other_tests(&self.failing_tests.borrow(), held.paths(), bad);
        let is_of_use = self.is_good_unresolved.get() && !left_out.is_empty();
        is_of_use.then_some(HeldParts { left_out, ..HeldParts::ALL })
    }

    /// Tests a version once. `None` if it cannot be tested.
    fn look(
        &self,
        session: &Session,
        lab: &mut dyn Lab,
        (version, commit): (&Candidate, Option<RevisionId>),
    ) -> Result<Option<Execution>, Halt> {
        // Each execution is judged before the next one.
        lab.release_workspaces();
        let candidates = vec![(String::new(), version.clone(), commit)];
        let space: Arc<dyn Space> = Arc::new(VersionSpace::of(candidates));
        let subject: Arc<dyn Prepare> = Arc::new(TreeTest::new(&space, self.recipe));
        match lab.look(&subject, &Configuration::empty()) {
            Ok(seen) => Ok(Some(seen)),
            Err(LookError::Because(because)) if because.is_no_verdict() => {
                Err(explain_no_verdict(&because).into())
            }
            Err(LookError::Because(_)) => Ok(None),
            Err(LookError::Interrupted) if session.is_new() => Err(Stop::Interrupted.into()),
            Err(LookError::Interrupted) => {
                let problem = Problem::new("interrupted before the search continued");
                Err(problem.of_kind(ProblemKind::Stopped).into())
            }
        }
    }
}

/// Halves a range of versions, the oldest first, until one passes. Versions before the range cannot be judged, those after it fail.
fn halve(
    mut range: Range<usize>,
    outcome: &mut impl FnMut(usize) -> Result<Outcome, Halt>,
) -> Result<Option<usize>, Halt> {
    for _ in 0..MOST {
        if range.is_empty() {
            break;
        }
        let middle = range.start + range.len() / 2;
        match outcome(middle)? {
            Outcome::Pass => return Ok(Some(middle)),
            Outcome::Fail => range.end = middle,
            Outcome::Unresolved => range.start = middle + 1,
        }
    }
    Ok(None)
}

/// Goes back from the newest of some versions in strides that double, until one passes. If one cannot be judged, the versions after
/// it are halved.
fn stride_back(
    count: usize,
    outcome: &mut impl FnMut(usize) -> Result<Outcome, Halt>,
) -> Result<Option<usize>, Halt> {
    let (mut fails_from, mut stride) = (count, 1);
    for _ in 0..MOST {
        if fails_from == 0 {
            break;
        }
        let index = count.saturating_sub(stride);
        match outcome(index)? {
            Outcome::Pass => return Ok(Some(index)),
            Outcome::Fail => (fails_from, stride) = (index, stride * 2),
            Outcome::Unresolved => return halve(index + 1..fails_from, outcome),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Versions, the oldest first: `?` cannot be judged, `.` passes, `x` fails. Returns the one that is found, and the tests.
    fn search(
        versions: &str,
        way: impl Fn(usize, &mut dyn FnMut(usize) -> Result<Outcome, Halt>) -> Result<Option<usize>, Halt>,
    ) -> (Option<usize>, usize) {
        let mut tests = 0;
        let mut outcome = |index: usize| {
            tests += 1;
            Ok(match versions.as_bytes()[index] {
                b'.' => Outcome::Pass,
                b'x' => Outcome::Fail,
                _ => Outcome::Unresolved,
            })
        };
        let found = way(versions.len(), &mut outcome).unwrap();
        (found, tests)
    }

    #[test]
    fn versions_that_pass_are_found_between_those_that_cannot_be_judged_and_those_that_fail() {
        let halve = |versions| search(versions, |count, mut outcome| halve(0..count, &mut outcome));
        assert_eq!(halve("????..xx"), (Some(4), 1));
        assert_eq!(halve("?.xxxxxx"), (Some(1), 3));
        assert_eq!(halve("???xxxxx").0, None);
        assert_eq!(halve(""), (None, 0));
    }

    #[test]
    fn strides_back_double() {
        let stride = |versions| search(versions, |count, mut outcome| stride_back(count, &mut outcome));
        assert_eq!(stride("........xx"), (Some(6), 3));
        assert_eq!(stride("?????.xxxx").0, Some(5));
        assert_eq!(stride("xxxxxxxxxx"), (None, 5));
        assert_eq!(stride(".xxxxxxxxx"), (Some(0), 5));
        assert_eq!(stride("").0, None);
    }
}
