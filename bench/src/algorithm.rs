//! The searches, by their names.

use crate::trial::{Figures, Trial};
use howcome_dd::{
    Ancestry, Balanced, Bisect, CoarseToFine, Configuration, Dd, DdPlus, Ddmin, Difference, Isolate, Search,
};
use howcome_run::Executor;
use std::ops::Range;

/// A search that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Dd,
    DdPlus,
    Ddmin,
    Balanced,
    LevelsOfBalanced,
    Isolate,
    Bisect,
}

impl Algorithm {
    pub(crate) const ALL: [Algorithm; 7] = [
        Algorithm::Dd,
        Algorithm::DdPlus,
        Algorithm::Ddmin,
        Algorithm::Balanced,
        Algorithm::LevelsOfBalanced,
        Algorithm::Isolate,
        Algorithm::Bisect,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Algorithm::Dd => "dd",
            Algorithm::DdPlus => "dd+",
            Algorithm::Ddmin => "ddmin",
            Algorithm::Balanced => "balanced",
            Algorithm::LevelsOfBalanced => "levels of balanced",
            Algorithm::Isolate => "isolate",
            Algorithm::Bisect => "bisect",
        }
    }

    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// Searches all deltas of the trial's world.
    pub(crate) fn run(self, trial: Trial<'_>, executor: &mut dyn Executor) -> anyhow::Result<Figures> {
        let (all, deltas) = (trial.world.all(), trial.world.deltas);
        match self {
            Algorithm::Dd => exact(trial, Dd::new(all), executor),
            Algorithm::DdPlus => exact(trial, DdPlus::new(all), executor),
            Algorithm::Ddmin => exact(trial, Ddmin::new(all), executor),
            Algorithm::Balanced => exact(trial, Balanced::new(all), executor),
            Algorithm::LevelsOfBalanced => {
                exact(trial, CoarseToFine::new(all, levels(deltas), Balanced::new), executor)
            }
            Algorithm::Isolate => Ok(trial.run(Isolate::new(Configuration::empty(), all), executor)?.0),
            Algorithm::Bisect => Ok(trial.run(Bisect::new(Ancestry::Line(deltas)), executor)?.0),
        }
    }
}

/// A search that finds the needed deltas and no other, at least where every outcome is resolved.
fn exact<S: Search<Finding = Difference>>(
    trial: Trial<'_>,
    search: S,
    executor: &mut dyn Executor,
) -> anyhow::Result<Figures> {
    let world = trial.world;
    let (figures, found) = trial.run(search, executor)?;
    if let Some(found) = found.filter(|_| !world.unresolved) {
        let (failing, name) = (found.failing, world.name);
        anyhow::ensure!(failing == world.needed, "not what is needed in the world `{name}`: {failing}");
    }
    Ok(figures)
}

/// Groups of about sixteen groups of about sixteen, down to single deltas.
fn levels(deltas: u32) -> Vec<Vec<Range<u32>>> {
    let groups =
        |size: u32| (0..deltas).step_by(size as usize).map(|at| at..(at + size).min(deltas)).collect();
    let sizes = std::iter::successors(Some(1_u32), |size| size.checked_mul(16).filter(|next| *next < deltas));
    let mut levels: Vec<_> = sizes.map(groups).collect();
    levels.reverse();
    levels
}
