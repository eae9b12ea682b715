//! The single edit that decides, if code also moved or was renamed, so that no hunk and no line can be left out.

use super::edit_forms::EditForms;
use super::narrowed_changes::NarrowedChanges;
use super::plan::{Clue, SearchPlan};
use crate::candidates::candidate::Candidate;
use crate::candidates::space::{Space, TreeStages};
use crate::candidates::version_space::VersionSpace;
use crate::deltas::change::DescribedChange;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::splice::mix;
use crate::edits::{SingleEdit, by_suspicion, single_edits};
use crate::trees::mix::Mix;
use crate::trees::tree_error::TreeError;
use crate::trees::tree_path::TreePath;
use crate::versions::compared::ComparedVersions;
use howcome_dd::{BothWays, Configuration};
use howcome_run::{Algorithm, Halt, Problem, Round, RoundStep, StageLabel, StageName, Unit};
use std::collections::HashSet;
use std::sync::Arc;

/// After an edit without which the bad version passes, at most this many others are tried.
const MOST_FURTHER: u32 = 3;

/// An edit that decides.
pub(super) struct FoundEdit {
    /// Its lines.
    pub(super) lines: Configuration,
    /// The set of single lines that they are chosen from.
    pub(super) shown: Arc<ChangeSet>,
    pub(super) forms: EditForms,
    /// Whether the good version fails with it.
    pub(super) fails_alone: bool,
}

/// The search for a single edit between two versions.
pub(super) struct EditSearch<'a> {
    pub(super) versions: &'a ComparedVersions,
    pub(super) plan: &'a SearchPlan,
    /// The version that is not known to fail.
    pub(super) low: &'a Candidate,
    /// What differs in the version that fails, line by line.
    pub(super) changes: &'a Arc<ChangeSet>,
    /// An edit with more lines is not of interest.
    pub(super) most_lines: usize,
    /// At most this many edits are undone. The edit that decides is among the first, or it takes more than one edit to fail.
    pub(super) most_edits: usize,
    /// The hunks that fail, and changes that were seen to pass: an edit of their lines alone passes too.
    pub(super) failing: &'a NarrowedChanges,
}

