//! Whole searches for causes in milliseconds: small histories written as text, what is asked in them, and what is found.
//!
//! The tables are in `tables/`. Each of their cases says what the history is, what the test does, and everything that
//! the search asks and finds. The page of `case` describes the format.

#![allow(clippy::unwrap_used)]

mod case;
mod memory_versions;
mod test_rule;
mod tree_text;

use case::Case;

#[test]
fn commits_are_found_on_lines_and_branches() {
    check(include_str!("tables/commits.txt"), 21);
}

#[test]
fn merges_are_searched_inside() {
    check(include_str!("tables/merges.txt"), 10);
}

#[test]
fn hunks_and_lines_are_found_inside_of_commits() {
    check(include_str!("tables/hunks.txt"), 20);
}

#[test]
fn causes_can_have_parts_needs_and_company() {
    check(include_str!("tables/causes.txt"), 12);
}

#[test]
fn filters_leave_changes_out() {
    check(include_str!("tables/filters.txt"), 8);
}

#[test]
fn a_search_that_is_stopped_keeps_the_best() {
    check(include_str!("tables/stopped.txt"), 7);
}

/// Runs all cases of a table, which are so many at least.
fn check(table: &str, at_least: usize) {
    let cases = Case::all(table);
    assert!(cases.len() >= at_least, "only {} cases", cases.len());
    let wrong: Vec<String> = cases.iter().filter_map(Case::difference).collect();
    assert!(wrong.is_empty(), "{} of {} cases:\n\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
