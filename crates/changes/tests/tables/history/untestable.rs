//! Histories with revisions that do not build, are not available, or fail differently.

use super::check;

#[test]
fn revisions_that_do_not_build_are_skipped() {
    check(
        "
        1-6    calc: a unit: one
        7      calc: oops
        8      unit: two
        9-20   calc: a
        test   does not build if calc has oops
               fails if unit has two
        finds  6 passes, 9 fails
               cause: unit -one +two
               fix: unit -two +one
               skipped 7 8
        ",
    );
}

#[test]
fn the_oldest_revisions_do_not_build() {
    check(
        "
        1-3    calc: oops unit: two
        4-20   calc: a
        test   does not build if calc has oops
               fails if unit has two
        finds  never worked: 4 fails
               skipped 1 2 3
        ",
    );
}

#[test]
fn what_old_revisions_lack_in_order_to_build_is_back_ported() {
    check(
        "
        1-5    calc: begin oops end unit: one
        6-9    unit: two
        10-20  calc: begin end
        test   does not build if calc has oops
               fails if unit has two
        finds  5 passes, 6 fails
               patched 9 like 10
               back-port to 5: calc -oops (minimal)
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn revisions_that_are_not_available_are_skipped() {
    check(
        "
        1-9    unit: one
        10-20  unit: two
        absent 8 9 10
        test   fails if unit has two
        finds  7 passes, 11 fails
               cause: unit -one +two
               fix: unit -two +one
               skipped 8 9 10
        ",
    );
}

#[test]
fn no_older_revision_is_available() {
    check(
        "
        1-4    unit: two
        absent 1 2 3
        test   fails if unit has two
        finds  none passes, 4 fails
               undecided: revisions older than 4 cannot be tested
               skipped 1 2 3
        ",
    );
}

#[test]
fn a_revision_that_fails_differently_between_others_is_passed_over() {
    check(
        "
        1-8    calc: a unit: one
        9      calc: odd
        10-20  calc: a unit: two
        test   fails differently if calc has odd
               fails if unit has two
        finds  8 passes, 10 fails
               cause: unit -one +two
               fix: unit -two +one
               skipped 9
        ",
    );
}

#[test]
fn all_older_revisions_fail_differently_whatever_they_get() {
    check(
        "
        1-19   lock: old
        20     lock: new
        test   fails differently unless lock has new
               fails if lock has new
        finds  never worked: 1 fails with 1 of 1 lines
               patched 19 like 20
               back-port to 1: lock -old +new
        ",
    );
}

#[test]
fn older_revisions_that_do_not_build_even_with_the_patch_end_the_walk() {
    check(
        "
        1-9    calc: q oops unit: two
        10-14  calc: p oops
        15-20  calc: p
        test   does not build if calc has oops
               does not build if calc has q
               fails if unit has two
        asks   walk: 1? 2? 3? 4? 16✗ 12? 13? 11? 15✗ 10? 9? 8? 14? 7?
               walk 2: 1? 2? 3? 4? 11✗ 8? 9? 7? 10✗ 6? 6? 5? 5?
        finds  none passes, 10 fails
               undecided: revisions older than 10 cannot be tested
               patched 14 like 15
               back-port to 10: calc -oops
               skipped 1 2 3 4 5 6 7 8 9
        ",
    );
}

#[test]
fn a_stretch_that_does_not_build_between_passing_and_failing_is_bridged() {
    check(
        "
        1-6    calc: a unit: one
        7-13   calc: oops
        14-20  calc: a unit: two
        test   does not build if calc has oops
               fails if unit has two
        finds  6 passes, 14 fails
               cause: unit -one +two
               fix: unit -two +one
               skipped 7 8 9 10 11 12 13
        ",
    );
}

#[test]
fn a_revision_that_is_not_available_is_skipped_on_the_way_forward() {
    check(
        "
        1-6    unit: head one tail
        7-14   unit: head two tail
        15-20  unit: head couple tail
        absent 15
        test   fails if unit lacks one
        finds  6 passes, 7 fails
               cause: unit -one +two
               fix: unit -couple +one
               adapted to 16
        ",
    );
}
