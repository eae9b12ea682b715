//! What people and their tools read about a walk back through history.
#![allow(clippy::unwrap_used)]

mod journal;

use howcome_report::{Summary, annotations, html, json, markdown, sarif};
use howcome_run::Ending;
use insta::assert_snapshot;
use journal::changes::{one_line, two_commits, with};
use journal::history::*;
use journal::*;
use serde_json::{Value, json};

#[test]
fn the_answer_comes_first_and_then_what_was_carried_back() {
    assert_snapshot!(text(&found_in_history(carried_back())));
}

#[test]
fn a_test_that_contradicts_itself_does_not_show_that_every_line_is_needed() {
    let told = |ending| text(&history_ended(ending, carried_back(), None));
    assert!(told(Ending::Found).contains("Every line of it is needed"));
    assert!(!told(Ending::Flaky).contains("Every line of it is needed"), "{}", told(Ending::Flaky));
}

#[test]
fn nothing_is_said_of_a_patch_where_none_was_needed() {
    assert_snapshot!(text(&found_in_history(as_it_is())));
}

#[test]
fn a_way_forward_that_ends_says_where_and_why() {
    assert_snapshot!(text(&found_in_history(stuck())));
}

#[test]
fn markdown_has_the_same_sections() {
    assert_snapshot!(markdown(&found_in_history(carried_back())));
}

#[test]
fn never_is_an_answer_with_its_evidence_and_its_limit() {
    assert_snapshot!(text(&history_ended(Ending::NeverWorked, never_worked(), None)));
}

#[test]
fn what_failed_from_the_beginning_needs_no_patch() {
    assert_snapshot!(text(&history_ended(Ending::NeverWorked, always_failed(), None)));
}

#[test]
fn an_undecided_walk_says_how_far_back_it_fails() {
    assert_snapshot!(text(&history_ended(Ending::Undecided, half_way_back(), None)));
}

#[test]
fn a_stopped_walk_says_how_far_back_it_fails() {
    let why = Some("the budget of 5 tests is used up");
    assert_snapshot!(text(&history_ended(Ending::Stopped, half_way_back(), why)));
}

#[test]
fn a_walk_stopped_on_its_last_steps_says_where_the_cause_is() {
    let among = with(carried_back(), json!({"cause": two_commits(), "forward": null, "forward_file": null}));
    let told = text(&history_ended(Ending::Stopped, among, None));
    assert!(told.starts_with(
        "Stopped early: it passes in 4f5e6d7 and fails in 3f2a91c (with a back-ported patch of 4 lines); the cause \
         is among 2 hunks in 2 files.\n"
    ));
    let between = with(carried_back(), json!({"cause": null, "forward": null}));
    let told = text(&history_ended(Ending::Stopped, between, None));
    assert!(told.contains("; the cause is between them, or in the patch.\n"), "{told}");
    assert!(!told.contains("added to") && !told.contains("No patch"), "{told}");
}

#[test]
fn a_refused_walk_has_only_one_side() {
    let mut run = run_file();
    run.question = howcome_run::QuestionName::History;
    let journal = Journal::opened().observe(0, howcome_run::Purpose::BaselineFailing, "1", Pass, OK).ended(
        Ending::Refused,
        None,
        None,
        0.4,
    );
    let summary = Summary::of(&run, std::path::Path::new("run"), &journal.entries);
    assert_snapshot!(text(&summary));
}

#[test]
fn a_patch_that_took_the_meaning_out_of_the_test_is_doubted() {
    let said = |whole: Value| {
        let never = json!({"revision": "a1b2c3d", "because": "exit code 1", "whole": whole});
        let finding = with(never_worked(), json!({"never_worked": never}));
        let told = text(&history_ended(Ending::NeverWorked, finding, None));
        told.lines().find(|line| line.starts_with("  whole commits")).unwrap().to_owned()
    };
    assert!(said(json!(false)).ends_with("the patch might change what the test checks"));
    assert!(said(Value::Null).contains("not tested: the patch might change"));
}

#[test]
fn where_all_revisions_were_tried_there_is_no_limit() {
    let finding = with(always_failed(), json!({"revisions": 2, "revisions_tried": 2}));
    assert!(!text(&history_ended(Ending::NeverWorked, finding, None)).contains("other revisions"));
}

#[test]
fn revisions_that_were_skipped_at_the_end_are_under_suspicion() {
    let finding = with(
        carried_back(),
        json!({"tried": [{"index": 3, "outcome": "pass"}, {"index": 4, "outcome": "skipped"}, {"index": 6, "outcome": "fail"},
                         {"index": 5, "outcome": "skipped"}]}),
    );
    let told = text(&found_in_history(finding));
    assert!(
        told.contains("3f2a91c \"Accept the last column too\" or one of the 2 skipped revisions before it"),
        "{told}"
    );
}

#[test]
fn a_long_patch_is_read_from_its_file() {
    let long: String = (0..60).map(|line| format!("+line {line}\n")).collect();
    let finding = with(never_worked(), json!({"backported": long, "backported_lines": 60}));
    let summary = history_ended(Ending::NeverWorked, finding, None);
    let told = text(&summary);
    assert!(told.contains("(exit code 1) with a back-ported patch of 60 lines.\n"), "{told}");
    assert!(told.contains(" and is in howcome.out/20260301-history/backported.patch.\n"));
    assert!(!told.contains("+line 59"));
    assert!(html(&summary).contains("<summary>the back-ported patch</summary>"));
}

