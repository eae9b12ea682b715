//! Below the commit: which hunks, and which lines of them, make the difference between two versions.

use super::cause_part::CausePart;
use super::chosen_search::{finds_difference, search_as_chosen};
use super::knowledge::SearchKnowledge;
use super::narrowed_changes::{NarrowedChanges, PassedChanges};
use super::plan::{Clue, SearchPlan};
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::change_space::ChangeSpace;
use crate::candidates::space::{Space, TreeStages};
use crate::deltas::change_set::ChangeSet;
use crate::deltas::splice::mix;
use crate::patches::patch_text::patch_of_good;
use crate::trees::tree_error::TreeError;
use crate::versions::compared::ComparedVersions;
use howcome_dd::{
    Configuration, Confirm, Difference, FoundUntil, FoundWithinLimit, Knowledge, Narrow, Outcome,
    SeenPassing, StopEarly, TargetOutcome, UntilOutcome,
};
use howcome_lab::inquiry::SearchChoice;
use howcome_run::{
    Algorithm, FileReplacement, Halt, Problem, ProblemKind, Round, RoundStep, StageLabel, StageName, Unit,
};
use std::sync::Arc;

/// The search for the hunks between two versions, and for the lines in them, that make the difference.
pub struct HunkSearch<'a> {
    /// The versions that the user compares.
    pub versions: &'a ComparedVersions,
    /// How to search.
    pub plan: &'a SearchPlan,
    /// The parts that were found before. The changes fail only together with them.
    pub before: &'a [CausePart],
    /// The one outcome that counts, if it does not matter how everything else ends.
    pub sought: Option<Outcome>,
    /// What the low version prints. It can name what the version lacks.
    pub complaint: &'a [u8],
    /// Whether only failures with the same details as that of the bad version count.
    pub counts_only_exact: bool,
    /// Whether a search for changes that fail ends at the first pass.
    pub ends_at_pass: bool,
    /// Hunks to try before all others.
    pub first: Option<Configuration>,
    /// How many tests were told before the search for this cause, if all of its stages together have a limit.
    pub began_after: Option<u64>,
}

/// `None` if the versions do not differ, or nothing between them could be judged. If the search was stopped, the best so far.
pub(super) type NarrowResult = Result<Option<NarrowedChanges>, Halt<Option<NarrowedChanges>>>;

impl<'a> HunkSearch<'a> {
    /// A search for what makes a version fail.
    #[must_use]
    pub fn of(versions: &'a ComparedVersions, plan: &'a SearchPlan) -> Self {
        Self {
            versions,
            plan,
            before: &[],
            sought: None,
            complaint: &[],
            counts_only_exact: false,
            ends_at_pass: false,
            first: None,
            began_after: None,
        }
    }

    /// The fewest lines, and the hunks of which no line could be left out, that make the high version of a pair fail.
    ///
    /// # Errors
    /// If the run is stopped, with the best so far, or something is wrong.
    pub fn narrow(&self, stages: &mut impl TreeStages, round: Round, pair: &VersionPair) -> NarrowResult {
        let Some((low, changes)) = self.varied(pair)? else { return Ok(None) };
        if low.mix != pair.low.mix {
            self.check_others(stages, round, pair, &low, &changes).map_err(|halt| halt.keeping(None))?;
        }
        // Of many mixes that no author wrote, some fail for reasons of their own.
        let (is_large, is_chosen) = (changes.len() >= FEWEST_FOR_ITEMS, self.plan.algorithm.is_some());
        let by_items = is_large && !is_chosen && self.plan.uses(Clue::Items);
        let is_exact = self.counts_only_exact || (by_items || is_large && is_chosen) && pair.fails_like_bad;
        let was_exact = stages.count_only_exact(true);
        stages.count_only_exact(is_exact || was_exact);
        let renamed = match is_large && !is_chosen {
            true => self.in_new_names(stages, round, pair, &low, &changes)?,
            false => None,
        };
        let narrowed = match renamed {
            // Among few changes, whole functions are not searched.
            Some(renamed) => self.narrow_items(stages, round, pair, &renamed),
            None if by_items => self.narrow_items(stages, round, pair, &low),
            None => self.narrow_hunks(stages, round, pair, &low, changes),
        };
        stages.count_only_exact(was_exact);
        narrowed.map(|found| found.map(|found| NarrowedChanges { is_exact, ..found }))
    }

