//! Walks along a line of versions, with a patch applied to each, as far as the outcome stays the same.

mod route;
#[cfg(test)]
mod tests;

pub use route::WalkRoute;

use crate::{Answer, Ask, Configuration, Difference, Outcome, Question, Search, Step};
use std::collections::BTreeMap;

/// Walks from a version whose outcome is known until the outcome changes, or to the far end.
///
/// It tests the far end first. If the outcome is the same there, it tests some versions in between, because the outcome can change
/// twice: near the start, in the middle of what is not known, and those that are likely to differ. Otherwise, the distance of the
/// next version is the geometric mean of the longest distance with the same outcome and the shortest with another one. So
/// steps grow while nothing is known, and shrink after a change. A change at distance d of n takes about
/// log2 d + log2 log2 n tests.
///
/// Each delta is one version with the patch. Together with the delta after the last version, it is the version without the
/// patch. The walk asks for that only if the patched version could not be run. A version that cannot be run either way is
/// skipped.
#[derive(Clone, Debug)]
pub struct WalkBack {
    route: WalkRoute,
    len: u32,
    /// The outcome at the start.
    followed: Outcome,
    /// Whether there is a patch.
    is_patched: bool,
    /// The known outcomes, by distance from the start.
    outcomes: BTreeMap<u32, VersionOutcome>,
    next: Option<WalkQuestion>,
    skipped_in_a_row: u32,
    /// The nearest version of a range that cannot be tested. The walk stays before it as if the outcome changed there.
    wall: Option<u32>,
    /// How many versions were tested after the far end had the same outcome.
    extra_tests: u32,
    most_extra_tests: u32,
    /// The distances of versions that are likely to have the opposite outcome.
    likely: Vec<u32>,
    /// Whether every version is tested in turn.
    is_one_by_one: bool,
    best: Configuration,
}

/// The outcome of a version, compared with the outcome at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionOutcome {
    /// The outcome is the same.
    Same,
    /// The outcome is the opposite: the version passes if the start fails, and fails if the start passes.
    Opposite,
    /// The version ran but neither passed nor failed in the known way.
    Different,
    /// The version can be run neither with the patch nor without it.
    Skipped,
}

/// How far the outcome stays the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkedBack {
    /// The last version with the same outcome.
    pub last_same: u32,
    /// The first version after it with another outcome. All versions tested between the two are skipped, and so are their
    /// neighbours. `None` if no such version was found.
    pub first_changed: Option<(u32, VersionOutcome)>,
    /// Whether the outcome is the same at the far end, or at the version closest to it that can be tested.
    pub reaches_the_end: bool,
    /// All known outcomes, by version.
    pub versions: BTreeMap<u32, VersionOutcome>,
}

/// What comes after the first version with a different outcome.
enum BeyondDifferent {
    /// This version was not tested yet.
    Untested(u32),
    /// A pass or a failure. So these versions are not the change: something else was wrong there for a while.
    Temporary(Vec<u32>),
    /// More different outcomes, so this is the change.
    Changed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WalkQuestion {
    distance: u32,
    without_patch: bool,
}

/// Which versions count as the far end if the last ones cannot be tested, counted from the last one.
const ENDS: [u32; 4] = [0, 1, 2, 3];
/// If the change is known to be among so few versions, all of them are tried.
const FEW: u32 = 8;
/// After this many skipped versions in a row, the walk stays before them.
const MOST_SKIPPED_IN_A_ROW: u32 = 3;
/// How many versions after a different outcome are tested if the opposite outcome is known to come.
const LOOK_BEYOND: usize = 3;
/// How many versions are tested between the start and a far end with the same outcome.
const EXTRA_TESTS: u32 = 11;
/// Of these, as many as this are versions that are likely to differ.
const MOST_LIKELY: usize = 3;
/// The longest stride back from the start with which a version is tested.
const LONGEST_STRIDE: u32 = 16;

impl WalkBack {
    /// Follows an outcome along a route, from the version that is known to have it.
    #[must_use]
    pub fn new(route: WalkRoute, followed: Outcome, is_patched: bool) -> Self {
        let mut search = Self {
            route,
            len: route.len(),
            followed,
            is_patched,
            outcomes: BTreeMap::from([(0, VersionOutcome::Same)]),
            next: None,
            skipped_in_a_row: 0,
            wall: None,
            extra_tests: 0,
            most_extra_tests: EXTRA_TESTS,
            likely: Vec::new(),
            is_one_by_one: false,
            best: route.patched(route.from),
        };
        search.plan();
        search
    }

