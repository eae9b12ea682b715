//! What `howcome history` promises whatever the history is: the same answer for any number of workers, and hands off the
//! repository.

#![allow(clippy::unwrap_used)]

#[path = "histories/case.rs"]
mod case;
mod histories;
mod howcome;

use case::Case;
use histories::{Plan, Region};
use howcome::finding_of;
use serde_json::{Value, json};

/// A history in which much happens.
fn eventful() -> Plan {
    Plan {
        broken: vec![3, 29, 41, 59, 77],
        region: Some((45, Region::Around)),
        cause_rewritten: Some(80),
        second_feature: Some(90),
        ..Plan::new(100, 60, 30)
    }
}

/// What must not depend on the number of workers.
fn promised(answer: &Value) -> Value {
    let names = ["asked", "told", "predicted", "pass", "fail", "unresolved"];
    let counts = names.map(|name| &answer["tests"][name]);
    let finding = finding_of(answer);
    json!([answer["ending"], finding, answer["minimal"], answer["verified"], counts])
}

fn same_for_any_number_of_workers(plan: Plan, ending: &str) {
    let case = Case::new(plan);
    let answers = ["1", "2", "4"].map(|jobs| case.ask(&["-j", jobs]));
    assert_eq!(answers[0]["ending"], ending, "{:#}", answers[0]);
    assert_eq!(promised(&answers[0]), promised(&answers[1]));
    assert_eq!(promised(&answers[0]), promised(&answers[2]));
}

#[test]
fn the_answer_is_the_same_for_any_number_of_workers() {
    same_for_any_number_of_workers(eventful(), "found");
}

#[test]
fn so_is_that_it_never_worked() {
    same_for_any_number_of_workers(Plan::never_worked(60, 40), "never-worked");
}

#[test]
fn so_is_that_it_fails_with_several_patches() {
    let plan = Plan { cause: None, cause_rewritten: None, ..eventful() };
    same_for_any_number_of_workers(plan, "undecided");
}

#[test]
fn so_it_is_where_the_call_was_patched_away() {
    same_for_any_number_of_workers(Plan { driver: true, ..Plan::new(60, 40, 20) }, "found");
}

#[test]
fn the_repository_and_a_dirty_working_tree_stay_as_they_are() {
    let case = Case::new(Plan { broken: vec![12], ..Plan::new(40, 24, 12) });
    let place = &case.place;
    place.write("project/lib/compute.sh", b"not committed\n");
    place.write("project/untracked", b"not even added\n");
    place.write("project/staged", b"added\n");
    case.git(&["add", "staged"]);
    case.git(&["branch", "other", "HEAD~3"]);
    let status = |case: &Case| [case.git(&["status", "--porcelain=v2"]), case.git(&["for-each-ref"])];
    let said = status(&case);
    let before = place.everything();
    for flags in [&["--bad", "HEAD"][..], &["--bad", "main", "--back-to", "HEAD~39"]] {
        let answer = case.ask(flags);
        case.is_right(&answer);
        let run = answer["run"].as_str().unwrap();
        place.run(&["show", run, "--test", "1"]);
        place.run(&["resume", run, "-q"]);
        let after = place.everything();
        let differing: Vec<_> =
            before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).collect();
        assert!(differing.is_empty(), "{differing:?}");
    }
    assert_eq!(status(&case), said);
}

#[test]
fn the_newest_revision_is_the_last_commit_and_not_what_lies_in_the_folder() {
    let case = Case::new(Plan::new(40, 24, 12));
    assert_eq!(case.ask(&[])["warnings"], json!([]));
    case.place.write("project/lib/compute.sh", b"not committed\n");
    let answer = case.ask(&[]);
    case.is_right(&answer);
    let warning = "the changes of lib/compute.sh that are not committed are not tested";
    assert!(answer["warnings"].to_string().contains(warning), "{answer:#}");
    assert_eq!(case.ask(&["--bad", "main"])["warnings"], json!([]), "a branch has no such changes");
}

#[test]
fn patches_are_for_the_folder_in_which_the_user_stands() {
    let case = Case::new(Plan::new(40, 24, 12));
    let mut howcome = case.place.howcome(&["history", "-q", "--json", "--build", case.history.build]);
    let output = howcome.args(["--", "../test.sh"]).current_dir(&case.history.repository).output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["finding"]["patch_top"], Value::Null, "{answer:#}");
    assert_eq!(case.history.wrong(&answer), Vec::<String>::new());
    let forward = answer["finding"]["forward_file"].as_str().unwrap();
    case.git(&["apply", forward]);
    assert_eq!(case.history.outcome(&case.history.repository).unwrap(), Some(0));
}
