//! Splitting along groups.

use crate::random::cases;
use crate::world::{bits, groups_of, set};
use howcome_dd::{Configuration, Split};
use proptest::collection::vec;
use proptest::prelude::*;

const SIZE: u32 = 16;

/// The parts as bits.
fn parts(split: &Split, configuration: u32, n: usize) -> Vec<u32> {
    let parts = split.parts(&set(configuration), n);
    (0..parts.count()).map(|i| bits(&parts.get(i))).collect()
}

fn assert_partition(parts: &[u32], configuration: u32, n: usize) {
    assert_eq!(parts.len(), n);
    assert!(parts.iter().all(|part| *part != 0), "a part is empty");
    assert_eq!(parts.iter().fold(0, |all, part| all | part), configuration);
    assert_eq!(parts.iter().map(|part| part.count_ones()).sum::<u32>(), configuration.count_ones());
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn even_parts_are_runs_of_nearly_equal_size_and_smaller_ones_come_first(
        configuration in 1..1u32 << SIZE,
        fraction in 0.0..1.0f64,
    ) {
        let size = configuration.count_ones();
        let n = 1 + (f64::from(size - 1) * fraction) as usize;
        let parts = parts(&Split::Even, configuration, n);
        assert_partition(&parts, configuration, n);
        let mut left = size;
        for (i, part) in parts.iter().enumerate() {
            prop_assert_eq!(part.count_ones(), left / (n - i) as u32);
            left -= part.count_ones();
        }
        prop_assert!(parts.is_sorted_by(|a, b| a.leading_zeros() > b.leading_zeros() && a < &(b & b.wrapping_neg())));
    }

    #[test]
    fn grouped_parts_are_a_partition_without_empty_parts(
        configuration in 1..1u32 << SIZE,
        labels in vec(0..5u8, SIZE as usize),
        fraction in 0.0..1.0f64,
    ) {
        let n = 1 + (f64::from(configuration.count_ones() - 1) * fraction) as usize;
        let split = Split::along(groups_of(SIZE, &labels));
        assert_partition(&parts(&split, configuration, n), configuration, n);
    }

    #[test]
    fn no_group_is_split_while_there_are_enough_groups(
        configuration in 1..1u32 << SIZE,
        labels in vec(0..5u8, SIZE as usize),
    ) {
        let groups = groups_of(SIZE, &labels);
        let held: Vec<u32> =
            groups.iter().map(|group| bits(group) & configuration).filter(|group| *group != 0).collect();
        let alone = configuration & !held.iter().fold(0, |all, group| all | group);
        let enough = held.len() + alone.count_ones() as usize;
        let split = Split::along(groups);
        for n in 1..=enough {
            let parts = parts(&split, configuration, n);
            prop_assert!(parts.is_sorted_by_key(|part| part.trailing_zeros()), "by their first members");
            for group in &held {
                let within = parts.iter().filter(|part| *part & group != 0).count();
                prop_assert_eq!(within, 1, "{:?} is in {} of {} parts", set(*group), within, n);
            }
        }
    }

    #[test]
    fn as_many_parts_as_deltas_are_single_deltas_in_any_grouping(
        configuration in 1..1u32 << SIZE,
        labels in vec(0..5u8, SIZE as usize),
    ) {
        let n = configuration.count_ones() as usize;
        let parts = parts(&Split::along(groups_of(SIZE, &labels)), configuration, n);
        prop_assert!(parts.iter().all(|part| part.count_ones() == 1));
    }
}

#[test]
fn changes_that_imply_each_other_stay_in_one_half() {
    let group: Configuration = "2-3,7".parse().unwrap();
    let parts = Split::along([group.clone()]).parts(&Configuration::all(8), 2);
    assert!(group.is_subset(&parts.get(0)) || group.is_subset(&parts.get(1)));
}
