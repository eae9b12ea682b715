//! CoarseToFine over trees: the promise of the search inside holds for the last level, or for all levels.

use crate::conversation::converse;
use crate::random::cases;
use crate::world::{World, any_world, bits, set};
use howcome_dd::{
    Balanced, CoarseToFine, Configuration, Ddmin, Difference, Isolate, Knowledge, Outcome, Search, drive,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::ops::Range;

type Tree = Vec<Vec<Range<u32>>>;

const SIZE: usize = 8;

/// Runs of deltas that are split into smaller and smaller runs, and in the end into single deltas.
fn groups(size: u32, cuts: &[u8]) -> Tree {
    let level = |depth: u8| {
        let mut starts: Vec<u32> = (1..size).filter(|delta| cuts[*delta as usize] <= depth).collect();
        starts.insert(0, 0);
        let ends = starts[1..].iter().copied().chain([size]);
        starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
    };
    (0..=3).map(level).collect()
}

/// A tree whose inner nodes are deltas too: the subtrees of each depth, and the parent of each node.
fn nodes(size: u32, steps: &[u8]) -> (Tree, Vec<Option<u32>>) {
    let mut depths: Vec<u8> = Vec::new();
    for step in &steps[..size as usize] {
        depths.push(depths.last().map_or(0, |deepest| step % (deepest + 2)));
    }
    let subtree = |node: usize| {
        let end = (node + 1..depths.len()).find(|other| depths[*other] <= depths[node]);
        node as u32..end.unwrap_or(depths.len()) as u32
    };
    let deepest = depths.iter().max().copied().unwrap_or(0);
    let at = |depth: u8| (0..depths.len()).filter(|node| depths[*node] == depth).map(subtree).collect();
    let parent =
        |node: usize| (0..node).rev().find(|other| depths[*other] < depths[node]).map(|parent| parent as u32);
    ((0..=deepest).map(at).collect(), (0..depths.len()).map(parent).collect())
}

fn run_bits(run: &Range<u32>) -> u32 {
    run.clone().map(|delta| 1 << delta).sum()
}

/// No single group of these levels can go.
fn assert_minimal(found: u32, levels: &[Vec<Range<u32>>], world: &World) {
    assert_eq!(world.of(found), Outcome::Fail);
    for group in levels.iter().flatten().map(run_bits).filter(|group| group & found != 0) {
        assert_ne!(
            world.of(found & !group),
            Outcome::Fail,
            "{:?} fails without {:?}",
            set(found),
            set(group)
        );
    }
}

/// To add or remove a single group of these levels is unresolved, unless the group is the whole difference.
fn assert_isolated(finding: &Difference, levels: &[Vec<Range<u32>>], world: &World) {
    let (passing, failing) = (bits(&finding.passing), bits(&finding.failing));
    assert_eq!(passing & !failing, 0);
    assert_eq!(world.of(passing), Outcome::Pass, "{:?} does not pass", set(passing));
    assert_eq!(world.of(failing), Outcome::Fail, "{:?} does not fail", set(failing));
    let open = failing ^ passing;
    for level in levels {
        let held: Vec<u32> =
            level.iter().map(|group| run_bits(group) & open).filter(|group| *group != 0).collect();
        for group in held.iter().filter(|group| **group != open) {
            assert_eq!(world.of(failing & !group), Outcome::Unresolved, "without {:?}", set(*group));
            let others = held.iter().filter(|other| *other != group).fold(0, |others, other| others | other);
            if others != 0 {
                assert_eq!(world.of(failing & !others), Outcome::Unresolved, "with {:?}", set(*group));
            }
        }
    }
}

fn isolate(all: Configuration) -> Isolate {
    Isolate::new(Configuration::empty(), all)
}

fn found(search: impl Search<Finding = Difference>, world: &World) -> Difference {
    converse(search, &world.all(), |asked| world.test(asked)).finding
}

fn keeps_its_promises(tree: &Tree, world: &World) {
    let last = &tree[tree.len() - 1..];
    let all = world.all();
    let simplified = |finding: Difference| {
        assert!(finding.passing.is_empty());
        bits(&finding.failing)
    };
    let ddmin = CoarseToFine::new(all.clone(), tree.clone(), Ddmin::new);
    assert_minimal(simplified(found(ddmin.clone(), world)), last, world);
    assert_minimal(simplified(found(ddmin.until_nothing_changes(), world)), tree, world);
    let balanced = CoarseToFine::new(all.clone(), tree.clone(), Balanced::new);
    assert_minimal(simplified(found(balanced.clone(), world)), last, world);
    assert_minimal(simplified(found(balanced.until_nothing_changes(), world)), tree, world);
    let isolate = CoarseToFine::new(all, tree.clone(), isolate);
    assert_isolated(&found(isolate.clone(), world), last, world);
    assert_isolated(&found(isolate.until_nothing_changes(), world), tree, world);
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn nested_groups_keep_the_promise_of_the_search_inside(
        world in any_world(1..=SIZE as u32),
        cuts in vec(0..4u8, SIZE),
    ) {
        keeps_its_promises(&groups(world.size, &cuts), &world);
    }

    #[test]
    fn trees_whose_inner_nodes_are_deltas_keep_the_promise(
        world in any_world(1..=SIZE as u32),
        steps in vec(0..12u8, SIZE),
    ) {
        keeps_its_promises(&nodes(world.size, &steps).0, &world);
    }

    #[test]
    fn levels_that_do_not_cover_all_deltas_keep_the_promise(
        world in any_world(1..=SIZE as u32),
        cuts in vec(0..4u8, SIZE),
        held in vec(any::<bool>(), 4 * SIZE),
    ) {
        let mut tree = groups(world.size, &cuts);
        let mut held = held.iter();
        tree.iter_mut().for_each(|level| level.retain(|_| held.next() == Some(&true)));
        keeps_its_promises(&tree, &world);
    }

    #[test]
    fn no_node_is_asked_for_without_its_parent(
        world in any_world(1..=SIZE as u32),
        steps in vec(0..12u8, SIZE),
    ) {
        let (tree, parents) = nodes(world.size, &steps);
        let test = |asked: &Configuration| {
            for node in asked.iter() {
                let parent = parents[node.index()];
                assert!(parent.is_none_or(|parent| bits(asked) >> parent & 1 == 1), "{asked}: {node} is an orphan");
            }
            world.test(asked)
        };
        converse(CoarseToFine::new(world.all(), tree.clone(), Ddmin::new), &world.all(), test);
        converse(CoarseToFine::new(world.all(), tree.clone(), Balanced::new), &world.all(), test);
        let finding = converse(CoarseToFine::new(world.all(), tree, isolate), &world.all(), test).finding;
        test(&finding.passing);
    }
}

#[test]
fn isolation_along_a_tree_finds_the_leaf_not_the_branch() {
    // A root with two children that have two leaves each: 1 (2 (3 4) 5 (6 7)).
    let tree = vec![vec![0..7], vec![1..4, 4..7], vec![2..3, 3..4, 5..6, 6..7]];
    let all = Configuration::all(7);
    let leaf: Configuration = "6".parse().unwrap();
    let conversation =
        drive(CoarseToFine::new(all.clone(), tree, isolate), &all, &Knowledge::none(), |asked| {
            if leaf.is_subset(asked) { Outcome::Fail } else { Outcome::Pass }
        });
    assert_eq!(conversation.finding.deltas(), leaf);
}

/// A world in which only these configurations, none and all deltas are resolved.
fn resolved(size: u32, outcomes: &[(&str, Outcome)]) -> World {
    let unresolved = World::new(size, |_| Outcome::Unresolved);
    outcomes.iter().fold(unresolved, |world, (text, outcome)| {
        world.but(bits(&text.parse().expect("a configuration")), *outcome)
    })
}

#[test]
fn a_larger_passing_side_is_a_change_that_repeats_all_levels() {
    // The second level finds that 1 passes. Only with 1 does 4-5 fail, and only the first level has the group 4-5.
    let world = resolved(6, &[("1", Outcome::Pass), ("1,4-5", Outcome::Fail)]);
    let tree = vec![vec![0..3, 3..5, 5..6], (0..6).map(|delta| delta..delta + 1).collect()];
    let levels = CoarseToFine::new(world.all(), tree, isolate);
    assert_eq!(found(levels.clone(), &world).failing, world.all());
    assert_eq!(found(levels.until_nothing_changes(), &world).failing, "1,4-5".parse().unwrap());
    // The same if delta 1 is in no group of the second level.
    let world = resolved(5, &[("1", Outcome::Pass), ("1,3-4", Outcome::Fail)]);
    let tree = vec![vec![0..2, 2..4, 4..5], (1..5).map(|delta| delta..delta + 1).collect()];
    let levels = CoarseToFine::new(world.all(), tree, isolate);
    assert_eq!(found(levels.clone(), &world).failing, world.all());
    assert_eq!(found(levels.until_nothing_changes(), &world).failing, "1,3-4".parse().unwrap());
}

#[test]
fn whole_files_are_tested_before_lines() {
    let files = (0..100).map(|file| file * 100..(file + 1) * 100).collect();
    let lines = (0..10_000).map(|line| line..line + 1).collect();
    let all = Configuration::all(10_000);
    let needed: Configuration = "4242,4250,9000".parse().unwrap();
    let levels = CoarseToFine::new(all.clone(), vec![files, lines], Balanced::new);
    let conversation = drive(levels, &all, &Knowledge::none(), |asked| {
        if needed.is_subset(asked) { Outcome::Fail } else { Outcome::Pass }
    });
    assert_eq!(conversation.finding.failing, needed);
    let by_files = conversation.told.iter().take_while(|(asked, _)| asked.len().is_multiple_of(100)).count();
    assert!(by_files >= 8, "{by_files} tests of whole files");
    assert!(conversation.told.len() < 60, "{} tests", conversation.told.len());
}