    /// Tests no versions in between if the far end has the same outcome.
    #[must_use]
    pub fn trusting_the_far_end(self) -> Self {
        self.with_extra_tests(0)
    }

    /// Tests at most this many versions in between if the far end has the same outcome.
    #[must_use]
    pub fn with_extra_tests(mut self, most: u32) -> Self {
        self.most_extra_tests = most.min(EXTRA_TESTS);
        self
    }

    /// Tests these versions first if the far end has the same outcome.
    #[must_use]
    pub fn suspecting(mut self, versions: impl IntoIterator<Item = u32>) -> Self {
        let distances = versions.into_iter().filter_map(|version| self.route.distance(version));
        self.likely =
            distances.filter(|distance| (1..self.len).contains(distance)).take(MOST_LIKELY).collect();
        self.plan();
        self
    }

    /// Tests every version in turn, so that no change is passed over.
    #[must_use]
    pub fn one_by_one(mut self) -> Self {
        self.is_one_by_one = true;
        self.plan();
        self
    }

    /// Goes no further than to a version.
    #[must_use]
    pub fn up_to(mut self, version: u32) -> Self {
        self.len = self.route.distance(version).map_or(self.len, |distance| self.len.min(distance + 1));
        self.outcomes.retain(|distance, _| *distance < self.len);
        self.plan();
        self
    }

    /// Skips versions that are known to be untestable.
    #[must_use]
    pub fn skipping(mut self, skipped: impl IntoIterator<Item = u32>) -> Self {
        let distances = skipped.into_iter().filter_map(|version| self.route.distance(version));
        let distances: Vec<u32> = distances.filter(|distance| (1..self.len).contains(distance)).collect();
        self.outcomes.extend(distances.into_iter().map(|distance| (distance, VersionOutcome::Skipped)));
        self.plan();
        self
    }

    fn outcome(&self, distance: u32) -> Option<VersionOutcome> {
        self.outcomes.get(&distance).copied()
    }

    /// The first version with another outcome.
    fn changed(&self) -> Option<(u32, VersionOutcome)> {
        let mut known = self.outcomes.iter();
        known
            .find(|(_, outcome)| matches!(outcome, VersionOutcome::Opposite | VersionOutcome::Different))
            .map(|(at, outcome)| (*at, *outcome))
    }

    /// The last version before it with the same outcome.
    fn same(&self) -> u32 {
        let end = self.changed().map_or(self.len, |(at, _)| at);
        let mut before = self.outcomes.range(..end).rev();
        before.find(|(_, outcome)| **outcome == VersionOutcome::Same).map_or(0, |(at, _)| *at)
    }

    fn plan(&mut self) {
        let distance = loop {
            match (self.choose(), self.beyond_different()) {
                (Some(distance), _) | (None, BeyondDifferent::Untested(distance)) => break Some(distance),
                (None, BeyondDifferent::Temporary(distances)) => {
                    self.outcomes.extend(distances.into_iter().map(|at| (at, VersionOutcome::Skipped)));
                }
                (None, BeyondDifferent::Changed) => break None,
            }
        };
        self.next = distance.map(|distance| WalkQuestion { distance, without_patch: false });
        self.best = self.route.patched(self.route.at(self.same()));
    }

