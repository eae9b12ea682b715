//! What is known of a way through history, wherever it ends.

use super::explain::Explained;
use super::patch::Patch;
use howcome_dd::{DeltaId, Outcome, VersionOutcome};
use howcome_report::Summary;
use howcome_run::{Because, Observation, RevisionOutcome, Stop};
use std::collections::BTreeMap;

/// A way through history.
pub(crate) struct Travelled {
    pub(super) newest: usize,
    /// The oldest revision that is known to fail in the original way, with the patch if there is one.
    pub(super) front: usize,
    pub(super) patch: Option<Patch>,
    /// The patches that had to be made, the newest first.
    pub(super) patches: Vec<Made>,
    /// How often it set out.
    pub(super) walks: usize,
    /// How often a single version was tried.
    tries: usize,
    /// How often the least was looked for.
    pub(super) searches: usize,
    /// What was seen of the revisions that were tried.
    pub(super) tried: BTreeMap<usize, Mark>,
    /// The revisions that can't be tested at all, and why.
    pub(super) skipped: BTreeMap<usize, String>,
    /// Why revisions ended otherwise.
    pub(super) why: BTreeMap<usize, Observation>,
    /// The last revision that was seen to pass with a patch, the front that failed with it then, and that patch.
    pub(super) passed: Option<(usize, usize, Option<Patch>)>,
    /// Whether it was tried already to go on where older ones can't be tested.
    has_tried_skipped: bool,
    /// A revision that was seen to pass before the run was stopped.
    pub(super) passes_at: Option<usize>,
    pub(super) end: Option<End>,
}

/// How a revision ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Fails,
    Passes,
    Otherwise,
}

impl Mark {
    pub(super) fn outcome(self) -> RevisionOutcome {
        match self {
            Mark::Fails => RevisionOutcome::Fail,
            Mark::Passes => RevisionOutcome::Pass,
            Mark::Otherwise => RevisionOutcome::Otherwise,
        }
    }
}

/// A patch that had to be made.
#[derive(Clone, Debug)]
pub(super) struct Made {
    /// The revision that ended otherwise.
    pub(super) revision: usize,
    /// The newer one that it was made from.
    pub(super) newer: usize,
    /// What was seen of the revision without it.
    pub(super) because: Option<Observation>,
    pub(super) patch: Patch,
    /// Whether it is no longer all that the newer one has.
    pub(super) is_reduced: bool,
}

/// Where a way ends.
pub(super) enum End {
    /// At a revision that passes.
    Explained(Box<Explained>),
    /// The oldest revision fails in the same way; with a patch, how many of the changed lines that it was chosen from fit there,
    /// and how many there are.
    NeverWorked {
        fits: Option<(usize, usize)>,
    },
    /// Older revisions can't be tested.
    Unreachable,
    Stopped(Stop),
}

impl Travelled {
    pub(super) fn new(newest: usize) -> Self {
        Self {
            newest,
            front: newest,
            patch: None,
            patches: Vec::new(),
            walks: 0,
            tries: 0,
            searches: 0,
            tried: BTreeMap::from([(newest, Mark::Fails)]),
            skipped: BTreeMap::new(),
            why: BTreeMap::new(),
            passed: None,
            has_tried_skipped: false,
            passes_at: None,
            end: None,
        }
    }

    /// The name of the stage that walks now.
    pub(super) fn walk_name(&self) -> String {
        if self.walks == 1 { "walk".to_owned() } else { format!("walk {}", self.walks) }
    }

    /// The name of the stage that tries a single version next; no other has it.
    pub(super) fn next_try(&mut self) -> String {
        self.tries += 1;
        format!("patch, try {}", self.tries)
    }

    /// The revisions that can't be tested.
    pub(super) fn skipped_revisions(&self) -> impl Iterator<Item = u32> {
        self.skipped.keys().map(|index| *index as u32)
    }

