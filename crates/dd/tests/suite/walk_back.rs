//! Walks along worlds of every kind, against what the world itself says.

use howcome_dd::{
    Answer, Ask, Configuration, DeltaId, Outcome, Search, VersionOutcome, WalkBack, WalkRoute, WalkedBack,
};
use proptest::prelude::*;
use std::collections::HashSet;

/// What is at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum There {
    Fails,
    Passes,
    EndsOtherwise,
    /// Neither with what is carried along nor without.
    DoesNotBuild,
    /// Only as it is.
    DoesNotFit,
}

impl There {
    fn place(self) -> VersionOutcome {
        match self {
            There::Fails => VersionOutcome::Same,
            There::Passes => VersionOutcome::Opposite,
            There::EndsOtherwise | There::DoesNotFit => VersionOutcome::Different,
            There::DoesNotBuild => VersionOutcome::Skipped,
        }
    }
}

/// What a walk found in a world, and how many tests that took.
fn walk(world: &[There], is_patched: bool, is_forward: bool) -> (WalkedBack, usize) {
    let count = world.len() as u32;
    let line = WalkRoute { count, from: if is_forward { 0 } else { count - 1 }, is_forward };
    let mut search = WalkBack::new(line, Outcome::Fail, is_patched);
    let mut asked: HashSet<Configuration> = HashSet::new();
    loop {
        let question = match search.ask() {
            Ask::Done(found) => return (found, asked.len()),
            Ask::Test(question) => question.configuration,
        };
        assert!(asked.insert(question.clone()), "{question} is asked twice");
        let version = question.get(0).unwrap_or(DeltaId(0));
        let is_as_it_is = question == line.unpatched(version.0);
        let not_run = Answer { was_run: false, ..Answer::from(Outcome::Unresolved) };
        search.tell(match world[version.index()] {
            There::Fails => Answer::from(Outcome::Fail),
            There::Passes => Answer::from(Outcome::Pass),
            There::EndsOtherwise => Answer::from(Outcome::Unresolved),
            There::DoesNotFit if is_as_it_is || !is_patched => Answer::from(Outcome::Unresolved),
            There::DoesNotFit | There::DoesNotBuild => not_run,
        });
    }
}

/// Whether all that a walk says is so.
fn check(world: &[There], is_patched: bool, is_forward: bool) -> usize {
    let (found, tests) = walk(world, is_patched, is_forward);
    let line = world.len() as u32;
    for (version, place) in &found.versions {
        let there = world[*version as usize].place();
        // A few that end otherwise are passed over, where what lies behind them tells more.
        let is_passed_over = there == VersionOutcome::Different && *place == VersionOutcome::Skipped && {
            let behind = (1..=3).filter_map(|off| {
                if is_forward { version.checked_add(off) } else { version.checked_sub(off) }
            });
            let mut behind = behind.filter_map(|version| found.versions.get(&version));
            behind.any(|place| matches!(place, VersionOutcome::Same | VersionOutcome::Opposite))
        };
        assert!(there == *place || is_passed_over, "at {version}");
    }
    // By distance from where it begins.
    let distance = |version: u32| if is_forward { version } else { line - 1 - version };
    let at = |distance: u32| found.versions.get(&if is_forward { distance } else { line - 1 - distance });
    assert_eq!(at(distance(found.last_same)), Some(&VersionOutcome::Same));
    let same = distance(found.last_same);
    match found.first_changed {
        Some((version, place)) => {
            let next = distance(version);
            assert!(same < next && !found.reaches_the_end);
            assert_eq!(found.versions.get(&version), Some(&place));
            assert!(matches!(place, VersionOutcome::Opposite | VersionOutcome::Different));
            // What lies between is no help; what ends otherwise can be made to fail or to pass, so that is passed over only where it is
            // a short way to the opposite.
            let is_no_help = |between| match at(between) {
                Some(VersionOutcome::Different) => place == VersionOutcome::Opposite,
                found => matches!(found, None | Some(VersionOutcome::Skipped)),
            };
            assert!((same + 1..next).all(is_no_help));
            for beside in [same + 1, next - 1] {
                let is_known = beside == same || beside == next || at(beside).is_some();
                assert!(is_known, "{beside} between {same} and {next}");
            }
            let otherwise =
                (same + 1..next).filter(|between| at(*between) == Some(&VersionOutcome::Different));
            assert!(otherwise.min().is_none_or(|first| next - first < 8));
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
                    .all(|place| matches!(place, VersionOutcome::Same | VersionOutcome::Skipped))
            );
            if found.reaches_the_end {
                assert!((same + 1..line).all(|behind| at(behind) == Some(&VersionOutcome::Skipped)));
                assert!(same > 0 || line == 1, "nothing else was seen");
            } else {
                assert_eq!(at(same + 1), Some(&VersionOutcome::Skipped));
            }
        }
    }
    tests
}

/// Stretches of the same, of any length.
fn worlds() -> impl Strategy<Value = Vec<There>> {
    let there = prop_oneof![
        4 => Just(There::Fails),
        1 => Just(There::Passes),
        1 => Just(There::EndsOtherwise),
        2 => Just(There::DoesNotBuild),
        1 => Just(There::DoesNotFit),
    ];
    let stretch = (there, prop_oneof![3 => 1..4_usize, 1 => 1..90_usize]);
    proptest::collection::vec(stretch, 0..12).prop_map(|stretches| {
        let mut world = vec![There::Fails];
        world.extend(stretches.into_iter().flat_map(|(there, len)| std::iter::repeat_n(there, len)));
        world
    })
}

/// A failure as far as a place, then something else, with stretches that do not build.
fn plain_worlds() -> impl Strategy<Value = (Vec<There>, usize)> {
    let behind = prop_oneof![Just(There::Passes), Just(There::EndsOtherwise)];
    (
        2..1000_usize,
        any::<prop::sample::Index>(),
        behind,
        proptest::collection::vec((0..1000_usize, 1..5_usize), 0..4),
    )
        .prop_map(|(len, change, behind, broken)| {
            let change = 1 + change.index(len);
            let mut world: Vec<There> =
                (0..len).map(|at| if at < change { There::Fails } else { behind }).collect();
            for (start, length) in &broken {
                (start + 1..start + 1 + length)
                    .filter(|at| *at < len)
                    .for_each(|at| world[at] = There::DoesNotBuild);
            }
            (world, broken.len())
        })
}

#[test]
fn what_ends_otherwise_between_a_failure_and_a_pass_is_passed_over_where_it_is_short() {
    for (stretch, expected) in
        [(1, VersionOutcome::Opposite), (2, VersionOutcome::Opposite), (30, VersionOutcome::Different)]
    {
        let mut world = vec![There::Fails; 20];
        world.extend(vec![There::EndsOtherwise; stretch]);
        world.extend(vec![There::Passes; 100]);
        let (found, _) = walk(&world, true, true);
        assert_eq!(
            (found.last_same, found.first_changed.map(|(_, place)| place)),
            (19, Some(expected)),
            "{stretch}"
        );
    }
}

proptest! {
    #[test]
    fn a_walk_says_nothing_but_what_is_so(world in worlds(), is_patched: bool, is_forward: bool) {
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