    fn beyond_different(&self) -> BeyondDifferent {
        let Some((first, VersionOutcome::Different)) = self.changed() else {
            return BeyondDifferent::Changed;
        };
        let opposite_is_known = self.outcomes.values().any(|outcome| *outcome == VersionOutcome::Opposite);
        let far = if opposite_is_known { LOOK_BEYOND } else { 1 };
        for at in (first + 1..self.len).take(far) {
            match self.outcome(at) {
                None => return BeyondDifferent::Untested(at),
                Some(VersionOutcome::Different | VersionOutcome::Skipped) => {}
                Some(VersionOutcome::Same | VersionOutcome::Opposite) => {
                    let is_different = |at: &u32| self.outcome(*at) == Some(VersionOutcome::Different);
                    return BeyondDifferent::Temporary((first..at).filter(is_different).collect());
                }
            }
        }
        BeyondDifferent::Changed
    }

    fn choose(&self) -> Option<u32> {
        if self.len < 2 {
            return None;
        }
        if self.is_one_by_one {
            let next = (1..self.len).find(|distance| self.outcome(*distance).is_none());
            return next.filter(|_| self.changed().is_none());
        }
        if let Some(end) = self.end().filter(|end| self.outcome(*end).is_none()) {
            return Some(end);
        }
        if self.reaches_the_end() {
            return self.in_between();
        }
        let (same, changed) = (self.same(), self.changed());
        let limit = changed.map_or(self.len, |(at, _)| at);
        if let Some(wall) = self.wall.filter(|wall| *wall > same && *wall < limit) {
            let far = || changed.and_then(|_| self.before(limit));
            let inside =
                || self.between(same, limit, true).filter(|_| limit - same <= FEW && changed.is_some());
            return self
                .between(same, wall, false)
                .or_else(far)
                .or_else(inside)
                .or_else(|| self.beyond_skipped(same, limit));
        }
        // Between a pass and a failure, both halves are equally likely.
        self.between(same, limit, changed.is_some_and(|(_, outcome)| outcome == VersionOutcome::Opposite))
    }

    /// The far end, or the version closest to it that is not skipped. `None` if all versions near the end are skipped.
    fn end(&self) -> Option<u32> {
        let ends = ENDS.iter().filter_map(|from_last| (self.len - 1).checked_sub(*from_last));
        ends.filter(|end| *end > 0 || self.len == 1)
            .find(|end| self.outcome(*end) != Some(VersionOutcome::Skipped))
    }

    fn reaches_the_end(&self) -> bool {
        self.changed().is_none()
            && self.end().is_some_and(|end| self.outcome(end) == Some(VersionOutcome::Same))
    }

    /// A version that can have another outcome although the far end has the same.
    fn in_between(&self) -> Option<u32> {
        if self.extra_tests >= self.most_extra_tests {
            return None;
        }
        let is_untested = |distance: &u32| *distance < self.len && self.outcome(*distance).is_none();
        let likely = || self.likely.iter().copied().find(is_untested);
        let is_turn_of_stride = self.extra_tests % 2 == 1;
        let strides = std::iter::successors(Some(1_u32), |stride| Some(stride * 2));
        let stride = || strides.take_while(|stride| *stride <= LONGEST_STRIDE).find(is_untested);
        likely().or_else(|| stride().filter(|_| is_turn_of_stride)).or_else(|| self.longest_gap())
    }

    /// The middle of the longest range without a known outcome.
    fn longest_gap(&self) -> Option<u32> {
        let known: Vec<u32> = self.outcomes.keys().copied().collect();
        let longest = known.windows(2).max_by_key(|pair| pair[1] - pair[0])?;
        (longest[1] - longest[0] > 1).then(|| longest[0] + (longest[1] - longest[0]) / 2)
    }

    /// An untested version between two others, as close as possible to their middle or to their geometric mean.
    fn between(&self, same: u32, limit: u32, in_the_middle: bool) -> Option<u32> {
        let middle = match in_the_middle {
            true => same + (limit - same) / 2,
            false => {
                let mean = f64::from(same.max(1)) * f64::from(limit);
                mean.sqrt().floor() as u32
            }
        };
        let middle = middle.clamp(same + 1, limit.max(same + 2) - 1);
        let is_untested = |at: &u32| *at > same && *at < limit && self.outcome(*at).is_none();
        let around = (0..limit).flat_map(|away| [middle.checked_sub(away), middle.checked_add(away)]);
        around.flatten().find(is_untested)
    }

