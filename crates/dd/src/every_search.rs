//! One of each search, for tests of what every search must keep to and of drivers that must run them all.

use crate::{
    Ancestry, Balanced, Bisect, BothWays, CoarseToFine, Configuration, Confirm, Dd, DdPlus, Ddmin, DeltaId,
    Difference, FailsHerePassesThere, FlakyBisect, GroupsFirst, Isolate, IsolateInOrder, Narrow, Outcome,
    Probe, Productivity, Relation, RemovalOrder, Search, SearchLimit, SeenPassing, Split, StopEarly,
    TargetOutcome, TestLimit, UnresolvedLimit, UntilOutcome, WalkBack, WalkRoute,
};
use std::ops::Range;

/// A test that is generic over the search.
pub trait SearchVisitor {
    /// Takes any search.
    fn visit<S: Search>(&mut self, search: S);

    /// Takes a search for the deltas that decide. Its best configuration so far always fails.
    fn visit_difference<S: Search<Finding = Difference>>(&mut self, search: S) {
        self.visit(search);
    }
}

/// Shows a visitor every search of this crate over `deltas` deltas. `groups` are deltas that belong together; they do not
/// overlap, and not every delta has to be in a group.
///
/// A test of this crate fails if a search is missing here.
pub fn visit_every_search(deltas: u32, groups: &[Configuration], visitor: &mut impl SearchVisitor) {
    visit_algorithms(deltas, groups, visitor);
    visit_searches(deltas, groups, visitor);
    visit_wrappers(deltas, visitor);
    visitor.visit(BothWays::new(deltas / 2, 2));
    visitor.visit(SeenPassing::new(Narrow::new(Configuration::all(deltas))));
    visit_grouped(deltas, groups, visitor);
    for ancestry in ancestries(deltas) {
        visitor.visit(FlakyBisect::new(ancestry, 0.99));
    }
}

fn visit_grouped(deltas: u32, groups: &[Configuration], visitor: &mut impl SearchVisitor) {
    let all = Configuration::all(deltas);
    let levels = Split::along_levels(vec![groups.to_vec(), Vec::new()]);
    for split in [levels, Split::in_order(groups.iter().rev().cloned().collect())] {
        visitor.visit_difference(DdPlus::with_split(all.clone(), split));
    }
    // What stays applied with the finding is not always tested.
    visitor.visit(DdPlus::new(all.clone()).with_repairs(2).keeping_context());
    visitor.visit_difference(GroupsFirst::new(all, groups, Balanced::new));
}

fn visit_algorithms(deltas: u32, groups: &[Configuration], visitor: &mut impl SearchVisitor) {
    let (nothing, all) = (Configuration::empty(), Configuration::all(deltas));
    for split in [Split::Even, Split::along(groups.iter().cloned())] {
        visitor.visit_difference(Dd::with_split(all.clone(), split.clone()));
        visitor.visit_difference(DdPlus::with_split(all.clone(), split.clone()));
        visitor.visit_difference(Ddmin::with_split(all.clone(), split.clone()));
        visitor.visit_difference(Isolate::with_split(nothing.clone(), all.clone(), split));
    }
    visitor.visit_difference(Isolate::finest(nothing, all));
}

fn visit_searches(deltas: u32, groups: &[Configuration], visitor: &mut impl SearchVisitor) {
    let all = Configuration::all(deltas);
    for order in [RemovalOrder::Backward, RemovalOrder::Forward] {
        visitor.visit_difference(Balanced::walking(all.clone(), order));
    }
    visitor.visit_difference(Balanced::once(all.clone()));
    visitor.visit_difference(Narrow::new(all.clone()));
    visitor.visit_difference(Narrow::new(all.clone()).along(vec![groups.to_vec()]));
    visitor.visit_difference(Narrow::new(all.clone()).trying_first(groups.to_vec()));
    let chain: Vec<Relation> = pairs(deltas).map(|[one, next]| Relation::Needs(next, one)).collect();
    visitor.visit_difference(Narrow::new(all.clone()).knowing(&chain));
    visitor.visit_difference(IsolateInOrder::new(deltas, seams(groups)));
    for ancestry in ancestries(deltas) {
        visitor.visit(Bisect::new(ancestry.clone()));
        visitor.visit(Bisect::new(ancestry.clone()).favouring((0..deltas).collect()));
        visitor.visit(Bisect::new(ancestry).giving_up(2, 4));
    }
    visitor.visit(Confirm::new(Difference::from_nothing(all.clone())));
    visitor.visit(Probe::new(all));
    // The last delta stands for "without the patch".
    let count = deltas.saturating_sub(1).max(1);
    for is_patched in [false, true] {
        let back = WalkRoute { count, from: count - 1, is_forward: false };
        visitor.visit(WalkBack::new(back, Outcome::Fail, is_patched));
        let forward = WalkRoute { count, from: 0, is_forward: true };
        visitor.visit(WalkBack::new(forward, Outcome::Pass, is_patched).trusting_the_far_end());
    }
}

