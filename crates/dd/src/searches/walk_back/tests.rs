//! Walks along small histories whose outcomes are all known.

use super::*;

/// What a walk finds, and how many tests it takes. A version with the outcome `None` does not build.
fn walk(len: u32, is_patched: bool, world: impl Fn(u32) -> Option<Outcome>) -> (WalkedBack, u32) {
    run(WalkBack::new(route(len), Outcome::Fail, is_patched), world)
}

fn route(len: u32) -> WalkRoute {
    WalkRoute { count: len, from: 0, is_forward: true }
}

fn run(mut search: WalkBack, world: impl Fn(u32) -> Option<Outcome>) -> (WalkedBack, u32) {
    let mut tests = 0;
    loop {
        match search.ask() {
            Ask::Done(found) => return (found, tests),
            Ask::Test(question) => {
                let version = question.configuration.get(0).unwrap().0;
                assert!(version > 0, "the outcome at the start is known");
                tests += 1;
                assert!(tests < 200);
                search.tell(match world(version) {
                    Some(outcome) => Answer::from(outcome),
                    None => Answer { was_run: false, ..Answer::from(Outcome::Unresolved) },
                });
            }
        }
    }
}

#[test]
fn the_change_is_found_at_any_distance() {
    for len in [2, 3, 10, 200, 1000] {
        for change in [1, 2, 3, 7, len / 3, len / 2, len - 2, len - 1] {
            for outcome in [Outcome::Pass, Outcome::Unresolved] {
                if change == 0 || change >= len {
                    continue;
                }
                let world = |version| Some(if version < change { Outcome::Fail } else { outcome });
                let (found, tests) = walk(len, false, world);
                assert_eq!(
                    (found.last_same, found.first_changed.map(|(at, _)| at)),
                    (change - 1, Some(change))
                );
                assert!(tests <= 3 + 2 * len.ilog2(), "{len} {change}: {tests}");
            }
        }
    }
}

#[test]
fn a_change_near_the_start_takes_few_tests() {
    let (_, tests) =
        walk(10_000, false, |version| Some(if version < 3 { Outcome::Fail } else { Outcome::Unresolved }));
    assert!(tests <= 8, "{tests}");
}

#[test]
fn an_outcome_that_never_changes_takes_few_tests() {
    let (found, tests) = walk(1000, false, |_| Some(Outcome::Fail));
    assert_eq!((found.last_same, found.first_changed, tests), (999, None, 1 + EXTRA_TESTS));
    assert!(found.reaches_the_end);
}

#[test]
fn a_pass_between_two_failing_ends_is_found() {
    let (found, _) = walk(100, false, |version| {
        Some(if (40..60).contains(&version) { Outcome::Pass } else { Outcome::Fail })
    });
    assert_eq!((found.last_same, found.first_changed), (39, Some((40, VersionOutcome::Opposite))));
}

#[test]
fn a_short_pass_near_the_start_is_found() {
    for from in [1, 2, 4, 8, 16] {
        let passes = |version| Some(if version == from { Outcome::Pass } else { Outcome::Fail });
        let (found, _) = walk(1000, false, passes);
        assert_eq!(found.first_changed, Some((from, VersionOutcome::Opposite)), "{from}");
    }
}

#[test]
fn a_version_that_is_suspected_is_tested() {
    let passes = |version| Some(if version == 333 { Outcome::Pass } else { Outcome::Fail });
    let search = WalkBack::new(route(1000), Outcome::Fail, false);
    assert_eq!(run(search.clone(), passes).0.first_changed, None);
    let (found, tests) = run(search.suspecting([333]), passes);
    assert_eq!(found.first_changed, Some((333, VersionOutcome::Opposite)));
    assert!(tests < 15, "{tests}");
}

#[test]
fn one_by_one_no_version_is_passed_over() {
    let passes = |version| Some(if version == 77 { Outcome::Pass } else { Outcome::Fail });
    let (found, tests) = run(WalkBack::new(route(100), Outcome::Fail, false).one_by_one(), passes);
    assert_eq!((found.last_same, found.first_changed), (76, Some((77, VersionOutcome::Opposite))));
    assert_eq!(tests, 77);
    let (found, tests) =
        run(WalkBack::new(route(100), Outcome::Fail, false).one_by_one(), |_| Some(Outcome::Fail));
    assert!(found.reaches_the_end);
    assert_eq!(tests, 99);
}

#[test]
fn versions_that_do_not_build_are_skipped_and_the_change_after_them_is_found() {
    for is_patched in [false, true] {
        let world = |version: u32| match version {
            3 | 4 | 20 | 50..=53 | 99 => None,
            _ if version < 52 => Some(Outcome::Fail),
            _ => Some(Outcome::Unresolved),
        };
        let (found, tests) = walk(100, is_patched, world);
        assert_eq!((found.last_same, found.first_changed), (49, Some((54, VersionOutcome::Different))));
        assert!(tests < 30, "{tests}");
    }
}

#[test]
fn a_change_next_to_a_range_that_does_not_build_is_found_exactly() {
    for (start, end) in [(50, 54), (50, 80), (10, 13), (1, 20)] {
        let world = |version: u32| match version {
            _ if (start..end).contains(&version) => None,
            _ if version < start => Some(Outcome::Fail),
            _ => Some(Outcome::Pass),
        };
        let (found, tests) = walk(200, false, world);
        assert_eq!(
            (found.last_same, found.first_changed),
            (start - 1, Some((end, VersionOutcome::Opposite)))
        );
        assert!(tests < 40, "{tests}");
    }
}

#[test]
fn not_every_version_is_tried_if_no_older_version_builds() {
    let (found, tests) = walk(5000, false, |version| (version < 700).then_some(Outcome::Fail));
    assert_eq!((found.last_same, found.first_changed, found.reaches_the_end), (699, None, false));
    assert!(tests < 60, "{tests}");
}

#[test]
fn a_version_to_which_the_patch_does_not_apply_is_tested_without_it() {
    let route = WalkRoute { count: 10, from: 0, is_forward: true };
    let mut search = WalkBack::new(route, Outcome::Fail, true);
    search.tell(Answer { was_run: false, ..Answer::from(Outcome::Unresolved) });
    let Ask::Test(question) = search.ask() else { panic!() };
    assert_eq!(question.configuration, route.unpatched(9), "the same version without the patch");
    search.tell(Answer::from(Outcome::Unresolved));
    assert_eq!(search.outcome(9), Some(VersionOutcome::Different));
}

#[test]
fn a_walk_can_go_to_lower_numbers() {
    let route = WalkRoute { count: 100, from: 80, is_forward: false };
    let mut search = WalkBack::new(route, Outcome::Fail, false).skipping([0, 99]);
    let found = loop {
        match search.ask() {
            Ask::Done(found) => break found,
            Ask::Test(question) => {
                let version = question.configuration.last().unwrap().0;
                search.tell(Answer::from(if version >= 30 { Outcome::Fail } else { Outcome::Pass }));
            }
        }
    };
    assert_eq!((found.last_same, found.first_changed), (30, Some((29, VersionOutcome::Opposite))));
    assert_eq!(found.versions.get(&0), Some(&VersionOutcome::Skipped));
}
