//! What people read, as they read it.
#![allow(clippy::unwrap_used)]

mod journal;

use howcome_dd::Step;
use howcome_report::{Summary, html, json, markdown, picture};
use howcome_run::{Because, Ending, Entry, Purpose};
use insta::assert_snapshot;
use journal::*;
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn a_finding_comes_first_and_its_proof_second() {
    assert_snapshot!(text(&found().summary()));
}

#[test]
fn json_keeps_the_contract() {
    let text = json(&found().summary()).unwrap();
    let object: Value = serde_json::from_str(&text).unwrap();
    let tests = &object["tests"];
    let number = |name: &str| tests[name].as_u64().unwrap();
    assert_eq!(number("asked"), number("told") + number("predicted"));
    assert_eq!(number("told"), number("pass") + number("fail") + number("unresolved"));
    assert_snapshot!(text);
}

#[test]
fn json_has_all_its_fields_before_there_is_a_finding() {
    assert_snapshot!(json(&half_way().summary()).unwrap());
}

#[test]
fn json_tells_how_sure_a_noisy_test_can_be() {
    let mut sure = conclusion(two_flags(), true, Some(true), None);
    sure.confidence = Some(0.975);
    let summary = baseline().ended(Ending::Found, Some(sure), Some("repeated five times"), 1.0).summary();
    let object: Value = serde_json::from_str(&json(&summary).unwrap()).unwrap();
    assert_eq!(object["confidence"], 0.975);
    assert_eq!(object["why"], "repeated five times");
    assert!(text(&summary).contains("97.5 %; the test is noisy"));
}

#[test]
fn the_trail_has_a_line_for_each_question() {
    assert_snapshot!(trail(&found().summary(), 80));
}

#[test]
fn no_line_of_a_trail_is_wider_than_the_terminal() {
    let trail = trail(&long().summary(), 72);
    assert_eq!(trail.lines().count(), 295 + 2);
    assert!(trail.lines().all(|line| line.chars().count() <= 72));
}

#[test]
fn markdown_folds_the_trail_away() {
    assert_snapshot!(markdown(&found().summary()));
}

#[test]
fn the_picture_draws_deltas_left_over_tests() {
    assert_snapshot!(picture(&found().summary()).unwrap());
}

#[test]
fn an_isolated_difference_says_what_it_was_tried_with() {
    assert_snapshot!(text(&isolated().summary()));
}

#[test]
fn a_stopped_run_says_how_to_go_on() {
    assert_snapshot!(text(&stopped().summary()));
}

#[test]
fn a_flaky_test_is_reported_with_what_was_seen() {
    assert_snapshot!(text(&flaky().summary()));
}

#[test]
fn a_refused_run_says_what_both_sides_did() {
    assert_snapshot!(text(&refused().summary()));
}

#[test]
fn a_finding_that_may_not_be_the_only_cause_says_so() {
    let journal = to_the_end(half_way())
        .observe(0, Purpose::ConfirmAlone, "2,7", Pass, OK)
        .observe(0, Purpose::ConfirmWithout, "1,3-6,8", Fail, SEGV)
        .ended(Ending::Found, Some(conclusion(two_flags(), true, Some(false), Some(false))), None, 2.0);
    assert_snapshot!(text(&journal.summary()));
}

#[test]
fn an_undecided_run_names_the_candidates_and_the_reasons() {
    let among = json!({"items": ["-O1", "-O2", "-g", "-pipe", "-ffast-math", "-Wall"], "of": 8});
    let journal = half_way()
        .tested(Step::Subset, "1-2", Unresolved, Because::DidNotBuild("no rule".into()), 6)
        .tested(Step::Subset, "5-6", Unresolved, Because::DidNotBuild("no target".into()), 6)
        .ended(Ending::Undecided, Some(conclusion(among, false, None, None)), None, 1.1);
    assert_snapshot!(text(&journal.summary()));
}

#[test]
fn a_run_that_was_killed_has_no_ending() {
    let summary = half_way().summary();
    assert_eq!(summary.ending, None);
    assert_snapshot!(text(&summary));
}

#[test]
fn an_empty_journal_is_a_run_that_has_not_begun() {
    let summary = Summary::of(&run_file(), Path::new("a run"), &[]);
    assert_eq!(picture(&summary), None);
    assert_eq!(trail(&summary, 80), "");
    assert!(html(&summary).contains("Not finished before the first test of the search"));
    assert!(markdown(&summary).contains("Not finished"));
    assert_snapshot!(text(&summary));
}

#[test]
fn a_resumed_run_that_goes_on_counts_as_one() {
    let journal = confirmed(to_the_end(stopped().open()));
    let (resumed, straight) = (journal.summary(), found().summary());
    assert_eq!(resumed.counts, straight.counts);
    assert_eq!(resumed.trail, straight.trail);
    assert_eq!(text(&resumed), text(&straight));
}

#[test]
fn a_run_that_was_killed_after_it_was_resumed_has_no_ending() {
    let resumed = stopped().open().tested(Step::Subset, "5", Pass, Because::Exit(0), 6).summary();
    assert_eq!((resumed.ending, resumed.conclusion, resumed.why), (None, None, None));
}

#[test]
fn a_run_that_was_only_opened_again_keeps_its_last_word() {
    let (opened, before) = (stopped().open().summary(), stopped().summary());
    assert_eq!((opened.ending, opened.conclusion), (before.ending, before.conclusion));
    assert_eq!(opened.seconds, 0.9);
}

#[test]
fn a_warning_given_again_is_shown_once() {
    let warning = || Entry::Warning { text: "even the empty list fails".into() };
    let summary = baseline().entry(warning()).open().entry(warning()).summary();
    assert_eq!(summary.warnings, ["even the empty list fails"]);
}

