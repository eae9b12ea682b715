//! Walks over worlds that are known.

use super::*;

/// How a walk over a world goes, and how many tests that took. `None` does not build.
fn walk(len: u32, is_patched: bool, world: impl Fn(u32) -> Option<Outcome>) -> (WalkedBack, u32) {
    let line = WalkRoute { count: len, from: 0, is_forward: true };
    let mut search = WalkBack::new(line, Outcome::Fail, is_patched);
    let mut tests = 0;
    loop {
        match search.ask() {
            Ask::Done(found) => return (found, tests),
            Ask::Test(question) => {
                let place = question.configuration.get(0).unwrap().0;
                assert!(place > 0, "where it starts is known");
                tests += 1;
                assert!(tests < 200);
                search.tell(match world(place) {
                    Some(outcome) => Answer::from(outcome),
                    None => Answer { was_run: false, ..Answer::from(Outcome::Unresolved) },
                });
            }
        }
    }
}

#[test]
fn the_change_is_found_wherever_it_is() {
    for len in [2, 3, 10, 200, 1000] {
        for change in [1, 2, 3, 7, len / 3, len / 2, len - 2, len - 1] {
            for outcome in [Outcome::Pass, Outcome::Unresolved] {
                if change == 0 || change >= len {
                    continue;
                }
                let world = |place| Some(if place < change { Outcome::Fail } else { outcome });
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
fn a_change_that_is_near_is_found_soon() {
    let (_, tests) =
        walk(10_000, false, |place| Some(if place < 3 { Outcome::Fail } else { Outcome::Unresolved }));
    assert!(tests <= 8, "{tests}");
}

#[test]
fn the_same_everywhere_is_said_after_few_tests() {
    let (found, tests) = walk(1000, false, |_| Some(Outcome::Fail));
    assert_eq!((found.last_same, found.first_changed, tests), (999, None, 1 + LOOKS_AROUND));
    assert!(found.reaches_the_end);
}

#[test]
fn a_pass_between_is_found_where_it_is_looked_for() {
    let (found, _) =
        walk(100, false, |place| Some(if (40..60).contains(&place) { Outcome::Pass } else { Outcome::Fail }));
    assert_eq!((found.last_same, found.first_changed), (39, Some((40, VersionOutcome::Opposite))));
}

#[test]
fn what_does_not_build_is_skipped_and_what_lies_behind_is_found() {
    for is_patched in [false, true] {
        let world = |place: u32| match place {
            3 | 4 | 20 | 50..=53 | 99 => None,
            _ if place < 52 => Some(Outcome::Fail),
            _ => Some(Outcome::Unresolved),
        };
        let (found, tests) = walk(100, is_patched, world);
        assert_eq!((found.last_same, found.first_changed), (49, Some((54, VersionOutcome::Different))));
        assert!(tests < 30, "{tests}");
    }
}

#[test]
fn what_lies_behind_a_wall_is_found_exactly() {
    for (start, end) in [(50, 54), (50, 80), (10, 13), (1, 20)] {
        let world = |place: u32| match place {
            _ if (start..end).contains(&place) => None,
            _ if place < start => Some(Outcome::Fail),
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
fn where_nothing_older_builds_it_does_not_try_everything() {
    let (found, tests) = walk(5000, false, |place| (place < 700).then_some(Outcome::Fail));
    assert_eq!((found.last_same, found.first_changed, found.reaches_the_end), (699, None, false));
    assert!(tests < 60, "{tests}");
}

#[test]
fn a_patch_that_does_not_fit_is_no_reason_to_skip() {
    let line = WalkRoute { count: 10, from: 0, is_forward: true };
    let mut search = WalkBack::new(line, Outcome::Fail, true);
    search.tell(Answer { was_run: false, ..Answer::from(Outcome::Unresolved) });
    let Ask::Test(question) = search.ask() else { panic!() };
    assert_eq!(question.configuration, line.unpatched(9), "the same place as it is");
    search.tell(Answer::from(Outcome::Unresolved));
    assert_eq!(search.is(9), Some(VersionOutcome::Different));
}

#[test]
fn it_goes_backward_as_well_as_forward() {
    let line = WalkRoute { count: 100, from: 80, is_forward: false };
    let mut search = WalkBack::new(line, Outcome::Fail, false).skipping([0, 99]);
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
