//! What people and their tools read about the changes between two versions.
#![allow(clippy::unwrap_used)]

mod journal;

use howcome_report::{Paint, Summary, TextForm, annotations, html, json, markdown};
use howcome_run::{Because, EndedAfter, Ending, Entry, Purpose, TestInfo, Unit};
use insta::assert_snapshot;
use journal::changes::*;
use journal::*;
use serde_json::{Value, json};

#[test]
fn the_line_comes_first_and_then_its_commit() {
    assert_snapshot!(text(&found_changes(one_line())));
}

#[test]
fn markdown_shows_the_lines_as_a_diff() {
    assert_snapshot!(markdown(&found_changes(one_line())));
}

/// A run whose record has everything: the hunk, the test, the names of commits.
fn whole_record() -> Summary {
    let named = |commits: &str, name: &str| Entry::Named {
        stage: 0,
        configuration: commits.parse().unwrap(),
        name: name.to_owned(),
    };
    let mut journal = search().entry(test_entry());
    for (commits, name) in [("1-427", "8c1f3d2 \"Read tables\""), ("1-428", "3f2a91c \"Accept it\"")] {
        let told = journal.entries.iter().position(|entry| match entry {
            Entry::Observed { configuration, .. } => configuration.to_string() == commits,
            _ => false,
        });
        journal.entries.insert(told.unwrap(), named(commits, name));
    }
    ended(journal, Ending::Found, concluded(one_line_of_a_hunk(), Some(true), Some(true)), None)
}

