//! Compares configurations with plain sets of numbers, across the boundaries of chunks.

use crate::random::cases;
use howcome_dd::{Configuration, DeltaId};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashSet};
use std::hash::{Hash, Hasher};

type Model = BTreeSet<u32>;

const END: u32 = 20_000;

/// Runs of any length. Some fill whole chunks of 4096 deltas or end at the boundary of a chunk.
fn any_model() -> impl Strategy<Value = Model> {
    let boundary = (0..5u32, 0..3u32).prop_map(|(chunk, off)| (chunk * 4096 + off).saturating_sub(1));
    let length = prop_oneof![Just(1), 1..70u32, 1..9000u32, Just(4096), Just(8192)];
    let run =
        (prop_oneof![0..END, boundary], length).prop_map(|(start, length)| start..(start + length).min(END));
    (vec(run, 0..8), vec(0..END, 0..8)).prop_map(|(runs, holes)| {
        let mut model: Model = runs.into_iter().flatten().collect();
        holes.iter().for_each(|hole| {
            model.remove(hole);
        });
        model
    })
}

fn configuration(model: &Model) -> Configuration {
    model.iter().copied().map(DeltaId).collect()
}

fn model(configuration: &Configuration) -> Model {
    configuration.iter().map(|delta| delta.0).collect()
}

/// The runs of a set, found by comparing neighbours.
fn runs(model: &Model) -> Vec<std::ops::Range<u32>> {
    let mut runs: Vec<std::ops::Range<u32>> = Vec::new();
    for delta in model {
        match runs.last_mut() {
            Some(run) if run.end == *delta => run.end += 1,
            _ => runs.push(*delta..*delta + 1),
        }
    }
    runs
}

fn hash(configuration: &Configuration) -> u64 {
    let mut hasher = DefaultHasher::new();
    configuration.hash(&mut hasher);
    hasher.finish()
}

/// Equal sets must be equal values, no matter how they were made.
fn assert_same(made: &Configuration, expected: &Model) {
    let plain = configuration(expected);
    assert_eq!(made.len(), expected.len());
    assert_eq!(made.is_empty(), expected.is_empty());
    assert_eq!(*made, plain);
    assert_eq!(made.fingerprint(), plain.fingerprint());
    assert_eq!(hash(made), hash(&plain));
    assert!(made.iter().map(|delta| delta.0).eq(expected.iter().copied()));
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn union_difference_and_intersection_are_those_of_sets(a in any_model(), b in any_model()) {
        let (x, y) = (configuration(&a), configuration(&b));
        assert_same(&x.with(&y), &(&a | &b));
        assert_same(&x.without(&y), &(&a - &b));
        assert_same(&x.within(&y), &(&a & &b));
        assert_same(&x.with(&x), &a);
        assert_same(&x.without(&x), &Model::new());
        prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
        prop_assert!(x.within(&y).is_subset(&x));
        prop_assert!(x.is_subset(&x.with(&y)));
        prop_assert_eq!(x == y, a == b);
        prop_assert_eq!(x.fingerprint() == y.fingerprint(), a == b);
    }

    #[test]
    fn a_complement_has_all_other_deltas_up_to_a_number(a in any_model(), count in 0..END) {
        let expected: Model = (0..count).filter(|delta| !a.contains(delta)).collect();
        assert_same(&configuration(&a).complement(count), &expected);
    }

    #[test]
    fn single_deltas_are_added_and_removed(a in any_model(), delta in 0..END) {
        let x = configuration(&a);
        prop_assert_eq!(x.contains(DeltaId(delta)), a.contains(&delta));
        let (mut with, mut without) = (a.clone(), a);
        with.insert(delta);
        without.remove(&delta);
        assert_same(&x.with_delta(DeltaId(delta)), &with);
        assert_same(&x.without_delta(DeltaId(delta)), &without);
    }

    #[test]
    fn members_are_found_by_rank_and_by_number(a in any_model(), rank in 0..END, from in 0..END + 5000) {
        let x = configuration(&a);
        prop_assert_eq!(x.get(rank as usize).map(|delta| delta.0), a.iter().nth(rank as usize).copied());
        prop_assert_eq!(x.last().map(|delta| delta.0), a.last().copied());
        prop_assert_eq!(x.first_from(DeltaId(from)).map(|delta| delta.0), a.range(from..).next().copied());
    }

    #[test]
    fn a_slice_is_a_range_of_ranks(a in any_model(), from in 0..END as usize, length in 0..END as usize) {
        let expected: Model = a.iter().copied().skip(from).take(length).collect();
        assert_same(&configuration(&a).slice(from..from + length), &expected);
    }

    #[test]
    fn parts_take_the_floor_of_the_rest_over_the_parts_left(a in any_model(), n in 1..40usize) {
        prop_assume!(!a.is_empty());
        let n = n.min(a.len());
        let x = configuration(&a);
        let mut rest: Vec<u32> = a.into_iter().collect();
        for i in 0..n {
            let expected: Model = rest.drain(..rest.len() / (n - i)).collect();
            assert_same(&x.part(i, n), &expected);
        }
        prop_assert!(rest.is_empty());
    }

    #[test]
    fn runs_are_as_long_as_possible(a in any_model()) {
        let x = configuration(&a);
        prop_assert_eq!(x.runs().collect::<Vec<_>>(), runs(&a));
        assert_same(&x.runs().collect(), &a);
        assert_same(&runs(&a).into_iter().rev().collect(), &a);
    }

    #[test]
    fn text_and_json_are_read_back(a in any_model()) {
        let x = configuration(&a);
        let text = x.to_string();
        let runs: Vec<String> = runs(&a)
            .into_iter()
            .map(|run| if run.len() == 1 { format!("{}", run.end) } else { format!("{}-{}", run.start + 1, run.end) })
            .collect();
        prop_assert_eq!(&text, &if a.is_empty() { "-".to_owned() } else { runs.join(",") });
        assert_same(&text.parse().unwrap(), &a);
        let json = serde_json::to_string(&x).unwrap();
        prop_assert_eq!(&json, &format!("\"{text}\""));
        let read: Configuration = serde_json::from_str(&json).unwrap();
        assert_same(&read, &a);
        prop_assert_eq!(model(&read), a);
    }
}

