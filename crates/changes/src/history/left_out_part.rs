//! A patch without a part of its changes.
//!
//! The commit that brought what the test needs can have brought the cause, too. Then every revision fails with the patch. Without the right
//! part of it, the revision that the patch was made for passes.

use super::backport_patch::{BackportPatch, PatchExtent, line_changes};
use super::stages::HistoryStages;
use super::trial::find_failing_with;
use super::walk_state::{WalkEnd, WalkState};
use crate::candidates::candidate::Candidate;
use crate::candidates::change_space::ChangeSpace;
use crate::candidates::space::TreeStages;
use crate::candidates::tree_test::says_how_to_build;
use crate::deltas::blocks::blocks;
use crate::deltas::change_set::ChangeSet;
use crate::knowledge::{Dependencies, Words, names_in, related};
use howcome_dd::{Configuration, DeltaId, Outcome};
use howcome_run::words::count;
use howcome_run::{Content, Halt, Problem};
use std::collections::VecDeque;
use std::sync::Arc;

/// So few blocks of a patch are left out one by one.
const FEW_BLOCKS: usize = 8;

/// A patch that had to be made, line by line.
struct MadePatch {
    /// Its number among the patches.
    number: usize,
    /// The revision that it was made for.
    low: Candidate,
    lines: Arc<ChangeSet>,
    needs: Dependencies,
}

/// Blocks of lines that are left out together. If the version is no longer the same program then, they are split.
type Part = Vec<Configuration>;

/// What came of leaving out parts of patches.
pub(super) enum LeftOutParts {
    /// A version passes without a part.
    Pass(WalkEnd),
    /// It fails also without what the test does not need.
    Fail,
    /// Not all that the test does not need could be left out.
    Untried,
}

/// What is left out of a patch first.
struct FirstParts {
    /// All that the test does not need, by its names.
    unneeded: Part,
    others: Vec<Part>,
}

/// Tries the revisions that patches were made for without parts of these patches. If a version fails without a part, that part does not
/// hold the cause; if it cannot be judged, the part is split. At most this many tests are run.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn try_left_out_parts(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    most: u64,
) -> Result<LeftOutParts, Halt> {
    let until = stages.runner.told() + most;
    let patches = made_patches(stages, state)?;
    let mut untried: VecDeque<(&MadePatch, Part)> = VecDeque::new();
    let mut unneeded_parts: Vec<Part> = Vec::new();
    for patch in &patches {
        let differing = state.outcomes.difference_of(state.backports[patch.number].revision);
        let complaint = differing.map_or_else(Vec::new, |seen| stages.runner.printed(seen));
        let mut names: Vec<Vec<u8>> = names_in([complaint.as_slice()]).into_iter().collect();
        names.extend(stages.plan.test_names.iter().flat_map(|test| test.names_in_changes(&patch.lines)));
        let FirstParts { unneeded, others } = patch.first_parts(&names);
        if !unneeded.is_empty() {
            unneeded_parts.push(unneeded.clone());
            untried.push_back((patch, unneeded));
        }
        untried.extend(others.into_iter().map(|part| (patch, part)));
    }
    let mut tried: Vec<Content> = patches.iter().flat_map(MadePatch::ends).collect();
    while let Some((patch, part)) = untried.pop_front() {
        let kept = patch.without(&part);
        let candidate = ChangeSpace::on(&patch.low, &patch.lines).version(&kept);
        // Nothing is left out, all of it is, or this was tried.
        if tried.contains(&candidate.content()) {
            untried.extend(halves(part).map(|half| (patch, half)));
            continue;
        }
        if stages.runner.told() >= until {
            return Ok(match unneeded_parts.is_empty() {
                true => LeftOutParts::Fail,
                false => LeftOutParts::Untried,
            });
        }
        tried.push(candidate.content());
        let (revision, newer) = (state.backports[patch.number].revision, state.backports[patch.number].newer);
        let size = count(kept.len() as u64, "line");
        let what = format!("{} with {size} of the patch", stages.name(revision));
        match stages.try_version(&what, candidate.clone(), revision)? {
            Outcome::Pass => {
                let smaller = BackportPatch::between(&patch.low, &candidate, PatchExtent::Part)?;
                state.backports.truncate(patch.number + 1);
                return find_failing_with(stages, state, smaller, revision, newer).map(LeftOutParts::Pass);
            }
            Outcome::Fail => unneeded_parts.retain(|unneeded| *unneeded != part),
            Outcome::Unresolved => untried.extend(halves(part).map(|half| (patch, half))),
        }
    }
    Ok(LeftOutParts::Fail)
}