impl EditSearch<'_> {
    /// The first edit that decides both ways, or else the first without which the version that fails passes.
    pub(super) fn run(&self, stages: &mut impl TreeStages, round: Round) -> Result<Option<FoundEdit>, Halt> {
        let high = self.high();
        let shown = ChangeSet::by_unpaired_lines(&self.low.tree(), &high.tree());
        let shown = Arc::new(shown.map_err(|error| unreadable(&error))?);
        let edits = self.edits(&shown);
        if edits.is_empty() {
            return Ok(None);
        }
        let with = |version: &Candidate, edit: &Mix| Candidate {
            base: Arc::clone(&version.base),
            mix: version.mix.then(edit),
        };
        let mut candidates = vec![("the version that passes".to_owned(), self.low.clone(), None)];
        for edit in &edits {
            let (path, line) = &edit.place;
            let place = format!("the edit at {path}:{line}");
            candidates.push((format!("without {place}"), with(&high, &edit.undone), None));
            candidates.push((format!("only {place}"), with(self.low, &edit.made), None));
        }
        let forms = |edit: usize| -> Result<EditForms, Problem> {
            let [undone, made] = [&candidates[2 * edit + 1].1, &candidates[2 * edit + 2].1];
            let between = |good: &Candidate, bad: &Candidate| {
                ChangeSet::by_lines(&good.tree(), &bad.tree())
                    .map(Arc::new)
                    .map_err(|error| unreadable(&error))
            };
            Ok(EditForms { made: between(self.low, made)?, undone: between(undone, &high)? })
        };
        let all_forms: Vec<EditForms> = (0..edits.len()).map(forms).collect::<Result<_, _>>()?;
        let written = vec![self.low.clone(), high, self.versions.good.clone(), self.versions.bad.clone()];
        let space = VersionSpace::of(candidates).mixing(written);
        let space: Arc<dyn Space> = match self.plan.uses(Clue::Needs) {
            true => Arc::new(space.knowing_names(self.changes)),
            false => Arc::new(space),
        };
        let stage = StageLabel {
            name: StageName::Round(round, RoundStep::Edits),
            search: Algorithm::BothWays,
            unit: Unit::Version,
        };
        let search = BothWays::new(edits.len() as u32, MOST_FURTHER);
        let found = stages.search(&stage, &space, search, &mut |_| {}).map_err(|halt| halt.keeping(()))?;
        let decides = found.both_ways.or(found.without);
        Ok(decides.map(|edit| FoundEdit {
            lines: edits[edit as usize].shown.clone(),
            shown: Arc::clone(&shown),
            forms: all_forms[edit as usize].clone(),
            fails_alone: found.both_ways.is_some(),
        }))
    }

    fn high(&self) -> Candidate {
        let mixed = self.low.mix.then(&mix(self.changes, &self.changes.all()));
        Candidate { base: Arc::clone(&self.low.base), mix: mixed }
    }

    /// The edits in the order in which they are tried.
    fn edits(&self, shown: &ChangeSet) -> Vec<SingleEdit> {
        let mut edits = single_edits(self.changes, shown);
        let failing = lines_of(&self.failing.changes, &self.failing.chosen);
        let passed = self.failing.passed.iter().map(|(changes, passed)| lines_of(changes, passed));
        let passed: Vec<HashSet<ChangedLine>> = passed.collect();
        edits.retain(|edit| {
            line_count(shown, &edit.shown) <= self.most_lines && self.is_possible(edit, &failing, &passed)
        });
        let printed = self.plan.printed_when_failing();
        let mut edits = by_suspicion(edits, printed, |path, line| self.line_at(path, line));
        edits.truncate(self.most_edits);
        edits
    }

    /// Whether an edit can be the answer: it touches the changes that fail, and was not seen to pass.
    fn is_possible(
        &self,
        edit: &SingleEdit,
        failing: &HashSet<ChangedLine>,
        passed: &[HashSet<ChangedLine>],
    ) -> bool {
        let own = lines_of(self.changes, &edit.lines);
        own.iter().any(|line| failing.contains(line)) && !passed.iter().any(|passed| own.is_subset(passed))
    }

    /// A line of the bad version, counted from 1. The path can be relative to any folder.
    fn line_at(&self, named: &[u8], line: u32) -> Option<Vec<u8>> {
        let paths = self.changes.paths_of(&self.changes.all());
        let is_named = |path: &[u8]| {
            let ends = |long: &[u8], short: &[u8]| {
                long == short || long.strip_suffix(short).is_some_and(|before| before.ends_with(b"/"))
            };
            ends(named, path) || ends(path, named.strip_prefix(b"./").unwrap_or(named))
        };
        let path = paths.iter().find(|path| is_named(path.as_bytes()))?;
        let bytes = self.versions.bad.at(path)?.bytes().ok()?;
        let text = bytes.split(|byte| *byte == b'\n').nth(line.checked_sub(1)? as usize)?;
        Some(text.trim_ascii().to_vec())
    }
}

/// A line that is removed or added, the same for hunks and for single lines.
type ChangedLine = (TreePath, bool, Vec<u8>);

fn lines_of(changes: &ChangeSet, chosen: &Configuration) -> HashSet<ChangedLine> {
    let described = chosen.iter().filter_map(|delta| changes.describe(delta));
    let lines = |change: DescribedChange<'_>| {
        let removed = change.removed.iter().map(|line| (false, *line));
        let lines = removed.chain(change.added.iter().map(|line| (true, *line)));
        lines
            .map(|(is_added, line)| (change.path.clone(), is_added, line.trim_ascii().to_vec()))
            .collect::<Vec<_>>()
    };
    described.flat_map(lines).collect()
}

/// How many lines some changes remove and add, blank lines not counted.
pub(super) fn line_count(changes: &ChangeSet, chosen: &Configuration) -> usize {
    let described = chosen.iter().filter_map(|delta| changes.describe(delta));
    let lines = |change: &DescribedChange<'_>| {
        let lines = change.removed.iter().chain(&change.added);
        lines.filter(|line| !line.trim_ascii().is_empty()).count().max(1)
    };
    described.map(|change| lines(&change)).sum()
}

fn unreadable(error: &TreeError) -> Problem {
    Problem::hinted(error, Some(error.hint().to_owned()))
}
