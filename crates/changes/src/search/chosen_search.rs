//! The search that the user has chosen instead of ours.

use super::knowledge::SearchKnowledge;
use crate::candidates::space::{Space, TreeStages};
use howcome_dd::{
    Balanced, Configuration, Dd, DdPlus, Ddmin, Difference, FoundWithinLimit, GroupsFirst, Isolate,
    SearchLimit, Split, StopEarly,
};
use howcome_lab::inquiry::SearchChoice;
use howcome_run::{Halt, StageLabel};
use std::sync::Arc;

/// Searches all changes of a space in the way that the user has chosen, until a limit is reached.
///
/// # Errors
/// If the run is stopped, with the best so far, or something is wrong.
pub(super) fn search_as_chosen(
    stages: &mut impl TreeStages,
    (stage, space): (&StageLabel, &Arc<dyn Space>),
    (choice, limit): (SearchChoice, SearchLimit),
    knowledge: &SearchKnowledge,
    keep: &mut dyn FnMut(&Configuration),
) -> Result<FoundWithinLimit, Halt<Difference>> {
    let all = Configuration::all(space.deltas());
    let groups = knowledge.groups();
    let split = || if groups.is_empty() { Split::Even } else { Split::along(groups.iter().cloned()) };
    match choice {
        SearchChoice::Balanced if groups.is_empty() => {
            stages.search(stage, space, StopEarly::new(Balanced::new(all), limit), keep)
        }
        SearchChoice::Balanced => {
            let search = GroupsFirst::new(all, groups, Balanced::new);
            stages.search(stage, space, StopEarly::new(search, limit), keep)
        }
        SearchChoice::Ddmin => {
            stages.search(stage, space, StopEarly::new(Ddmin::with_split(all, split()), limit), keep)
        }
        SearchChoice::Dd => {
            stages.search(stage, space, StopEarly::new(Dd::with_split(all, split()), limit), keep)
        }
        SearchChoice::DdPlus => {
            let search = DdPlus::with_split(all, knowledge.location_split())
                .with_repairs(knowledge.most_repairs())
                .keeping_context();
            stages.search(stage, space, StopEarly::new(search, limit), keep)
        }
        SearchChoice::Isolate => {
            let search = Isolate::with_split(Configuration::empty(), all, split());
            stages.search(stage, space, StopEarly::new(search, limit), keep)
        }
    }
}

/// Whether a search finds a difference between two mixes, and not changes that fail alone.
pub(super) fn finds_difference(choice: Option<SearchChoice>) -> bool {
    matches!(choice, Some(SearchChoice::Isolate | SearchChoice::DdPlus))
}
