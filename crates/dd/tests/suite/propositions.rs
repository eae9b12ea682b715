//! Statements that the technical report of the 1999 paper proves about dd, on Algorithm 1 as it is printed.

use crate::definitions::Tester;
use crate::random::cases;
use crate::world::World;
use howcome_dd::Outcome::{Fail, Pass};
use proptest::collection::vec;
use proptest::prelude::*;

/// The bits of these deltas, which are counted from 1.
fn bits(deltas: &[u32]) -> u32 {
    deltas.iter().map(|delta| 1 << (delta - 1)).sum()
}

/// A monotone world that fails if all deltas of one of these causes are applied.
fn world(size: u32, causes: &[u32]) -> World {
    World::new(size, |set| if causes.iter().any(|cause| set & cause == *cause) { Fail } else { Pass })
}

fn dd(world: &World, c: u32, r: u32) -> u32 {
    Tester::new(world).dd2(c, r)
}

proptest! {
    #![proptest_config(cases(200))]

    /// Corollary 14, if no cause needs two deltas.
    #[test]
    fn of_several_deltas_that_fail_alone_dd_finds_one(size in 2..=10u32, fail_alone in 1..1024u32) {
        let everything = (1 << size) - 1;
        let fail_alone = fail_alone & everything;
        prop_assume!(fail_alone != 0);
        let causes: Vec<u32> = (0..size).map(|delta| 1 << delta).filter(|delta| fail_alone & delta != 0).collect();
        let found = dd(&world(size, &causes), everything, 0);
        prop_assert!(causes.contains(&found), "{found:b} of {causes:?}");
    }

    /// Lemma 15, if there is one cause, and what is added to r is not searched: the same deltas are found.
    #[test]
    fn more_deltas_that_stay_applied_do_not_change_what_dd_finds(roles in vec((0..3u8, any::<bool>()), 1..=10)) {
        let with = |role: u8| (0..).zip(&roles).filter(|(_, it)| it.0 == role).map(|(bit, _)| 1 << bit).sum::<u32>();
        let (c, r, added) = (with(0), with(1), with(2));
        let needed: u32 = (0..).zip(&roles).filter(|(_, it)| it.0 != 2 && it.1).map(|(bit, _)| 1 << bit).sum();
        prop_assume!(needed & c != 0);
        let world = world(roles.len() as u32, &[needed]);
        prop_assert_eq!(dd(&world, c, r), needed & c);
        prop_assert_eq!(dd(&world, c, r | added), needed & c);
    }
}

#[test]
fn corollary_14_does_not_hold_if_the_half_without_the_delta_that_fails_alone_is_ambiguous() {
    // 8 fails alone. The first half fails too, without 8, and dd searches there: it finds 1 of one cause and 3 of the other.
    let world = world(8, &[bits(&[8]), bits(&[1, 4]), bits(&[2, 3])]);
    let found = dd(&world, bits(&[1, 2, 3, 4, 5, 6, 7, 8]), 0);
    assert_eq!(found, bits(&[1, 3]));
    assert_eq!(world.of(found), Pass);
}

#[test]
fn lemma_15_does_not_hold_if_a_needed_delta_is_added_or_if_there_are_two_causes() {
    let one = world(8, &[bits(&[3, 6])]);
    assert_eq!(dd(&one, 0b1111_1111, 0), bits(&[3, 6]));
    assert_eq!(dd(&one, 0b1111_1111, bits(&[3])), bits(&[6]));
    let two = world(3, &[bits(&[1, 2]), bits(&[2, 3])]);
    assert_eq!(dd(&two, bits(&[1, 2]), 0), bits(&[1, 2]));
    assert_eq!(dd(&two, bits(&[1, 2]), bits(&[3])), bits(&[2]));
}
