//! The changes of a newer revision around a fix.
//!
//! If a fix does not apply any more, a newer revision has mostly changed the very lines that it changes. So these are undone first.

use super::backport_patch::line_changes;
use super::stages::HistoryStages;
use crate::candidates::candidate::Candidate;
use crate::candidates::change_space::ChangeSpace;
use crate::candidates::space::TreeStages;
use crate::deltas::blocks::blocks;
use crate::deltas::change::DescribedChange;
use crate::deltas::change_set::ChangeSet;
use crate::search::version_pair::VersionPair;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, Outcome};
use howcome_run::{Halt, Problem};
use std::ops::RangeInclusive;

/// The low version of a pair with only those changes towards the high one that touch what the fix has changed in the high one; `None` if
/// it does not pass with them, or they are all that there is.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn try_changes_around(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    pair: &VersionPair,
    unfixed: &Candidate,
    revision: usize,
) -> Result<Option<Candidate>, Halt> {
    let Some(candidate) = with_changes_around(pair, unfixed)? else { return Ok(None) };
    let what = format!("{} with what was fixed before", stages.name(revision));
    let outcome = stages.try_version(&what, candidate.clone(), revision)?;
    Ok((outcome == Outcome::Pass).then_some(candidate))
}

fn with_changes_around(pair: &VersionPair, unfixed: &Candidate) -> Result<Option<Candidate>, Problem> {
    let fixed = line_changes(unfixed, &pair.high)?;
    let fix = places(&fixed);
    let all = line_changes(&pair.low, &pair.high)?;
    let touches = |change: &DescribedChange<'_>| {
        let lines = lines_of(change);
        let meets = |(path, fixed): &(TreePath, RangeInclusive<u32>)| {
            path == change.path && lines.start() <= fixed.end() && fixed.start() <= lines.end()
        };
        fix.iter().any(meets)
    };
    let is_around = |block: &Configuration| {
        block.iter().any(|delta| all.describe(delta).is_some_and(|change| touches(&change)))
    };
    let around: Vec<Configuration> = blocks(&all).into_iter().filter(is_around).collect();
    let chosen = around.iter().fold(Configuration::empty(), |chosen, block| chosen.with(block));
    let is_part = !chosen.is_empty() && chosen != all.all();
    Ok(is_part.then(|| ChangeSpace::on(&pair.low, &all).version(&chosen)))
}

/// The places of changed lines in the version that has the changes.
fn places(changes: &ChangeSet) -> Vec<(TreePath, RangeInclusive<u32>)> {
    let described = changes.all();
    let described = described.iter().filter_map(|delta| changes.describe(delta));
    described.map(|change| (change.path.clone(), lines_of(&change))).collect()
}

/// The lines of a change in the version that has it, with the one before and the one after it.
fn lines_of(change: &DescribedChange<'_>) -> RangeInclusive<u32> {
    change.new_line.saturating_sub(1)..=change.new_line + change.new_lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::candidate::Base;
    use crate::trees::tree::Tree;

    fn candidate(lines: &[&str]) -> Candidate {
        let text = lines.join("\n") + "\n";
        Candidate::of(Base::new(Tree::of_texts(&[("a.py", &text)]), text.as_bytes()))
    }

    fn around(low: &[&str], unfixed: &[&str], fixed: &[&str]) -> Option<Candidate> {
        let pair = VersionPair {
            low: candidate(low),
            low_commit: None,
            high: candidate(fixed),
            commit: None,
            suspects: Vec::new(),
            merged: Vec::new(),
            fails_like_bad: false,
        };
        with_changes_around(&pair, &candidate(unfixed)).unwrap()
    }

    #[test]
    fn what_touches_the_fix_is_undone_and_nothing_else() {
        let unfixed = ["a = 1", "b", "c", "d", "e", "x = bad", "f"];
        let fixed = ["a = 1", "b", "c", "d", "e", "x = good", "f"];
        let newer = ["a = 2", "b", "c", "d", "e", "x = worse", "f"];
        let expected = ["a = 2", "b", "c", "d", "e", "x = good", "f"];
        let found = around(&newer, &unfixed, &fixed).unwrap();
        assert!(line_changes(&found, &candidate(&expected)).unwrap().is_empty());
        // Nothing else has changed, so there is nothing to leave out.
        let only = ["a = 1", "b", "c", "d", "e", "x = worse", "f"];
        assert!(around(&only, &unfixed, &fixed).is_none());
    }
}
