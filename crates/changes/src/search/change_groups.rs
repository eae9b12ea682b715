//! Groups of changes for searches that cut along them: by directory, file, function and names, and what the user puts together.

use super::plan::{Clue, SearchPlan};
use crate::deltas::change_set::ChangeSet;
use crate::knowledge::{Words, by_words, near_by_calls};
use crate::syntax::by_function;
use howcome_dd::{Configuration, DeltaId};

/// The levels of WYNOT (Zeller 1999, section 8), from coarse to fine: commits, functions around those that the failing run names,
/// directories, files, functions, and changes that need each other by their names.
pub(super) fn location_levels(
    changes: &ChangeSet,
    words: &Words,
    plan: &SearchPlan,
    by_commit: Vec<Configuration>,
) -> Vec<Vec<Configuration>> {
    let mut levels = vec![by_commit];
    if plan.uses(Clue::Calls) {
        let near = near_by_calls(changes, plan.printed_when_failing());
        let far = changes.all().without(&near);
        levels.extend((!near.is_empty() && !far.is_empty()).then(|| vec![near, far]));
    }
    if plan.uses(Clue::Files) {
        levels.extend(changes.level_groups());
    }
    let by_names = if plan.uses(Clue::Words) { by_words(changes, words) } else { Vec::new() };
    let functions = if plan.uses(Clue::Functions) { by_function(changes) } else { Vec::new() };
    let within = |outer: &[Configuration], inner: &[Configuration]| -> Vec<Configuration> {
        let parts = |group: &Configuration| -> Vec<Configuration> {
            outer.iter().map(|outer| outer.within(group)).filter(|part| part.len() > 1).collect()
        };
        inner.iter().flat_map(parts).collect()
    };
    // Changes in no function belong together by the names in them, if they are in the same file.
    let in_functions = functions.iter().fold(Configuration::empty(), |all, group| all.with(group));
    let others = changes.all().without(&in_functions);
    let files: Vec<Configuration> = changes
        .files_of(&others)
        .map(|(file, first)| Configuration::from_run(first.0..first.0 + file.deltas()).within(&others))
        .collect();
    let mut named = functions;
    named.extend(by_names.first().map(|groups| within(&files, groups)).unwrap_or_default());
    levels.push(named);
    levels.extend(by_names.last().cloned().filter(|_| by_names.len() > 1));
    levels.retain(|level| level.iter().any(|group| group.len() > 1));
    levels
}

/// The same levels, with each of some groups as a whole in the group of its first member, and these groups as the finest level.
pub(super) fn keeping_together(
    mut levels: Vec<Vec<Configuration>>,
    groups: &[Configuration],
) -> Vec<Vec<Configuration>> {
    if groups.is_empty() {
        return levels;
    }
    for level in &mut levels {
        for group in groups {
            let Some(first) = group.first_from(DeltaId(0)) else { continue };
            for other in level.iter_mut() {
                *other = if other.contains(first) { other.with(group) } else { other.without(group) };
            }
        }
        level.retain(|group| !group.is_empty());
    }
    levels.retain(|level| level.len() > 1);
    levels.push(groups.to_vec());
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_together_is_in_one_group_of_every_level() {
        let parse = |texts: &[&str]| -> Vec<Configuration> {
            texts.iter().map(|text| text.parse().unwrap()).collect()
        };
        let levels = vec![parse(&["1-4", "5-8"]), parse(&["1-2", "3-4", "5", "6-8"])];
        let kept = keeping_together(levels.clone(), &parse(&["2,5"]));
        let expected = [&["1-5", "6-8"][..], &["1-2,5", "3-4", "6-8"], &["2,5"]];
        assert_eq!(kept, expected.map(parse).to_vec());
        assert_eq!(keeping_together(levels.clone(), &[]), levels);
    }
}
