//! What is known of the changes beforehand, brought together for one search.

use super::hunt::Part;
use super::plan::{Clue, Plan};
use howcome_changes::{ChangeSet, Reader};
use howcome_dd::{Configuration, Knowledge};
use std::sync::Arc;

pub(crate) struct Clues {
    levels: Vec<Vec<Configuration>>,
}

impl Clues {
    pub(crate) fn of(changes: &Arc<ChangeSet>, plan: &Plan, _related: Option<&Part>, _is_finest: bool) -> Self {
        let levels = if plan.uses(Clue::Files) { changes.level_groups() } else { Vec::new() };
        Self { levels }
    }

    pub(crate) fn levels(&self) -> Vec<Vec<Configuration>> {
        self.levels.clone()
    }

    pub(crate) fn suggestions(&self) -> Vec<Configuration> {
        Vec::new()
    }

    pub(crate) fn most_repairs(&self) -> u32 {
        6
    }

    pub(crate) fn knowledge(&self) -> Knowledge {
        Knowledge::none()
    }

    pub(crate) fn reader(&self) -> Option<Arc<dyn Reader>> {
        None
    }
}
