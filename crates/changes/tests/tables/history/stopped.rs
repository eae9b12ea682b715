//! Searches that a budget stops.

use super::{HistoryTable, SearchedHistory};
use howcome_run::words::count;
use howcome_run::{Budget, Ending};

/// With every stage that there is: two walks, a back-port that is made smaller, a cause, a fix that is adapted.
const EVENTFUL: &str = "
    1-5    calc: begin end unit: head one tail
    6-10   unit: head two tail
    11-15  calc: begin sum more end
    16-20  unit: head couple tail
    test   fails differently unless calc has sum
           fails if unit lacks one
";

fn search(tests: u64) -> SearchedHistory {
    let table = HistoryTable::parse(EVENTFUL);
    table.search(table.versions(), Budget { max_tests: Some(tests), ..Budget::default() })
}

/// What is known after so many tests.
fn check_after(tests: u64, expected: &[&str]) {
    let searched = search(tests);
    let stopped = format!("stopped: the budget of {} is used up", count(tests, "test"));
    let found: Vec<&String> = searched.found.iter().filter(|line| **line != stopped).collect();
    assert_eq!(searched.ending, Ending::Stopped);
    assert_eq!(found, expected, "{:#?}", searched.asked);
}

#[test]
fn a_walk_that_is_stopped_says_how_far_it_came() {
    check_after(0, &["none passes, 20 fails"]);
    check_after(3, &["none passes, 12 fails"]);
}

#[test]
fn a_walk_with_a_patch_that_is_stopped_says_which_revision_passes() {
    check_after(7, &["none passes, 10 fails", "patched 10 like 11", "back-port to 10: calc +sum +more"]);
    check_after(8, &["1 passes, 10 fails", "patched 10 like 11", "back-port to 10: calc +sum +more"]);
    check_after(10, &["4 passes, 6 fails", "patched 10 like 11", "back-port to 6: calc +sum +more"]);
}

#[test]
fn a_patch_that_was_not_made_smaller_yet_is_reported_as_it_is() {
    check_after(12, &["5 passes, 6 fails", "patched 10 like 11", "back-port to 6: calc +sum +more"]);
}

#[test]
fn a_cause_that_was_not_confirmed_yet_is_reported_without_a_fix() {
    check_after(
        13,
        &[
            "5 passes, 6 fails",
            "patched 10 like 11",
            "back-port to 5: calc +sum (minimal)",
            "cause: unit -one +two",
            "no fix: the cause was not found",
        ],
    );
}

#[test]
fn a_fix_that_did_not_get_to_the_newest_revision_says_where_it_was() {
    let explained = [
        "5 passes, 6 fails",
        "patched 10 like 11",
        "back-port to 5: calc +sum (minimal)",
        "cause: unit -one +two",
    ];
    check_after(14, &[&explained[..], &["no fix at 6: the run was stopped first"]].concat());
    let adapted = ["adapted to 16", "no fix at 16: the run was stopped first"];
    check_after(22, &[&explained[..], &adapted].concat());
}

#[test]
fn what_is_known_grows_with_the_budget() {
    let number = |revision: &Option<String>| revision.as_ref().and_then(|name| name.parse::<u32>().ok());
    let (mut failing, mut passing) = (u32::MAX, None);
    for tests in 0..=search(u64::MAX).tests as u64 {
        let SearchedHistory { finding, ending, .. } = search(tests);
        assert!(number(&finding.failing_revision).unwrap() <= failing, "after {tests} tests");
        assert!(number(&finding.passing_revision) >= passing, "after {tests} tests");
        failing = number(&finding.failing_revision).unwrap();
        passing = number(&finding.passing_revision);
        assert_eq!(ending == Ending::Found, tests >= 23, "after {tests} tests");
    }
    assert_eq!((passing, failing), (Some(5), 6));
}