    /// Takes in what was seen of a revision.
    pub(super) fn see(
        &mut self,
        index: usize,
        place: VersionOutcome,
        seen: Option<Observation>,
        is_patched: bool,
    ) {
        let mark = match place {
            VersionOutcome::Same => Mark::Fails,
            VersionOutcome::Opposite => Mark::Passes,
            VersionOutcome::Different => Mark::Otherwise,
            VersionOutcome::Skipped => {
                let why = match seen.map(|seen| seen.because) {
                    // That a revision cannot be had has nothing to do with a patch.
                    Some(Because::DidNotApply(why)) => why,
                    Some(because) => because.to_string(),
                    None => "it cannot be tested".to_owned(),
                };
                self.skipped.entry(index).or_insert(why);
                self.tried.remove(&index);
                return;
            }
        };
        self.note(index, mark, is_patched);
        if let Some(seen) = seen.filter(|_| mark == Mark::Otherwise) {
            // How it ends as it is tells more than that a patch does not fit.
            let tells_less = matches!(seen.because, Because::DidNotApply(_));
            if !tells_less || !self.why.contains_key(&index) {
                self.why.insert(index, seen);
            }
        }
    }

    /// Takes in what was told in a walk that was stopped.
    pub(super) fn see_what_was_told(&mut self, summary: &Summary) {
        let Some(End::Stopped(_)) = &self.end else { return };
        let walks = summary.stages.iter().filter(|stage| stage.subject.starts_with("walk"));
        let walks: Vec<u32> = walks.map(|stage| stage.number).collect();
        for step in summary.trail.iter().filter(|step| walks.contains(&step.stage)) {
            let revision = step.configuration.as_ref().and_then(|asked| asked.get(0)).map(DeltaId::index);
            let Some(revision) = revision.filter(|revision| !self.tried.contains_key(revision)) else {
                continue;
            };
            match (step.outcome, &step.because) {
                (Outcome::Unresolved, Some(because @ Because::DidNotBuild(_))) => {
                    self.skipped.entry(revision).or_insert_with(|| because.to_string());
                }
                (Outcome::Unresolved, _) => self.note(revision, Mark::Otherwise, false),
                (Outcome::Fail, _) => self.note(revision, Mark::Fails, false),
                (Outcome::Pass, _) => self.note(revision, Mark::Passes, false),
            }
        }
    }

    /// What a revision does, as far as is known now; what it does with a patch counts for more.
    pub(super) fn note(&mut self, index: usize, mark: Mark, is_patched: bool) {
        if is_patched || mark != Mark::Otherwise || !self.tried.contains_key(&index) {
            self.tried.insert(index, mark);
        }
    }

    /// The revision before the front, if it can't be tested; older ones are to be tried again. `None` where it did not help before.
    pub(super) fn next_skipped(&mut self, can_be_had: impl Fn(usize) -> bool) -> Option<usize> {
        let older = self.front.checked_sub(1).filter(|older| self.skipped.contains_key(older))?;
        if self.has_tried_skipped || !can_be_had(older) {
            return None;
        }
        self.has_tried_skipped = true;
        self.skipped.retain(|index, _| *index > older);
        Some(older)
    }

    /// Goes back to where a revision passed, and gives that revision.
    pub(super) fn go_back_to_what_passed(&mut self) -> usize {
        match self.passed.take() {
            Some((passing, front, patch)) => {
                (self.front, self.patch) = (front, patch);
                passing
            }
            None => self.front,
        }
    }

    /// Goes on from a revision with a patch that was made for it.
    pub(super) fn take(&mut self, patch: Patch, revision: usize) {
        let because = self.why.get(&revision).cloned();
        self.patches.push(Made {
            revision,
            newer: self.front,
            because,
            patch: patch.clone(),
            is_reduced: false,
        });
        self.go_on_with(Some(patch), revision);
    }

    /// Sets out again with less than what was carried along before.
    pub(super) fn reduce(&mut self, patch: Patch) {
        if let Some(made) = self.patches.last_mut() {
            (made.patch, made.is_reduced) = (patch.clone(), true);
            self.front = made.revision;
        }
        self.patch = Some(patch);
    }

    /// From a revision on less is carried along.
    pub(super) fn go_on_with(&mut self, patch: Option<Patch>, front: usize) {
        self.note(front, Mark::Fails, true);
        (self.patch, self.front) = (patch, front);
    }
}
