//! How the question ends, and what is recorded of it.

use super::doctest::adds_failing_example;
use super::finding_builder::{FindingBuilder, FindingWithPatches, numbered};
use crate::search::cause::{CausesFound, CausesSoFar, ClosestVersions};
use crate::search::found_cause::{CompanySearch, FixedCause, FoundCause};
use crate::search::proof::ProofOutcome;
use howcome_dd::Outcome;
use howcome_lab::inquiry::{Concluded, Session};
use howcome_run::{
    CommitCheck, Conclusion, Ending, FileReplacement, Halt, Minimal, Problem, Unit, Verified, plain_error,
};
use std::path::Path;

/// Warns of proofs that could not be made. The answer is still right where it was found.
pub(super) fn warn_about_proofs(session: &mut Session, causes: &[FoundCause]) -> Result<(), Problem> {
    for cause in causes {
        for FixedCause { commit, by } in &cause.fixed {
            let (commit, by) = (commit.short(), by.short());
            session.warn(&format!(
                "commit {commit} broke the test before, and it was fixed after that: {by} passes; \
                 the answer is what broke it after {by}"
            ))?;
        }
        if let Some(by) = &cause.changed_by {
            let by = by.short();
            session.warn(&format!(
                "the bad version no longer has these lines: {by} changed them, and fails too"
            ))?;
        }
        let why = match cause.company {
            CompanySearch::Complete => continue,
            CompanySearch::Skipped => {
                "was not looked for, because the bad version does not pass without it".to_owned()
            }
            CompanySearch::EndedAfter(tests) => {
                format!("was looked for with {tests} tests and not found; --thorough goes on")
            }
        };
        if !cause.proof.fails_alone() {
            session.warn(&format!(
                "the good version does not fail with the change alone; what else it needs {why}"
            ))?;
        }
    }
    let proofs = causes.iter().map(|cause| &cause.proof);
    for (seen, what) in proofs
        .flat_map(|proof| [(&proof.alone, "applied to the good"), (&proof.without, "removed from the bad")])
    {
        if let Some(ProofOutcome::DidNotApply(why)) = seen {
            session.warn(&format!("the change could not be {what} version to confirm it there: {why}"))?;
        }
    }
    Ok(())
}

/// How a search for causes has ended, and the finding with its patches.
///
/// # Errors
/// If the search did not end by finding something or by being stopped.
pub fn conclude(
    builder: &FindingBuilder<'_>,
    ended: Result<CausesFound, Halt<CausesSoFar>>,
) -> Result<(Concluded, Option<FindingWithPatches>), Halt> {
    match ended {
        Ok(CausesFound::Causes(causes)) => Ok(conclude_causes(builder, &causes)),
        Ok(CausesFound::Undecided(pair)) => {
            let written = builder.closest(&ClosestVersions { pair: *pair, changes: None });
            let conclusion = unchecked(&written, Unit::Commit);
            let why = "nothing between the last version that passes and the first that fails could be judged";
            let concluded = Concluded::new(Ending::Undecided, Some(conclusion)).because(why);
            Ok((concluded, Some(written)))
        }
        Ok(CausesFound::OnlyTests(pair)) => {
            let written = builder.closest(&ClosestVersions { pair: *pair, changes: None });
            let conclusion = unchecked(&written, Unit::Commit);
            let why = "only a change of the test itself makes the difference: with the test of the bad version, older versions fail or cannot run it, and with their own they pass; --vary-tests finds that change";
            let concluded = Concluded::new(Ending::Undecided, Some(conclusion)).because(why);
            Ok((concluded, Some(written)))
        }
        Err(Halt::Stopped { why, best: CausesSoFar { found, closest } }) => {
            let written = builder.causes(&found).or_else(|| closest.map(|closest| builder.closest(&closest)));
            let conclusion = written.as_ref().map(|written| unchecked(written, Unit::Hunk));
            Ok((Concluded::stopped(why, conclusion), written))
        }
        Err(halt) => Err(halt.keeping(())),
    }
}

