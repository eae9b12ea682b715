//! The searches that are measured, by name.

use crate::trial::{SearchFigures, SearchTrial};
use howcome_dd::{
    Ancestry, Balanced, Bisect, CoarseToFine, Configuration, Dd, DdPlus, Ddmin, Difference, Isolate, Search,
};
use howcome_run::Executor;
use std::ops::Range;

/// A search that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MeasuredSearch {
    Dd,
    DdPlus,
    Ddmin,
    Balanced,
    LevelsOfBalanced,
    Isolate,
    Bisect,
}

impl MeasuredSearch {
    pub(crate) const ALL: [MeasuredSearch; 7] = [
        MeasuredSearch::Dd,
        MeasuredSearch::DdPlus,
        MeasuredSearch::Ddmin,
        MeasuredSearch::Balanced,
        MeasuredSearch::LevelsOfBalanced,
        MeasuredSearch::Isolate,
        MeasuredSearch::Bisect,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            MeasuredSearch::Dd => "dd",
            MeasuredSearch::DdPlus => "dd+",
            MeasuredSearch::Ddmin => "ddmin",
            MeasuredSearch::Balanced => "balanced",
            MeasuredSearch::LevelsOfBalanced => "levels of balanced",
            MeasuredSearch::Isolate => "isolate",
            MeasuredSearch::Bisect => "bisect",
        }
    }

    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// Searches all deltas of the trial's world.
    pub(crate) fn run(
        self,
        trial: SearchTrial<'_>,
        executor: &mut dyn Executor,
    ) -> anyhow::Result<SearchFigures> {
        let (all, deltas) = (trial.world.all(), trial.world.deltas);
        match self {
            MeasuredSearch::Dd => exact(trial, Dd::new(all), executor),
            MeasuredSearch::DdPlus => exact(trial, DdPlus::new(all), executor),
            MeasuredSearch::Ddmin => exact(trial, Ddmin::new(all), executor),
            MeasuredSearch::Balanced => exact(trial, Balanced::new(all), executor),
            MeasuredSearch::LevelsOfBalanced => {
                exact(trial, CoarseToFine::new(all, levels(deltas), Balanced::new), executor)
            }
            MeasuredSearch::Isolate => Ok(trial.run(Isolate::new(Configuration::empty(), all), executor)?.0),
            MeasuredSearch::Bisect => Ok(trial.run(Bisect::new(Ancestry::Line(deltas)), executor)?.0),
        }
    }
}

/// Runs a search that must find exactly the needed deltas, unless the world has unresolved outcomes.
fn exact<S: Search<Finding = Difference>>(
    trial: SearchTrial<'_>,
    search: S,
    executor: &mut dyn Executor,
) -> anyhow::Result<SearchFigures> {
    let world = trial.world;
    let (figures, found) = trial.run(search, executor)?;
    if let Some(found) = found.filter(|_| !world.unresolved) {
        let (failing, name) = (found.failing, world.name);
        anyhow::ensure!(failing == world.needed, "wrong answer in the world `{name}`: {failing}");
    }
    Ok(figures)
}

/// A tree of groups: each group has about sixteen parts, down to single deltas.
pub(crate) fn levels(deltas: u32) -> Vec<Vec<Range<u32>>> {
    let groups =
        |size: u32| (0..deltas).step_by(size as usize).map(|at| at..(at + size).min(deltas)).collect();
    let sizes = std::iter::successors(Some(1_u32), |size| size.checked_mul(16).filter(|next| *next < deltas));
    let mut levels: Vec<_> = sizes.map(groups).collect();
    levels.reverse();
    levels
}
