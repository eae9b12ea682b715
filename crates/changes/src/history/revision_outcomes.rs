//! What was seen of the revisions.

use howcome_dd::{Configuration, DeltaId, Outcome, VersionOutcome};
use howcome_run::{Because, Entry, Observation, RevisionOutcome, StageName, TestId};
use std::collections::{BTreeMap, HashMap};

/// What is known of the revisions that were tested or skipped, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct RevisionOutcomes {
    tested: BTreeMap<usize, RevisionOutcome>,
    /// The revisions that cannot be tested at all, and why.
    skipped: BTreeMap<usize, String>,
    /// What was seen of the revisions that fail differently.
    differing: BTreeMap<usize, Observation>,
    /// What was seen last of the revisions that fail in the original way.
    failing: BTreeMap<usize, Observation>,
}

impl RevisionOutcomes {
    /// Records what a walk has seen of a revision.
    pub(super) fn record(
        &mut self,
        index: usize,
        outcome: VersionOutcome,
        seen: Option<Observation>,
        is_patched: bool,
    ) {
        let outcome = match outcome {
            VersionOutcome::Same => RevisionOutcome::Fail,
            VersionOutcome::Opposite => RevisionOutcome::Pass,
            VersionOutcome::Different => RevisionOutcome::Otherwise,
            VersionOutcome::Skipped => {
                let why = match seen.map(|seen| seen.because) {
                    // A checkout that failed has nothing to do with a patch.
                    Some(Because::DidNotApply(why)) => why,
                    Some(because) => because.to_string(),
                    None => "it cannot be tested".to_owned(),
                };
                self.skipped.entry(index).or_insert(why);
                self.tested.remove(&index);
                return;
            }
        };
        self.note(index, outcome, is_patched);
        if let Some(seen) = seen.clone().filter(|_| outcome == RevisionOutcome::Fail) {
            self.failing.insert(index, seen);
        }
        if let Some(seen) = seen.filter(|_| outcome == RevisionOutcome::Otherwise) {
            // How the unpatched revision ends says more than that a patch does not fit it.
            let says_less = matches!(seen.because, Because::DidNotApply(_));
            if !says_less || !self.differing.contains_key(&index) {
                self.differing.insert(index, seen);
            }
        }
    }

    /// Records an outcome. One that was seen with a patch replaces one that was seen without.
    pub(super) fn note(&mut self, index: usize, outcome: RevisionOutcome, is_patched: bool) {
        if is_patched || outcome != RevisionOutcome::Otherwise || !self.tested.contains_key(&index) {
            self.tested.insert(index, outcome);
        }
    }

    /// Adds what the journal says of walks. A walk that is stopped does not return what it has seen.
    pub(super) fn add_recorded(&mut self, entries: &[Entry]) {
        let mut observed: HashMap<TestId, (&Configuration, &Observation)> = HashMap::new();
        let mut is_walk = false;
        for entry in entries {
            match entry {
                Entry::Stage { subject, .. } => is_walk = matches!(subject, StageName::Walk(_)),
                Entry::Observed { test, configuration, observation, .. } => {
                    observed.insert(*test, (configuration, observation));
                }
                Entry::Told { test, configuration, outcome, .. } if is_walk => {
                    let seen = test.and_then(|test| observed.get(&test));
                    let asked = configuration.as_ref().or(seen.map(|(configuration, _)| *configuration));
                    if let Some(revision) = asked.and_then(|asked| asked.get(0)).map(DeltaId::index) {
                        self.add_answer(revision, *outcome, seen.map(|(_, seen)| &seen.because));
                    }
                }
                _ => {}
            }
        }
    }

    fn add_answer(&mut self, revision: usize, outcome: Outcome, because: Option<&Because>) {
        if self.tested.contains_key(&revision) {
            return;
        }
        match (outcome, because) {
            (Outcome::Unresolved, Some(because @ Because::DidNotBuild(_))) => {
                self.skipped.entry(revision).or_insert_with(|| because.to_string());
            }
            (Outcome::Unresolved, _) => self.note(revision, RevisionOutcome::Otherwise, false),
            (Outcome::Fail, _) => self.note(revision, RevisionOutcome::Fail, false),
            (Outcome::Pass, _) => self.note(revision, RevisionOutcome::Pass, false),
        }
    }

    /// What was seen of a revision that fails differently.
    pub(super) fn difference_of(&self, index: usize) -> Option<&Observation> {
        self.differing.get(&index)
    }

    /// What was seen of a revision that fails in the original way, if a walk has tested it.
    pub(super) fn failure_of(&self, index: usize) -> Option<&Observation> {
        self.failing.get(&index)
    }

    /// Whether a revision fails with another output than the newest one, and another revision with the same output.
    pub(super) fn prints_something_else(&self, index: usize) -> bool {
        self.failing.get(&index).is_some_and(|seen| seen.differs)
            && self.failing.values().any(|seen| !seen.differs)
    }