/// A line and a graph.
fn ancestries(deltas: u32) -> [Ancestry; 2] {
    let parents =
        |revision: u32| [1, 3].iter().filter_map(|back| revision.checked_sub(*back)).map(DeltaId).collect();
    let parents: Vec<Vec<DeltaId>> = (0..deltas).map(parents).collect();
    [Ancestry::Line(deltas), Ancestry::graph(&parents)]
}

fn visit_wrappers(deltas: u32, visitor: &mut impl SearchVisitor) {
    let all = Configuration::all(deltas);
    let twos: Vec<Range<u32>> = (0..deltas).step_by(2).map(|first| first..(first + 2).min(deltas)).collect();
    let ones = (0..deltas).map(|delta| delta..delta + 1).collect();
    let levels = vec![twos, ones];
    let isolate = |all: Configuration| Isolate::new(Configuration::empty(), all);
    // What dd finds on one level does not always fail on its own, but the next level starts from it.
    visitor.visit(CoarseToFine::new(all.clone(), levels.clone(), Dd::new));
    visitor.visit(CoarseToFine::new(all.clone(), levels.clone(), DdPlus::new).until_nothing_changes());
    visitor
        .visit_difference(CoarseToFine::new(all.clone(), levels.clone(), Ddmin::new).until_nothing_changes());
    visitor.visit_difference(CoarseToFine::new(all.clone(), levels.clone(), Balanced::new).trying_nothing());
    visitor.visit_difference(
        CoarseToFine::new(all.clone(), levels.clone(), Narrow::new).until_nothing_changes(),
    );
    visitor.visit_difference(CoarseToFine::new(all.clone(), levels, isolate).until_nothing_changes());
    let gains = (0..deltas).map(u64::from);
    visitor.visit_difference(StopEarly::new(Balanced::new(all.clone()), Productivity::of(gains, 1 << 20)));
    visitor.visit_difference(StopEarly::new(isolate(all.clone()), Productivity::any()));
    visitor.visit(UnresolvedLimit::new(Narrow::new(all.clone()), 3));
    visitor.visit(StopEarly::new(Narrow::new(all.clone()), SearchLimit::of_progress(4)));
    for target in [Outcome::Pass, Outcome::Fail] {
        visitor.visit(TargetOutcome::new(target, Balanced::new(all.clone())));
    }
    // The last delta stands for the other version.
    let both = deltas.saturating_sub(1);
    visitor.visit(FailsHerePassesThere::new(Balanced::new(Configuration::all(both)), both));
    visitor.visit(StopEarly::new(Narrow::new(all.clone()), TestLimit::new(3)));
    visitor.visit(StopEarly::new(Narrow::new(all), UntilOutcome::new(Some(Outcome::Pass))));
}

fn pairs(deltas: u32) -> impl Iterator<Item = [DeltaId; 2]> {
    (1..deltas).map(|second| [DeltaId(second - 1), DeltaId(second)])
}

/// Each group begins with a seam. The kinds of seams take turns.
fn seams(groups: &[Configuration]) -> Vec<Vec<u32>> {
    let mut kinds = vec![Vec::new(); 3];
    for (number, group) in groups.iter().enumerate() {
        kinds[number % 3].extend(group.runs().map(|run| run.start).filter(|start| *start > 0));
    }
    kinds
}
