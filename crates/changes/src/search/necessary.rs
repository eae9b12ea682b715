//! Whether each change of an answer is necessary.

use super::hunks::{HunkSearch, label};
use super::limited_stages::LimitedStages;
use super::narrowed_changes::NarrowedChanges;
use super::plan::Clue;
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::change_space::ChangeSpace;
use crate::candidates::space::{Space, TreeStages};
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Balanced, Configuration, Confirm, DeltaId, Difference, Outcome, Probe};
use howcome_run::{
    Algorithm, Because, Halt, Observation, Round, RoundStep, StageName, StageRunner, Stop, Unit,
};
use std::sync::Arc;

/// If a search ended at its limit, at most so many hunks are checked one by one.
const MOST_CHECKED_AFTER_A_LIMIT: usize = 8;

/// Of at most this many hunks, each is tested whether it is necessary.
pub(super) const FEW_HUNKS: usize = 8;

impl HunkSearch<'_> {
    /// If a search ended at its limit: leaves out the changes of files that neither version reads, if the test fails without them.
    pub(super) fn without_unread_files(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        low: &Candidate,
        found: NarrowedChanges,
    ) -> Result<NarrowedChanges, Halt<NarrowedChanges>> {
        let is_read = |delta: &DeltaId| {
            let change = found.changes.describe(*delta);
            change.is_none_or(|change| self.plan.unread.binary_search(change.path).is_err())
        };
        let read: Configuration = found.chosen.iter().filter(is_read).collect();
        let is_worth_a_test = !read.is_empty() && read.len() < found.chosen.len();
        let is_possible = found.limit.is_some() && found.passing.is_none() && self.plan.uses(Clue::Unread);
        if !is_worth_a_test || !is_possible {
            return Ok(found);
        }
        let space: Arc<dyn Space> = Arc::new(self.space(low, pair, &found.changes, None));
        let stage = label(round, found.checked_in(), Algorithm::Probe, found.unit);
        match stages.search(&stage, &space, Probe::new(read.clone()), &mut |_| {}) {
            Ok(Outcome::Fail) => Ok(NarrowedChanges { chosen: read, ..found }),
            Ok(_) => Ok(found),
            Err(halt) => Err(halt.keeping(found)),
        }
    }

    /// Tests whether each change of the answer is necessary, and leaves out those that are not.
    pub(super) fn check(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        low: &Candidate,
        narrowed: NarrowedChanges,
    ) -> Result<NarrowedChanges, Halt<NarrowedChanges>> {
        if self.is_settled(stages, round, &narrowed) {
            return Ok(NarrowedChanges { is_minimal: true, ..narrowed });
        }
        self.check_against(stages, round, low, pair.low_commit.clone(), narrowed)
    }

    /// The same on any version.
    ///
    /// # Errors
    /// If the run is stopped, with the best so far, or something is wrong.
    pub fn check_against(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        low: &Candidate,
        revision: Option<RevisionId>,
        mut narrowed: NarrowedChanges,
    ) -> Result<NarrowedChanges, Halt<NarrowedChanges>> {
        // A search that was too long already is not followed by a test for each of its changes.
        let is_too_much = narrowed.unit == Unit::Line || narrowed.chosen.len() > MOST_CHECKED_AFTER_A_LIMIT;
        if narrowed.limit.is_some() && is_too_much {
            return Ok(narrowed);
        }
        let changes = Arc::clone(&narrowed.changes);
        let space: Arc<dyn Space> = Arc::new(ChangeSpace { revision, ..ChangeSpace::on(low, &changes) });
        let stage = |search| label(round, narrowed.checked_in(), search, narrowed.unit);
        let (confirm, balanced) = (stage(Algorithm::Confirm), stage(Algorithm::Balanced));
        loop {
            let search = Confirm::new(Difference::from_nothing(narrowed.chosen.clone()));
            let confirmed = match stages.search(&confirm, &space, search, &mut |_| {}) {
                Ok(confirmed) => confirmed,
                Err(halt) => return Err(halt.keeping(narrowed)),
            };
            narrowed.is_minimal = confirmed.is_minimal();
            if !confirmed.alone_fails && narrowed.chosen == changes.all() {
                check_contradiction(stages, &confirm.name, &narrowed.chosen)
                    .map_err(|halt| halt.keeping(narrowed.clone()))?;
            }
            let without = confirmed.decisive.iter().map(|delta| narrowed.chosen.without_delta(*delta));
            let passed = without.map(|passed| (Arc::clone(&changes), passed));
            narrowed.passed = narrowed.passed.iter().cloned().chain(passed).collect();
            // What dd finds need not even fail alone.
            if !confirmed.alone_fails && narrowed.chosen != narrowed.changes.all() {
                narrowed.chosen = narrowed.changes.all();
            } else if confirmed.superfluous.is_empty() || !confirmed.alone_fails {
                return Ok(narrowed);
            }
            let before = narrowed.chosen.len();
            let search = Balanced::new(narrowed.chosen.clone());
            match stages.search(&balanced, &space, search, &mut |_| {}) {
                Ok(found) => narrowed.chosen = found.failing,
                Err(halt) => return Err(halt.keeping(narrowed)),
            }
            if narrowed.chosen.len() == before {
                return Ok(narrowed);
            }
        }
    }

    /// The changes of an answer of few hunks on a version, except those without which the outcome is still the one that is sought.
    pub(super) fn without_superfluous<R: TreeStages>(
        &self,
        stages: &mut LimitedStages<'_, R>,
        round: Round,
        low: &Candidate,
        found: &NarrowedChanges,
    ) -> Result<Configuration, Halt> {
        let mut chosen = found.chosen.clone();
        // If the tests are used up already, nothing is left out.
        if chosen.len() > FEW_HUNKS || stages.is_cut() {
            return Ok(chosen);
        }
        let space: Arc<dyn Space> = Arc::new(found.on(low));
        let stage = label(round, RoundStep::Hunks, Algorithm::Probe, Unit::Hunk);
        for hunk in found.chosen.iter().filter(|_| found.chosen.len() > 1) {
            let fewer = chosen.without_delta(hunk);
            match stages.search(&stage, &space, Probe::new(fewer.clone()), &mut |_| {}) {
                Ok(outcome) if Some(outcome) == self.sought && !fewer.is_empty() => chosen = fewer,
                Ok(_) => {}
                Err(Halt::Stopped { .. }) if stages.is_cut() => break,
                Err(halt) => return Err(halt.keeping(())),
            }
        }
        Ok(chosen)
    }
}

/// All changes together were seen to fail. If they pass now, the test contradicts itself.
fn check_contradiction(stages: &impl TreeStages, stage: &StageName, all: &Configuration) -> Result<(), Halt> {
    match stages.seen(stage, all) {
        Some(seen) if seen.outcome == Outcome::Pass => {
            let mut tally = seen.tally;
            tally.add(Outcome::Fail);
            let contradiction = Observation { because: Because::Contradiction, tally, ..seen };
            Err(Stop::NoVerdict(Box::new(contradiction)).into())
        }
        _ => Ok(()),
    }
}
