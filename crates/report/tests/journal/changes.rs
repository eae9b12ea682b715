//! Findings of `howcome changes`, and runs that end with them.

use super::*;

pub const FIRST: &str = "3f2a91c0d5b8e7f6a1c2d3e4f5061728394a5b6c";
pub const SECOND: &str = "b41d2e0977aa11bb22cc33dd44ee55ff66778899";

pub fn commits() -> Value {
    json!([
        {"id": FIRST, "short": "3f2a91c", "author": "A U Thor", "email": "author@example.com", "date": "2026-03-02",
         "subject": "Accept the last column too"},
        {"id": SECOND, "short": "b41d2e0", "author": "C O Mitter", "email": "c@example.com", "date": "2026-03-09",
         "subject": "Grow the table by one"},
    ])
}

pub fn one_line() -> Value {
    json!({
        "commit": FIRST, "files": 1, "hunks": 1, "lines_removed": 1, "lines_added": 1,
        "changes": [{
            "path": "src/parse.c", "old_line": 118, "new_line": 120,
            "removed": ["    if (n < limit)"], "added": ["    if (n <= limit)"],
            "what": "src/parse.c:120: 1 line removed, 1 added", "commit": FIRST,
        }],
        "needs": [],
        "patch": "--- a/src/parse.c\n+++ b/src/parse.c\n@@ -119,3 +119,3 @@ int parse(int n)\n {\n-    if (n < limit)\n\
                  +    if (n <= limit)\n         return 0;\n",
        "patch_file": "howcome.out/20260301-changes/culprit.patch", "patch_for": "bad",
        "commits": commits(),
        "of": {"commits": 854, "hunks": 7600, "files": 120},
        "good": "v1.0", "bad": "HEAD", "fix": false,
    })
}

/// One line of a hunk of several.
pub fn one_line_of_a_hunk() -> Value {
    let line = |old: Option<u64>, new: Option<u64>, text: &str, decides: bool| json!({"old": old, "new": new, "text": text, "decides": decides});
    let mut change = one_line()["changes"][0].clone();
    change["hunk"] = json!([
        line(Some(117), Some(117), "int parse(int n)", false),
        line(Some(118), Some(118), "{", false),
        line(Some(119), None, "    /* columns before the last */", false),
        line(Some(120), None, "    if (n < limit)", true),
        line(None, Some(119), "    /* all columns */", false),
        line(None, Some(120), "    if (n <= limit)", true),
        line(Some(121), Some(121), "        return 0;", false),
        line(Some(122), Some(122), "", false),
    ]);
    with(one_line(), json!({"changes": [change]}))
}

/// What the record says about the test.
pub fn test_entry() -> Entry {
    Entry::Test(TestInfo {
        in_copy: false,
        command: ["pytest", "-k", "last column"].map(str::to_owned).to_vec(),
        signature: "pytest: tests/test_parse.py::test_last, AssertionError".to_owned(),
        held: vec!["tests/test_parse.py".to_owned(), "tests/data/table.csv".to_owned()],
        failing_output: "F\n… 12 lines …\nFAILED tests/test_parse.py::test_last - assert 3 == 4".to_owned(),
    })
}

/// The finding with some of its fields replaced.
pub fn with(mut finding: Value, fields: Value) -> Value {
    for (name, value) in fields.as_object().unwrap() {
        finding[name] = value.clone();
    }
    finding
}

/// Two commits that only fail together.
pub fn two_commits() -> Value {
    with(
        one_line(),
        json!({
            "commit": null, "files": 2, "hunks": 2, "lines_removed": 1, "lines_added": 3,
            "changes": [
                one_line()["changes"][0],
                {"path": "src/table.c", "old_line": 7, "new_line": 7, "removed": [], "added": ["int size = N;\n"],
                 "what": "src/table.c:7: 1 line added", "commit": SECOND},
                {"path": "src/table.c", "old_line": 7, "new_line": 8, "removed": [], "added": ["\tsize++;\n"],
                 "what": "src/table.c:8: 1 line added", "commit": SECOND},
            ],
            "needs": needs(12),
        }),
    )
}