fn conclude_causes(
    builder: &FindingBuilder<'_>,
    causes: &[FoundCause],
) -> (Concluded, Option<FindingWithPatches>) {
    let (Some(written), Some(first)) = (builder.causes(causes), causes.first()) else {
        return (Concluded::new(Ending::Undecided, None), None);
    };
    let verified = Verified {
        alone_fails: first.proof.alone.as_ref().and_then(|seen| seen.is(Outcome::Fail)),
        without_passes: first.proof.without.as_ref().and_then(|seen| seen.is(Outcome::Pass)),
    };
    let ended_after = first.limit.filter(|_| !first.is_minimal).map(Into::into);
    let minimal = Minimal { ended_after, ..Minimal::new(first.unit, first.is_minimal) };
    let conclusion = Conclusion { finding: written.recorded(), minimal, verified, confidence: None };
    // A version with its own test can pass because it does not test enough.
    let is_refuted_by_tests = !first.proof.holds_without();
    let has_no_change = first.parts.iter().all(|part| part.is_needed_only);
    if builder.is_test_varied && (is_refuted_by_tests || has_no_change) {
        let concluded = Concluded::new(Ending::Undecided, Some(conclusion)).because(VARIED);
        return (concluded, Some(written));
    }
    if !builder.fix && adds_failing_example(&first.parts, builder.printed) {
        let concluded = Concluded::new(Ending::Undecided, Some(conclusion)).because(DOCTEST);
        return (concluded, Some(written));
    }
    if written.finding.changes.is_empty() {
        return (Concluded::new(Ending::Undecided, Some(conclusion)).because(NOT_APPLICABLE), Some(written));
    }
    let passes_without = verified.without_passes == Some(true);
    if first.limit.is_some()
        && written.finding.commit.is_none()
        && written.finding.hunks > MOST_HUNKS_TO_ANSWER
    {
        return (Concluded::new(Ending::Undecided, Some(conclusion)).because(TOO_MANY), Some(written));
    }
    let is_of_commit = !first.suspects.is_empty() || first.parts.iter().any(|part| part.commit.is_some());
    if first.at_commit == Some(CommitCheck::Refuted) && !passes_without {
        let why = if is_of_commit { NOT_AT_COMMIT } else { NOT_IN_MIX };
        return (Concluded::new(Ending::Undecided, Some(conclusion)).because(why), Some(written));
    }
    let holds_at_commit = first.at_commit == Some(CommitCheck::Holds) && !first.in_mix;
    // Then the bad version fails for another reason.
    let is_gone = first.changed_by.is_some() && first.proof.still_fails();
    // If both proofs were judged and neither holds, folders in which earlier tests ran behaved differently from clean folders.
    let is_refuted = first.proof.is_refuted();
    // Parts that fail only together have to be seen to fail together, as those that hold at their commit were.
    let is_single = first.parts.iter().filter(|part| !part.is_needed_only).count() < 2;
    let is_confirmed =
        verified.alone_fails == Some(true) || is_single && passes_without || holds_at_commit && !is_gone;
    let concluded = match (is_confirmed, is_refuted) {
        (true, _) => Concluded::new(Ending::Found, Some(conclusion)),
        (false, _) if holds_at_commit => {
            let why = if is_of_commit { ONLY_AT_COMMIT } else { ONLY_IN_MIX };
            Concluded::new(Ending::Undecided, Some(conclusion)).because(why)
        }
        // In a mix, the changes were seen to make the difference. Without the rest of the mix, they cannot be judged.
        (false, _) if first.at_commit.is_some() && (!is_of_commit || first.in_mix) => {
            Concluded::new(Ending::Undecided, Some(conclusion)).because(NOT_WITHOUT_MIX)
        }
        (false, true) => Concluded::new(Ending::Flaky, Some(conclusion)).because(REFUTED),
        (false, false) if verified == Verified::default() => {
            Concluded::new(Ending::Undecided, Some(conclusion)).because(NOT_APPLICABLE)
        }
        (false, false) => Concluded::new(Ending::Undecided, Some(conclusion)).because(NOT_CONFIRMED),
    };
    (concluded, Some(written))
}

