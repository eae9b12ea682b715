//! What speaks against an answer. An answer that is not proved becomes undecided.

use super::silent_test::Silence;
use howcome_lab::inquiry::Concluded;
use howcome_run::words::count;
use howcome_run::{CommitCheck, Ending, Finding, QuestionName, Tally, Verified};

/// What is known about an answer besides the finding.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    /// Why the test says nothing about the revisions.
    pub(super) says_nothing: Option<String>,
    /// A file of the test that older revisions have in another form.
    pub(super) changed_test: Option<String>,
    /// An error that the oldest revision reports, and the newest one does not.
    pub(super) other_error: Option<String>,
    /// Why the test fails in older revisions whatever is wrong there.
    pub(super) other_reason: Option<String>,
    pub(super) has_timed_out: bool,
    /// Whether nothing is known of older revisions.
    pub(super) has_unknown_older: bool,
    /// Whether the user asked about two versions, and knows that one of them passes.
    pub(super) is_asked_for_changes: bool,
    /// Whether the versions that pass were made of parts of others.
    pub(super) is_made_of_parts: bool,
    /// Whether the test fails in the same way in revisions that lack what it tests.
    pub(super) tells_nothing_apart: bool,
    /// Whether the test does not say why it fails, and the user does not, either.
    pub(super) silence: Option<Silence>,
    pub(super) is_flaky: bool,
    /// The runs of the oldest revision that fails, if the test is flaky.
    pub(super) oldest_runs: Option<Tally>,
}

/// Why it is no answer to a question about a good version that the test fails wherever it can be run.
const NO_ANSWER: &str =
    "it fails in every revision in which the test can be run; the cause can be among the back-ported changes";

/// Why nothing is claimed about revisions whose test took too long.
const TIMED_OUT: &str = "it fails in every revision that could be judged, but in some of them the test timed out; give it more time with --timeout";

impl Doubts {
    /// The conclusion, undecided if one of the doubts speaks against it.
    pub(super) fn weigh(self, concluded: Concluded) -> Concluded {
        // If the test does not even read what differs, it does not matter what it prints.
        let silence = self.silence.filter(|_| self.says_nothing.is_none());
        let why = match concluded.ending {
            Ending::NeverWorked => self.against_never_worked(),
            Ending::Found => self.against(&concluded),
            Ending::Undecided => concluded.why.clone(),
            _ => None,
        };
        match (why, silence) {
            (Some(why), Some(silence)) => {
                let why = format!("{why}; {}", silence.in_words());
                Concluded { ending: Ending::Undecided, ..concluded }.because(why)
            }
            (Some(why), None) => Concluded { ending: Ending::Undecided, ..concluded }.because(why),
            (None, _) => concluded,
        }
    }

    fn against_never_worked(self) -> Option<String> {
        let another_error = |error| {
            format!(
                "the oldest revision ends in the same way, but reports another error ({error}); say what the failure is with --fails-when, \
                 or --any-message if it does not matter what is printed"
            )
        };
        let another_test = |file| {
            format!(
                "it fails in every revision that was tested with the present test, but older revisions have another {file}, with which \
                 they might pass; --vary-tests gives each revision its own test"
            )
        };
        // Nobody knows how often a revision fails that would be a pass.
        let close_rates = |runs: Tally| {
            let (fails, all) = (runs.fail, count(runs.runs().into(), "run"));
            format!(
                "it fails in every revision that was tested (the oldest one in {fails} of {all}), but a revision that fails more than about a \
                 quarter as often as the newest one counts as failing; compare two revisions that can run the test with howcome changes --flaky"
            )
        };
        let is_unknown = self.is_asked_for_changes || self.has_unknown_older;
        self.says_nothing
            .or_else(|| self.changed_test.map(another_test))
            .or_else(|| self.other_error.map(another_error))
            .or(self.other_reason)
            .or_else(|| self.has_timed_out.then(|| TIMED_OUT.to_owned()))
            .or_else(|| is_unknown.then(|| NO_ANSWER.to_owned()))
            .or_else(|| self.oldest_runs.map(close_rates))
    }

    fn against(&self, concluded: &Concluded) -> Option<String> {
        let needs_both = self.is_asked_for_changes || self.is_made_of_parts || self.tells_nothing_apart;
        if needs_both && !is_proved(concluded) {
            return Some(NOT_PROVED.to_owned());
        }
        if !self.is_flaky && !is_added(concluded) {
            return Some(NOT_ADDED.to_owned());
        }
        (!self.is_flaky && !is_removed(concluded, self.silence.is_some())).then(|| NOT_REMOVED.to_owned())
    }
}

