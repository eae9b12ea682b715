//! Whether each change of an answer is necessary.

use super::hunks::{HunkSearch, label};
use super::narrowed_changes::NarrowedChanges;
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::change_space::ChangeSpace;
use crate::candidates::space::{Space, TreeStages};
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Balanced, Configuration, Confirm, Difference, Outcome};
use howcome_run::{Algorithm, Because, Halt, Observation, Round, StageName, Stop, Unit};
use std::sync::Arc;

/// If a search ended at its limit, at most so many hunks are checked one by one.
const MOST_CHECKED_AFTER_A_LIMIT: usize = 8;

impl HunkSearch<'_> {
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