#[test]
fn without_git_patches_are_applied_by_patch() {
    let other = with(carried_back(), json!({"passing_commit": null, "failing_commit": null}));
    let told = text(&found_in_history(other));
    assert!(
        told.starts_with("Revision 3f2a91c broke it; 4f5e6d7 is the last revision that passes (with a back-ported patch of 4 lines).")
    );
    assert!(told.contains("\n  patch -p1 < howcome.out/20260301-history/forward.patch"));
    let elsewhere = with(carried_back(), json!({"patch_top": "/my repo"}));
    assert!(text(&found_in_history(elsewhere)).contains("\n  git -C '/my repo' apply howcome.out/"));
}

#[test]
fn annotations_and_results_point_to_the_lines_of_the_cause() {
    assert_snapshot!(annotations(&found_in_history(carried_back())));
    let log: Value = serde_json::from_str(&sarif(&found_in_history(carried_back()))).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "failure-inducing-change");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 120);
    let never = history_ended(Ending::NeverWorked, never_worked(), None);
    let log: Value = serde_json::from_str(&sarif(&never)).unwrap();
    assert_eq!(log["runs"][0]["results"], json!([]));
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
    assert!(annotations(&never).starts_with("::warning title=howcome history::It never worked"));
}

#[test]
fn the_page_has_a_picture_of_history() {
    let page = html(&found_in_history(carried_back()));
    let (start, end) = (page.find("<h2>The revisions").unwrap(), page.find("<h2>The back-ported").unwrap());
    assert_snapshot!(page[start..end]);
    assert!(page.contains("<summary>the patch for HEAD</summary>"));
    assert!(!html(&found_in_history(with(carried_back(), json!({"tried": []})))).contains("The revisions"));
}

#[test]
fn a_finding_of_which_little_is_recorded_is_still_told() {
    let endings = [Ending::Found, Ending::NeverWorked, Ending::Undecided, Ending::Stopped, Ending::Flaky];
    let little = [
        json!({"failing_revision": "b"}),
        json!({"passing_revision": "a", "revisions": []}),
        json!({"never_worked": {}, "backported": "x"}),
        json!({"never_worked": 3, "cause": {"changes": 4}, "tried": [{"index": u64::MAX, "outcome": "pass"}, 5]}),
        json!({"failing_revision": 7, "cause": one_line(), "passing_commit": {}, "failing_commit": [], "patches": [{}, 3],
               "forward_steps": [{}], "skipped_revisions": [{}, {"why": 3}], "revisions_tried": -1, "forward": ""}),
        json!({"revisions": u64::MAX, "revisions_tried": 1, "never_worked": {"because": "x"}, "passing_revision": "a",
               "tried": [{"index": u64::MAX, "outcome": "fail"}, {"index": 0, "outcome": "pass"}]}),
        json!({"failing_revision": "b", "cause": {"lines_removed": u64::MAX, "lines_added": u64::MAX, "changes": [
            {"path": "a", "old_line": u64::MAX, "new_line": u64::MAX, "removed": ["x", "y"], "added": ["x", "y"]},
            {"path": "a", "old_line": 1, "new_line": 1, "removed": ["x"], "added": ["y"]}]}}),
        json!({"revisions": 0, "tried": [{"index": u64::MAX, "outcome": "fail"}, {"index": 0, "outcome": "pass"}]}),
    ];
    for finding in little {
        for ending in endings {
            let summary = history_ended(ending, finding.clone(), None);
            for form in [text, markdown, html, annotations, sarif] {
                assert!(!form(&summary).is_empty());
            }
            assert!(!text(&summary).contains("  ()") && !text(&summary).starts_with([':', '.']));
        }
    }
    let other = text(&found_in_history(json!({"something": "else"})));
    assert!(other.contains("\"something\": \"else\""));
}

#[test]
fn no_word_of_a_repository_becomes_markup_or_talks_to_the_terminal() {
    let evil = "</pre><script>alert(\"1\")</script>\x1b[2J\n::error::x ```` '&";
    let made = json!({"revision": evil, "newer": evil, "because": evil, "hunks": 1, "files": 1, "index": 5});
    let commit =
        json!({"id": evil, "short": evil, "author": evil, "email": evil, "date": evil, "subject": evil});
    let finding = with(
        carried_back(),
        json!({"bad": evil, "oldest": evil, "passing_revision": evil, "failing_revision": evil,
               "skipped_revisions": [{"revision": evil, "why": evil}], "backported": evil, "backported_file": evil,
               "backported_onto": evil, "patches": [made], "forward_file": evil, "forward_steps": [made],
               "never_worked": {"revision": evil, "because": evil, "whole": null}, "patch_top": evil}),
    );
    let named =
        with(finding.clone(), json!({"passing_commit": commit, "failing_commit": commit, "cause": null}));
    let nameless = with(
        finding,
        json!({"passing_commit": null, "failing_commit": null, "forward": null, "forward_at": evil, "forward_why": evil}),
    );
    for finding in [named, nameless] {
        for ending in [Ending::Found, Ending::NeverWorked, Ending::Undecided, Ending::Stopped, Ending::Flaky]
        {
            let summary = history_ended(ending, finding.clone(), Some(evil));
            let page = html(&summary);
            assert!(!page.contains("<script"));
            let notes = annotations(&summary);
            assert!(notes.lines().all(|line| line.starts_with("::") && !line.starts_with("::error::")));
            for form in [page, notes, text(&summary), markdown(&summary), json(&summary).unwrap()] {
                assert!(!form.contains('\x1b'));
            }
            assert!(text(&summary).lines().all(|line| !line.starts_with("::error")));
        }
    }
}