    pub(super) fn narrow_hunks(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        low: &Candidate,
        changes: ChangeSet,
    ) -> NarrowResult {
        let mut passed = Vec::new();
        let hunks = self.search(stages, round, pair, low, Level::hunks(changes), &mut passed)?;
        let Some(hunks) = hunks else { return Ok(None) };
        let hunks =
            self.without_unread_files(stages, round, pair, low, hunks).map_err(|halt| halt.map_best(Some))?;
        let (low, mut hunks) = self.settled(stages, round, pair, low, hunks)?;
        let low = &low;
        hunks.passed = passed.as_slice().into();
        let lines = self.lines_of(low, pair, &hunks)?;
        let is_finer = lines.changes.len() as usize > hunks.chosen.len();
        let is_too_large = lines.changes.len() > MOST_LINES_TO_SEARCH && !self.plan.is_thorough;
        if !is_finer || is_too_large {
            // Each hunk is one line, or cannot be split. It remains to test whether each is necessary.
            let is_by_lines = lines.changes.len() as usize == hunks.chosen.len();
            let unit = if is_by_lines { Unit::Line } else { Unit::Hunk };
            let checked = self.check(stages, round, pair, low, hunks).map_err(|halt| halt.map_best(Some))?;
            return Ok(Some(NarrowedChanges { unit, ..checked }));
        }
        let whole = hunks.clone();
        let found = match self.search(stages, round, pair, low, lines, &mut passed) {
            Ok(lines) => lines.unwrap_or(hunks),
            Err(halt) => return Err(halt.map_best(|best| best.or(Some(hunks)))),
        };
        let (_, mut found) = self.settled(stages, round, pair, low, found)?;
        found.passed = passed.into();
        found.context.clone_from(&whole.context);
        let is_by_lines = found.unit == Unit::Line;
        let checked = self.check(stages, round, pair, low, found).map_err(|halt| halt.map_best(Some))?;
        Ok(Some(NarrowedChanges { hunks: is_by_lines.then_some(Box::new(whole)), ..checked }))
    }

    /// The fewest hunks, and the fewest blocks of lines of them if these are wanted, that lead from the low version to a version with the
    /// outcome that is sought. The high version has that outcome.
    ///
    /// # Errors
    /// If the run is stopped, with the best so far, or something is wrong.
    pub fn fewest(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        by_blocks: bool,
    ) -> NarrowResult {
        let Some((low, changes)) = self.varied(pair)? else { return Ok(None) };
        let hunks = match self.search(stages, round, pair, &low, Level::hunks(changes), &mut Vec::new())? {
            Some(hunks) if by_blocks => hunks,
            found => return Ok(found),
        };
        let high = self.space(&low, pair, &hunks.changes, None).version(&hunks.chosen);
        let blocks = ChangeSet::by_blocks(&low.tree(), &high.tree()).map_err(unreadable)?;
        if blocks.len() as usize <= hunks.chosen.len() {
            return Ok(Some(hunks));
        }
        let blocks = Level { changes: Arc::new(blocks), unit: Unit::Hunk, step: RoundStep::Blocks };
        match self.search(stages, round, pair, &low, blocks, &mut Vec::new()) {
            Ok(blocks) => Ok(Some(blocks.unwrap_or(hunks))),
            Err(halt) => Err(halt.map_best(|best| best.or(Some(hunks)))),
        }
    }

    /// The lines of some hunks.
    fn lines_of(
        &self,
        low: &Candidate,
        pair: &VersionPair,
        hunks: &NarrowedChanges,
    ) -> Result<Level, Problem> {
        let high = self.space(low, pair, &hunks.changes, None).version(&hunks.chosen);
        let lines = ChangeSet::by_lines(&low.tree(), &high.tree()).map_err(unreadable)?;
        Ok(Level { changes: Arc::new(lines), unit: Unit::Line, step: RoundStep::Lines })
    }

    /// All changes that may be varied, line by line, and the version that they differ from. `None` if nothing differs.
    pub(super) fn all_lines(
        &self,
        pair: &VersionPair,
    ) -> Result<Option<(Candidate, Arc<ChangeSet>)>, Problem> {
        let Some((low, _)) = self.varied(pair)? else { return Ok(None) };
        let lines = ChangeSet::by_lines(&low.tree(), &pair.high.tree()).map_err(unreadable)?;
        Ok(Some((low, Arc::new(lines))))
    }

