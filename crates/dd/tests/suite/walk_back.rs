//! Walks along histories of every kind, compared with the outcomes of all their versions.

use howcome_dd::{
    Answer, Ask, Configuration, DeltaId, Outcome, Search, VersionOutcome, WalkBack, WalkRoute, WalkedBack,
};
use proptest::prelude::*;
use std::collections::HashSet;

/// What happens to a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HistoricVersion {
    Fails,
    Passes,
    FailsDifferently,
    /// Neither with the patch nor without it.
    DoesNotBuild,
    /// It runs only without the patch.
    PatchDoesNotApply,
}

impl HistoricVersion {
    fn outcome(self) -> VersionOutcome {
        match self {
            HistoricVersion::Fails => VersionOutcome::Same,
            HistoricVersion::Passes => VersionOutcome::Opposite,
            HistoricVersion::FailsDifferently | HistoricVersion::PatchDoesNotApply => {
                VersionOutcome::Different
            }
            HistoricVersion::DoesNotBuild => VersionOutcome::Skipped,
        }
    }
}

/// What a walk finds in a history, and how many tests it takes.
fn walk(world: &[HistoricVersion], is_patched: bool, is_forward: bool) -> (WalkedBack, usize) {
    let count = world.len() as u32;
    let route = WalkRoute { count, from: if is_forward { 0 } else { count - 1 }, is_forward };
    let mut search = WalkBack::new(route, Outcome::Fail, is_patched);
    let mut asked: HashSet<Configuration> = HashSet::new();
    loop {
        let question = match search.ask() {
            Ask::Done(found) => return (found, asked.len()),
            Ask::Test(question) => question.configuration,
        };
        assert!(asked.insert(question.clone()), "{question} is asked twice");
        let version = question.get(0).unwrap_or(DeltaId(0));
        let is_unpatched = question == route.unpatched(version.0);
        let not_run = Answer { was_run: false, ..Answer::from(Outcome::Unresolved) };
        search.tell(match world[version.index()] {
            HistoricVersion::Fails => Answer::from(Outcome::Fail),
            HistoricVersion::Passes => Answer::from(Outcome::Pass),
            HistoricVersion::FailsDifferently => Answer::from(Outcome::Unresolved),
            HistoricVersion::PatchDoesNotApply if is_unpatched || !is_patched => {
                Answer::from(Outcome::Unresolved)
            }
            HistoricVersion::PatchDoesNotApply | HistoricVersion::DoesNotBuild => not_run,
        });
    }
}

/// Checks everything that a walk reports, and returns how many tests it took.
fn check(world: &[HistoricVersion], is_patched: bool, is_forward: bool) -> usize {
    let (found, tests) = walk(world, is_patched, is_forward);
    let count = world.len() as u32;
    for (version, outcome) in &found.versions {
        let there = world[*version as usize].outcome();
        // A few versions that fail differently are skipped if a version soon after them is resolved.
        let is_skipped = there == VersionOutcome::Different && *outcome == VersionOutcome::Skipped && {
            let after = (1..=3).filter_map(|off| {
                if is_forward { version.checked_add(off) } else { version.checked_sub(off) }
            });
            let mut after = after.filter_map(|version| found.versions.get(&version));
            after.any(|outcome| matches!(outcome, VersionOutcome::Same | VersionOutcome::Opposite))
        };
        assert!(there == *outcome || is_skipped, "at {version}");
    }
    // Versions by their distance from the start.
    let distance = |version: u32| if is_forward { version } else { count - 1 - version };
    let at = |distance: u32| found.versions.get(&if is_forward { distance } else { count - 1 - distance });
    assert_eq!(at(distance(found.last_same)), Some(&VersionOutcome::Same));
    let same = distance(found.last_same);
    match found.first_changed {
        Some((version, outcome)) => {
            let next = distance(version);
            assert!(same < next && !found.reaches_the_end);
            assert_eq!(found.versions.get(&version), Some(&outcome));
            assert!(matches!(outcome, VersionOutcome::Opposite | VersionOutcome::Different));
            // Nothing between the two is resolved. A version that fails differently is between them only if the opposite
            // outcome follows soon.
            let is_unresolved = |between| match at(between) {
                Some(VersionOutcome::Different) => outcome == VersionOutcome::Opposite,
                found => matches!(found, None | Some(VersionOutcome::Skipped)),
            };
            assert!((same + 1..next).all(is_unresolved));
            for beside in [same + 1, next - 1] {
                let is_known = beside == same || beside == next || at(beside).is_some();
                assert!(is_known, "{beside} between {same} and {next}");
            }
            let different =
                (same + 1..next).filter(|between| at(*between) == Some(&VersionOutcome::Different));
            assert!(different.min().is_none_or(|first| next - first < 8));
            if next - same <= 8
                && !(same + 1..next).any(|between| at(between) == Some(&VersionOutcome::Different))
            {
                assert!((same + 1..next).all(|between| at(between) == Some(&VersionOutcome::Skipped)));
            }
        }
        None => {
            assert!(
                found
                    .versions
                    .values()
                    .all(|outcome| matches!(outcome, VersionOutcome::Same | VersionOutcome::Skipped))
            );
            if found.reaches_the_end {
                assert!((same + 1..count).all(|after| at(after) == Some(&VersionOutcome::Skipped)));
                assert!(same > 0 || count == 1, "only the start is known");
            } else {
                assert_eq!(at(same + 1), Some(&VersionOutcome::Skipped));
            }
        }
    }
    tests
}

