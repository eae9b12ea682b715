//! Whole searches in milliseconds: small histories written as text, what is asked in them, and what is found.
//!
//! The tables are in `cases/`. Each of their cases says what the history is, what the test does, and everything that the search asks
//! and finds. The pages of `cause_case` and `history_case` describe the format.

#![allow(clippy::unwrap_used)]

mod asked;
mod cause_case;
mod history_case;
mod memory_versions;
mod partial_versions;
mod table;
mod test_rule;
mod tree_text;

use cause_case::{CAUSE_RESULTS, search_causes};
use history_case::{HISTORY_RESULTS, search_history_case};

#[test]
fn commits_are_found_on_lines_and_branches() {
    check_causes(include_str!("cases/commits.txt"), 23);
}

#[test]
fn merges_are_searched_inside() {
    check_causes(include_str!("cases/merges.txt"), 10);
}

#[test]
fn hunks_and_lines_are_found_inside_of_commits() {
    check_causes(include_str!("cases/hunks.txt"), 29);
}

#[test]
fn causes_can_have_parts_needs_and_company() {
    check_causes(include_str!("cases/causes.txt"), 14);
}

#[test]
fn a_cause_holds_at_its_commit_and_in_the_bad_version() {
    check_causes(include_str!("cases/proofs.txt"), 6);
}

/// Commit 2 breaks it, commit 36 fixes it and leaves the lines, commit 61 breaks it again.
#[test]
fn a_failure_that_was_fixed_long_before_the_bad_version_is_passed_over() {
    let commit = |number: u32| {
        let files = [(2, "x!"), (36, "guard"), (61, "y!")];
        let files = files.iter().filter(|(since, _)| number >= *since).map(|(_, name)| *name);
        format!("{number}: a n{number} {}", files.collect::<Vec<_>>().join(" "))
    };
    let mut history: Vec<String> = (1..=70).map(commit).collect();
    history.extend(["good: 1", "bad: 70", "fails: x! -guard | y!"].map(str::to_owned));
    let result = search_causes(&history);
    let asked = result[0]
        .strip_prefix("asks: commits 35✗ 18✗ 9✗ 5✗ 3✗ 2✗;")
        .unwrap_or_else(|| panic!("{}", result[0]));
    assert!(asked.contains("; later, part 3 1✓; commits, cause 2 "), "{asked}");
    assert_eq!(result[1..], ["finds: 61 +y!"]);
}

#[test]
fn filters_leave_changes_out() {
    check_causes(include_str!("cases/filters.txt"), 8);
}

#[test]
fn a_search_that_is_stopped_keeps_the_best() {
    check_causes(include_str!("cases/stopped.txt"), 7);
}

#[test]
fn walks_find_the_first_revision_that_fails() {
    check_history(include_str!("cases/history_causes.txt"), 11);
}

#[test]
fn walks_back_port_what_the_test_needs() {
    check_history(include_str!("cases/history_back_ports.txt"), 19);
}

#[test]
fn walks_go_around_revisions_that_cannot_be_tested() {
    check_history(include_str!("cases/history_untestable.txt"), 10);
}

#[test]
fn fixes_are_carried_forward() {
    check_history(include_str!("cases/history_forward.txt"), 9);
}

#[test]
fn a_walk_that_is_stopped_says_how_far_it_came() {
    check_history(include_str!("cases/history_stopped.txt"), 11);
}

fn check_causes(table: &str, at_least: usize) {
    table::check(table, at_least, CAUSE_RESULTS, search_causes);
}

fn check_history(table: &str, at_least: usize) {
    table::check(table, at_least, HISTORY_RESULTS, search_history_case);
}
