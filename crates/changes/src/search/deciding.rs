//! From changes that make the difference between two mixes to changes that make it alone, if there are such.

use super::hunks::{HunkSearch, Level, label, unreadable};
use super::narrowed_changes::NarrowedChanges;
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::change_space::ChangeSpace;
use crate::candidates::space::{Space, TreeStages};
use crate::deltas::change_set::ChangeSet;
use howcome_dd::{Balanced, Configuration, Difference, Isolate, Outcome, Probe, SearchLimit, StopEarly};
use howcome_run::{Algorithm, Halt, Round, Unit};
use std::sync::Arc;

/// Changes that fail only together with others are looked for in at most this many rounds.
const MOST_ROUNDS: usize = 8;

impl HunkSearch<'_> {
    /// What a search between two mixes has found, on the version on which it makes the difference: the low version if it fails there
    /// alone, otherwise the mix that passes.
    pub(super) fn settled(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        low: &Candidate,
        mut found: NarrowedChanges,
    ) -> Result<(Candidate, NarrowedChanges), Halt<Option<NarrowedChanges>>> {
        let Some(passing) = found.passing.take() else { return Ok((low.clone(), found)) };
        let difference = Difference { passing: *passing, failing: found.chosen.clone() };
        let settled = self.deciding(stages, round, pair, low, &found, difference);
        let Difference { passing, failing } = settled.map_err(|halt| {
            halt.map_best(|best| Some(NarrowedChanges { chosen: best.failing, ..found.clone() }))
        })?;
        if passing.is_empty() || found.unit == Unit::Line {
            return Ok((low.clone(), NarrowedChanges { chosen: failing, ..found }));
        }
        let space = self.space(low, pair, &found.changes, None);
        let [low, high] = [&passing, &failing].map(|side| space.version(side));
        let changes = Arc::new(ChangeSet::between(&low.tree(), &high.tree()).map_err(unreadable)?);
        let context = Some(Box::new((Arc::clone(&found.changes), passing)));
        // What passed on the way says nothing about other mixes.
        let all = changes.all();
        Ok((low, NarrowedChanges { context, ..NarrowedChanges::of(&changes, all, found.unit) }))
    }

    /// The changes that fail alone: with nothing on the passing side. If they cannot be judged alone, two mixes of which one passes and
    /// the other fails.
    fn deciding(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        low: &Candidate,
        of: &NarrowedChanges,
        mut found: Difference,
    ) -> Result<Difference, Halt<Difference>> {
        let step = Level::step_of(of.unit);
        let level = Level { changes: Arc::clone(&of.changes), unit: of.unit, step: step.clone() };
        let known = self.known(pair, &of.changes, &step)?.relations.knowledge();
        let space = ChangeSpace { known: known.clone(), ..self.space(low, pair, &of.changes, None) };
        let space: Arc<dyn Space> = Arc::new(space);
        let [probe, isolate, balanced] = [Algorithm::Probe, Algorithm::Isolate, Algorithm::Balanced]
            .map(|search| label(round, step.clone(), search, of.unit));
        let mut deciding = found.deltas();
        let mut has_passed = Configuration::empty();
        for _ in 0..MOST_ROUNDS {
            if found.passing.is_empty() {
                return Ok(found);
            }
            let mut test = |side: &Configuration| {
                let outcome = stages.search(&probe, &space, Probe::new(side.clone()), &mut |_| {});
                outcome.map_err(|halt| halt.keeping(found.clone()))
            };
            match test(&deciding)? {
                Outcome::Fail => return Ok(Difference::from_nothing(deciding)),
                // They fail only together with others, which are to be found, too.
                Outcome::Pass => has_passed = deciding.clone(),
                Outcome::Unresolved if test(&found.passing)? == Outcome::Pass => {
                    let failing = known.with_needed(&deciding);
                    let passing = failing.without(&deciding);
                    let is_known = !passing.is_empty()
                        && test(&failing)? == Outcome::Fail
                        && test(&passing)? == Outcome::Pass;
                    if is_known {
                        return Ok(Difference { passing, failing });
                    }
                    // They need some of the others to be judged. Which ones is worth a few tests.
                    let all = found.failing.clone();
                    let limit = SearchLimit::of_progress(2 * all.len().max(1).ilog2() + 5).by_eighths();
                    let search = StopEarly::new(Balanced::new(all), limit);
                    let fewer = stages.search(&balanced, &space, search, &mut |_| {});
                    let failing = fewer.map_err(|halt| halt.keeping(found.clone()))?.found.failing;
                    let fewer = Difference { passing: failing.without(&deciding), failing };
                    let mut passes = |side: &Configuration| {
                        let outcome = stages.search(&probe, &space, Probe::new(side.clone()), &mut |_| {});
                        outcome.map(|outcome| outcome == Outcome::Pass)
                    };
                    let is_better = deciding.is_subset(&fewer.failing) && fewer.passing != found.passing;
                    return Ok(if is_better && passes(&fewer.passing)? { fewer } else { found });
                }
                Outcome::Unresolved => {}
            }
            let search = Isolate::new(has_passed.clone(), found.failing.clone());
            let search = StopEarly::new(search, self.limit(&level, stages.told()));
            let within = stages.search(&isolate, &space, search, &mut |_| {})?;
            let is_limited = within.limit.is_some();
            if let Some(limit) = within.limit {
                stages.note_limit(&isolate.name, limit.into());
            }
            found = within.found;
            deciding = has_passed.with(&found.deltas());
            if is_limited {
                break;
            }
        }
        Ok(found)
    }
}