#[test]
fn every_member_has_its_own_rank_also_where_chunks_end() {
    // Chunks that are full, empty, and neither, with and without a member at their ends.
    let runs = [0..4096, 4100..4200, 8191..8192, 3 * 4096 + 7..4 * 4096, 4 * 4096 + 1..4 * 4096 + 3];
    let members: Model = runs.into_iter().flatten().collect();
    let x = configuration(&members);
    for (rank, member) in members.iter().enumerate() {
        assert_eq!(x.get(rank), Some(DeltaId(*member)), "rank {rank}");
        assert_same(&x.slice(rank..rank + 1), &Model::from([*member]));
    }
    assert_eq!(x.get(members.len()), None);
    assert!(x.slice(members.len()..members.len() + 1).is_empty());
}

#[test]
fn runs_without_members_add_nothing() {
    #[allow(clippy::reversed_empty_ranges, reason = "such a run must not add anything either")]
    let empty = [0..0, 5..5, 64..64, 4096..4096, 9..3];
    assert_same(&empty.clone().into_iter().collect(), &Model::new());
    let with_others: Configuration = empty.into_iter().chain([2..4, 4095..4097]).collect();
    assert_same(&with_others, &Model::from([2, 3, 4095, 4096]));
}

#[test]
fn sets_of_the_same_size_are_equal_only_if_they_have_the_same_members() {
    let starts = [0, 1, 63, 64, 4095, 4096, 8192, 12_287];
    for (one, other) in starts.iter().flat_map(|one| starts.map(|other| (*one, other))) {
        let run = |start: u32| Configuration::from_run(start..start + 4096);
        assert_eq!(run(one) == run(other), one == other, "{one} and {other}");
        let single = |start: u32| Configuration::from_run(start..start + 1);
        assert_eq!(single(one) == single(other), one == other, "{one} and {other}");
    }
}

#[test]
fn text_that_is_not_a_configuration_is_rejected() {
    for text in [
        "",
        "0",
        "0-3",
        "4-2",
        "1,,2",
        "a",
        "1-",
        "-1",
        "1-2-3",
        " 1",
        "+1",
        "1-+2",
        "2147483649",
        "4294967296",
        "-,1",
    ] {
        assert!(text.parse::<Configuration>().is_err(), "`{text}` was accepted");
        assert!(serde_json::from_str::<Configuration>(&format!("\"{text}\"")).is_err());
    }
}

#[test]
fn the_highest_delta_number_works() {
    let last = DeltaId((1 << 31) - 1);
    let highest: Configuration = last.to_string().parse().unwrap();
    assert_eq!(highest.iter().collect::<Vec<_>>(), [last]);
    assert_eq!(highest.to_string(), "2147483648");
    assert!(highest.without_delta(last).is_empty());
}

#[test]
fn different_sets_have_different_fingerprints() {
    let (mut seen, mut low_halves, mut high_halves) = (HashSet::new(), HashSet::new(), HashSet::new());
    let singles = (0..END).map(|delta| Configuration::from_run(delta..delta + 1));
    let prefixes = (2..END).map(Configuration::all);
    let subsets =
        (0..1u32 << 12).filter(|bits| bits & (bits + 1) != 0 && bits.count_ones() > 1).map(crate::world::set);
    let far = (1..20).map(|chunk| Configuration::from_run(chunk * 4096..(chunk + 1) * 4096));
    for configuration in singles.chain(prefixes).chain(subsets).chain(far) {
        let fingerprint = configuration.fingerprint();
        assert!(seen.insert(fingerprint), "{configuration} has the fingerprint of another set");
        // For so few sets, each half alone must be unique. If one is not, it adds nothing to the other half.
        assert!(low_halves.insert(fingerprint as u64), "{configuration}");
        assert!(high_halves.insert((fingerprint >> 64) as u64), "{configuration}");
    }
}