pub fn needs(number: u64) -> Value {
    (1..=number)
        .map(|n| {
            json!({"path": "include/table.h", "old_line": n, "new_line": n * 10, "removed": [], "added": ["int x;"],
                   "what": format!("include/table.h:{}: 1 line added", n * 10), "commit": SECOND})
        })
        .collect()
}

/// What can happen to a file beside its lines.
pub fn not_lines() -> Value {
    with(
        one_line(),
        json!({
            "files": 2, "hunks": 2, "lines_removed": 0, "lines_added": 0,
            "changes": [
                {"path": "run.sh", "old_line": 1, "new_line": 1, "removed": [], "added": [], "what": "run.sh: no longer executable",
                 "commit": FIRST},
                {"path": "logo.png", "old_line": 1, "new_line": 1, "removed": [], "added": [],
                 "what": "logo.png: binary file changed", "commit": FIRST},
            ],
            "patch": "diff --git a/run.sh b/run.sh\nold mode 100755\nnew mode 100644\n",
        }),
    )
}

pub fn suspects() -> Value {
    json!({
        "commit": null, "files": 0, "hunks": 0, "lines_removed": 0, "lines_added": 0, "changes": [], "patch": "",
        "suspects": commits(), "good": "v1.0", "bad": "HEAD", "of": {"commits": 854},
    })
}

/// Commits, then hunks, then lines.
pub fn search() -> Journal {
    Journal::opened()
        .stage(0, "commits", 854, "commit")
        .observe(0, Purpose::BaselineFailing, "1-854", Fail, Because::Exit(1))
        .observe(0, Purpose::BaselinePassing, "-", Pass, OK)
        .tested(Step::Subset, "1-427", Pass, OK, 427)
        .tested(Step::Subset, "1-640", Unresolved, Because::DidNotBuild("parse.c:3: no rule".into()), 427)
        .tested(Step::Subset, "1-428", Fail, Because::Exit(1), 1)
        .stage(1, "hunks", 14, "hunk")
        .tested(Step::Subset, "1-7", Pass, OK, 7)
        .tested(Step::Subset, "1-8", Fail, Because::Exit(1), 1)
        .stage(2, "lines", 2, "line")
        .tested(Step::Subset, "1", Fail, Because::Exit(1), 1)
}

/// What a run concludes, in lines.
pub fn concluded(finding: Value, alone_fails: Option<bool>, without_passes: Option<bool>) -> Conclusion {
    let minimal = Minimal::new(howcome_run::Unit::Line, true);
    Conclusion { minimal, ..conclusion(finding, true, alone_fails, without_passes) }
}

/// A run that found it, with both confirmations.
pub fn found_changes(finding: Value) -> Summary {
    let journal = search().observe(2, Purpose::ConfirmAlone, "1", Fail, Because::Exit(1)).observe(
        2,
        Purpose::ConfirmWithout,
        "2",
        Pass,
        OK,
    );
    ended(journal, Ending::Found, concluded(finding, Some(true), Some(true)), None)
}

/// A run with `--fix`: the search takes the exit code 0 of the new version for the failure.
pub fn fixed(finding: Value) -> Summary {
    let mut journal = search().observe(2, Purpose::ConfirmAlone, "1", Fail, Because::Exit(1)).observe(
        2,
        Purpose::ConfirmWithout,
        "2",
        Pass,
        OK,
    );
    for entry in &mut journal.entries {
        if let Entry::Observed { observation: Observation { because: Because::Exit(code), .. }, .. } = entry {
            *code = 1 - *code;
        }
    }
    ended(journal, Ending::Found, concluded(finding, Some(true), Some(true)), None)
}

pub fn ended(journal: Journal, ending: Ending, conclusion: Conclusion, why: Option<&str>) -> Summary {
    let mut run = run_file();
    run.question = howcome_run::QuestionName::Changes;
    run.algorithm = howcome_run::Algorithm::DdPlus.into();
    let journal = journal.ended(ending, Some(conclusion), why, 12.4);
    Summary::of(&run, Path::new("howcome.out/20260301-changes"), &journal.entries)
}
