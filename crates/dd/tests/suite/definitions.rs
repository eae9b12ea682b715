//! The published definitions as plain recursion over bits. Each algorithm must ask for the same tests in the same order.

use crate::conversation::converse;
use crate::random::{Random, cases};
use crate::world::{World, any_world, bits, members};
use howcome_dd::Outcome::{Fail, Pass, Unresolved};
use howcome_dd::{Configuration, Dd, DdPlus, Ddmin, Difference, Isolate, Outcome, Search};
use proptest::prelude::*;

/// A tester that records its tests. The empty configuration and all deltas are known.
pub(crate) struct Tester<'a> {
    world: &'a World,
    carried_out: Vec<u32>,
}

impl<'a> Tester<'a> {
    pub(crate) fn new(world: &'a World) -> Self {
        Self { world, carried_out: Vec::new() }
    }

    fn everything(&self) -> u32 {
        (1 << self.world.size) - 1
    }

    fn test(&mut self, set: u32) -> Outcome {
        if set != 0 && set != self.everything() && !self.carried_out.contains(&set) {
            self.carried_out.push(set);
        }
        self.world.of(set)
    }

    /// Zeller 1999, Algorithm 1.
    pub(crate) fn dd2(&mut self, c: u32, r: u32) -> u32 {
        if c.count_ones() == 1 {
            return c;
        }
        let halves = split(c, 2);
        for half in &halves {
            if self.test(half | r) == Fail {
                return self.dd2(*half, r);
            }
        }
        self.dd2(halves[0], halves[1] | r) | self.dd2(halves[1], halves[0] | r)
    }

    /// Zeller 1999, Algorithm 2. The paper does not define an empty c and an empty c'; here, an empty c' returns c.
    fn dd3(&mut self, c: u32, r: u32, n: u32) -> u32 {
        if c.count_ones() <= 1 {
            return c;
        }
        let parts = split(c, n);
        let complements: Vec<u32> = parts.iter().map(|part| c & !(part | r)).collect();
        let mut of_parts = Vec::new();
        for part in &parts {
            of_parts.push(self.test(part | r));
            if of_parts.last() == Some(&Fail) {
                return self.dd3(*part, r, 2);
            }
        }
        let of_complements: Vec<Outcome> =
            complements.iter().map(|complement| self.test(complement | r)).collect();
        let seen: Vec<_> = of_parts.iter().copied().zip(of_complements).collect();
        if let Some(i) = seen.iter().position(|seen| *seen == (Pass, Pass)) {
            return self.dd3(parts[i], complements[i] | r, 2) | self.dd3(complements[i], parts[i] | r, 2);
        }
        if let Some(i) = seen.iter().position(|seen| *seen == (Unresolved, Pass)) {
            return self.dd3(parts[i], complements[i] | r, 2);
        }
        let (mut next, mut remain) = (c, r);
        for (i, (part, complement)) in seen.into_iter().enumerate() {
            next &= if complement == Fail { complements[i] } else { c };
            remain |= if part == Pass { parts[i] } else { 0 };
        }
        match next {
            0 => c,
            _ if n < c.count_ones() => self.dd3(next, remain, next.count_ones().min(2 * n)),
            _ => next,
        }
    }

    /// Zeller & Hildebrandt 2002, as in the lecture.
    fn ddmin(&mut self, c: u32, n: u32) -> u32 {
        if c.count_ones() == 1 {
            return c;
        }
        let parts = split(c, n);
        if let Some(part) = parts.iter().find(|part| self.test(**part) == Fail) {
            return self.ddmin(*part, 2);
        }
        if let Some(part) = parts.iter().find(|part| self.test(c & !**part) == Fail) {
            let rest = c & !part;
            return self.ddmin(rest, (n - 1).max(2).min(rest.count_ones()));
        }
        if n < c.count_ones() { self.ddmin(c, (2 * n).min(c.count_ones())) } else { c }
    }