#[test]
fn the_hunk_is_shown_with_the_deciding_lines_marked_and_the_test_is_named() {
    assert_snapshot!(text(&whole_record()));
    let told = text_with_output(&whole_record());
    assert!(
        told.contains(
            "\n\nwhat the test printed on the failing side:\n\n    F\n    … 12 lines …\n    FAILED"
        )
    );
    assert_snapshot!(markdown(&whole_record()));
    let page = html(&whole_record());
    for part in [
        r#"<pre class="answer numbered marked">"#,
        r#"<span class="removed" data-line="119">-    /* columns"#,
        r#"<span class="removed decides" data-line="120">-    if (n &lt; limit)</span>"#,
        r#"<span data-line="121">         return 0;</span>"#,
        "<div><dt>Test</dt><dd><code>pytest -k &#39;last column&#39;</code></dd></div>",
        "<dd>tests/test_parse.py, tests/data/table.csv (the same in every version)</dd>",
        "<summary>what the test printed on the failing side</summary>",
        "1-428<br>3f2a91c &quot;Accept it&quot;</td>",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn commits_are_named_in_the_trail() {
    let trail = trail(&whole_record(), 80);
    let names: Vec<&str> = trail
        .lines()
        .filter(|line| line.contains('"'))
        .filter_map(|line| line.split("ms  ").nth(1))
        .collect();
    assert_eq!(names, ["8c1f3d2 \"Read tables\"", "3f2a91c \"Accept it\""], "{trail}");
}

#[test]
fn a_fix_does_not_call_its_outcome_a_failure() {
    let finding = with(one_line_of_a_hunk(), json!({"fix": true}));
    let journal = search().entry(test_entry());
    let told = text(&ended(journal, Ending::Found, concluded(finding, Some(true), Some(true)), None));
    assert!(told.contains("\nFixed  pytest: tests/") && !told.contains("Failure"), "{told}");
}

#[test]
fn several_commits_are_shown_each_with_its_lines() {
    assert_snapshot!(text(&found_changes(two_commits())));
}

#[test]
fn what_is_no_line_is_said_in_words() {
    assert_snapshot!(text(&found_changes(not_lines())));
}

#[test]
fn further_causes_are_numbered() {
    let other = with(
        one_line(),
        json!({
            "changes": two_commits()["changes"].as_array().unwrap()[1..], "needs": needs(1), "commit": SECOND,
            "patch_file": "howcome.out/20260301-changes/culprit-2.patch", "patch_for": "commit",
        }),
    );
    let finding = with(one_line(), json!({"further": [other]}));
    let summary = ended(search(), Ending::Found, concluded(finding, Some(true), Some(false)), None);
    assert_snapshot!(text(&summary));
}

#[test]
fn a_fix_is_worded_as_one() {
    let finding = with(one_line(), json!({"fix": true}));
    assert_snapshot!(text(&fixed(finding.clone())));
    assert_snapshot!(annotations(&fixed(finding)));
}

#[test]
fn lines_from_an_untestable_range_name_the_commits_they_may_come_from() {
    let finding = with(one_line(), json!({"commit": null, "suspects": commits()}));
    let told = text(&found_changes(finding));
    assert!(told.starts_with("1 line of 7,600 hunks in 854 commits makes the test fail."));
    assert!(told.contains(
        "\nit comes from one of these 2 commits, which cannot be tested alone:\n\n    3f2a91c \"Accept"
    ));
}

#[test]
fn an_undecided_run_names_the_commits_that_cannot_be_told_apart() {
    let conclusion =
        howcome_run::Conclusion { minimal: unchecked(Unit::Commit), ..concluded(suspects(), None, None) };
    let summary = ended(search(), Ending::Undecided, conclusion, Some("the build is broken in all of them"));
    assert_snapshot!(text(&summary));
    assert_snapshot!(annotations(&summary));
}

#[test]
fn a_stopped_run_says_what_is_known() {
    let conclusion =
        howcome_run::Conclusion { minimal: unchecked(Unit::Hunk), ..concluded(two_commits(), None, None) };
    let summary = ended(search(), Ending::Stopped, conclusion, Some("the budget of 6 tests is used up"));
    assert_snapshot!(text(&summary));
    assert!(annotations(&summary).starts_with("::warning file=src/parse.c,line=120,"));
}

fn unchecked(unit: Unit) -> howcome_run::Minimal {
    howcome_run::Minimal::new(unit, false)
}

#[test]
fn a_search_that_ended_early_says_after_how_many_tests() {
    let mut conclusion = concluded(two_commits(), Some(true), None);
    let ended_after = Some(EndedAfter::TestsWithoutProgress(25));
    conclusion.minimal = howcome_run::Minimal { ended_after, ..unchecked(Unit::Hunk) };
    let summary = ended(search(), Ending::Found, conclusion, None);
    let told = text(&summary).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("the search for fewer hunks ended after 25 tests with little or no progress; `howcome resume --thorough` continues it"),
        "{told}"
    );
    assert!(json(&summary).unwrap().contains(r#""tests_without_progress": 25"#));
}

#[test]
fn hunks_that_are_minimal_can_hold_lines_that_are_not_needed() {
    let mut conclusion = concluded(two_commits(), Some(true), None);
    conclusion.minimal = howcome_run::Minimal::new(Unit::Hunk, true);
    let told = text(&ended(search(), Ending::Found, conclusion, None));
    assert!(told.contains("fewer lines of them might be enough"), "{told}");
}

#[test]
fn what_was_seen_not_to_help_is_not_offered_as_a_remedy() {
    let told = |without| {
        let conclusion = concluded(two_commits(), Some(true), without);
        text(&ended(search(), Ending::Found, conclusion, None))
    };
    assert!(told(Some(true)).contains("apply -R"), "{}", told(Some(true)));
    assert!(!told(Some(false)).contains("apply -R"), "{}", told(Some(false)));
}

#[test]
fn a_search_among_lines_that_ended_early_is_called_so_even_if_hunks_are_the_answer() {
    let mut conclusion = concluded(two_commits(), Some(true), None);
    let ended_after = Some(EndedAfter::UnresolvedTests(6));
    conclusion.minimal = howcome_run::Minimal { ended_after, ..unchecked(Unit::Hunk) };
    let told = text(&ended(search(), Ending::Found, conclusion, None));
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("the search for fewer lines ended after 6 tests that could not be judged"),
        "{told}"
    );
}

/// The first sentence, for a unit.
fn headline(finding: Value, unit: Unit, alone_fails: Option<bool>) -> String {
    let mut conclusion = concluded(finding, alone_fails, None);
    conclusion.minimal.of = unit;
    text(&ended(search(), Ending::Found, conclusion, None)).lines().next().unwrap().to_owned()
}

#[test]
fn the_unit_of_the_answer_is_the_one_that_was_searched_in() {
    let said = |finding, unit| headline(finding, unit, Some(true));
    assert_eq!(
        said(one_line(), Unit::Line),
        "Commit 3f2a91c broke it: 1 line of src/parse.c makes the test fail."
    );
    assert_eq!(
        said(one_line(), Unit::Hunk),
        "Commit 3f2a91c broke it: 1 hunk of src/parse.c makes the test fail."
    );
    assert_eq!(said(one_line(), Unit::Commit), "Commit 3f2a91c broke it.");
    assert_eq!(said(two_commits(), Unit::Commit), "2 of 854 commits make the test fail, only together.");
    let folders = with(
        one_line(),
        json!({"commit": null, "changes": [with(one_line()["changes"][0].clone(), json!({"commit": null}))]}),
    );
    assert_eq!(
        said(folders.clone(), Unit::Line),
        "1 line of 7,600 hunks in 854 commits makes the test fail."
    );
    assert_eq!(said(with(folders, json!({"of": {}})), Unit::Line), "1 line makes the test fail.");
}

#[test]
fn what_does_not_fail_alone_only_decides() {
    let said = headline(one_line(), Unit::Line, Some(false));
    assert_eq!(said, "1 line of 7,600 hunks in 854 commits decides whether the test fails.");
}

#[test]
fn a_confirmation_is_claimed_only_where_a_test_showed_it() {
    let said = |alone, without, alone_saw: Option<(_, Because)>, without_saw: Option<(_, Because)>| {
        let mut journal = search();
        for (purpose, saw) in [(Purpose::ConfirmAlone, alone_saw), (Purpose::ConfirmWithout, without_saw)] {
            if let Some((outcome, because)) = saw {
                journal = journal.observe(2, purpose, "1", outcome, because);
            }
        }
        let told = text(&ended(journal, Ending::Found, concluded(one_line(), alone, without), None));
        let lines =
            told.lines().filter(|line| line.starts_with("  added ") || line.starts_with("  removed "));
        lines.map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    let broken = || Some((Unresolved, Because::DidNotBuild("no rule".into())));
    assert_snapshot!(
        [
            said(Some(true), Some(true), None, None),
            said(Some(false), Some(false), Some((Pass, OK)), Some((Fail, Because::Exit(1)))),
            said(Some(false), Some(false), broken(), broken()),
            said(Some(false), Some(false), None, None),
            said(None, None, None, None),
        ]
        .join("\n\n")
    );
}

#[test]
fn a_patch_that_later_changes_cover_is_taken_from_its_commit() {
    let told = text(&found_changes(with(one_line(), json!({"patch_for": "commit"}))));
    assert!(told.contains("removed from commit 3f2a91c, the test passes"));
    assert!(told.contains("undo it in commit 3f2a91c only: its lines have changed or moved since"));
    let between_folders =
        json!({"patch_for": "commit", "bad_folder": "new", "patch_file": "run/culprit.patch"});
    let told = text(&found_changes(with(one_line(), between_folders)));
    assert!(!told.contains("undo it"), "{told}");
}

#[test]
fn a_finding_of_an_older_version_is_told_and_one_of_another_shape_is_shown_as_it_is() {
    let old = json!({"commit": FIRST, "files": 1, "hunks": 2, "lines_removed": 3, "lines_added": 1});
    let told = text(&found_changes(old));
    assert!(
        told.starts_with("Commit 3f2a91c broke it: 3 lines in 1 file make the test fail.\n\n    3f2a91c\n"),
        "{told}"
    );
    let other = json!({"hunks": [{"lines": 3}]});
    for form in [text, markdown, html, annotations] {
        assert!(form(&found_changes(other.clone())).contains("hunks"));
    }
}

#[test]
fn annotations_point_to_the_lines() {
    assert_snapshot!(annotations(&found_changes(two_commits())));
}

#[test]
fn there_are_no_more_annotations_than_are_shown() {
    let many: Vec<Value> = (0..25).map(|_| one_line()["changes"][0].clone()).collect();
    let told = annotations(&found_changes(with(one_line(), json!({"changes": many}))));
    assert_eq!(told.lines().count(), 10);
    assert_eq!(told.lines().last(), Some("::error title=howcome changes::16 more changes are not shown."));
}

#[test]
fn a_page_shows_the_commit_and_the_numbers_of_the_lines() {
    let page = html(&found_changes(one_line()));
    assert!(page.contains("<b>Accept the last column too</b>"));
    assert!(page.contains("A U Thor · &lt;author@example.com&gt; · 2026-03-02"));
    assert!(page.contains(r#"<span class="removed" data-line="118">-    if (n &lt; limit)</span>"#));
    assert!(page.contains(r#"<span class="added" data-line="120">+    if (n &lt;= limit)</span>"#));
    assert!(page.contains("<summary>the patch</summary>"));
    assert!(page.contains(r#"<span data-line="121">         return 0;</span>"#));
    assert!(page.contains("<code>git apply -R howcome.out/20260301-changes/culprit.patch</code>"));
    assert!(!page.contains("<script"));
}

#[test]
fn a_long_change_is_cut_and_says_so() {
    let lines: Vec<String> = (0..5_000).map(|line| format!("line {line}")).collect();
    let change = json!({"path": "a", "old_line": 1, "new_line": 1, "removed": [], "added": lines});
    let summary = found_changes(with(one_line(), json!({"changes": [change]})));
    assert!(text(&summary).contains("… and 4,801 more lines; `howcome show"));
    assert!(markdown(&summary).contains("… and 4,701 more lines."));
    assert!(html(&summary).contains("… and 3,001 more lines."));
    let notes = annotations(&summary);
    assert!(notes.contains("line=1,endLine=5000,") && notes.ends_with("%0A… and 4,989 more lines\n"));
}

#[test]
fn the_trail_names_its_stages() {
    let trail = trail(&found_changes(one_line()), 80);
    for stage in ["commits: 854 commits, ddmin", "hunks: 14 hunks, ddmin", "lines: 2 lines, ddmin"] {
        assert!(trail.lines().any(|line| line == stage), "{trail}");
    }
}

#[test]
fn no_word_of_a_repository_becomes_markup_or_talks_to_the_terminal() {
    let evil = "</pre><script>alert(\"1\")</script>\x1b[2J\n::error::x ```` @everyone '&";
    let hunk = json!([{"old": 1, "new": null, "text": evil, "decides": true},
                      {"old": null, "new": 1, "text": evil, "decides": false}]);
    let change = json!({"path": evil, "old_line": 1, "new_line": 1, "removed": [evil], "added": [evil], "what": evil,
                        "commit": evil, "hunk": hunk});
    let info = TestInfo {
        in_copy: false,
        command: vec![evil.to_owned()],
        signature: evil.to_owned(),
        held: vec![evil.to_owned()],
        failing_output: evil.to_owned(),
    };
    let commit =
        json!({"id": evil, "short": evil, "author": evil, "email": evil, "date": evil, "subject": evil});
    let lines = with(change.clone(), json!({"what": null}));
    let cause = json!({"commit": evil, "files": 1, "hunks": 1, "changes": [lines, change], "needs": [change],
                       "patch": evil, "patch_file": evil, "commits": [commit], "suspects": [commit], "good": evil,
                       "bad": evil});
    let finding = with(cause.clone(), json!({"further": [cause]}));
    for ending in [Ending::Found, Ending::Undecided, Ending::Stopped, Ending::Flaky] {
        let journal = search().entry(Entry::Test(info.clone()));
        let summary = ended(journal, ending, concluded(finding.clone(), Some(true), None), None);
        let page = html(&summary);
        assert!(!page.contains("<script") && page.contains("&lt;script&gt;"));
        let notes = annotations(&summary);
        assert!(notes.lines().all(|line| line.starts_with("::") && !line.starts_with("::error::")));
        for form in [page, notes, text_with_output(&summary), markdown(&summary), json(&summary).unwrap()] {
            assert!(!form.contains('\x1b'));
        }
        assert!(!outside_of_code(&markdown(&summary)).contains("<script"));
        assert!(!outside_of_code(&markdown(&summary)).contains("@everyone"));
    }
}

/// The lines that are in no fenced block, up to the name of the run.
fn outside_of_code(markdown: &str) -> String {
    let mut outside = String::new();
    let mut fence: Option<String> = None;
    for line in markdown.lines() {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => outside.push_str(line),
        }
    }
    outside
}

#[test]
fn colours_show_the_diff_and_the_outcomes_and_change_no_word() {
    let form = TextForm { paint: Paint(true), ..TextForm::PLAIN };
    let painted = howcome_report::text(&whole_record(), form);
    for part in ["\u{1b}[31m-", "\u{1b}[32m+", "\u{1b}[1mProof\u{1b}[0m", "\u{1b}[31m3 failed\u{1b}[0m"] {
        assert!(painted.contains(part), "{part:?} in {painted}");
    }
    assert_eq!(without_colours(&painted), text(&whole_record()));
    let steps = howcome_report::trail(&whole_record(), form);
    assert!(steps.contains(" \u{1b}[32m✓\u{1b}[0m ") && steps.contains(" \u{1b}[31m✗\u{1b}[0m "), "{steps}");
    assert_eq!(without_colours(&steps), trail(&whole_record(), TextForm::PLAIN.columns));
}

fn without_colours(text: &str) -> String {
    let parts = text.split('\u{1b}');
    parts
        .map(|part| part.strip_prefix('[').map_or(part, |rest| &rest[rest.find('m').unwrap() + 1..]))
        .collect()
}

#[test]
fn a_trail_uses_the_columns_it_has() {
    let widest = |columns: usize| {
        trail(&whole_record(), columns).lines().map(|line| line.chars().count()).max().unwrap()
    };
    assert!(widest(84) <= 84, "{}", trail(&whole_record(), 84));
    assert!(trail(&whole_record(), 120).contains("did not build: parse.c:3: no rule"));
}
