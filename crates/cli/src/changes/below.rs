//! Below the commit: which hunks, and which lines of them, make the difference between two versions.

use super::blame::{by_commit, commits_of};
use super::clues::Clues;
use super::ground::{Abort, Ground, Named};
use super::hunt::Round;
use super::origin::failure;
use super::past::Pair;
use super::plan::{Clue, Plan};
use super::sources::Sources;
use howcome_changes::git::ObjectId;
use howcome_changes::{Candidate, ChangeSet, Mixed, Space};
use howcome_dd::{Balanced, Configuration, Confirm, Difference, Knowledge, Narrow};
use howcome_run::{StageEnd, Stop};
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
}

pub(crate) struct Below<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) plan: &'a Plan,
}

/// `None` where the versions do not differ, or nothing between them could be judged; an error with the best so far where
/// the search was stopped.
type Found = Result<Option<Narrowed>, (Stop, Option<Narrowed>)>;

impl Below<'_> {
    pub(crate) fn narrow(&self, ground: &mut impl Ground, round: Round, pair: &Pair) -> Result<Found, Abort> {
        let Some((low, changes)) = self.varied(pair)? else { return Ok(Ok(None)) };
        let hunks = Level { changes: Arc::new(changes), unit: "hunk", is_finest: false };
        let hunks = match self.search(ground, round, pair, &low, hunks)? {
            Ok(hunks) => hunks,
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
        let lines = match self.search(ground, round, pair, &low, lines)? {
            Ok(lines) => lines,
            Err((why, best)) => return Ok(Err((why, best.or(Some(hunks))))),
        };
        let checked = self.check(ground, round, pair, &low, lines)?;
        Ok(checked.map(Some).map_err(|(why, best)| (why, Some(best))))
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
    ) -> Result<Result<Narrowed, (Stop, Option<Narrowed>)>, Abort> {
        let Level { changes, unit, is_finest } = level;
        let all = changes.all();
        let narrowed = |chosen: Configuration| Narrowed {
            changes: Arc::clone(&changes),
            chosen,
            unit,
            is_minimal: false,
        };
        if changes.len() == 1 {
            return Ok(Ok(narrowed(all)));
        }
        let commits = if is_finest { Vec::new() } else { self.by_commit(pair, &changes) };
        let clues = Clues::of(&changes, self.plan, commits, is_finest);
        let space: Arc<dyn Space> = Arc::new(self.space(low, pair, &changes, Some(&clues)));
        let search = Narrow::new(all)
            .along(clues.levels())
            .trying_first(clues.suggestions())
            .knowing(clues.needs())
            .with_repairs(clues.most_repairs());
        let stage = Named {
            name: round.name(if is_finest { "lines" } else { "hunks" }),
            search: "narrow",
            unit,
            knowledge: Knowledge::none(),
        };
        Ok(match ground.search(&stage, &space, search, &mut |_| {})? {
            StageEnd::Done(found) => Ok(narrowed(found.failing)),
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
            knowledge: Knowledge::none(),
        };
        let (confirm, balanced) = (stage("confirm"), stage("balanced"));
        loop {
            let search = Confirm::new(Difference::from_nothing(narrowed.chosen.clone()));
            let confirmed = match ground.search(&confirm, &space, search, &mut |_| {})? {
                StageEnd::Done(confirmed) => confirmed,
                StageEnd::Stopped { why, .. } => return Ok(Err((why, narrowed))),
            };
            narrowed.is_minimal = confirmed.is_minimal();
            if confirmed.superfluous.is_empty() || !confirmed.alone_fails {
                return Ok(Ok(narrowed));
            }
            let before = narrowed.chosen.len();
            match ground.search(&balanced, &space, Balanced::new(narrowed.chosen.clone()), &mut |_| {})? {
                StageEnd::Done(found) => narrowed.chosen = found.failing,
                StageEnd::Stopped { why, .. } => return Ok(Err((why, narrowed))),
            }
            if narrowed.chosen.len() == before {
                return Ok(Ok(narrowed));
            }
        }
    }
}

/// To trace the lines of more files takes longer than it saves.
const MOST_FILES_TO_BLAME: usize = 300;

/// The changes of one granularity.
struct Level {
    changes: Arc<ChangeSet>,
    unit: &'static str,
    is_finest: bool,
}
