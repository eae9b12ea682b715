//! Findings of `howcome history`, and runs that end with them.

use super::changes::{one_line, with};
use super::*;

pub const PATCH: &str = "diff --git a/tool.py b/tool.py\n--- a/tool.py\n+++ b/tool.py\n@@ -3,3 +3,7 @@ import sys\n \
                         def main(words):\n     total = 0\n+    if words[0] == \"--sum\":\n+        for word in words[1:]:\n\
                         +            total += int(word)\n+        return total\n     for word in words:\n";

/// A test that needs an option of which old revisions know nothing.
pub fn carried_back() -> Value {
    json!({
        "bad": "HEAD", "oldest": "a1b2c3d", "revisions": 200,
        "passing_revision": "4f5e6d7", "failing_revision": "3f2a91c",
        "passing_commit": {"id": "4f5e6d7aa0", "short": "4f5e6d7", "author": "C O Mitter", "email": "c@example.com",
                           "date": "2026-03-01", "subject": "Say hello"},
        "failing_commit": {"id": "3f2a91c0d5", "short": "3f2a91c", "author": "A U Thor", "email": "author@example.com",
                           "date": "2026-03-02", "subject": "Accept the last column too"},
        "revisions_tried": 31, "skipped": 5,
        "skipped_revisions": [
            {"revision": "1a2b3c4", "why": "did not build: tool.c:3: error: no rule"},
            {"revision": "2b3c4d5", "why": "did not build: tool.c:9: error: no semicolon"},
            {"revision": "3c4d5e6", "why": "checkout failed"},
            {"revision": "4d5e6f7", "why": "did not build: tool.c:3: error: no rule"},
            {"revision": "5e6f7a8", "why": "checkout failed"},
        ],
        "backported": PATCH, "backported_file": "howcome.out/20260301-history/backported.patch",
        "backported_onto": "4f5e6d7", "backported_lines": 4, "backported_hunks": 1, "backported_minimal": true,
        "patches": [
            {"revision": "5d6e7f8", "newer": "6a7b8c9", "because": "exit code 2: unknown option --sum", "hunks": 2,
             "files": 1, "index": 119},
            {"revision": "77aa88b", "newer": "88bb99c", "because": "did not apply: tool.py", "hunks": 1, "files": 1,
             "index": 85},
        ],
        "cause": with(one_line(), json!({"good": null, "bad": null, "of": {"hunks": 14},
                                         "patch_file": "howcome.out/20260301-history/culprit.patch"})),
        "forward": "--- a/src/parse.c\n+++ b/src/parse.c\n@@ -219,1 +219,1 @@\n-    if (n <= limit)\n+    if (n < limit)\n",
        "forward_file": "howcome.out/20260301-history/forward.patch", "forward_why": null, "forward_at": null,
        "forward_steps": [{"revision": "99ccdde", "hunks": 1}],
        "never_worked": null, "patch_top": null, "tried": tried(),
    })
}

fn tried() -> Value {
    let sights = [
        (199, "fail"),
        (0, "otherwise"),
        (170, "fail"),
        (120, "fail"),
        (119, "otherwise"),
        (119, "fail"),
        (40, "skipped"),
        (41, "pass"),
        (86, "fail"),
        (85, "otherwise"),
        (85, "fail"),
        (72, "fail"),
        (56, "pass"),
        (64, "skipped"),
        (65, "fail"),
        (60, "fail"),
        (58, "pass"),
        (59, "pass"),
    ];
    sights.iter().map(|(index, outcome)| json!({"index": index, "outcome": outcome})).collect()
}

/// The same where no revision needs a patch.
pub fn as_it_is() -> Value {
    with(
        carried_back(),
        json!({"backported": null, "backported_file": null, "backported_onto": null, "backported_lines": 0,
               "backported_hunks": 0, "backported_minimal": false, "patches": [], "skipped": 0,
               "skipped_revisions": [], "forward_steps": []}),
    )
}

/// No patch fixes the newest revision.
pub fn stuck() -> Value {
    with(
        carried_back(),
        json!({"forward": null, "forward_file": null, "forward_at": "aaddeef",
               "forward_why": "no part of the changes between it and 99ccdde makes it pass: exit code 2"}),
    )
}

/// The oldest revision fails with a patch.
pub fn never_worked() -> Value {
    with(
        carried_back(),
        json!({"passing_revision": null, "passing_commit": null, "failing_revision": "a1b2c3d", "failing_commit": null,
               "cause": null, "forward": null, "forward_file": null, "forward_steps": [], "revisions_tried": 9,
               "skipped": 0, "skipped_revisions": [], "backported_onto": "a1b2c3d",
               "never_worked": {"revision": "a1b2c3d", "because": "exit code 1", "whole": true},
               "tried": [{"index": 199, "outcome": "fail"}, {"index": 0, "outcome": "otherwise"},
                         {"index": 0, "outcome": "fail"}, {"index": 119, "outcome": "otherwise"}]}),
    )
}

/// The oldest revision fails without any help.
pub fn always_failed() -> Value {
    with(
        never_worked(),
        json!({"backported": null, "backported_file": null, "backported_onto": null, "backported_lines": 0,
               "backported_hunks": 0, "backported_minimal": false, "patches": [], "revisions_tried": 2,
               "never_worked": {"revision": "a1b2c3d", "because": "exit code 1", "whole": null}}),
    )
}

/// A walk that did not get to a revision that passes.
pub fn half_way_back() -> Value {
    with(
        never_worked(),
        json!({"failing_revision": "5d6e7f8", "never_worked": null, "backported_onto": "5d6e7f8",
               "backported_minimal": false, "skipped": 5, "skipped_revisions": carried_back()["skipped_revisions"]}),
    )
}

/// A walk, a search for a patch, another walk, the cause.
pub fn walk() -> Journal {
    Journal::opened()
        .stage(0, "walk", 200, "revision")
        .observe(0, Purpose::BaselineFailing, "1-200", Fail, Because::Exit(1))
        .tested(Step::Subset, "1", Unresolved, Because::Exit(2), 200)
        .tested(Step::Subset, "1-120", Unresolved, Because::Exit(2), 80)
        .stage(1, "patch", 2, "hunk")
        .tested(Step::Subset, "1", Fail, Because::Exit(1), 1)
        .stage(2, "walk 2", 119, "revision")
        .tested(Step::Subset, "1-60", Pass, OK, 60)
        .stage(3, "lines", 2, "line")
        .observe(3, Purpose::BaselineFailing, "1-2", Fail, Because::Exit(3))
        .tested(Step::Subset, "1", Fail, Because::Exit(1), 1)
}

pub fn history_ended(ending: Ending, finding: Value, why: Option<&str>) -> Summary {
    let is_found = ending == Ending::Found;
    let journal = match is_found {
        true => walk().observe(3, Purpose::ConfirmAlone, "1", Fail, Because::Exit(1)).observe(
            3,
            Purpose::ConfirmWithout,
            "2",
            Pass,
            OK,
        ),
        false => walk(),
    };
    let shown = is_found.then_some(true);
    let minimal = Minimal::new(howcome_run::Unit::Line, is_found);
    let conclusion = Conclusion { minimal, ..conclusion(finding, is_found, shown, shown) };
    let mut run = run_file();
    run.question = howcome_run::QuestionName::History;
    run.algorithm = howcome_run::Algorithm::Walk.into();
    let journal = journal.ended(ending, Some(conclusion), why, 83.0);
    Summary::of(&run, Path::new("howcome.out/20260301-history"), &journal.entries)
}

pub fn found_in_history(finding: Value) -> Summary {
    history_ended(Ending::Found, finding, None)
}
