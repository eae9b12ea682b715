//! The places to look at.

use super::request::{PlaceChoice, StateRequest};
use crate::{Address, CommonCalls, CommonMoment, ComparedPlace, RunPair, RunsNotComparable, Stretch, trace};
use howcome_run::Problem;

/// If a place comes too late, at most this number of earlier calls is tried, further apart each time.
const STEPS_BACK: u32 = 5;
/// If the runs call this number of functions in the same way, the first calls are enough to choose places from. Of a smaller
/// program, all calls are followed.
const MANY: usize = 100;

/// The places that were asked for, and the calls that both runs have in common if they were followed to find the places: the
/// first calls of functions, or all calls.
pub(super) fn choose_places(
    request: &StateRequest,
    runs: &RunPair,
) -> Result<(Vec<ComparedPlace>, Option<CommonCalls>), Problem> {
    let program = &runs.settings.program;
    let place = |common: &CommonMoment| ComparedPlace::of(program, common);
    match request.places()? {
        PlaceChoice::Named(names) => {
            let places: Result<Vec<ComparedPlace>, _> = names.iter().map(|name| name.find(runs)).collect();
            Ok((in_order(runs, places?)?, None))
        }
        PlaceChoice::Between(passing, failing) => Ok((vec![passing.pair(&failing, runs)?], None)),
        PlaceChoice::Usual | PlaceChoice::EveryFunction => {
            let first =
                CommonCalls::first_of(runs).map_err(|error| RunsNotComparable::Run("failing", error))?;
            let calls = if first.common.len() < MANY { follow_calls(runs, &[])? } else { first };
            let chosen = if request.every_function { calls.first_calls() } else { calls.usual() };
            if chosen.is_empty() {
                return Err(Problem::new("the two runs have no call in common")
                    .hint("choose a place with --at; both runs must reach it with the same backtrace"));
            }
            Ok((chosen.iter().map(place).collect(), Some(calls)))
        }
    }
}

/// Follows both runs past the calls of the user's own functions, and past these addresses.
pub(super) fn follow_calls(runs: &RunPair, also: &[Address]) -> Result<CommonCalls, Problem> {
    Ok(CommonCalls::of(runs, also).map_err(|error| RunsNotComparable::Run("failing", error))?)
}

/// Places in the order in which the failing run reaches them.
fn in_order(runs: &RunPair, mut places: Vec<ComparedPlace>) -> Result<Vec<ComparedPlace>, Problem> {
    let addresses: Vec<_> = places.iter().map(|place| place.failing.at).collect();
    let hits = places.iter().map(|place| place.hit).max().unwrap_or(0);
    let stretch = Stretch { hits, ..Stretch::default() };
    let trace = trace(&runs.settings, &runs.failing.invocation, &addresses, stretch)
        .map_err(|error| RunsNotComparable::Run("failing", error))?;
    let rank =
        |place: &ComparedPlace| trace.moments.iter().position(|moment| moment.stop_point == place.failing);
    places.sort_by_cached_key(|place| rank(place).unwrap_or(usize::MAX));
    Ok(places)
}

/// The next call and the one before.
pub(super) fn neighbours(runs: &RunPair, calls: &CommonCalls, place: &ComparedPlace) -> Vec<ComparedPlace> {
    let Some(at) = calls.common.iter().position(|common| common.failing.stop_point == place.failing) else {
        return Vec::new();
    };
    let near = [Some(at + 1), at.checked_sub(1)].into_iter().flatten();
    let near = near.filter_map(|at| calls.common.get(at));
    near.map(|common| ComparedPlace::of(&runs.settings.program, common)).collect()
}

/// Calls before a place at which the outcome is already decided.
pub(super) fn earlier(runs: &RunPair, calls: &CommonCalls, place: &ComparedPlace) -> Vec<ComparedPlace> {
    let at = calls.common.iter().position(|common| common.failing.stop_point == place.failing);
    let back = (0..STEPS_BACK).filter_map(|step| at?.checked_sub(1 << step));
    back.map(|at| ComparedPlace::of(&runs.settings.program, &calls.common[at])).collect()
}
