//! What WYNOT adds to dd+: groups on several levels, an order of groups, and the failure resolution loop.

use crate::random::cases;
use crate::world::{any_world, bits};
use howcome_dd::{
    Answer, Ask, Configuration, DdPlus, DeltaId, Hints, Knowledge, Outcome, Search, Split, drive,
};
use proptest::prelude::*;

fn configuration(text: &str) -> Configuration {
    text.parse().expect("a configuration")
}

/// The questions and answers of a search that gets repairs: what a configuration lacks of what each delta needs.
fn converse(mut search: DdPlus, cause: &Configuration, needs: &[(u32, u32)]) -> (Vec<String>, Configuration) {
    let mut trail = Vec::new();
    loop {
        let asked = match search.ask() {
            Ask::Test(question) => question.configuration,
            Ask::Done(found) => return (trail, found.deltas()),
        };
        let has = |delta: u32| asked.contains(DeltaId(delta - 1));
        let lacking = needs.iter().find(|(delta, needed)| has(*delta) && !has(*needed));
        let (outcome, repairs) = match lacking {
            Some((_, needed)) => (Outcome::Unresolved, vec![asked.with_delta(DeltaId(needed - 1))]),
            None if cause.is_subset(&asked) => (Outcome::Fail, Vec::new()),
            None => (Outcome::Pass, Vec::new()),
        };
        trail.push(format!("{asked}{}", outcome.sign()));
        search.tell(Answer { hints: Hints::repairs(repairs), ..Answer::from(outcome) });
    }
}

#[test]
fn what_an_unresolved_part_lacks_is_added_until_it_can_be_judged() {
    // 3 needs 6, and 6 needs 5; 8 is the cause.
    let needs = [(3, 6), (6, 5)];
    let search = DdPlus::new(Configuration::all(8)).with_repairs(4);
    let (trail, found) = converse(search.clone(), &configuration("8"), &needs);
    assert_eq!(trail, ["1-4?", "1-4,6?", "1-6✓", "5-8✗", "5-6✓", "7-8✗", "7✓", "8✗"]);
    assert_eq!(found, configuration("8"));
    // Without repairs, the same part stays unresolved.
    let (plain, _) = converse(search.with_repairs(0), &configuration("8"), &needs);
    assert_eq!(plain, ["1-4?", "5-8✗", "5-6✓", "7-8✗", "7✓", "8✗"]);
}

#[test]
fn a_cause_among_what_was_added_is_found_there() {
    let search = DdPlus::new(Configuration::all(16)).with_repairs(4);
    let (trail, found) = converse(search, &configuration("14"), &[(1, 14)]);
    assert_eq!(trail[..2], ["1-8?", "1-8,14✗"]);
    assert_eq!(found, configuration("14"));
}

#[test]
fn repairs_are_limited() {
    let needs: Vec<(u32, u32)> = (1..32).map(|delta| (delta, delta + 1)).collect();
    let search = DdPlus::new(Configuration::all(32)).with_repairs(2);
    let (trail, _) = converse(search, &configuration("32"), &needs);
    assert_eq!(trail[..4], ["1-16?", "1-17?", "1-18?", "17-32✗"]);
}

#[test]
fn coarse_groups_are_searched_before_fine_ones() {
    let all = Configuration::all(12);
    let directories = ["1-3,10-12", "4-9"].map(configuration).to_vec();
    let files = ["1-2", "3,10", "11-12", "4-6", "7-9"].map(configuration).to_vec();
    let search = DdPlus::with_split(all.clone(), Split::along_levels(vec![directories, files]));
    let found = drive(search, &all, &Knowledge::none(), |asked| {
        if asked.contains(DeltaId(9)) { Outcome::Fail } else { Outcome::Pass }
    });
    let asked: Vec<String> = found.told.iter().map(|(asked, _)| asked.to_string()).collect();
    assert_eq!(asked, ["1-3,10-12", "1-2", "3,10-12", "3,10", "3", "10"]);
    assert_eq!(found.finding.deltas(), configuration("10"));
}

#[test]
fn in_an_order_of_groups_a_binary_search_finds_the_group_and_then_the_delta() {
    // Numbered by file, ordered by date.
    let dates: Vec<Configuration> =
        (0..8).map(|day| [0, 8, 16, 24].map(|file| DeltaId(file + day)).into_iter().collect()).collect();
    let all = Configuration::all(32);
    let knowledge = Knowledge::in_order(dates.clone());
    for cause in all.iter() {
        let search = DdPlus::with_split(all.clone(), Split::in_order(dates.clone())).keeping_context();
        let found = drive(search, &all, &knowledge, |asked| {
            if asked.contains(cause) { Outcome::Fail } else { Outcome::Pass }
        });
        assert_eq!(found.finding.deltas(), Configuration::empty().with_delta(cause));
        // Three tests to the day, and up to four within it.
        assert!(found.told.len() <= 7, "{cause}: {:?}", found.told);
    }
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn a_context_changes_no_question_and_no_finding(world in any_world(1..=8)) {
        let (plain, kept) = (DdPlus::new(world.all()), DdPlus::new(world.all()).keeping_context());
        let [plain, kept] = [plain, kept].map(|search| {
            drive(search, &world.all(), &Knowledge::none(), |asked| world.of(bits(asked)))
        });
        prop_assert_eq!(plain.told, kept.told);
        prop_assert_eq!(plain.finding.deltas(), kept.finding.deltas());
    }
}
