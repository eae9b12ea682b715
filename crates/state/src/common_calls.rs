//! The calls that two runs have in common, and which of them to look at.

use crate::Address;
use crate::debug::Function;
use crate::run_pair::{OriginalRun, RunPair};
use crate::trace::{CommonMoment, Stretch, Trace, align, is_own, trace};
use crate::tracee::TraceError;
use std::collections::HashSet;

/// The calls of the user's own functions that both runs make.
#[derive(Debug)]
pub struct CommonCalls {
    /// The calls that both runs make, in order.
    pub common: Vec<CommonMoment>,
    /// All calls of the failing run.
    pub failing: Trace,
    /// All calls of the passing run.
    pub passing: Trace,
    /// Whether only the first call of each function was followed.
    pub is_first_only: bool,
}

impl CommonCalls {
    /// Follows both runs past the entries of the user's functions, and past these addresses.
    pub fn of(runs: &RunPair, also: &[Address]) -> Result<Self, TraceError> {
        Self::follow(runs, also, Stretch::default())
    }

    /// The same, but only the first call of each function: that takes little time, however long the runs are.
    pub fn first_of(runs: &RunPair) -> Result<Self, TraceError> {
        Self::follow(runs, &[], Stretch { is_once: true, ..Stretch::default() })
    }

    fn follow(runs: &RunPair, also: &[Address], stretch: Stretch) -> Result<Self, TraceError> {
        let own = |function: &&Function| is_own(function);
        let functions = runs.settings.program.functions().iter().filter(own);
        let addresses: Vec<Address> =
            functions.map(|function| function.body).chain(also.iter().copied()).collect();
        let follow = |run: &OriginalRun| trace(&runs.settings, &run.invocation, &addresses, stretch);
        let (passing, failing) = runs.in_both(follow)?;
        let common = align(&passing, &failing);
        Ok(Self { common, failing, passing, is_first_only: stretch.is_once })
    }

    /// The first common call of each function, in the order of the failing run.
    #[must_use]
    pub fn first_calls(&self) -> Vec<CommonMoment> {
        let mut known = HashSet::new();
        self.common.iter().filter(|common| known.insert(common.failing.stop_point.at)).copied().collect()
    }

    /// `main`, and the calls at 50, 75 and 90 % of the functions that the failing run covers. If the passing run does not
    /// reach one of them in the same way, a neighbour takes its place.
    #[must_use]
    pub fn usual(&self) -> Vec<CommonMoment> {
        let mut covered: Vec<Address> = Vec::new();
        for moment in &self.failing.moments {
            if !covered.contains(&moment.stop_point.at) {
                covered.push(moment.stop_point.at);
            }
        }
        let calls = self.first_calls();
        let rank = |common: &CommonMoment| {
            covered.iter().position(|at| *at == common.failing.stop_point.at).unwrap_or(0)
        };
        let mut chosen: Vec<CommonMoment> = calls.first().copied().into_iter().collect();
        for percent in [50, 75, 90] {
            let wanted = covered.len() * percent / 100;
            let free = calls.iter().filter(|common| !chosen.contains(common));
            chosen.extend(free.min_by_key(|common| rank(common).abs_diff(wanted)).copied());
        }
        chosen.sort_by_key(|common| self.common.iter().position(|known| known == common));
        chosen
    }
}