/// A conclusion of which nothing was checked.
fn unchecked(written: &FindingWithPatches, of: Unit) -> Conclusion {
    Conclusion {
        finding: written.recorded(),
        minimal: Minimal::new(of, false),
        verified: Verified::default(),
        confidence: None,
    }
}

/// Writes the patch of each cause. A file that cannot be written is a warning.
pub(super) fn write_patches(
    session: &mut Session,
    path: Option<&Path>,
    patches: &[Vec<u8>],
) -> Result<(), Problem> {
    let Some(path) = path else { return Ok(()) };
    for (cause, patch) in patches.iter().enumerate() {
        let path = numbered(path, cause);
        if let Err(error) = FileReplacement::at_users_path(&path).write_bytes(patch) {
            session.warn(&format!("{} could not be written: {}", path.display(), plain_error(&error)))?;
        }
    }
    Ok(())
}

/// More changes between two releases, of which no fewer could be judged, are not an answer.
const MOST_HUNKS_TO_ANSWER: u64 = 100;
const TOO_MANY: &str = "these changes together make the test fail, but the search for fewer of them ended: most mixes of the two versions cannot be \
    judged; versions that are closer to each other, or the history of the project (`git clone`), take fewer tests";

/// Why an answer that was found with varied tests is not an answer.
const VARIED: &str = "older versions cannot run the test of the bad version; with their own tests they pass, but the changes \
    that were found that way do not explain the failure: without them, the bad version still fails or cannot be judged";

/// Why an answer that adds a test is not an answer.
const DOCTEST: &str = "the changes that were found add the example that fails (a doctest), so older versions pass because they lack it; \
    write the example into a test file, and ask again with that test";

/// Why an answer that can be undone in its commit without effect is not an answer.
const NOT_AT_COMMIT: &str = "the commit is the first that fails, but these changes do not explain it: the version before the commit fails with \
    them, and the commit without them still fails; other changes of the commit make it fail too";

/// Why an answer that holds only at its commit is not an answer.
const ONLY_AT_COMMIT: &str = "these changes broke the test at their commit, but the bad version still fails without them, for another reason; \
    to look for it, use --all, or a good version after that commit";

/// The same for answers between two versions without commits.
const NOT_IN_MIX: &str = "these changes do not explain the failure: a mix of both versions that passes fails with them, but one that fails still \
    fails without them; other changes make it fail too";
const ONLY_IN_MIX: &str = "these changes decide in a mix of both versions, but the bad version still fails without them, for another reason; to look \
    for it, use --all";

const NOT_WITHOUT_MIX: &str = "these changes decide in a mix of two versions, and could not be confirmed outside of it: the good version was not \
    seen to fail with them alone, and the bad version was not seen to pass without them";

/// Why an answer that neither proof confirms is not an answer.
const REFUTED: &str = "re-tested from a clean checkout, the good version with it does not fail and the bad version without it does not pass; \
    if the test or the build leaves files behind that change the next test, remove them with --clean CMD; if tests disturb each other, \
    for example because they use the same port or file, run one at a time with -j 1";

/// Why an answer that could not be re-tested on either side is not an answer.
const NOT_APPLICABLE: &str = "the changes that were found make the difference between two versions, but could not be confirmed: they can \
    neither be added to the good version nor removed from the bad version";

/// Why an answer that no proof confirms is not an answer.
const NOT_CONFIRMED: &str = "the changes that were found could not be confirmed, neither by adding them to the good version nor by removing them \
    from the bad version; if tests disturb each other, for example because they use the same port or file, run one at a time with -j 1; \
    if the test does not always end in the same way, use --flaky";
