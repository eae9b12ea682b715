//! A walk along a line of versions, with something carried along, as far as they stay the same.

mod route;
#[cfg(test)]
mod tests;

pub use route::WalkRoute;

use crate::{Answer, Ask, Configuration, Difference, Outcome, Question, Search, Step};
use std::collections::BTreeMap;

/// Walks from a place whose outcome is known until it changes, or to the end.
///
/// The far end is asked first: where it is the same there, all is said. Then the distance is the geometric mean of what is
/// known to be the same and what is known to be otherwise, so strides grow while nothing is known and shorten when something
/// has changed: a change at distance d of n takes about log2 d + log2 log2 n tests.
///
/// Each delta is a place with what is carried along; with the one behind the last place, it is that place as it is, which is asked
/// only where nothing could be run: a place that cannot be run either way is skipped.
#[derive(Clone, Debug)]
pub struct WalkBack {
    line: WalkRoute,
    len: u32,
    /// The outcome that is followed.
    followed: Outcome,
    /// Whether anything is carried along.
    is_patched: bool,
    places: BTreeMap<u32, VersionOutcome>,
    /// What is asked now.
    next: Option<WalkQuestion>,
    /// How many in a row were skipped, and the nearest of them: where it goes on from, as if that were otherwise.
    in_a_row: u32,
    wall: Option<u32>,
    looked_around: u32,
    best: Configuration,
}

/// What a place was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionOutcome {
    /// The outcome is the one that is followed.
    Same,
    /// It is the opposite: a pass where a failure is followed, a failure where a pass is.
    Opposite,
    /// It is anything else.
    Different,
    /// It can be tested neither with what is carried along nor without.
    Skipped,
}

/// How far the outcome stays the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkedBack {
    /// The last version that is the same before the next one.
    pub last_same: u32,
    /// The first one behind it that is not. All that were tried between them are skipped, those beside the two among them.
    /// `None` where none was found that can be tested.
    pub first_changed: Option<(u32, VersionOutcome)>,
    /// Whether it is the same at the far end, or at the nearest place to it that can be tested.
    pub reaches_the_end: bool,
    /// All that is known.
    pub versions: BTreeMap<u32, VersionOutcome>,
}

/// What lies behind a place that ends otherwise.
enum BeyondDifferent {
    /// This was not tried yet.
    Unknown(u32),
    /// What was before, or what is opposite to it; so these can be passed over.
    Same(Vec<u32>),
    /// More of it.
    Changed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WalkQuestion {
    place: u32,
    as_it_is: bool,
}

/// How far from the far end it is tried where the end itself cannot be tested.
const ENDS: [u32; 4] = [0, 1, 2, 3];
/// So near to each other, all between what is the same and what is not is tried.
const FEW: u32 = 8;
/// After so many skipped ones in a row it looks nearer.
const PATIENCE: u32 = 3;
/// So far behind a place that ends otherwise it looks for the opposite, where that is known to come.
const BEHIND_WHERE_IT_TURNS: usize = 3;
/// Where the far end is the same, so many places between are looked at.
const LOOKS_AROUND: u32 = 1;

impl WalkBack {
    /// Follows an outcome from where it is known.
    #[must_use]
    pub fn new(line: WalkRoute, followed: Outcome, is_patched: bool) -> Self {
        let mut search = Self {
            line,
            len: line.len(),
            followed,
            is_patched,
            places: BTreeMap::from([(0, VersionOutcome::Same)]),
            next: None,
            in_a_row: 0,
            wall: None,
            looked_around: 0,
            best: line.patched(line.from),
        };
        search.plan();
        search
    }

    /// Is content with the far end.
    #[must_use]
    pub fn trusting_the_far_end(mut self) -> Self {
        self.looked_around = LOOKS_AROUND;
        self
    }

    /// Leaves out versions that are known to be untestable.
    #[must_use]
    pub fn skipping(mut self, skipped: impl IntoIterator<Item = u32>) -> Self {
        let places = skipped.into_iter().filter_map(|version| self.line.distance(version));
        let places: Vec<u32> = places.filter(|place| (1..self.len).contains(place)).collect();
        self.places.extend(places.into_iter().map(|place| (place, VersionOutcome::Skipped)));
        self.plan();
        self
    }

