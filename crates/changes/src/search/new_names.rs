//! If something was renamed everywhere: the good version in the new names, from which less differs.

use super::hunks::{HunkSearch, label, unreadable};
use super::knowledge::SearchKnowledge;
use super::known_changes::KnownChanges;
use super::narrowed_changes::NarrowedChanges;
use super::plan::Clue;
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::space::{Space, TreeStages};
use crate::deltas::change_set::ChangeSet;
use crate::edits::in_new_names;
use howcome_dd::{Configuration, Hints, Outcome, Probe};
use howcome_run::{Algorithm, Halt, Round, RoundStep, Unit};
use std::sync::Arc;

/// At most this many tests look for a version in the new names that passes,
const MOST_TESTS: u64 = 6;

/// and at most this many mixes, with those that are not worth a test.
const MOST_MIXES: usize = 40;

impl HunkSearch<'_> {
    /// A version that passes and has the names of the bad version, with some of its changes if it cannot be built without them. `None` if
    /// not even half of the changes are only new names, or no such version was found.
    pub(super) fn in_new_names(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        low: &Candidate,
        changes: &ChangeSet,
    ) -> Result<Option<Candidate>, Halt<Option<NarrowedChanges>>> {
        if !self.plan.uses(Clue::Words) {
            return Ok(None);
        }
        let (good, bad) = (low.tree(), pair.high.tree());
        let lines = ChangeSet::by_lines(&good, &bad).map_err(unreadable)?;
        let blocks = ChangeSet::by_blocks(&good, &bad).map_err(unreadable)?;
        let mix = in_new_names(&lines, &blocks);
        let renamed = Candidate { base: Arc::clone(&low.base), mix: low.mix.then(&mix) };
        let rest = ChangeSet::between(&renamed.tree(), &bad).map_err(unreadable)?;
        if rest.is_empty() || 2 * rest.len() > changes.len() {
            return Ok(None);
        }
        stages.now("names have changed everywhere: looking for a version that passes in the new names");
        let rest = Arc::new(rest);
        let (step, known) = (RoundStep::NewNames, KnownChanges::default());
        let knowledge = SearchKnowledge::of(&rest, self.plan, Vec::new(), &step, known);
        let space: Arc<dyn Space> = Arc::new(self.space(&renamed, pair, &rest, Some(&knowledge)));
        let stage = label(round, step, Algorithm::Probe, Unit::Hunk);
        let end = stages.told() + MOST_TESTS;
        let mut tried = Configuration::empty();
        for _ in 0..MOST_MIXES {
            let search = Probe::new(tried.clone());
            let outcome = stages.search(&stage, &space, search, &mut |_| {});
            match outcome.map_err(|halt| halt.keeping(None))? {
                Outcome::Pass => return Ok(space.candidate(&tried).ok()),
                // What was only renamed is why it fails.
                Outcome::Fail => return Ok(None),
                Outcome::Unresolved if stages.told() >= end => return Ok(None),
                Outcome::Unresolved => {}
            }
            let hints = match space.rejects(&tried) {
                Some(rejection) => rejection.hints,
                None => {
                    let seen = stages.seen(&stage.name, &tried);
                    seen.map_or_else(Hints::default, |seen| space.hints(&tried, &stages.printed(&seen)))
                }
            };
            let grown = |repair: &Configuration| tried.is_subset(repair) && *repair != tried;
            let Some(repair) = hints.repairs.into_iter().find(grown).filter(|all| *all != rest.all()) else {
                return Ok(None);
            };
            tried = repair;
        }
        Ok(None)
    }
}