    /// The middle between a version and the last version before it with a known outcome.
    fn before(&self, limit: u32) -> Option<u32> {
        let (known, _) = self.outcomes.range(..limit).next_back()?;
        (limit - known > 1).then(|| known + (limit - known) / 2)
    }

    /// An untested version after a range of skipped ones, at a distance that doubles each time.
    fn beyond_skipped(&self, same: u32, limit: u32) -> Option<u32> {
        let mut distance = 2;
        while same + distance < limit {
            if self.outcome(same + distance).is_none() {
                return Some(same + distance);
            }
            distance *= 2;
        }
        None
    }

    fn learn(&mut self, at: u32, outcome: VersionOutcome) {
        self.extra_tests += u32::from(self.reaches_the_end());
        self.outcomes.insert(at, outcome);
        match outcome {
            VersionOutcome::Skipped => {
                self.skipped_in_a_row += 1;
                let end_is_known = self.end().is_none_or(|end| self.outcome(end).is_some());
                if self.skipped_in_a_row >= MOST_SKIPPED_IN_A_ROW && end_is_known {
                    self.wall = self.first_skipped_from(self.same() + 1);
                }
            }
            _ => {
                self.skipped_in_a_row = 0;
                if outcome == VersionOutcome::Same {
                    self.wall = None;
                }
            }
        }
    }

    fn first_skipped_from(&self, distance: u32) -> Option<u32> {
        let mut known = self.outcomes.range(distance..);
        known.find(|(_, outcome)| **outcome == VersionOutcome::Skipped).map(|(at, _)| *at)
    }
}

impl Search for WalkBack {
    type Finding = WalkedBack;
    const SEES_UNRESOLVED: bool = true;

    fn ask(&self) -> Ask<WalkedBack> {
        let Some(WalkQuestion { distance, without_patch }) = self.next else {
            return Ask::Done(WalkedBack {
                last_same: self.route.at(self.same()),
                first_changed: self.changed().map(|(at, outcome)| (self.route.at(at), outcome)),
                reaches_the_end: self.reaches_the_end(),
                versions: self.outcomes.iter().map(|(at, outcome)| (self.route.at(*at), *outcome)).collect(),
            });
        };
        let version = self.route.at(distance);
        let configuration =
            if without_patch { self.route.unpatched(version) } else { self.route.patched(version) };
        Ask::Test(Question::new(configuration, Step::Midpoint))
    }

    fn tell(&mut self, answer: Answer) {
        let Some(WalkQuestion { distance, without_patch }) = self.next else { return };
        let outcome = match answer.outcome {
            _ if without_patch && answer.was_run => VersionOutcome::Different,
            _ if without_patch => VersionOutcome::Skipped,
            outcome if outcome == self.followed => VersionOutcome::Same,
            Outcome::Unresolved if !answer.was_run && self.is_patched => {
                self.next = Some(WalkQuestion { distance, without_patch: true });
                return;
            }
            Outcome::Unresolved if !answer.was_run => VersionOutcome::Skipped,
            Outcome::Unresolved => VersionOutcome::Different,
            _ => VersionOutcome::Opposite,
        };
        self.learn(distance, outcome);
        self.plan();
    }

    fn best_so_far(&self) -> &Configuration {
        &self.best
    }

    fn best_difference(&self) -> Difference {
        let passing = self.changed().filter(|(_, outcome)| *outcome == VersionOutcome::Opposite);
        let passing = passing.map(|(at, _)| self.route.patched(self.route.at(at)));
        Difference { passing: passing.unwrap_or_else(Configuration::empty), failing: self.best.clone() }
    }

    fn left(&self) -> usize {
        let (same, changed) = (self.same(), self.changed().map_or(self.len, |(at, _)| at));
        changed.saturating_sub(same) as usize
    }
}