    fn is(&self, place: u32) -> Option<VersionOutcome> {
        self.places.get(&place).copied()
    }

    /// The first place that is known not to be the same.
    fn changed(&self) -> Option<(u32, VersionOutcome)> {
        let mut known = self.places.iter();
        known
            .find(|(_, place)| matches!(place, VersionOutcome::Opposite | VersionOutcome::Different))
            .map(|(at, place)| (*at, *place))
    }

    /// The last place that is the same before that.
    fn same(&self) -> u32 {
        let end = self.changed().map_or(self.len, |(at, _)| at);
        let mut before = self.places.range(..end).rev();
        before.find(|(_, place)| **place == VersionOutcome::Same).map_or(0, |(at, _)| *at)
    }

    fn plan(&mut self) {
        let place = loop {
            match (self.choose(), self.behind()) {
                (Some(place), _) | (None, BeyondDifferent::Unknown(place)) => break Some(place),
                // It was only passing through.
                (None, BeyondDifferent::Same(places)) => {
                    self.places.extend(places.into_iter().map(|at| (at, VersionOutcome::Skipped)));
                }
                (None, BeyondDifferent::Changed) => break None,
            }
        };
        self.next = place.map(|place| WalkQuestion { place, as_it_is: false });
        self.best = self.line.patched(self.line.at(self.same()));
    }

    /// What lies behind the first place that ends otherwise. A few that do so between others that do not are no change, but
    /// something else that was wrong there for a while.
    fn behind(&self) -> BeyondDifferent {
        let Some((first, VersionOutcome::Different)) = self.changed() else {
            return BeyondDifferent::Changed;
        };
        let is_known_to_turn = self.places.values().any(|place| *place == VersionOutcome::Opposite);
        let far = if is_known_to_turn { BEHIND_WHERE_IT_TURNS } else { 1 };
        for at in (first + 1..self.len).take(far) {
            match self.is(at) {
                None => return BeyondDifferent::Unknown(at),
                Some(VersionOutcome::Different | VersionOutcome::Skipped) => {}
                Some(VersionOutcome::Same | VersionOutcome::Opposite) => {
                    let otherwise = |at: &u32| self.is(*at) == Some(VersionOutcome::Different);
                    return BeyondDifferent::Same((first..at).filter(otherwise).collect());
                }
            }
        }
        BeyondDifferent::Changed
    }

    fn choose(&self) -> Option<u32> {
        if self.len < 2 {
            return None;
        }
        if let Some(end) = self.end().filter(|end| self.is(*end).is_none()) {
            return Some(end);
        }
        if self.reaches_the_end() {
            return self.gap();
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
                .or_else(|| self.beyond(same, limit));
        }
        // With a pass on one side and a failure on the other, nothing speaks for one half.
        self.between(same, limit, changed.is_some_and(|(_, place)| place == VersionOutcome::Opposite))
    }

    /// The far end, or a place near it where those behind are skipped. `None` where all that are tried are.
    fn end(&self) -> Option<u32> {
        let ends = ENDS.iter().filter_map(|off| (self.len - 1).checked_sub(*off));
        ends.filter(|end| *end > 0 || self.len == 1)
            .find(|end| self.is(*end) != Some(VersionOutcome::Skipped))
    }

    /// Whether it is the same at the far end, or at the nearest place to it that can be tested.
    fn reaches_the_end(&self) -> bool {
        self.changed().is_none() && self.end().is_some_and(|end| self.is(end) == Some(VersionOutcome::Same))
    }

    /// The middle of the longest stretch of which nothing is known.
    fn gap(&self) -> Option<u32> {
        if self.looked_around >= LOOKS_AROUND {
            return None;
        }
        let known: Vec<u32> = self.places.keys().copied().collect();
        let longest = known.windows(2).max_by_key(|pair| pair[1] - pair[0])?;
        (longest[1] - longest[0] > 1).then(|| longest[0] + (longest[1] - longest[0]) / 2)
    }

