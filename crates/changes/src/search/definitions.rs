//! Of very many changes: first which functions, types and declarations make the difference.

use super::hunks::{FEWEST_FOR_ITEMS, HunkSearch, Level, NarrowResult, label, unreadable};
use super::narrowed_changes::NarrowedChanges;
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::space::{Space, TreeStages};
use crate::deltas::change_set::ChangeSet;
use howcome_dd::{Configuration, Outcome, Probe};
use howcome_run::{Algorithm, Halt, Round, RoundStep, Unit};
use std::sync::Arc;

/// If more items are left when the search for them ends at its limit, their hunks cannot be mixed, either.
const MOST_ITEMS_LEFT: usize = 64;

impl HunkSearch<'_> {
    /// The fewest lines that make the high version of a pair fail, first by functions, types and declarations.
    pub(super) fn narrow_items(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        low: &Candidate,
    ) -> NarrowResult {
        let (low, high) = match self.narrow_files(stages, round, pair, low)? {
            Some(files) => self.around(stages, round, pair, low, files)?,
            None => (low.clone(), pair.high.clone()),
        };
        let between = VersionPair { high, ..pair.clone() };
        let changes = ChangeSet::between(&low.tree(), &between.high.tree()).map_err(unreadable)?;
        if changes.len() < FEWEST_FOR_ITEMS {
            return self.narrow_mixes(stages, round, pair, (low, between.high));
        }
        let items = ChangeSet::by_items(&low.tree(), &between.high.tree()).map_err(unreadable)?;
        let level = Level { changes: Arc::new(items), unit: Unit::Item, step: RoundStep::Items };
        // The versions can be mixes now, so what passes on the way says nothing about them.
        let found = self.search(stages, round, &between, &low, level, &mut Vec::new())?;
        let is_stuck = |found: &NarrowedChanges| {
            let passing = found.passing.as_deref().cloned().unwrap_or_else(Configuration::empty);
            found.limit.is_some() && found.chosen.without(&passing).len() > MOST_ITEMS_LEFT
        };
        if found.as_ref().is_some_and(is_stuck) {
            let mixes = self
                .without_printed_lines(stages, round, &between, &low)
                .map_err(|halt| halt.keeping(found.clone()))?;
            if let Some(mixes) = mixes {
                return self.narrow_mixes(stages, round, pair, mixes);
            }
        }
        let mixes = match found {
            Some(found) => self.around(stages, round, &between, &low, found)?,
            None => (low, between.high),
        };
        self.narrow_mixes(stages, round, pair, mixes)
    }

    /// The fewest lines that make the difference between two mixes of the versions of a pair.
    fn narrow_mixes(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        (low, high): (Candidate, Candidate),
    ) -> NarrowResult {
        let changes = ChangeSet::between(&low.tree(), &high.tree()).map_err(unreadable)?;
        let mixes = VersionPair { high, ..pair.clone() };
        let narrowed = self.narrow_hunks(stages, round, &mixes, &low, changes)?;
        let is_mix = !low.is_same(&pair.low) || !mixes.high.is_same(&pair.high);
        let between = is_mix.then(|| Box::new(VersionPair { low, ..mixes }));
        Ok(narrowed.map(|narrowed| NarrowedChanges { between, ..narrowed }))
    }

    /// The versions between which to go on if some items, or files, make the difference between two mixes of all of them.
    fn around(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        low: &Candidate,
        found: NarrowedChanges,
    ) -> Result<(Candidate, Candidate), Halt<Option<NarrowedChanges>>> {
        let NarrowedChanges { changes, chosen, passing, unit, .. } = &found;
        let is_whole = *chosen == changes.all() && passing.as_deref().is_none_or(Configuration::is_empty);
        if is_whole {
            return Ok((low.clone(), pair.high.clone()));
        }
        let mut space = self.space(low, pair, changes, None);
        (space.syntax, space.names) = (None, None);
        let Some(passing) = passing.as_deref().filter(|passing| !passing.is_empty()) else {
            return Ok((low.clone(), space.version(chosen)));
        };
        let deciding = chosen.without(passing);
        let [alone, with, without] = [&deciding, chosen, passing].map(|items| space.version(items));
        let stage = label(round, Level::step_of(*unit), Algorithm::Probe, *unit);
        // Of whole files, hardly any needs all that the others changed.
        let looks_for_others = *unit == Unit::Item;
        let space: Arc<dyn Space> = Arc::new(space);
        let outcome = match stages.search(&stage, &space, Probe::new(deciding), &mut |_| {}) {
            Ok(outcome) => outcome,
            Err(halt) => return Err(halt.keeping(Some(found))),
        };
        Ok(match outcome {
            Outcome::Fail => (low.clone(), alone),
            // They fail only together with others, which are to be found, too.
            Outcome::Pass if looks_for_others => (low.clone(), with),
            // They need others to build, which need not be part of the cause.
            Outcome::Pass | Outcome::Unresolved => (without, with),
        })
    }
}
