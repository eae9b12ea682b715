//! Below the commit: which hunks, and which lines of them, make the difference between two versions.

use super::blame::{by_commit, commits_of};
use super::clues::Clues;
use super::ground::{Abort, Ground, Named};
use super::hunt::{Part, Round};
use super::origin::failure;
use super::past::Pair;
use super::plan::{Clue, Plan};
use super::sources::Sources;
use crate::algorithm::Algorithm;
use crate::exit::Exit;
use crate::failure::Failure;
use howcome_changes::coverage::unexecuted;
use howcome_changes::git::ObjectId;
use howcome_changes::knowledge::{names_in, related};
use howcome_changes::{Candidate, ChangeSet, Mixed, Space, TreePath, patch_of_good};
use howcome_dd::{
    Balanced, Configuration, Confirm, Dd, DdPlus, Ddmin, DeltaId, Difference, Isolate, Narrow, Outcome,
    TargetFinding, TargetOutcome, UnresolvedLimit,
};
use howcome_run::{StageEnd, Stop};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// The changes that make the difference.
#[derive(Clone, Debug)]
pub(crate) struct Narrowed {
    pub(crate) changes: Arc<ChangeSet>,
    pub(crate) chosen: Configuration,
    /// What one of them is.
    pub(crate) unit: &'static str,
    /// Whether each single one was tried to be left out.
    pub(crate) is_minimal: bool,
    /// Changes with which the opposite of what is sought was seen, if it was.
    pub(crate) opposite: Option<Configuration>,
}

impl Narrowed {
    /// The changes upon the version that they were found for.
    pub(crate) fn upon(&self, low: &Candidate) -> Mixed {
        Mixed::upon(low, &self.changes)
    }
}

pub(crate) struct Below<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) plan: &'a Plan,
    /// What was found before, with which this fails only together.
    pub(crate) before: &'a [Part],
    /// The one outcome that counts, where it does not matter how everything else ends.
    pub(crate) sought: Option<Outcome>,
    /// What the low version prints, which may name what it lacks.
    pub(crate) complaint: &'a [u8],
}

/// `None` where the versions do not differ, or nothing between them could be judged; an error with the best so far where
/// the search was stopped.
pub(crate) type Found = Result<Option<Narrowed>, (Stop, Option<Narrowed>)>;

