//! The calls and returns that two runs have in common, and which of the calls to look at.

use crate::Address;
use crate::debug::Function;
use crate::run_pair::{OriginalRun, RunPair};
use crate::stop_point::StopPoint;
use crate::trace::{
    CommonMoment, MOST_HITS, Moment, Stretch, Trace, align, align_with_partings, is_own, trace,
};
use crate::tracee::TraceError;
use std::collections::{HashMap, HashSet};

/// From the moment on at which the runs are followed again, a call is recorded this many times, or fewer if there are too many calls.
const MORE_HITS: [u32; 2] = [1000, 0];

/// The calls of the user's own functions that both runs make.
#[derive(Debug)]
pub struct CommonCalls {
    /// The calls that both runs make, in order.
    pub common: Vec<CommonMoment>,
    /// The same with the returns of functions, unless only first calls were followed.
    pub moments: Vec<CommonMoment>,
    /// All calls and returns of the failing run.
    pub failing: Trace,
    /// All calls and returns of the passing run.
    pub passing: Trace,
    /// Where functions return.
    returns: HashSet<Address>,
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
        let program = &runs.settings.program;
        let own = |function: &&Function| is_own(function);
        let bodies: HashSet<Address> =
            program.functions().iter().filter(own).map(|function| function.body).collect();
        let returning = bodies.iter().filter(|_| !stretch.is_once);
        let returning = returning.filter_map(|body| program.function_at(*body));
        let returns: HashSet<Address> = returning
            .flat_map(|function| program.returns(function))
            .filter(|at| !bodies.contains(at) && !also.contains(at))
            .collect();
        let addresses: Vec<Address> =
            bodies.iter().chain(also).copied().chain(returns.iter().copied()).collect();
        let follow = |run: &OriginalRun| trace(&runs.settings, &run.invocation, &addresses, stretch);
        let (mut passing, mut failing) = runs.in_both(follow)?;
        let unfollowed = unfollowed_from(&passing, &failing).filter(|_| !stretch.is_once);
        for hits in MORE_HITS {
            let Some(from) = unfollowed else { break };
            let (later_passing, later_failing) = runs.in_both(|run: &OriginalRun| {
                let from = if std::ptr::eq(run, &runs.passing) { from.passing } else { from.failing };
                let stretch = Stretch { from: Some(from.stop_point), hits, ..stretch };
                trace(&runs.settings, &run.invocation, &addresses, stretch)
            })?;
            if later_passing.end.is_some() && later_failing.end.is_some() {
                passing = continued(passing, from.passing, later_passing);
                failing = continued(failing, from.failing, later_failing);
                break;
            }
        }
        let moments = align(&passing, &failing);
        let is_call = |common: &&CommonMoment| !returns.contains(&common.failing.stop_point.at);
        let common = moments.iter().filter(is_call).copied().collect();
        Ok(Self { common, moments, failing, passing, returns, is_first_only: stretch.is_once })
    }

    /// Whether a function returns at a moment.
    #[must_use]
    pub fn is_return(&self, common: &CommonMoment) -> bool {
        self.returns.contains(&common.failing.stop_point.at)
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
            let at = moment.stop_point.at;
            if !covered.contains(&at) && !self.returns.contains(&at) {
                covered.push(at);
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

/// A program that prepares much calls its functions so often that they are no longer followed when it comes to its input. This is the last
/// moment of both runs before their calls differ, if a function was called too often before that.
fn unfollowed_from(passing: &Trace, failing: &Trace) -> Option<CommonMoment> {
    let aligned = align_with_partings(passing, failing);
    let parting = aligned.iter().position(|(_, parting)| parting.is_some()).unwrap_or(aligned.len());
    let same = &aligned[..parting];
    let is_last_followed = |(common, _): &(CommonMoment, _)| common.failing.stop_point.hit >= MOST_HITS;
    same.iter().any(is_last_followed).then(|| same.last().map(|(common, _)| *common)).flatten()
}

/// The moments of a run up to one of them, and those that come after it. Where that is possible, calls are counted from the start.
fn continued(trace: Trace, from: Moment, later: Trace) -> Trace {
    let mut moments = trace.moments;
    let kept = moments.iter().position(|moment| *moment == from).map_or(moments.len(), |at| at + 1);
    moments.truncate(kept);
    let mut hits: HashMap<Address, u32> = HashMap::new();
    moments.iter().for_each(|moment| *hits.entry(moment.stop_point.at).or_default() += 1);
    moments.extend(later.moments.into_iter().map(|moment| {
        let StopPoint { at, hit, .. } = moment.stop_point;
        match hits.get(&at).copied().unwrap_or(0) {
            before if before < MOST_HITS => Moment { stop_point: StopPoint::new(at, before + hit), ..moment },
            _ => moment,
        }
    }));
    Trace { moments, end: later.end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(at: u64, hit: u32) -> Moment {
        Moment { stop_point: StopPoint::new(Address(at), hit), stack: 0 }
    }

    fn followed(moments: &[(u64, u32)]) -> Trace {
        Trace { moments: moments.iter().map(|(at, hit)| moment(*at, *hit)).collect(), end: None }
    }

    #[test]
    fn calls_are_followed_again_if_a_function_was_called_too_often_before_the_runs_part() {
        let busy: Vec<(u64, u32)> = (1..=MOST_HITS).map(|hit| (7, hit)).chain([(8, 1)]).collect();
        let with = |last: u64| followed(&[busy.clone(), vec![(last, 1)]].concat());
        let from = unfollowed_from(&with(20), &with(21)).unwrap();
        assert_eq!(from.failing, moment(8, 1));
        assert_eq!(unfollowed_from(&followed(&[(7, 1), (8, 1)]), &followed(&[(7, 1), (9, 1)])), None);
        let later =
            |at: u64| Moment { stop_point: from.failing.stop_point.then(Address(at), 1).unwrap(), stack: 0 };
        let later = Trace { moments: vec![later(7), later(8)], end: None };
        let all = continued(with(21), from.failing, later.clone());
        assert_eq!(all.moments.len(), busy.len() + 2);
        assert_eq!(all.moments[busy.len()..], [later.moments[0], moment(8, 2)]);
    }
}
