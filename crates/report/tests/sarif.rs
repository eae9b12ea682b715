//! What code scanners read.
#![allow(clippy::unwrap_used)]

mod journal;

use howcome_report::{Summary, sarif};
use howcome_run::Ending;
use journal::changes::*;
use journal::*;
use serde_json::{Value, json};

/// The only run of the log, after checking what the standard asks of every log.
fn run_of(summary: &Summary) -> Value {
    let log: Value = serde_json::from_str(&sarif(summary)).unwrap();
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().unwrap().ends_with("sarif-schema-2.1.0.json"));
    let runs = log["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let driver = &runs[0]["tool"]["driver"];
    assert_eq!((&driver["name"], &driver["version"]), (&json!("howcome"), &json!("0.1.0")));
    assert!(driver.get("informationUri").is_none());
    let rules = driver["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 1);
    for result in runs[0]["results"].as_array().unwrap() {
        assert_eq!(result["ruleId"], rules[0]["id"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let related = result.get("relatedLocations").and_then(Value::as_array).cloned().unwrap_or_default();
        for location in result["locations"].as_array().unwrap().iter().chain(&related) {
            let physical = &location["physicalLocation"];
            assert!(physical["artifactLocation"]["uri"].is_string());
            if let Some(region) = physical.get("region") {
                let (start, end) =
                    (region["startLine"].as_u64().unwrap(), region["endLine"].as_u64().unwrap());
                assert!(1 <= start && start <= end);
            }
        }
    }
    assert!(runs[0]["invocations"][0]["executionSuccessful"].is_boolean());
    runs[0].clone()
}

#[test]
fn each_change_is_a_result_where_it_is() {
    let run = run_of(&found_changes(two_commits()));
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    let result = &results[0];
    assert_eq!(result["ruleId"], "failure-inducing-change");
    assert_eq!(result["level"], "error");
    assert_eq!(
        result["message"]["text"],
        "This is one of 3 changes that make the test fail together. It comes from commit 3f2a91c \"Accept the last \
         column too\" (A U Thor, 2026-03-02)."
    );
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/parse.c");
    assert_eq!(place["region"]["startLine"], 120);
    assert_eq!(place["region"]["snippet"]["text"], "    if (n <= limit)");
    assert_eq!(result["properties"]["commit"], FIRST);
    assert_eq!(result["relatedLocations"].as_array().unwrap().len(), 12);
}

#[test]
fn a_change_that_is_not_of_lines_has_no_region() {
    let run = run_of(&found_changes(with(not_lines(), json!({"commit": null}))));
    let place = &run["results"][1]["locations"][0]["physicalLocation"];
    assert_eq!(*place, json!({"artifactLocation": {"uri": "logo.png"}}));
}

#[test]
fn what_was_removed_before_the_first_line_is_at_the_first_line() {
    let change = json!({"path": "a b.c", "old_line": 1, "new_line": 0, "removed": ["x"], "added": []});
    let run = run_of(&found_changes(with(one_line(), json!({"changes": [change]}))));
    let place = &run["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b.c");
    assert_eq!(place["region"], json!({"startLine": 1, "endLine": 1}));
}

#[test]
fn candidates_are_warnings_and_a_fix_is_a_note() {
    let stopped = ended(search(), Ending::Stopped, concluded(two_commits(), None, None), None);
    assert!(
        run_of(&stopped)["results"].as_array().unwrap().iter().all(|result| result["level"] == "warning")
    );
    let fix = run_of(&found_changes(with(one_line(), json!({"fix": true}))));
    assert_eq!(fix["results"][0]["level"], "note");
    assert!(
        fix["results"][0]["message"]["text"]
            .as_str()
            .unwrap()
            .starts_with("This change makes the test pass.")
    );
}

#[test]
fn further_causes_are_results_as_well() {
    let run = run_of(&found_changes(with(one_line(), json!({"further": [one_line()]}))));
    let texts: Vec<&str> = run["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["message"]["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts.len(), 2);
    assert!(texts[1].contains("(cause 2)"));
}

#[test]
fn without_a_change_to_point_to_a_notification_says_why() {
    let undecided = ended(search(), Ending::Undecided, concluded(suspects(), None, None), None);
    for summary in [undecided, refused().summary(), Journal::opened().summary()] {
        let run = run_of(&summary);
        assert_eq!(run["results"], json!([]));
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        let notification = &run["invocations"][0]["toolExecutionNotifications"][0];
        assert!(notification["message"]["text"].as_str().unwrap().len() > 10);
    }
}
