//! How far a walk back has come, and where it ends.

use super::backport_patch::{BackportPatch, PatchExtent, PatchFit, PatchSize};
use super::revision_outcomes::RevisionOutcomes;
use howcome_run::{Because, Observation, RevisionOutcome};

/// How far a walk back has come. All of it is reported, also if the walk is stopped.
#[derive(Clone, Debug)]
pub(super) struct WalkState {
    /// The oldest revision that is known to fail in the original way, with the patch if there is one.
    pub(super) front: usize,
    pub(super) patch: Option<BackportPatch>,
    /// Whether the patch holds all changes of newer revisions on purpose, so that it is not made smaller.
    pub(super) keeps_patch: bool,
    /// The patches that had to be made, the newest first.
    pub(super) backports: Vec<Backport>,
    pub(super) outcomes: RevisionOutcomes,
    /// The state before the first patch with whole files, which can bring the cause along.
    pub(super) without_files: Option<Box<WalkState>>,
    /// Whether whole files did not lead to a revision that passes.
    pub(super) refuses_whole_files: bool,
    /// A revision that passes.
    pub(super) passes_at: Option<usize>,
    /// A later revision that lacks a change of the front, and does not fail.
    pub(super) undone_at: Option<usize>,
    /// The first revision that lacks the cause again, if the newest one lacks it, too, and does not have its lines elsewhere.
    pub(super) gone_since: Option<usize>,
    /// Whether the newest revision has other lines than those of the cause, and no fix shows that they fail for the same reason.
    pub(super) is_cause_lost: bool,
    /// Whether the cause that was found comes from the patch, and not from the revision that fails.
    pub(super) is_cause_of_patch: bool,
    /// Shows that the test fails in the same way whatever is wrong.
    pub(super) missing_name: Option<MissingName>,
    /// How many patches were made because of names.
    pub(super) patches_for_names: u32,
    /// Whether parts of the patch that the test does not need were not left out, for lack of tests.
    pub(super) has_untried_parts: bool,
}

/// A patch that had to be made because a revision fails differently without it.
#[derive(Clone, Debug)]
pub(super) struct Backport {
    /// The revision that fails differently.
    pub(super) revision: usize,
    /// The newer revision that has the changes.
    pub(super) newer: usize,
    /// What was seen of the revision without the patch.
    pub(super) without: Option<Observation>,
    pub(super) patch: BackportPatch,
    /// How much the patch has more than the one before it.
    pub(super) added: PatchSize,
    /// Whether it no longer has all changes of the newer revision.
    pub(super) is_reduced: bool,
    /// A name that the test uses and the revision lacks, if the test does not tell.
    pub(super) lacks: Option<String>,
}

/// A name that the test uses, and a revision that lacks it and fails all the same.
#[derive(Clone, Debug)]
pub(super) struct MissingName {
    pub(super) name: String,
    pub(super) revision: usize,
}

/// What to do after a step of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkDecision {
    /// Walk on from the front of the state, with its patch.
    WalkOn,
    /// The walk is over.
    End(WalkEnd),
}

/// Where a walk back ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkEnd {
    /// At a revision that passes.
    Passes(PassingRevision),
    /// The oldest revision fails in the same way. With a patch, how many of its lines fit there.
    NeverWorked { fit: Option<PatchFit> },
    /// Older revisions cannot be tested.
    Unreachable,
    /// At the limit of tests that are spent on patches.
    TooManyTests,
    /// The oldest revision fails, but prints something else.
    PrintsSomethingElse,
}

/// A revision that passes, beside the front of the state, which fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PassingRevision {
    pub(super) index: usize,
    /// Whether it passes with the patch of the state, or without any.
    pub(super) is_patched: bool,
}

impl WalkEnd {
    /// At a revision that passes with the patch of the state.
    pub(super) fn passes_patched(index: usize) -> Self {
        WalkEnd::Passes(PassingRevision { index, is_patched: true })
    }

    /// At a revision that passes without any patch.
    pub(super) fn passes_unpatched(index: usize) -> Self {
        WalkEnd::Passes(PassingRevision { index, is_patched: false })
    }
}

