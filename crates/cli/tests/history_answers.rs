//! `howcome history` finds the revision that passes, what had to be back-ported for that, the cause, and the way forward.

#![allow(clippy::unwrap_used)]

#[path = "histories/case.rs"]
mod case;
mod histories;
mod howcome;

use case::{Case, told};
use histories::{Language, Plan, Region};
use serde_json::{Value, json};

/// Asks about a history with a known answer; the answer must be right in so many tests.
fn is_found(plan: Plan, most: u64) -> (Case, Value) {
    let case = Case::new(plan);
    let answer = case.ask(&["-j2"]);
    case.is_right(&answer);
    assert!(told(&answer) <= most, "{} tests: {answer:#}", told(&answer));
    (case, answer)
}

/// Half as long as the longest one, with the feature and the cause at the same places of it.
fn half() -> Plan {
    Plan::new(100, 60, 30)
}

#[test]
fn two_hundred_revisions_with_a_feature_a_cause_and_five_that_do_not_build_take_sixty_tests() {
    for broken in [vec![20, 59, 90, 119, 150], vec![0, 61, 62, 100, 198], vec![57, 58, 59, 60, 121]] {
        let plan = Plan { broken, ..Plan::new(200, 120, 60) };
        let (_, answer) = is_found(plan, 60);
        assert_eq!(answer["finding"]["revisions"], 200);
    }
}

#[test]
fn other_seeds_and_places_take_sixty_tests_too() {
    for (seed, feature, cause) in [(2, 120, 60), (3, 190, 10), (4, 30, 20), (5, 150, 149), (6, 199, 1)] {
        let broken = vec![5, 45, 75, 115, 165];
        is_found(Plan { seed, broken, ..Plan::new(200, feature, cause) }, 60);
    }
}

#[test]
fn it_never_worked_takes_fifteen_tests() {
    let broken = vec![20, 59, 90, 119, 150];
    let (_, answer) = is_found(Plan { broken, ..Plan::never_worked(200, 120) }, 15);
    assert_eq!(answer["finding"]["cause"], Value::Null);
    assert_eq!(answer["finding"]["forward"], Value::Null);
}

#[test]
fn it_never_worked_and_nothing_was_missing() {
    let (case, answer) = is_found(Plan::never_worked(200, 0), 15);
    assert_eq!(answer["finding"]["backported"], Value::Null);
    assert_eq!(answer["finding"]["never_worked"]["whole"], Value::Null);
    assert_eq!(case.place.run(&case.words(&[])).status.code(), Some(0));
}

#[test]
fn the_oldest_revisions_of_what_never_worked_do_not_build() {
    is_found(Plan { broken: vec![0, 1, 2], ..Plan::never_worked(100, 60) }, 40);
}

#[test]
fn nothing_is_back_ported_where_old_revisions_pass_as_they_are() {
    let (_, answer) = is_found(Plan::new(100, 0, 30), 30);
    assert_eq!(answer["finding"]["backported"], Value::Null);
    assert_eq!(answer["finding"]["patches"], json!([]));
    is_found(Plan::new(100, 20, 70), 30);
}

#[test]
fn two_features_are_back_ported_together() {
    is_found(Plan { second_feature: Some(85), ..half() }, 100);
}

#[test]
fn a_patch_finds_its_place_where_a_line_beside_it_was_written_anew() {
    is_found(Plan { region: Some((45, Region::Near)), ..half() }, 80);
}

#[test]
fn a_patch_is_made_again_where_it_does_not_apply() {
    is_found(Plan { region: Some((45, Region::Around)), ..half() }, 100);
}

#[test]
fn the_way_forward_leads_over_lines_that_were_written_anew() {
    let (case, answer) = is_found(Plan { cause_rewritten: Some(80), ..half() }, 100);
    let steps = answer["finding"]["forward_steps"].as_array().unwrap();
    assert_eq!(steps.len(), 1, "{answer:#}");
    assert_eq!(case.index(&steps[0]["revision"]), 80);
}

#[test]
fn the_way_forward_takes_back_a_second_cause_as_well() {
    let (case, answer) = is_found(Plan { second_cause: Some(80), ..half() }, 100);
    let steps = answer["finding"]["forward_steps"].as_array().unwrap();
    assert_eq!(steps.len(), 1, "{answer:#}");
    assert_eq!(case.index(&steps[0]["revision"]), 80);
}

#[test]
fn a_call_that_was_patched_away_is_noticed() {
    is_found(Plan { driver: true, ..half() }, 100);
    is_found(Plan { driver: true, ..Plan::never_worked(100, 60) }, 40);
}

#[test]
fn a_cause_that_came_with_a_merge() {
    is_found(Plan { merged: true, ..half() }, 80);
}

#[test]
fn the_cause_came_in_the_same_commit_as_the_feature() {
    is_found(Plan::new(100, 60, 60), 80);
}

#[test]
fn the_cause_and_the_feature_came_where_nothing_builds() {
    is_found(Plan { broken: vec![60, 61], ..Plan::new(100, 62, 60) }, 80);
}

#[test]
fn a_program_that_make_builds() {
    let plan = Plan { language: Language::C, broken: vec![9, 12, 21], ..Plan::new(30, 18, 10) };
    is_found(plan, 60);
}

#[test]
fn what_old_revisions_lack_in_order_to_build_is_back_ported() {
    let case = Case::new(Plan { broken: (0..50).collect(), ..half() });
    let answer = case.ask(&["-j1"]);
    assert_eq!(answer["ending"], "found", "{answer:#}");
    assert_eq!(case.index(&answer["finding"]["passing_revision"]), 29, "{answer:#}");
    assert_eq!(case.index(&answer["finding"]["failing_revision"]), 30, "{answer:#}");
}

#[test]
fn the_way_ends_where_the_user_says() {
    let case = Case::new(half());
    let oldest = case.history.names[40].clone();
    let answer = case.ask(&["--back-to", &oldest]);
    assert_eq!(answer["ending"], "never-worked", "{answer:#}");
    assert_eq!(case.index(&answer["finding"]["never_worked"]["revision"]), 40);
    assert_eq!(answer["finding"]["revisions"], 60);
    let bad = case.history.names[70].clone();
    let answer = case.ask(&["--back-to", &case.history.names[20], "--bad", &bad]);
    assert_eq!(case.index(&answer["finding"]["passing_revision"]), 29, "{answer:#}");
    assert_eq!(answer["finding"]["revisions"], 51);
}

#[test]
fn whatever_happens_in_a_history() {
    for plan in (1..=9).filter_map(Plan::any) {
        println!("{plan:?}");
        is_found(plan, 150);
    }
}

#[test]
fn a_cause_that_a_patch_holds_is_not_searched_elsewhere() {
    is_found(Plan::any(10).unwrap(), 150);
}
