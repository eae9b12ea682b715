//! Histories in which old revisions fail differently until they get changes of newer ones.

use super::check;

#[test]
fn a_feature_that_the_test_needs_is_back_ported() {
    check(
        "
        1-6    calc: begin end unit: one
        7-12   unit: two
        13-20  calc: begin sum end
        test   fails differently unless calc has sum
               fails if unit has two
        finds  6 passes, 7 fails
               patched 12 like 13
               back-port to 6: calc +sum (minimal)
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn no_more_is_back_ported_than_the_test_needs() {
    check(
        "
        1-6    calc: begin end help: usage unit: one
        7-12   unit: two
        13-20  calc: begin sum total end help: usage sums notes: new
        test   fails differently unless calc has sum
               fails if unit has two
        finds  6 passes, 7 fails
               patched 12 like 13
               back-port to 6: calc +sum (minimal)
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn two_features_are_back_ported_together() {
    check(
        "
        1-4    calc: begin end opts: first last unit: one
        5-9    unit: two
        10-14  calc: begin sum end
        15-20  opts: first strict last
        test   fails differently unless calc has sum and opts has strict
               fails if unit has two
        finds  4 passes, 5 fails
               patched 14 like 15
               patched 9 like 10
               back-port to 4: calc +sum opts +strict (minimal)
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn a_feature_and_the_cause_can_come_in_the_same_revision() {
    check(
        "
        1-9    calc: begin end unit: one
        10-20  calc: begin sum end unit: two
        test   fails differently unless calc has sum
               fails if unit has two
        finds  9 passes, 10 fails
               patched 9 like 10
               back-port to 9: calc +sum (minimal)
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn a_feature_that_never_worked() {
    check(
        "
        1-12   calc: begin end unit: two
        13-20  calc: begin sum end
        test   fails differently unless calc has sum
               fails if unit has two
        finds  never worked: 1 fails with 1 of 1 lines
               patched 12 like 13
               back-port to 1: calc +sum
        ",
    );
}

#[test]
fn a_patch_that_older_revisions_do_not_need_shrinks_to_nothing() {
    check(
        "
        1-5    calc: begin sum end unit: one
        6-9    unit: two
        10-14  calc: begin total end
        15-20  calc: begin sum end
        test   fails differently unless calc has sum
               fails if unit has two
        finds  5 passes, 6 fails
               patched 14 like 15
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn a_patch_is_made_again_where_it_does_not_apply() {
    check(
        "
        1-4    calc: start stop unit: one
        5-7    unit: two
        8-11   calc: begin end
        12-20  calc: begin sum end
        test   fails differently unless calc has sum
               fails if unit has two
        finds  4 passes, 5 fails
               patched 11 like 12
               patched 7 like 8
               back-port to 4: calc +sum (minimal)
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn a_line_without_which_the_newer_revision_passes_is_kept() {
    check(
        "
        1-6    calc: begin end limit: high
        7-12   limit: low
        13-20  calc: begin sum verify end
        test   fails differently unless calc has sum
               fails if calc has verify and limit has low
        asks   walk: 1? 16✗ 12? 15✗ 14✗ 13✗ 11?
               walk 2: 1✓ 7✗ 4✓ 6✓
               back-port: lines: ✓
               back-port: lines, newer: ✓
               back-port: both: ?
               hunks: ✗
               alone: ✗
               without, part 2: ✓
               forward 1: 20✓
        finds  6 passes, 7 fails
               patched 12 like 13
               back-port to 6: calc +sum +verify (minimal)
               cause: limit -high +low
               fix: limit -low +high
        ",
    );
}

#[test]
fn a_cause_that_the_patch_brought_along_is_found() {
    check(
        "
        1-4    calc: begin end unit: one
        5-9    calc: begin middle end
        10-14  calc: begin middle sum end unit: two
        15-20  opts: strict
        test   fails differently unless calc has sum and opts has strict
               fails if unit has two
        asks   walk: 1? 16✗ 12? 15✗ 14? 13?
               walk 2: 1? 11✗ 8? 10✗ 9?
               patch, try 1: ?
               walk 3: 1✗ 5✗
               patch, try 2: ✓
               patch, try 3: ✓
               back-port: lines: ?
               hunks: ✗
               alone: ✗
               without, part 2: ✓
               forward 1: 20✓
        finds  9 passes, 10 fails
               patched 14 like 15
               patched 9 like 10
               back-port to 9: calc +sum opts +strict (minimal)
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn a_feature_in_a_new_file_is_back_ported_as_a_file() {
    check(
        "
        1-6    unit: one
        7-12   unit: two
        13-20  sum: add
        test   fails differently unless sum has add
               fails if unit has two
        finds  6 passes, 7 fails
               patched 12 like 13
               back-port to 6: sum +add (minimal)
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn a_patch_is_dropped_where_older_revisions_fail_without_it() {
    check(
        "
        1-4    calc: sum unit: one
        5-9    unit: two
        10-14  calc: base
        15-20  extra: add
        test   fails differently if calc has sum and extra has add
               fails differently if calc has base and extra lacks add
               fails if unit has two
        asks   walk: 1✓ 11? 17✗ 15✗ 14? 13? 12?
               walk 2: 1? 11✗ 8? 10✗ 9?
               patch, try 1: ✗
               walk 3: 5✗ 3✓ 4✓
               hunks: ✗
               alone: ✗
               without, part 2: ✓
               forward 1: 20✓
        finds  4 passes, 5 fails
               patched 14 like 15
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn an_older_revision_that_passes_without_the_patch_is_compared_with_a_patched_one() {
    check(
        "
        1-9    calc: sum unit: one
        10-14  calc: base unit: two
        15-20  extra: add
        test   fails differently if calc has sum and extra has add
               fails differently if calc has base and extra lacks add
               fails if unit has two
        asks   walk: 1✓ 11? 17✗ 15✗ 14? 13? 12?
               walk 2: 1? 11✗ 8? 10✗ 9?
               patch, try 1: ✓
               hunks: ??✗
               alone: ✗
               without, part 2: ✓
               forward 1: 20✓
        finds  9 passes, 10 fails
               patched 14 like 15
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn the_fewest_changes_go_further_than_all_of_them() {
    check(
        "
        1-5    calc: begin end layout: older unit: one
        6-11   unit: two
        12     layout: old
        13-20  calc: begin sum end layout: new extra: tweak
        test   fails differently unless calc has sum
               fails differently if extra has tweak and layout has older
               fails if unit has two
        asks   walk: 1? 16✗ 12? 15✗ 14✗ 13✗ 11?
               walk 2: 1? 9? 11? 10?
               patch 1: hunks: ✗
               patch, try 2: ✗
               walk 3: 1✓ 6✗ 4✓ 5✓
               hunks: ✗
               alone: ✗
               without, part 2: ✓
               forward 1: 20✓
        finds  5 passes, 6 fails
               patched 12 like 13
               back-port to 5: calc +sum (minimal)
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn changes_with_which_a_revision_passes_tell_more_than_the_fewest_that_fail() {
    check(
        "
        1-11   calc: begin end layout: older unit: one
        12     layout: old
        13-20  calc: begin sum end layout: new unit: two extra: tweak
        test   fails differently unless calc has sum
               fails differently if extra has tweak and layout has older
               fails if unit has two
        asks   walk: 1? 16✗ 12? 15✗ 14✗ 13✗ 11?
               walk 2: 1? 9? 11? 10?
               patch 1: hunks: ✓✓?✗
               back-port: lines: ✓
               alone: ✗
               without, part 2: ✓
               forward 1: 20✓
        finds  12 passes, 13 fails
               patched 12 like 13
               back-port to 12: calc +sum (minimal)
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn a_patch_that_fails_for_a_reason_of_its_own_is_reduced_to_what_it_adds() {
    check(
        "
        1-6    calc: begin end mode: slow unit: one
        7-12   unit: two
        13-20  calc: begin sum end mode: fast
        test   fails differently unless calc has sum
               fails if unit has two
               fails if mode has fast
        asks   walk: 1? 16✗ 12? 15✗ 14✗ 13✗ 11?
               walk 2: 1✗ 7✗
               patch, try 1: ✓
               patch, try 2: ✗
               walk 3: 7✗ 4✓ 6✓
               hunks: ✗
               alone: ✗
               without, part 2: ✓
               forward 1: 20✗ 13✗ 10✓ 11✓ 12✓
               forward 1: hunks: ✗
               forward 2: 20✓
        finds  6 passes, 7 fails
               patched 12 like 13
               back-port to 6: calc +sum (minimal)
               cause: unit -one +two
               fix: mode -fast +slow unit -two +one
               adapted to 13
        ",
    );
}

#[test]
fn a_large_patch_is_made_smaller_by_hunks_first() {
    check(
        "
        1-6    calc: begin end extra: x unit: one
        7-12   unit: two
        13-20  calc: begin sum a b c d e f g h i j k l end extra: x A B C D E F G H I J K L M
        test   fails differently unless calc has sum
               fails if unit has two
        asks   walk: 1? 16✗ 12? 15✗ 14✗ 13✗ 11?
               walk 2: 1✓ 7✗ 4✓ 6✓
               back-port 1: hunks: ✓
               back-port: hunks, newer: ✗
               back-port: lines: ✓✓✓✓✓
               back-port: lines, newer: ✗
               hunks: ✗
               alone: ✗
               without, part 2: ✓
               forward 1: 20✓
        finds  6 passes, 7 fails
               patched 12 like 13
               back-port to 6: calc +sum (minimal)
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn comments_are_not_back_ported() {
    check(
        "
        1-6    calc.c: begin end unit: one
        7-12   unit: two
        13-20  calc.c: begin //note sum end
        test   fails differently unless calc.c has sum
               fails if unit has two
        asks   walk: 1? 16✗ 12? 15✗ 14✗ 13✗ 11?
               walk 2: 1✓ 7✗ 4✓ 6✓
               back-port: remarks: ✓
               back-port: remarks, newer: ✗
               hunks: ✗
               alone: ✗
               without, part 2: ✓
               forward 1: 20✓
        finds  6 passes, 7 fails
               patched 12 like 13
               back-port to 6: calc.c +sum (minimal)
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}

#[test]
fn nothing_is_claimed_if_no_revision_near_the_passing_one_fails_with_the_same_patch() {
    check(
        "
        1-9    calc: begin end unit: one opts: strict
        10-14  calc: begin sum end unit: two opts: lax
        15-20  opts: strict
        test   fails differently unless calc has sum and opts has strict
               fails if unit has two
        asks   walk: 1? 16✗ 12? 15✗ 14? 13?
               walk 2: 11✗ 8? 10✗ 9?
               walk 3: 1✗ 5✗
               patch, try 2: ✓
               patch, try 3: ✓
               patch, try 4: ?
               return: 20✗ 11?
        finds  none passes, 1 fails
               undecided: revisions older than 1 cannot be tested
               patched 14 like 15
               patched 9 like 10
               back-port to 1: calc +sum
        ",
    );
}

#[test]
fn the_revision_that_begins_to_fail_with_another_patch_is_searched_forward() {
    check(
        "
        1-9    calc: begin end unit: one opts: strict
        10-11  calc: begin sum end unit: two opts: lax
        12-20  opts: strict
        test   fails differently unless calc has sum and opts has strict
               fails if unit has two
        asks   walk: 1? 16✗ 12✗ 8? 11? 10?
               walk 2: 10✗ 9?
               walk 3: 1✗ 5✗
               patch, try 2: ✓
               patch, try 3: ✓
               return: 20✗ 14✗
               hunks: ✗
               alone: ✗
               without, part 2: ✓
               forward 1: 20✓
        finds  9 passes, 12 fails
               patched 11 like 12
               patched 9 like 10
               back-port to 9: calc +sum (minimal)
               cause: unit -one +two
               fix: unit -two +one
        ",
    );
}
