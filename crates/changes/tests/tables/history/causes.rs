//! Histories whose revisions can all be tested as they are.

use super::check;

#[test]
fn the_first_revision_that_fails_is_found() {
    check(
        "
        1-10   calc: a b unit: one
        11-20  unit: two
        test   fails if unit has two
        asks   walk: 1✓ 11✗ 6✓ 9✓ 10✓
               hunks: ✗
               alone: ✗
               without, part 2: ✓
               forward 1: 20✓
        finds  10 passes, 11 fails
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn the_newest_revision_is_the_first_that_fails() {
    check(
        "
        1-19   unit: one
        20     unit: two
        test   fails if unit has two
        finds  19 passes, 20 fails
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn only_the_oldest_revision_passes() {
    check(
        "
        1      unit: one
        2-20   unit: two
        test   fails if unit has two
        finds  1 passes, 2 fails
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn a_history_of_one_revision_never_worked() {
    check(
        "
        1      unit: two
        test   fails if unit has two
        finds  never worked: 1 fails
        ",
    );
}

#[test]
fn what_fails_from_the_beginning_never_worked() {
    check(
        "
        1-5    unit: two
        6-20   calc: a
        test   fails if unit has two
        finds  never worked: 1 fails
        ",
    );
}

#[test]
fn a_test_that_passes_only_in_the_middle_is_explained_by_the_last_change() {
    check(
        "
        1-8    unit: zero
        9-12   unit: one
        13-20  unit: two
        test   fails unless unit has one
        finds  12 passes, 13 fails
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn a_single_revision_that_passes_can_be_missed() {
    check(
        "
        1-2    unit: zero
        3      unit: one
        4-20   unit: two
        test   fails unless unit has one
        finds  never worked: 1 fails
        ",
    );
}

#[test]
fn a_cause_can_be_a_line_that_was_removed() {
    check(
        "
        1-6    calc: begin check end
        7-12   calc: begin end
        test   fails if calc lacks check
        finds  6 passes, 7 fails
               cause: calc -check
               fix: calc +check
        ",
    );
}

#[test]
fn a_cause_can_be_a_new_file() {
    check(
        "
        1-6    calc: begin
        7-12   plugin: wrong
        test   fails if plugin has wrong
        finds  6 passes, 7 fails
               cause: plugin +wrong
               fix: plugin -wrong
        ",
    );
}

#[test]
fn two_lines_of_a_revision_that_fail_only_together_are_both_the_cause() {
    check(
        "
        1-6    calc: a b c unit: one limit: low
        7-12   calc: a b c d unit: two limit: high
        test   fails if unit has two and limit has high
        finds  6 passes, 7 fails
               cause: limit -low +high unit -one +two
               fix: limit -high +low unit -two +one
        ",
    );
}

#[test]
fn a_cause_that_needs_an_older_change_is_the_change_that_came_last() {
    check(
        "
        1-3    calc: list unit: one
        4-9    unit: two
        10-20  calc: list sum
        test   fails if calc has sum and unit has two
        finds  9 passes, 10 fails
               cause: calc +sum
               fix: calc -sum
        ",
    );
}