#[test]
fn a_test_without_a_tally_counts_as_one_run() {
    let mut journal = baseline();
    for entry in &mut journal.entries {
        if let Entry::Observed { observation, .. } = entry {
            observation.tally = Default::default();
        }
    }
    assert_eq!(journal.summary().counts.executed, 2);
}

#[test]
fn a_list_that_is_minimal_as_a_whole_says_so() {
    let all = conclusion(json!({"items": ["a", "b"], "of": 2}), true, None, None);
    let told = text(&baseline().ended(Ending::Found, Some(all), None, 1.0).summary());
    assert!(told.starts_with("Both items are needed to make the test fail."));
}

#[test]
fn a_refusal_gives_its_reason_once() {
    let why = "the test passes with all items";
    let told = text(&baseline().ended(Ending::Refused, None, Some(why), 0.4).summary());
    assert!(told.starts_with("Nothing to explain: the test passes with all items.\n"));
    assert_eq!(told.to_lowercase().matches(why).count(), 1);
}

/// A run all of whose words come from somebody who means no good.
fn hostile() -> Summary {
    let evil = "</pre><script>alert(\"1\")</script>\x1b[2J ```` @everyone '&";
    let finding = json!({"items": [evil], "of": 8});
    let mut run = run_file();
    run.question = howcome_run::QuestionName::Items;
    let journal = Journal::opened()
        .stage(0, evil, 8, evil)
        .observe(0, Purpose::BaselineFailing, "1-8", Fail, Because::Broken(evil.into()))
        .tested(Step::Subset, "1-4", Unresolved, Because::DidNotBuild(evil.into()), 8)
        .stage(1, evil, 8, "item")
        .tested(Step::Subset, "1-4", Unresolved, Because::CouldNotStart(evil.into()), 8)
        .entry(Entry::Warning { text: evil.into() })
        .ended(Ending::Found, Some(conclusion(finding, true, Some(true), None)), Some(evil), 1.0);
    Summary::of(&run, Path::new(evil), &journal.entries)
}

#[test]
fn nothing_in_a_journal_becomes_markup_or_talks_to_the_terminal() {
    let summary = hostile();
    let page = html(&summary);
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;"));
    let forms = [page, markdown(&summary), text(&summary), trail(&summary, 80), picture(&summary).unwrap()];
    for form in &forms {
        assert!(!form.contains('\x1b'));
    }
    let outside_of_code: String = markdown_outside_of_code(&forms[1]);
    assert!(!outside_of_code.contains("<script") && !outside_of_code.contains("@everyone"));
}

/// The lines that are in no fenced block and no span of code.
fn markdown_outside_of_code(markdown: &str) -> String {
    let mut outside = String::new();
    let mut fence: Option<String> = None;
    for line in markdown.lines() {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => outside.push_str(line.split(", recorded in").next().unwrap()),
        }
    }
    outside
}

#[test]
fn a_page_needs_nothing_from_elsewhere() {
    let page = html(&long().summary());
    let links = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!links.contains("http") && !links.contains("src=") && !links.contains("@import"));
    assert!(!links.contains("url("));
}

#[test]
fn a_long_trail_is_cut_in_its_middle_and_says_so() {
    let mut journal = baseline();
    for _ in 0..2_345 {
        journal = journal.tested(Step::Single, "1-4,7", Pass, OK, 8);
    }
    let summary = journal.summary();
    let page = html(&summary);
    assert!(page.contains("345 steps are not shown"));
    assert_eq!(page.matches("<tr class=\"pass\">").count(), 2_000);
    assert!(picture(&summary).unwrap().len() < 100_000);
    assert!(markdown(&summary).len() < 60_000);
}

#[test]
fn stages_are_drawn_and_told_one_after_the_other() {
    let summary = long().summary();
    assert_eq!(summary.stages.iter().map(|stage| stage.asked).collect::<Vec<_>>(), [289, 6]);
    let picture = picture(&summary).unwrap();
    assert!(picture.contains("deltas left (log scale)"));
    assert_eq!(picture.matches(r#"<path class="line""#).count(), 2);
}

#[test]
fn every_kind_of_finding_can_be_worded() {
    let mut run = run_file();
    let told = |run: &howcome_run::RunFile, finding: Value| {
        let journal =
            Journal::opened().ended(Ending::Found, Some(conclusion(finding, false, None, None)), None, 1.0);
        let told = text(&Summary::of(run, Path::new("run"), &journal.entries));
        told.lines().next().unwrap().to_owned()
    };
    assert_eq!(told(&run, json!({"items": [], "of": 3})), "The test fails even without any of the 3 items.");
    assert_eq!(
        told(&run, json!({"items": ["a", "b"], "of": 2})),
        "2 of 2 items are enough to make the test fail."
    );
    assert_eq!(told(&run, json!({"items": ["a"]})), "1 item is enough to make the test fail.");
    run.question = howcome_run::QuestionName::Input;
    assert_eq!(
        told(&run, json!({"output": "bug.min.c", "bytes_before": 12345, "bytes_after": 67})),
        "67 bytes of 12.3 kB are enough to make the test fail."
    );
    run.question = howcome_run::QuestionName::Changes;
    assert_eq!(
        told(&run, json!({"commit": "1a2b3c", "files": 1, "hunks": 2, "patch": "-a\n+b\n"})),
        "2 hunks make the test fail."
    );
    run.question = howcome_run::QuestionName::State;
    assert_eq!(
        told(&run, json!({"chain": []})),
        "Undecided: no deciding variable was found in the failing run."
    );
    run.question = howcome_run::QuestionName::History;
    assert_eq!(told(&run, json!({"cause": []})), "Found.");
}