    /// The changes that may be varied, on the low version with all others made.
    fn varied(&self, pair: &VersionPair) -> Result<Option<(Candidate, ChangeSet)>, Problem> {
        let high = pair.high.tree();
        let changes = ChangeSet::between(&pair.low.tree(), &high).map_err(unreadable)?;
        let (_, others) = changes.split_by(&self.plan.filter);
        let mut low = pair.low.clone();
        let changes = match others.is_empty() {
            true => changes,
            false => {
                low.mix = low.mix.then(&mix(&changes, &others));
                ChangeSet::between(&low.tree(), &high).map_err(unreadable)?
            }
        };
        Ok((!changes.is_empty()).then_some((low, changes)))
    }

    /// Tests that the changes that must not be varied are not the cause.
    fn check_others(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        low: &Candidate,
        changes: &ChangeSet,
    ) -> Result<(), Halt> {
        let space: Arc<dyn Space> = Arc::new(self.space(low, pair, &Arc::new(changes.clone()), None));
        let stage = label(round, RoundStep::Others, Algorithm::Confirm, Unit::Hunk);
        let nothing = Confirm::new(Difference::from_nothing(Configuration::empty()));
        let confirmed = stages.search(&stage, &space, nothing, &mut |_| {})?;
        if confirmed.alone_fails {
            let message = "it fails without any of the changes that --only and --except allow, so the cause is among the changes that they leave out";
            let problem = Problem::new(message).hint("widen --only, or leave out --except");
            return Err(problem.of_kind(ProblemKind::NothingToExplain).into());
        }
        Ok(())
    }

    pub(super) fn space(
        &self,
        low: &Candidate,
        pair: &VersionPair,
        changes: &Arc<ChangeSet>,
        knowledge: Option<&SearchKnowledge>,
    ) -> ChangeSpace {
        let reader = knowledge.and_then(SearchKnowledge::reader);
        let known = knowledge.map_or_else(Knowledge::none, SearchKnowledge::known);
        let on_low = ChangeSpace::on(low, changes);
        let names = on_low.names.filter(|_| self.plan.uses(Clue::Needs));
        ChangeSpace {
            revision: pair.low_commit.clone(),
            reader,
            known,
            names,
            ..ChangeSpace::on(low, changes)
        }
    }