/// Ranges of versions with the same outcome, of any length.
fn worlds() -> impl Strategy<Value = Vec<HistoricVersion>> {
    let there = prop_oneof![
        4 => Just(HistoricVersion::Fails),
        1 => Just(HistoricVersion::Passes),
        1 => Just(HistoricVersion::FailsDifferently),
        2 => Just(HistoricVersion::DoesNotBuild),
        1 => Just(HistoricVersion::PatchDoesNotApply),
    ];
    let range = (there, prop_oneof![3 => 1..4_usize, 1 => 1..90_usize]);
    proptest::collection::vec(range, 0..12).prop_map(|ranges| {
        let mut world = vec![HistoricVersion::Fails];
        world.extend(ranges.into_iter().flat_map(|(there, len)| std::iter::repeat_n(there, len)));
        world
    })
}

/// Versions that fail up to a change, with a few ranges that do not build, and the number of these ranges.
fn plain_worlds() -> impl Strategy<Value = (Vec<HistoricVersion>, usize)> {
    let after = prop_oneof![Just(HistoricVersion::Passes), Just(HistoricVersion::FailsDifferently)];
    (
        2..1000_usize,
        any::<prop::sample::Index>(),
        after,
        proptest::collection::vec((0..1000_usize, 1..5_usize), 0..4),
    )
        .prop_map(|(len, change, after, broken)| {
            let change = 1 + change.index(len);
            let mut world: Vec<HistoricVersion> =
                (0..len).map(|at| if at < change { HistoricVersion::Fails } else { after }).collect();
            for (start, length) in &broken {
                (start + 1..start + 1 + length)
                    .filter(|at| *at < len)
                    .for_each(|at| world[at] = HistoricVersion::DoesNotBuild);
            }
            (world, broken.len())
        })
}

#[test]
fn a_short_range_that_fails_differently_between_a_failure_and_a_pass_is_skipped() {
    for (range, expected) in
        [(1, VersionOutcome::Opposite), (2, VersionOutcome::Opposite), (30, VersionOutcome::Different)]
    {
        let mut world = vec![HistoricVersion::Fails; 20];
        world.extend(vec![HistoricVersion::FailsDifferently; range]);
        world.extend(vec![HistoricVersion::Passes; 100]);
        let (found, _) = walk(&world, true, true);
        assert_eq!(
            (found.last_same, found.first_changed.map(|(_, outcome)| outcome)),
            (19, Some(expected)),
            "{range}"
        );
    }
}

proptest! {
    #[test]
    fn everything_that_a_walk_reports_is_true(world in worlds(), is_patched: bool, is_forward: bool) {
        let mut world = world;
        if !is_forward {
            world.reverse();
        }
        check(&world, is_patched, is_forward);
    }

    #[test]
    fn a_walk_takes_few_tests((world, broken) in plain_worlds(), is_patched: bool) {
        let tests = check(&world, is_patched, true);
        let each = if is_patched { 2 } else { 1 };
        let halvings = world.len().ilog2() as usize + 1;
        prop_assert!(tests <= 4 + 2 * halvings + each * broken * (6 + halvings), "{tests} of {}", world.len());
    }
}