    /// A place between two others of which nothing is known.
    fn between(&self, same: u32, limit: u32, in_the_middle: bool) -> Option<u32> {
        let middle = match in_the_middle {
            true => same + (limit - same) / 2,
            false => {
                let mean = f64::from(same.max(1)) * f64::from(limit);
                mean.sqrt().floor() as u32
            }
        };
        let middle = middle.clamp(same + 1, limit.max(same + 2) - 1);
        let is_free = |place: &u32| *place > same && *place < limit && self.is(*place).is_none();
        (0..limit).flat_map(|off| [middle.checked_sub(off), middle.checked_add(off)]).flatten().find(is_free)
    }

    /// The middle between a place that is not the same and the nearest one before it of which something is known.
    fn before(&self, limit: u32) -> Option<u32> {
        let (known, _) = self.places.range(..limit).next_back()?;
        (limit - known > 1).then(|| known + (limit - known) / 2)
    }

    /// A place behind a stretch of skipped ones, ever further away.
    fn beyond(&self, same: u32, limit: u32) -> Option<u32> {
        let mut off = 2;
        while same + off < limit {
            if self.is(same + off).is_none() {
                return Some(same + off);
            }
            off *= 2;
        }
        None
    }

    fn learn(&mut self, at: u32, place: VersionOutcome) {
        self.looked_around += u32::from(self.reaches_the_end());
        self.places.insert(at, place);
        match place {
            VersionOutcome::Skipped => {
                self.in_a_row += 1;
                if self.in_a_row >= PATIENCE && self.end().is_none_or(|end| self.is(end).is_some()) {
                    let same = self.same();
                    let mut behind = self.places.range(same + 1..);
                    self.wall =
                        behind.find(|(_, place)| **place == VersionOutcome::Skipped).map(|(at, _)| *at);
                }
            }
            _ => {
                self.in_a_row = 0;
                if place == VersionOutcome::Same {
                    self.wall = None;
                }
            }
        }
    }
}

impl Search for WalkBack {
    type Finding = WalkedBack;
    const SEES_UNRESOLVED: bool = true;

    fn ask(&self) -> Ask<WalkedBack> {
        let Some(WalkQuestion { place, as_it_is }) = self.next else {
            return Ask::Done(WalkedBack {
                last_same: self.line.at(self.same()),
                first_changed: self.changed().map(|(at, place)| (self.line.at(at), place)),
                reaches_the_end: self.reaches_the_end(),
                versions: self.places.iter().map(|(at, place)| (self.line.at(*at), *place)).collect(),
            });
        };
        let version = self.line.at(place);
        let configuration = if as_it_is { self.line.unpatched(version) } else { self.line.patched(version) };
        Ask::Test(Question::new(configuration, Step::Midpoint))
    }

    fn tell(&mut self, answer: Answer) {
        let Some(WalkQuestion { place: at, as_it_is }) = self.next else { return };
        let place = match answer.outcome {
            _ if as_it_is && answer.was_run => VersionOutcome::Different,
            _ if as_it_is => VersionOutcome::Skipped,
            outcome if outcome == self.followed => VersionOutcome::Same,
            Outcome::Unresolved if !answer.was_run && self.is_patched => {
                self.next = Some(WalkQuestion { place: at, as_it_is: true });
                return;
            }
            Outcome::Unresolved if !answer.was_run => VersionOutcome::Skipped,
            Outcome::Unresolved => VersionOutcome::Different,
            _ => VersionOutcome::Opposite,
        };
        self.learn(at, place);
        self.plan();
    }

    fn best_so_far(&self) -> &Configuration {
        &self.best
    }

    fn best_difference(&self) -> Difference {
        let passing = self.changed().filter(|(_, place)| *place == VersionOutcome::Opposite);
        let passing = passing.map(|(at, _)| self.line.patched(self.line.at(at)));
        Difference { passing: passing.unwrap_or_else(Configuration::empty), failing: self.best.clone() }
    }

    fn left(&self) -> usize {
        let (same, changed) = (self.same(), self.changed().map_or(self.len, |(at, _)| at));
        changed.saturating_sub(same) as usize
    }
}