    /// Whether all revisions that were seen to fail print something else than the newest one, and the one before the newest is not among them.
    pub(super) fn all_print_something_else(&self, newest: usize) -> bool {
        !self.failing.is_empty()
            && self.failing.iter().all(|(index, seen)| seen.differs && *index + 1 != newest)
    }

    /// What was seen of all revisions that fail in the original way, as far as walks have tested them.
    pub(super) fn failures(&self) -> impl Iterator<Item = (usize, &Observation)> {
        self.failing.iter().map(|(index, seen)| (*index, seen))
    }

    /// Whether a revision cannot be tested.
    pub(super) fn is_skipped(&self, index: usize) -> bool {
        self.skipped.contains_key(&index)
    }

    /// The revisions that cannot be tested, as numbers of a walk.
    pub(super) fn skipped_numbers(&self) -> impl Iterator<Item = u32> {
        self.skipped.keys().map(|index| *index as u32)
    }

    /// The revisions that cannot be tested, and why.
    pub(super) fn skipped(&self) -> impl Iterator<Item = (usize, &str)> {
        self.skipped.iter().map(|(index, why)| (*index, why.as_str()))
    }

    /// Forgets that revisions up to this one cannot be tested: with another patch, perhaps they can.
    pub(super) fn unskip_up_to(&mut self, index: usize) {
        self.skipped.retain(|skipped, _| *skipped > index);
    }

    /// All revisions that were tested or skipped, the oldest first.
    pub(super) fn all(&self) -> Vec<(usize, RevisionOutcome)> {
        let tested = self.tested.iter().map(|(index, outcome)| (*index, *outcome));
        let skipped = self.skipped.keys().map(|index| (*index, RevisionOutcome::Skipped));
        let mut all: Vec<_> = tested.chain(skipped).collect();
        all.sort_by_key(|(index, _)| *index);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_dd::Step;
    use howcome_run::{Algorithm, AnswerSource, Purpose, Unit};
    use std::time::Duration;

    fn stage(stage: u32, subject: StageName) -> Entry {
        let (search, unit) = (Algorithm::Walk, Unit::Revision);
        Entry::Stage { stage, subject, search, deltas: 9, unit, bytes: None }
    }

    /// A test of a revision, and the answer that follows from it.
    fn answer(revision: u32, outcome: Outcome, because: Because) -> [Entry; 2] {
        let configuration = Configuration::empty().with_delta(DeltaId(revision));
        let test = TestId(revision.into());
        let observation = Observation::new(outcome, because, Duration::ZERO);
        let purpose = Purpose::Question;
        [
            Entry::Observed {
                test,
                stage: 1,
                purpose,
                at: 0.0,
                configuration,
                repeat: None,
                content: None,
                observation,
            },
            Entry::Told {
                how: AnswerSource::Tested,
                test: Some(test),
                configuration: None,
                step: Step::Midpoint,
                outcome,
                because: None,
                left: 0,
                bytes: None,
            },
        ]
    }

    #[test]
    fn the_journal_tells_what_a_stopped_walk_has_seen() {
        let mut outcomes = RevisionOutcomes::default();
        outcomes.note(8, RevisionOutcome::Fail, true);
        let mut entries = vec![stage(1, StageName::Walk(1))];
        entries.extend(answer(8, Outcome::Pass, Because::Exit(0)));
        entries.extend(answer(0, Outcome::Pass, Because::Exit(0)));
        entries.extend(answer(4, Outcome::Unresolved, Because::Exit(2)));
        entries.extend(answer(5, Outcome::Unresolved, Because::DidNotBuild("exit code 2".to_owned())));
        entries.push(stage(2, StageName::Trial(1)));
        entries.extend(answer(6, Outcome::Fail, Because::Exit(1)));
        outcomes.add_recorded(&entries);
        use RevisionOutcome::{Fail, Otherwise, Pass, Skipped};
        assert_eq!(outcomes.all(), [(0, Pass), (4, Otherwise), (5, Skipped), (8, Fail)]);
    }

    #[test]
    fn what_a_revision_does_with_a_patch_counts_for_more() {
        let mut outcomes = RevisionOutcomes::default();
        outcomes.note(3, RevisionOutcome::Otherwise, false);
        outcomes.note(3, RevisionOutcome::Fail, true);
        outcomes.note(3, RevisionOutcome::Otherwise, false);
        assert_eq!(outcomes.all(), [(3, RevisionOutcome::Fail)]);
        outcomes.record(3, VersionOutcome::Skipped, None, true);
        assert_eq!(outcomes.skipped().collect::<Vec<_>>(), [(3, "it cannot be tested")]);
        outcomes.unskip_up_to(3);
        assert!(!outcomes.is_skipped(3));
    }
}
