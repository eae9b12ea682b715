//! The papers' tables as conversations: expected questions, given answers, finding.

use crate::paper::Table;
use howcome_dd::{
    Ask, Configuration, Dd, DdPlus, Ddmin, DeltaId, Difference, Isolate, Knowledge, Outcome, Search, drive,
};

fn configuration(text: &str) -> Configuration {
    text.parse().expect("a configuration")
}

/// Checks dd and dd+ against a table.
fn both_follow(name: &str, tests_in_paper: usize) {
    let table = Table::read(name);
    assert_eq!(table.in_paper(), tests_in_paper);
    table.converse_with(Dd::new(table.all()), &Knowledge::none());
    table.converse_with(DdPlus::new(table.all()), &Knowledge::none());
}

#[test]
fn table_1_finds_a_single_failure_inducing_change() {
    both_follow("zeller-1999/table-1.txt", 5);
}

#[test]
fn table_2_finds_two_changes_that_interfere_with_one_test_more_than_the_paper_shows() {
    both_follow("zeller-1999/table-2.txt", 7);
}

#[test]
fn table_3_finds_that_all_changes_are_needed() {
    both_follow("zeller-1999/table-3.txt", 14);
}

#[test]
fn table_4_prefers_the_unresolved_half() {
    let table = Table::read("zeller-1999/table-4.txt");
    table.converse_with(DdPlus::new(table.all()), &Knowledge::none());
}

#[test]
fn tables_5_and_6_try_again_with_more_subsets() {
    let table = Table::read("zeller-1999/tables-5-and-6.txt");
    assert_eq!(table.in_paper(), 16);
    table.converse_with(DdPlus::new(table.all()), &Knowledge::none());
}

#[test]
fn tables_5_and_6_take_5_tests_if_the_implications_are_known() {
    let table = Table::read("zeller-1999/tables-5-and-6.txt");
    let knowledge = Knowledge::none().together(&configuration("2-3,7"));
    let conversation = drive(DdPlus::new(table.all()), &table.all(), &knowledge, |asked| {
        let test = table.tests.iter().find(|test| test.configuration == *asked);
        test.unwrap().outcome.unwrap()
    });
    assert_eq!(conversation.told.len(), 5);
    assert_eq!(conversation.told.len() + conversation.predicted.len(), 16);
    assert!(conversation.told.iter().all(|(_, outcome)| *outcome != Outcome::Unresolved));
    assert_eq!(conversation.finding.deltas(), configuration("8"));
}

#[test]
fn table_7_runs_3_tests_and_predicts_2_in_a_total_order() {
    let table = Table::read("zeller-1999/table-7.txt");
    assert_eq!(table.in_paper(), 3);
    assert_eq!(table.tests.len(), 5);
    table.converse_with(DdPlus::new(table.all()), &Knowledge::total_order());
}

#[test]
fn the_lecture_s_3_and_6_of_8() {
    both_follow("lecture/3-and-6.txt", 8);
}

#[test]
fn figure_2_of_the_cause_effect_paper_isolates_7_of_8() {
    let table = Table::read("zeller-cause-effect/7-of-8.txt");
    table.converse_with(Isolate::new(Configuration::empty(), table.all()), &Knowledge::none());
}

#[test]
fn table_3_of_the_cause_effect_paper_isolates_a_pointer() {
    let table = Table::read("zeller-cause-effect/table-3.txt");
    table.converse_with(Isolate::new(Configuration::empty(), table.all()), &Knowledge::none());
}

#[test]
fn figure_3_of_iterative_delta_debugging_is_isolation_and_then_simplification() {
    let table = Table::read("artho-idd/figure-3.txt");
    table.converse_with(Isolate::new(Configuration::empty(), table.all()), &Knowledge::none());
    let simplified = drive(Ddmin::new(table.all()), &table.all(), &Knowledge::none(), |asked| {
        if asked.contains(DeltaId(5)) { Outcome::Fail } else { Outcome::Pass }
    });
    assert_eq!(Some(simplified.finding.failing), table.result);
}

#[test]
fn isolating_one_of_871_resolved_deltas_takes_at_most_10_tests() {
    let all = Configuration::all(871);
    for culprit in (0..871).map(DeltaId) {
        let isolate = Isolate::new(Configuration::empty(), all.clone());
        let conversation = drive(isolate, &all, &Knowledge::none(), |asked| {
            if asked.contains(culprit) { Outcome::Fail } else { Outcome::Pass }
        });
        assert!(conversation.told.len() <= 10, "{culprit} took {}", conversation.told.len());
        assert_eq!(conversation.finding.deltas().iter().collect::<Vec<_>>(), [culprit]);
    }
}

#[test]
fn ddmin_takes_at_most_2_log2_tests_if_one_delta_fails_alone() {
    let all = Configuration::all(1024);
    for culprit in (0..1024).step_by(31).map(DeltaId) {
        let conversation = drive(Ddmin::new(all.clone()), &all, &Knowledge::none(), |asked| {
            if asked.contains(culprit) { Outcome::Fail } else { Outcome::Pass }
        });
        assert!(conversation.told.len() <= 20, "{culprit} took {}", conversation.told.len());
        assert_eq!(conversation.finding.failing.iter().collect::<Vec<_>>(), [culprit]);
    }
}

#[test]
fn ddmin_tries_subsets_then_complements_then_smaller_parts() {
    let all = Configuration::all(8);
    let needed = configuration("1,8");
    let conversation = drive(Ddmin::new(all.clone()), &all, &Knowledge::none(), |asked| {
        if needed.is_subset(asked) { Outcome::Fail } else { Outcome::Pass }
    });
    let asked: Vec<String> = conversation
        .told
        .iter()
        .map(|(configuration, outcome)| format!("{configuration}{}", outcome.sign()))
        .collect();
    let halves = ["1-4✓", "5-8✓"];
    let quarters = ["1-2✓", "3-4✓", "5-6✓", "7-8✓"];
    let complements = ["3-8✓", "1-2,5-8✗"];
    // Three parts are left. All of them are known, and so is the first complement.
    let next_complement = ["1-2,7-8✗"];
    // Both of the two parts are known, so it continues with four parts.
    let single = ["1✓", "2✓", "7✓", "8✓", "2,7-8✓", "1,7-8✗"];
    let last = ["1,8✗"];
    let expected: [&[&str]; 6] = [&halves, &quarters, &complements, &next_complement, &single, &last];
    assert_eq!(asked, expected.concat());
    assert_eq!(conversation.finding.failing, needed);
}

#[test]
fn the_smallest_world_in_which_dd_plus_keeps_a_safe_delta() {
    let table = [("1", Outcome::Unresolved), ("2", Outcome::Unresolved)];
    let all = Configuration::all(2);
    let conversation = drive(DdPlus::new(all.clone()), &all, &Knowledge::none(), |asked| {
        table.iter().find(|(text, _)| configuration(text) == *asked).unwrap().1
    });
    assert_eq!(conversation.finding, Difference::from_nothing(all));
}

#[test]
fn a_single_delta_needs_no_test() {
    let one = Configuration::all(1);
    let finding = Ask::Done(Difference::from_nothing(one.clone()));
    assert_eq!(Dd::new(one.clone()).ask(), finding);
    assert_eq!(DdPlus::new(one.clone()).ask(), finding);
    assert_eq!(Ddmin::new(one.clone()).ask(), finding);
    assert_eq!(Isolate::new(Configuration::empty(), one).ask(), finding);
}