    pub(super) fn search(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        low: &Candidate,
        level: Level,
        passed: &mut Vec<PassedChanges>,
    ) -> NarrowResult {
        let Level { changes, unit, step } = level.clone();
        let is_finest = step == RoundStep::Lines;
        let all = changes.all();
        let narrowed = |chosen: Configuration| NarrowedChanges::of(&changes, chosen, unit);
        if changes.len() == 1 {
            return Ok(Some(narrowed(all)));
        }
        let commits = if is_finest { Vec::new() } else { self.by_commit(pair, &changes) };
        let known = self.known(pair, &changes, &step)?;
        let mut knowledge = SearchKnowledge::of(&changes, self.plan, commits, &step, known);
        knowledge.suggest(self.executed(pair, &changes));
        knowledge.suggest(self.of_the_merge(pair, &changes));
        knowledge.suggest(self.related(&changes));
        knowledge.suggest(self.complained_of(&changes).filter(|_| !is_finest));
        knowledge.suggest(self.first.clone().filter(|_| step == RoundStep::Hunks));
        let mut space = self.space(low, pair, &changes, Some(&knowledge));
        if step == RoundStep::Items {
            space.syntax = None;
        }
        let space: Arc<dyn Space> = Arc::new(space);
        let single = self.flaky_change(stages, round, &level, &space);
        if let Some(single) = single.map_err(|halt| halt.map_best(|best| Some(narrowed(best.failing))))? {
            return Ok(Some(narrowed(single)));
        }
        let algorithm = self.plan.algorithm.map_or(Algorithm::Narrow, SearchChoice::algorithm);
        let stage = label(round, step.clone(), algorithm, unit);
        let mut keep = |chosen: &Configuration| self.keep_best(pair, low, &changes, chosen);
        let keep: &mut dyn FnMut(&Configuration) = &mut keep;
        let all = changes.all();
        let (mut opposite, mut limit) = (None, None);
        let found = match self.plan.algorithm {
            None => {
                let search = Narrow::new(all)
                    .along(knowledge.levels())
                    .trying_first(knowledge.suggestions())
                    .knowing(knowledge.needs())
                    .with_repairs(knowledge.most_repairs());
                let search = if step == RoundStep::Items { search.isolating() } else { search };
                let search = StopEarly::new(search, self.limit(&level, stages.told()));
                match self.sought {
                    Some(sought) => {
                        let awaited = self.ends_at_pass.then_some(Outcome::Pass);
                        let search =
                            StopEarly::new(TargetOutcome::new(sought, search), UntilOutcome::new(awaited));
                        stages.search(&stage, &space, search, keep).map(|FoundUntil { finding, seen }| {
                            opposite = seen.map(Box::new);
                            finding.unwrap_or_else(|found| FoundWithinLimit { found, limit: None })
                        })
                    }
                    None => {
                        let search = SeenPassing::new(search);
                        stages.search(&stage, &space, search, keep).map(|(finding, seen)| {
                            passed.extend(seen.into_iter().map(|seen| (Arc::clone(&changes), seen)));
                            finding
                        })
                    }
                }
            }
            Some(choice) => {
                let chosen = (choice, self.limit_as_chosen(stages.told()));
                search_as_chosen(stages, (&stage, &space), chosen, &knowledge, keep)
            }
        };
        let found = found.map(|within| {
            limit = within.limit;
            within.found
        });
        if let Some(limit) = limit {
            stages.note_limit(&stage.name, limit.into());
        }
        match found {
            // If hardly any mix of lines can be judged, or most lines are left, the hunks are the answer.
            Ok(found) if is_finest && limit.is_some() && found.failing.len() * 2 > changes.len() as usize => {
                Ok(None)
            }
            Ok(found) => {
                let is_difference = step == RoundStep::Items || finds_difference(self.plan.algorithm);
                let passing = is_difference.then(|| Box::new(found.passing));
                Ok(Some(NarrowedChanges { opposite, passing, limit, ..narrowed(found.failing) }))
            }
            Err(halt) => Err(halt.map_best(|best| Some(narrowed(best.failing)))),
        }
    }

    /// Keeps the best candidate so far as a patch of the low version of a pair.
    fn keep_best(
        &self,
        pair: &VersionPair,
        low: &Candidate,
        changes: &Arc<ChangeSet>,
        chosen: &Configuration,
    ) {
        let Some(path) = &self.plan.best_patch else { return };
        let patch = match low.mix == pair.low.mix {
            true => patch_of_good(changes, chosen),
            // The changes are those of a mix.
            false => {
                let best = self.space(low, pair, changes, None).version(chosen);
                let Ok(all) = ChangeSet::between(&pair.low.tree(), &best.tree()) else { return };
                patch_of_good(&all, &all.all())
            }
        };
        // A patch that cannot be written here is reported when the answer is written.
        let _ = FileReplacement::at(path).without_flush().write_bytes(&patch);
    }
}

pub(super) fn label(round: Round, step: RoundStep, search: Algorithm, unit: Unit) -> StageLabel {
    StageLabel { name: StageName::Round(round, step), search, unit }
}

pub(super) fn unreadable(error: TreeError) -> Problem {
    Problem::hinted(&error, Some(error.hint().to_owned()))
}

/// With fewer hunks, looking at whole functions first costs more tests than it saves.
pub(super) const FEWEST_FOR_ITEMS: u32 = 64;

/// Of hunks with more lines, hardly any mix of lines can be judged, and each takes long to parse.
const MOST_LINES_TO_SEARCH: u32 = 4_000;

/// The changes of one granularity.
#[derive(Clone)]
pub(super) struct Level {
    pub(super) changes: Arc<ChangeSet>,
    pub(super) unit: Unit,
    pub(super) step: RoundStep,
}

impl Level {
    /// The step at which changes of a unit are searched.
    pub(super) fn step_of(unit: Unit) -> RoundStep {
        match unit {
            Unit::Line => RoundStep::Lines,
            Unit::File => RoundStep::Files,
            Unit::Item => RoundStep::Items,
            _ => RoundStep::Hunks,
        }
    }

    fn hunks(changes: ChangeSet) -> Self {
        Self { changes: Arc::new(changes), unit: Unit::Hunk, step: RoundStep::Hunks }
    }
}
