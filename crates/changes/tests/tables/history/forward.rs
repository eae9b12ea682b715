//! The fix for the newest revision.

use super::check;

#[test]
fn the_reversal_of_the_cause_fixes_the_newest_revision() {
    check(
        "
        1-6    calc: a unit: head one tail
        7-12   unit: head two tail
        13-20  unit: head two tail more
        test   fails if unit has two
        finds  6 passes, 7 fails
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn a_fix_is_adapted_to_lines_that_were_rewritten() {
    check(
        "
        1-6    unit: head one tail
        7-14   unit: head two tail
        15-20  unit: head couple tail
        test   fails if unit lacks one
        finds  6 passes, 7 fails
               cause: unit -one +two
               fix: unit -couple +one
               adapted to 15
        ",
    );
}

#[test]
fn a_fix_takes_back_a_second_cause_too() {
    check(
        "
        1-6    unit: one limit: high
        7-14   unit: two
        15-20  limit: low
        test   fails if unit has two
               fails if limit has low
        asks   walk: 1✓ 11✗ 6✓ 9✗ 8✗ 7✗
               hunks: ✗
               alone: ✗
               without, part 2: ✓
               forward 1: 20✗ 13✓ 16✗ 14✓ 15✗
               forward 1: hunks: ✗
               forward 2: 20✓
        finds  6 passes, 7 fails
               cause: unit -one +two
               fix: limit -low +high unit -two +one
               adapted to 15
        ",
    );
}

#[test]
fn other_code_that_relies_on_the_cause_is_changed_with_it() {
    check(
        "
        1-6    unit: one user: any
        7-20   unit: two user: pair
        test   fails differently if unit has one and user has pair
               fails if unit has two
        asks   walk: 1✓ 11✗ 6✓ 9✗ 8✗ 7✗
               hunks: ✗
               alone: ✗
               without, part 2: ?
               forward 0: hunks: ✗
               forward 2: 20✓
        finds  6 passes, 7 fails
               cause: unit -one +two
               fix: unit -two +one user -pair +any
               adapted to 7
        ",
    );
}

#[test]
fn a_fix_that_was_made_meanwhile_and_undone_is_not_in_the_way() {
    check(
        "
        1-6    unit: one
        7-10   unit: two
        11-13  unit: one
        14-20  unit: two
        test   fails if unit has two
        finds  13 passes, 14 fails
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn a_fix_is_adapted_to_the_file_that_replaced_the_cause() {
    check(
        "
        1-6    unit: one
        7-14   unit: two
        15-20  unit: - module: broken
        test   fails if module has broken
               fails if unit has two
        finds  6 passes, 7 fails
               cause: unit -one +two
               fix: module -broken
               adapted to 15
        ",
    );
}

#[test]
fn a_fix_is_given_up_after_sixteen_adaptations() {
    check(
        "
        1      unit: one
        2      unit: v2
        3      unit: v3
        4      unit: v4
        5      unit: v5
        6      unit: v6
        7      unit: v7
        8      unit: v8
        9      unit: v9
        10      unit: v10
        11      unit: v11
        12      unit: v12
        13      unit: v13
        14      unit: v14
        15      unit: v15
        16      unit: v16
        17      unit: v17
        18      unit: v18
        19      unit: v19
        20      unit: v20
        21      unit: v21
        22      unit: v22
        23      unit: v23
        24      unit: v24
        25      unit: v25
        26      unit: v26
        27      unit: v27
        28      unit: v28
        29      unit: v29
        test   fails if unit lacks one
        finds  1 passes, 2 fails
               cause: unit -one +v2
               adapted to 3
               adapted to 4
               adapted to 5
               adapted to 6
               adapted to 7
               adapted to 8
               adapted to 9
               adapted to 10
               adapted to 11
               adapted to 12
               adapted to 13
               adapted to 14
               adapted to 15
               adapted to 16
               adapted to 17
               adapted to 18
               no fix at 19: the fix was adapted to 16 revisions and is still not enough
        ",
    );
}

#[test]
fn a_back_port_that_newer_revisions_do_not_need_is_not_part_of_the_fix() {
    check(
        "
        1-6    calc: begin end unit: head one tail
        7-12   unit: head two tail
        13-16  calc: begin sum end
        17-20  unit: head couple tail
        test   fails differently unless calc has sum
               fails if unit lacks one
        finds  6 passes, 7 fails
               patched 12 like 13
               back-port to 6: calc +sum (minimal)
               cause: unit -one +two
               fix: unit -couple +one
               adapted to 17
        ",
    );
}

#[test]
fn a_fix_that_fails_differently_later_is_adapted() {
    check(
        "
        1-6    unit: one user: any
        7-14   unit: two
        15-20  user: pair
        test   fails differently if unit has one and user has pair
               fails if unit has two
        finds  6 passes, 7 fails
               cause: unit -one +two
               fix: unit -two +one user -pair +any
               adapted to 15
        ",
    );
}