impl WalkState {
    /// At the newest revision, which fails.
    pub(super) fn new(newest: usize) -> Self {
        let mut outcomes = RevisionOutcomes::default();
        outcomes.note(newest, RevisionOutcome::Fail, true);
        Self {
            front: newest,
            patch: None,
            keeps_patch: false,
            backports: Vec::new(),
            outcomes,
            without_files: None,
            refuses_whole_files: false,
            passes_at: None,
            undone_at: None,
            gone_since: None,
            is_cause_lost: false,
            is_cause_of_patch: false,
            missing_name: None,
            patches_for_names: 0,
            has_untried_parts: false,
        }
    }

    /// Whether the revisions before the front, or before the first patch, cannot run the test, perhaps only because they lack what it
    /// needs.
    pub(super) fn cannot_run_older(&self) -> bool {
        match self.backports.first() {
            Some(first) => {
                matches!(&first.without, Some(seen) if matches!(seen.because, Because::DidNotRun(_)))
            }
            None => self.front.checked_sub(1).is_some_and(|older| self.outcomes.is_skipped(older)),
        }
    }

    /// Whether older revisions were tested with all changes of one newer revision, or of several in a row, and nothing else, and these replace
    /// no code. A part of a feature can fail by itself, and a patch can hold the cause.
    pub(super) fn has_whole_patch(&self, fit: Option<PatchFit>) -> bool {
        let is_whole =
            |backport: &Backport| backport.patch.extent == PatchExtent::Whole && !backport.is_reduced;
        let are_whole = self.backports.iter().all(is_whole) && self.is_patch_in_a_row();
        are_whole && fit.is_some_and(|fit| fit.has_additions && !fit.replaces_code)
    }

    /// Whether there are patches, and each was made where the one before it ended. Together they are the changes of revisions in a row.
    pub(super) fn is_patch_in_a_row(&self) -> bool {
        let is_next = |pair: &[Backport]| pair[1].newer == pair[0].revision;
        !self.backports.is_empty() && self.backports.windows(2).all(is_next)
    }

    /// Goes on from a revision with a patch that was made for it, and that has this much more than the patch so far.
    pub(super) fn add_backport(&mut self, patch: BackportPatch, revision: usize, added: PatchSize) {
        self.backports.push(Backport {
            revision,
            newer: self.front,
            without: self.outcomes.difference_of(revision).cloned(),
            patch: patch.clone(),
            added,
            is_reduced: false,
            lacks: None,
        });
        self.go_on_with(Some(patch), revision);
    }

    /// Keeps the state for [`retry_without_files`](Self::retry_without_files), unless an earlier one is kept.
    pub(super) fn keep_for_retry(&mut self) {
        if self.without_files.is_none() {
            self.without_files = Some(Box::new(self.clone()));
        }
    }

    /// Goes back to the state before the first patch with whole files. Says whether there is one.
    pub(super) fn retry_without_files(&mut self) -> bool {
        let Some(earlier) = self.without_files.take() else { return false };
        let mut outcomes = std::mem::take(&mut self.outcomes);
        outcomes.unskip_up_to(earlier.front);
        *self = Self { outcomes, refuses_whole_files: true, ..*earlier };
        true
    }

    /// Goes back to the revision that the last patch was made for, with a part of that patch.
    pub(super) fn reduce_last_backport(&mut self, patch: BackportPatch) {
        if let Some(last) = self.backports.last_mut() {
            (last.added, last.patch, last.is_reduced) = (patch.size(), patch.clone(), true);
            self.front = last.revision;
        }
        self.patch = Some(patch);
    }

    /// Begins again at a revision that fails as it is, after one that passes as it is.
    pub(super) fn begin_after_pass(&mut self, front: usize) {
        let newest = Self::new(front);
        let outcomes = std::mem::take(&mut self.outcomes);
        *self = Self { outcomes, missing_name: self.missing_name.take(), ..newest };
        self.outcomes.note(front, RevisionOutcome::Fail, true);
    }

    /// Goes on from a revision that fails with this patch.
    pub(super) fn go_on_with(&mut self, patch: Option<BackportPatch>, front: usize) {
        self.outcomes.note(front, RevisionOutcome::Fail, true);
        (self.patch, self.front) = (patch, front);
    }
}