/// Why a cause that is not proved on the versions that the user named is not an answer.
const NOT_PROVED: &str = "a version was made that can run the test and passes, but the changes that were found with it do not explain \
    the failure: it does not fail with them, or the bad version does not pass without them";

/// Whether the version that passes fails with the cause, and the newest revision passes without it.
fn is_proved(concluded: &Concluded) -> bool {
    let Some(conclusion) = &concluded.conclusion else { return false };
    let is_fixed = match conclusion.finding.read(QuestionName::History) {
        Some(Finding::History(finding)) => finding.forward.is_some(),
        _ => false,
    };
    let both = Verified { alone_fails: Some(true), without_passes: Some(true) };
    conclusion.verified == both && is_fixed
}

/// Why changes with which a patched revision does not fail are not an answer.
const NOT_ADDED: &str = "the revision that passes with the patch does not fail in the same way with the changes that were found, so they are \
    not the cause, or not all of it";

/// Whether the revision that passes fails with the cause. Revisions without a patch that are next to each other need no such proof.
fn is_added(concluded: &Concluded) -> bool {
    let Some(conclusion) = &concluded.conclusion else { return false };
    let Some(Finding::History(finding)) = conclusion.finding.read(QuestionName::History) else {
        return false;
    };
    finding.patches.is_empty() || conclusion.verified.alone_fails == Some(true)
}

/// Why changes that nothing passes without are not an answer.
const NOT_REMOVED: &str = "the changes make the test fail, but no version was found that passes without them, so they need not be the cause";

/// Whether a version that fails passes without the cause: the revision with the patch, the commit, or the newest revision with a fix.
fn is_removed(concluded: &Concluded, is_silent: bool) -> bool {
    let Some(conclusion) = &concluded.conclusion else { return false };
    let Some(Finding::History(finding)) = conclusion.finding.read(QuestionName::History) else {
        return false;
    };
    // Two revisions as they are, next to each other, are proof enough that the newer one has the cause, unless the test fails whatever is
    // wrong.
    let is_unpatched = finding.patches.is_empty() && !is_silent;
    let check = finding.cause.as_ref().and_then(|cause| cause.at_commit);
    let passes =
        matches!(check, Some(CommitCheck::Holds | CommitCheck::Decides | CommitCheck::HoldsWithOthers));
    is_unpatched || passes || finding.forward.is_some() || conclusion.verified.without_passes == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_run::{Conclusion, HistoryFinding, Minimal, PatchMade, Unit};

    #[test]
    fn changes_with_which_a_patched_revision_does_not_fail_are_not_the_cause() {
        let ending = |is_patched: bool, alone_fails: Option<bool>| {
            let patches = if is_patched { vec![PatchMade::default()] } else { Vec::new() };
            let forward = Some("a patch".to_owned());
            let finding = HistoryFinding { patches, forward, ..HistoryFinding::default() };
            let conclusion = Conclusion {
                finding: Finding::History(Box::new(finding)).into(),
                minimal: Minimal::new(Unit::Line, true),
                verified: Verified { alone_fails, without_passes: Some(true) },
                confidence: None,
            };
            Doubts::default().weigh(Concluded::new(Ending::Found, Some(conclusion))).ending
        };
        assert_eq!(ending(true, Some(true)), Ending::Found);
        assert_eq!(ending(true, None), Ending::Undecided);
        assert_eq!(ending(true, Some(false)), Ending::Undecided);
        assert_eq!(ending(false, None), Ending::Found);
    }

    #[test]
    fn a_silent_test_has_to_pass_without_the_cause() {
        let ending = |silence: Option<Silence>, without_passes: Option<bool>| {
            let conclusion = Conclusion {
                finding: Finding::History(Box::default()).into(),
                minimal: Minimal::new(Unit::Line, true),
                verified: Verified { alone_fails: Some(true), without_passes },
                confidence: None,
            };
            let doubts = Doubts { silence, ..Doubts::default() };
            doubts.weigh(Concluded::new(Ending::Found, Some(conclusion))).ending
        };
        assert_eq!(ending(None, None), Ending::Found);
        assert_eq!(ending(Some(Silence::Nothing), None), Ending::Undecided);
        assert_eq!(ending(Some(Silence::Nothing), Some(true)), Ending::Found);
    }
}
