//! Changes that are made, or undone, in whatever version is tested.

use crate::candidates::candidate::Candidate;
use crate::deltas::change_set::ChangeSet;
use crate::patches::apply::{apply_to, undo_from};
use crate::patches::fitting::fitting;
use crate::patches::moved::moved;
use crate::trees::mix::Mix;
use howcome_dd::Configuration;
use howcome_run::Because;
use std::sync::Arc;

/// Changes that are made, or undone, in whatever version is tested.
#[derive(Clone, Debug, Default)]
pub struct PatchSeries(pub Vec<PatchStep>);

/// One step of a series.
#[derive(Clone, Debug)]
pub struct PatchStep {
    /// The set of changes.
    pub changes: Arc<ChangeSet>,
    /// Which of them.
    pub chosen: Configuration,
    /// Whether they are undone instead of made.
    pub undone: bool,
    /// Whether changes that do not apply are left out.
    pub where_they_fit: bool,
    /// Files that replace those of the version after that, whatever it has.
    pub files: Mix,
}

impl PatchStep {
    /// Some changes to be made.
    #[must_use]
    pub fn making(changes: &Arc<ChangeSet>, chosen: Configuration) -> Self {
        Self {
            changes: Arc::clone(changes),
            chosen,
            undone: false,
            where_they_fit: false,
            files: Mix::default(),
        }
    }
}

impl PatchSeries {
    /// Applies the series to a version.
    ///
    /// # Errors
    /// If the version does not have the lines that a change needs.
    pub fn apply_to(&self, candidate: &Candidate) -> Result<Candidate, Because> {
        let mut carried = candidate.clone();
        for PatchStep { changes, chosen, undone, where_they_fit, files } in &self.0 {
            let tree = carried.tree();
            let fits = where_they_fit.then(|| fitting(changes, chosen, &tree));
            let chosen = fits.as_ref().unwrap_or(chosen);
            let apply = if *undone { undo_from } else { apply_to };
            let later = apply(changes, chosen, &tree, &moved(changes, chosen, &tree, *undone))
                .map_err(|conflict| Because::DidNotApply(conflict.to_string()))?;
            carried.mix = carried.mix.then(&later).then(files);
        }
        Ok(carried)
    }
}