impl Below<'_> {
    pub(crate) fn narrow(&self, ground: &mut impl Ground, round: Round, pair: &Pair) -> Result<Found, Abort> {
        let Some((low, changes)) = self.varied(pair)? else { return Ok(Ok(None)) };
        if low.mix != pair.low.mix
            && let Err(why) = self.passes_without(ground, round, pair, &low, &changes)?
        {
            return Ok(Err((why, None)));
        }
        let hunks = Level { changes: Arc::new(changes), unit: "hunk", is_finest: false };
        let hunks = match self.search(ground, round, pair, &low, hunks)? {
            Ok(Some(hunks)) => hunks,
            Ok(None) => return Ok(Ok(None)),
            Err(stopped) => return Ok(Err(stopped)),
        };
        let space = self.space(&low, pair, &hunks.changes, None);
        let high = space.version(&hunks.chosen);
        let lines = ChangeSet::by_lines(&low.tree(), &high.tree())
            .map_err(|error| failure(&error, Some(error.hint().to_owned())))?;
        let is_finer = lines.len() as usize > hunks.chosen.len();
        let lines = Level { changes: Arc::new(lines), unit: "line", is_finest: true };
        if !is_finer {
            // Each hunk is one line, or cannot be split; what is left to do is to see whether each is necessary.
            let unit = if lines.changes.len() as usize == hunks.chosen.len() { "line" } else { "hunk" };
            let checked = self.check(ground, round, pair, &low, hunks)?;
            return Ok(checked
                .map(|narrowed| Some(Narrowed { unit, ..narrowed }))
                .map_err(|(why, best)| (why, Some(best))));
        }
        let found = match self.search(ground, round, pair, &low, lines)? {
            // Where hardly any mix of lines can be judged, the hunks are the answer.
            Ok(lines) => lines.unwrap_or(hunks),
            Err((why, best)) => return Ok(Err((why, best.or(Some(hunks))))),
        };
        let checked = self.check(ground, round, pair, &low, found)?;
        Ok(checked.map(Some).map_err(|(why, best)| (why, Some(best))))
    }

    /// The fewest hunks, and the fewest lines of them if these are wanted, that lead from the low version to one with the outcome
    /// that is sought, as the high one has it.
    pub(crate) fn fewest(
        &self,
        ground: &mut impl Ground,
        round: Round,
        pair: &Pair,
        by_lines: bool,
    ) -> Result<Found, Abort> {
        let Some((low, changes)) = self.varied(pair)? else { return Ok(Ok(None)) };
        let hunks = Level { changes: Arc::new(changes), unit: "hunk", is_finest: false };
        let hunks = match self.search(ground, round, pair, &low, hunks)? {
            Ok(Some(hunks)) if by_lines => hunks,
            found => return Ok(found),
        };
        let high = self.space(&low, pair, &hunks.changes, None).version(&hunks.chosen);
        let lines = ChangeSet::by_lines(&low.tree(), &high.tree())
            .map_err(|error| failure(&error, Some(error.hint().to_owned())))?;
        let lines = Level { changes: Arc::new(lines), unit: "line", is_finest: true };
        Ok(match self.search(ground, round, pair, &low, lines)? {
            Ok(lines) => Ok(Some(lines.unwrap_or(hunks))),
            Err((why, best)) => Err((why, best.or(Some(hunks)))),
        })
    }

    /// The changes that may be varied, upon the low version with all others made.
    fn varied(&self, pair: &Pair) -> Result<Option<(Candidate, ChangeSet)>, Abort> {
        let wrong = |error: howcome_changes::TreeError| failure(&error, Some(error.hint().to_owned()));
        let high = pair.high.tree();
        let changes = ChangeSet::between(&pair.low.tree(), &high).map_err(wrong)?;
        let (_, others) = changes.split_by(&self.plan.filter);
        let mut low = pair.low.clone();
        let changes = match others.is_empty() {
            true => changes,
            false => {
                low.mix = low.mix.then(&howcome_changes::mix(&changes, &others));
                ChangeSet::between(&low.tree(), &high).map_err(wrong)?
            }
        };
        Ok((!changes.is_empty()).then_some((low, changes)))
    }

    /// Sees that what may not be varied is not the cause.
    fn passes_without(
        &self,
        ground: &mut impl Ground,
        round: Round,
        pair: &Pair,
        low: &Candidate,
        changes: &ChangeSet,
    ) -> Result<Result<(), Stop>, Abort> {
        let space: Arc<dyn Space> = Arc::new(self.space(low, pair, &Arc::new(changes.clone()), None));
        let stage = Named { name: round.name("others"), search: "confirm", unit: "hunk" };
        let nothing = Confirm::new(Difference::from_nothing(Configuration::empty()));
        match ground.search(&stage, &space, nothing, &|_| None)? {
            StageEnd::Stopped { why, .. } => Ok(Err(why)),
            StageEnd::Done(confirmed) if confirmed.alone_fails => {
                let message = "it fails without any of the changes that --only and --except leave, so the cause is among the others";
                let failure = Failure::wrong_use(message).hint("widen --only, or take --except back");
                Err(Abort::Failure(failure.exit(Exit::NothingToExplain)))
            }
            StageEnd::Done(_) => Ok(Ok(())),
        }
    }

    /// The changes of each commit, where they come from several.
    fn by_commit(&self, pair: &Pair, changes: &ChangeSet) -> Vec<Configuration> {
        let is_one = pair.commit.is_some() && pair.suspects.len() < 2;
        let (Some(trees), false, true) = (&self.sources.trees, is_one, self.plan.uses(Clue::Commits)) else {
            return Vec::new();
        };
        let commits = pair.low_commit.zip(pair.commit.or(self.sources.bad_commit));
        let range = commits.and_then(|(low, high)| trees.repository().range(&[low], high).ok());
        match range {
            Some(range) if changes.paths_of(&changes.all()).len() <= MOST_FILES_TO_BLAME => {
                by_commit(&commits_of(trees.repository(), &range, changes, &changes.all()))
            }
            _ => Vec::new(),
        }
    }

    /// All but what the failing run never executes. Lines are known by their numbers in the bad version.
    fn executed(&self, pair: &Pair, changes: &ChangeSet) -> Option<Configuration> {
        let coverage = self.plan.executed.as_ref().filter(|_| self.plan.uses(Clue::Coverage))?;
        if pair.high.content() != self.sources.bad.content() {
            return None;
        }
        let unexecuted = unexecuted(changes, coverage, Path::new(""));
        (!unexecuted.is_empty()).then(|| changes.all().without(&unexecuted))
    }

    /// What a merge has changed itself: lines that are in none of the versions that it merged.
    fn of_the_merge(&self, pair: &Pair, changes: &ChangeSet) -> Option<Configuration> {
        let trees = self.sources.trees.as_ref()?;
        let merged: Vec<_> =
            pair.merged.iter().map(|merged| trees.of(*merged).ok()).collect::<Option<_>>()?;
        if merged.is_empty() {
            return None;
        }
        let mut lines: HashMap<(usize, &TreePath), HashSet<Vec<u8>>> = HashMap::new();
        let mut is_own = |delta: &DeltaId| {
            let Some(change) = changes.describe(*delta) else { return false };
            (0..merged.len()).all(|which| {
                let lines = lines.entry((which, change.path)).or_insert_with(|| {
                    let entry = merged[which].tree().get(change.path);
                    let text = entry.and_then(|entry| entry.contents.read().ok()).unwrap_or_default();
                    text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
                });
                let comes =
                    change.added.iter().any(|line| !line.trim_ascii().is_empty() && !lines.contains(*line));
                let goes = change.added.is_empty() && change.removed.iter().all(|line| lines.contains(*line));
                comes || goes
            })
        };
        let own: Configuration = changes.all().iter().filter(|delta| is_own(delta)).collect();
        (!own.is_empty()).then_some(own)
    }

    /// The change that shares the rarest names with what was found before.
    fn related(&self, changes: &ChangeSet) -> Option<Configuration> {
        if !self.plan.uses(Clue::Words) {
            return None;
        }
        let part = self.before.last()?;
        let found: Vec<_> = part.chosen.iter().filter_map(|delta| part.changes.describe(delta)).collect();
        let names: Vec<Vec<u8>> =
            names_in(found.iter().flat_map(|change| change.added.iter().chain(&change.removed)).copied())
                .into_iter()
                .collect();
        heaviest(&related(changes, &names))
    }

    /// The change that holds the rarest names that the low version complains of.
    fn complained_of(&self, changes: &ChangeSet) -> Option<Configuration> {
        let names: Vec<Vec<u8>> = names_in([self.complaint]).into_iter().collect();
        let mut weights = related(changes, &names);
        // What is written about it for people mends nothing.
        for (delta, weight) in (0..).map(DeltaId).zip(&mut weights) {
            if changes.describe(delta).is_some_and(|change| change.path.is_for_people()) {
                *weight = 0;
            }
        }
        heaviest(&weights)
    }

    fn space(&self, low: &Candidate, pair: &Pair, changes: &Arc<ChangeSet>, clues: Option<&Clues>) -> Mixed {
        Mixed {
            low: low.clone(),
            revision: pair.low_commit,
            changes: Arc::clone(changes),
            reader: clues.and_then(Clues::reader),
        }
    }

    fn search(
        &self,
        ground: &mut impl Ground,
        round: Round,
        pair: &Pair,
        low: &Candidate,
        level: Level,
    ) -> Result<Found, Abort> {
        let Level { changes, unit, is_finest } = level;
        let all = changes.all();
        let narrowed = |chosen: Configuration| Narrowed {
            changes: Arc::clone(&changes),
            chosen,
            unit,
            is_minimal: false,
            opposite: None,
        };
        if changes.len() == 1 {
            return Ok(Ok(Some(narrowed(all))));
        }
        let commits = if is_finest { Vec::new() } else { self.by_commit(pair, &changes) };
        let mut clues = Clues::of(&changes, self.plan, commits, is_finest);
        clues.suggest(self.executed(pair, &changes));
        clues.suggest(self.of_the_merge(pair, &changes));
        clues.suggest(self.related(&changes));
        clues.suggest(self.complained_of(&changes).filter(|_| !is_finest));
        let space: Arc<dyn Space> = Arc::new(self.space(low, pair, &changes, Some(&clues)));
        let search = Narrow::new(all)
            .along(clues.levels())
            .trying_first(clues.suggestions())
            .knowing(clues.needs())
            .with_repairs(clues.most_repairs());
        let most_unresolved = if is_finest { 8 + 2 * changes.len().ilog2() } else { u32::MAX };
        let search = UnresolvedLimit::new(search, most_unresolved);
        let stage =
            Named { name: round.name(if is_finest { "lines" } else { "hunks" }), search: "narrow", unit };
        let best = |chosen: &Configuration| Some(patch_of_good(&changes, chosen));
        let all = changes.all();
        let stage = match self.plan.algorithm {
            Some(algorithm) => Named { search: algorithm.name(), ..stage },
            None => stage,
        };
        let mut opposite = None;
        let end = match self.plan.algorithm {
            None => {
                let end = match self.sought {
                    Some(sought) => {
                        match ground.search(&stage, &space, TargetOutcome::new(sought, search), &best)? {
                            StageEnd::Done(TargetFinding { finding, opposite: seen }) => {
                                opposite = seen;
                                StageEnd::Done(finding)
                            }
                            StageEnd::Stopped { why, best } => StageEnd::Stopped { why, best },
                        }
                    }
                    None => ground.search(&stage, &space, search, &best)?,
                };
                match end {
                    StageEnd::Done(None) => return Ok(Ok(None)),
                    StageEnd::Done(Some(found)) => StageEnd::Done(found),
                    StageEnd::Stopped { why, best } => StageEnd::Stopped { why, best },
                }
            }
            Some(Algorithm::Balanced) => ground.search(&stage, &space, Balanced::new(all), &best)?,
            Some(Algorithm::Ddmin) => ground.search(&stage, &space, Ddmin::new(all), &best)?,
            Some(Algorithm::Dd) => ground.search(&stage, &space, Dd::new(all), &best)?,
            Some(Algorithm::DdPlus) => ground.search(&stage, &space, DdPlus::new(all), &best)?,
            Some(Algorithm::Isolate) => {
                ground.search(&stage, &space, Isolate::new(Configuration::empty(), all), &best)?
            }
        };
        Ok(match end {
            StageEnd::Done(found) => Ok(Some(Narrowed { opposite, ..narrowed(found.failing) })),
            StageEnd::Stopped { why, best } => Err((why, Some(narrowed(best.failing)))),
        })
    }

    /// Sees whether each change of the answer is necessary, and leaves out those that are not.
    fn check(
        &self,
        ground: &mut impl Ground,
        round: Round,
        pair: &Pair,
        low: &Candidate,
        narrowed: Narrowed,
    ) -> Result<Result<Narrowed, (Stop, Narrowed)>, Abort> {
        self.check_upon(ground, round, low, pair.low_commit, narrowed)
    }

    /// The same upon any version.
    pub(crate) fn check_upon(
        &self,
        ground: &mut impl Ground,
        round: Round,
        low: &Candidate,
        revision: Option<ObjectId>,
        mut narrowed: Narrowed,
    ) -> Result<Result<Narrowed, (Stop, Narrowed)>, Abort> {
        let changes = Arc::clone(&narrowed.changes);
        let space: Arc<dyn Space> = Arc::new(Mixed { low: low.clone(), revision, changes, reader: None });
        let stage = |search| Named {
            name: round.name(if narrowed.unit == "line" { "lines" } else { "hunks" }),
            search,
            unit: narrowed.unit,
        };
        let (confirm, balanced) = (stage("confirm"), stage("balanced"));
        loop {
            let search = Confirm::new(Difference::from_nothing(narrowed.chosen.clone()));
            let confirmed = match ground.search(&confirm, &space, search, &|_| None)? {
                StageEnd::Done(confirmed) => confirmed,
                StageEnd::Stopped { why, .. } => return Ok(Err((why, narrowed))),
            };
            narrowed.is_minimal = confirmed.is_minimal();
            // What dd finds may not even fail on its own.
            if !confirmed.alone_fails && narrowed.chosen != narrowed.changes.all() {
                narrowed.chosen = narrowed.changes.all();
            } else if confirmed.superfluous.is_empty() || !confirmed.alone_fails {
                return Ok(Ok(narrowed));
            }
            let before = narrowed.chosen.len();
            match ground.search(&balanced, &space, Balanced::new(narrowed.chosen.clone()), &|_| None)? {
                StageEnd::Done(found) => narrowed.chosen = found.failing,
                StageEnd::Stopped { why, .. } => return Ok(Err((why, narrowed))),
            }
            if narrowed.chosen.len() == before {
                return Ok(Ok(narrowed));
            }
        }
    }
}

/// The change of the greatest weight, if any has one; the last of several.
fn heaviest(weights: &[u32]) -> Option<Configuration> {
    let heaviest = (0..weights.len()).rev().max_by_key(|delta| weights[*delta])?;
    (weights[heaviest] > 0).then(|| Configuration::empty().with_delta(DeltaId(heaviest as u32)))
}

/// To trace the lines of more files takes longer than it saves.
const MOST_FILES_TO_BLAME: usize = 300;

/// The changes of one granularity.
struct Level {
    changes: Arc<ChangeSet>,
    unit: &'static str,
    is_finest: bool,
}