/// The patches that were made, as far as they can be made again.
fn made_patches(
    stages: &HistoryStages<'_, impl TreeStages>,
    state: &WalkState,
) -> Result<Vec<MadePatch>, Problem> {
    let mut patches = Vec::new();
    for (number, backport) in state.backports.iter().enumerate() {
        let low = stages.version(backport.revision)?;
        let Ok(high) = backport.patch.all_hunks().apply_to(&low) else { continue };
        let lines = line_changes(&low, &high)?;
        let needs = Dependencies::of(&lines, &Words::of(&lines));
        patches.push(MadePatch { number, low, lines, needs });
    }
    Ok(patches)
}

impl MadePatch {
    /// What is known without a test: the revision without the patch, and with all of it.
    fn ends(&self) -> [Content; 2] {
        let space = ChangeSpace::on(&self.low, &self.lines);
        [Configuration::empty(), self.lines.all()].map(|chosen| space.version(&chosen).content())
    }

    /// The lines of the patch without a part, and without what needs that part.
    fn without(&self, part: &Part) -> Configuration {
        let left_out = part.iter().fold(Configuration::empty(), |all, block| all.with(block));
        self.needs.pruned(&self.lines.all().without(&left_out))
    }

    /// Whether lines are of a file that the revision does not have. What is there does not need it, so it is hardly the cause.
    fn is_new_file(&self, block: &Configuration) -> bool {
        let tree = self.low.tree();
        self.lines.paths_of(block).iter().all(|path| tree.get(path).is_none())
    }

    /// What is left out first: all that is not asked for, directly or because of a name. Then the halves of the patch, those blocks first
    /// that have the fewest of the names. Few blocks are left out one by one. The names are those that the older revision complains of,
    /// and those of the test.
    fn first_parts(&self, names: &[Vec<u8>]) -> FirstParts {
        let lines = &self.lines;
        let wanted = related(lines, names);
        let weight = |delta: DeltaId| wanted.get(delta.index()).copied().unwrap_or_default();
        // A build file that no longer runs the test would pass.
        let is_code = |delta: DeltaId| {
            lines.describe(delta).is_some_and(|change| {
                !change.is_remark() && !change.path.is_for_people() && !says_how_to_build(change.path)
            })
        };
        let mut all: Part = blocks(lines)
            .into_iter()
            .filter(|block| block.iter().any(is_code) && !self.is_new_file(block))
            .collect();
        all.sort_by_key(|block| block.iter().map(weight).max());
        let asked_for: Configuration = lines.all().iter().filter(|delta| weight(*delta) > 0).collect();
        let needed = self.needs.closure(&asked_for, &lines.all());
        let is_needed = |block: &Configuration| block.iter().any(|delta| needed.contains(delta));
        let unneeded: Part = all.iter().filter(|block| !is_needed(block)).cloned().collect();
        let others = match all.len() <= FEW_BLOCKS {
            true => all.into_iter().map(|block| vec![block]).collect(),
            false => halves(all).collect(),
        };
        FirstParts { unneeded, others }
    }
}

/// A part in two: half of its blocks each, or half of the lines of a single block.
fn halves(part: Part) -> impl Iterator<Item = Part> {
    let pieces: Part = match part.as_slice() {
        [block] => block.iter().map(|delta| Configuration::empty().with_delta(delta)).collect(),
        _ => part,
    };
    let (first, second) = pieces.split_at(pieces.len() / 2);
    let is_whole = pieces.len() < 2;
    let halves: Vec<Part> = if is_whole { Vec::new() } else { vec![first.to_vec(), second.to_vec()] };
    halves.into_iter()
}
