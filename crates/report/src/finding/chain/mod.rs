//! A cause-effect chain in words: at places along the failing run, the variables that decide.

mod columns;
pub(crate) mod fold;
mod message;
mod place;
pub(crate) mod proof;
pub(crate) mod skipped;
mod table;
mod transition;
mod variable;
mod words;

pub(crate) use place::PlaceWords;
pub(crate) use transition::TransitionWords;
pub(crate) use variable::{StepWords, VariableWords};

use howcome_run::ChainFinding;
use std::ops::Deref;

/// What `howcome state` found. Its fields are those of the finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChainReport(pub(crate) ChainFinding);

impl Deref for ChainReport {
    type Target = ChainFinding;

    fn deref(&self) -> &ChainFinding {
        &self.0
    }
}