    /// Zeller 2002, Figure 2. Each half is the complement of the other half, so one resolved test decides.
    fn isolate(&mut self, passing: u32, failing: u32, n: u32) -> (u32, u32) {
        let difference = failing & !passing;
        let size = difference.count_ones();
        if size == 1 {
            return (passing, failing);
        }
        let n = n.min(size);
        let parts = split(difference, n);
        let fewer = (n - 1).max(2);
        let mut added = Vec::new();
        for part in &parts {
            let with = passing | part;
            added.push(self.test(with));
            match added.last() {
                Some(Fail) => return self.isolate(passing, with, 2),
                Some(Pass) if n == 2 => return self.isolate(with, failing, 2),
                _ => {}
            }
        }
        let mut removed = Vec::new();
        for part in parts.iter().filter(|_| n > 2) {
            let without = failing & !part;
            removed.push(self.test(without));
            if removed.last() == Some(&Pass) {
                return self.isolate(without, failing, 2);
            }
        }
        if let Some(i) = added.iter().position(|outcome| *outcome == Pass) {
            return self.isolate(passing | parts[i], failing, fewer);
        }
        if let Some(i) = removed.iter().position(|outcome| *outcome == Fail) {
            return self.isolate(passing, failing & !parts[i], fewer);
        }
        if n < size { self.isolate(passing, failing, 2 * n) } else { (passing, failing) }
    }
}

/// Part i has floor(rest / parts left) members.
fn split(set: u32, n: u32) -> Vec<u32> {
    let mut rest: Vec<u32> = members(set).collect();
    (0..n).map(|i| rest.drain(..rest.len() / (n - i) as usize).map(|delta| 1 << delta).sum()).collect()
}

fn asked(search: impl Search<Finding = Difference>, world: &World) -> (Vec<u32>, (u32, u32)) {
    let conversation = converse(search, &world.all(), |asked| world.test(asked));
    let found = (bits(&conversation.finding.passing), bits(&conversation.finding.failing));
    (conversation.told.iter().map(|(asked, _)| bits(asked)).collect(), found)
}

fn dd_follows_algorithm_1(world: &World) {
    let mut tester = Tester::new(world);
    let found = tester.dd2(tester.everything(), 0);
    assert_eq!(asked(Dd::new(world.all()), world), (tester.carried_out, (0, found)));
}

fn dd_plus_follows_algorithm_2(world: &World) {
    let mut tester = Tester::new(world);
    let found = tester.dd3(tester.everything(), 0, 2);
    assert_eq!(asked(DdPlus::new(world.all()), world), (tester.carried_out, (0, found)));
}

fn ddmin_follows_the_lecture(world: &World) {
    let mut tester = Tester::new(world);
    let found = tester.ddmin(tester.everything(), 2);
    assert_eq!(asked(Ddmin::new(world.all()), world), (tester.carried_out, (0, found)));
}

fn isolate_follows_figure_2(world: &World) {
    let mut tester = Tester::new(world);
    let found = tester.isolate(0, tester.everything(), 2);
    let isolate = Isolate::new(Configuration::empty(), world.all());
    assert_eq!(asked(isolate, world), (tester.carried_out, found));
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn dd_asks_what_algorithm_1_asks(world in any_world(1..=8)) {
        dd_follows_algorithm_1(&world);
    }

    #[test]
    fn dd_plus_asks_what_algorithm_2_asks(world in any_world(1..=8)) {
        dd_plus_follows_algorithm_2(&world);
    }

    #[test]
    fn ddmin_asks_what_the_lecture_asks(world in any_world(1..=8)) {
        ddmin_follows_the_lecture(&world);
    }

    #[test]
    fn isolate_asks_what_figure_2_asks(world in any_world(1..=8)) {
        isolate_follows_figure_2(&world);
    }
}

#[test]
fn all_algorithms_ask_the_same_on_larger_problems() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let (size, unresolved) = (12 + random.below(4), 10 + random.below(80));
        let salt = random.word();
        let world = World::new(size, |bits| match Random(salt ^ u64::from(bits)).below(100) {
            percent if percent < unresolved => Unresolved,
            percent if percent % 2 == 0 => Pass,
            _ => Fail,
        });
        dd_follows_algorithm_1(&world);
        dd_plus_follows_algorithm_2(&world);
        ddmin_follows_the_lecture(&world);
        isolate_follows_figure_2(&world);
    }
}
