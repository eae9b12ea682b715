//! The finding as SARIF 2.1.0, which code scanners and editors read.

use crate::Summary;
use crate::account::Account;
use crate::change::Change;
use crate::message::{Message, Severity, messages};
use howcome_run::Ending;
use serde_json::{Map, Value, json};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const RULE: &str = "failure-inducing-change";

/// The log of a run with a result for each change, indented, without a newline at its end.
///
/// Where there is no change to point to, there are no results, and a notification says what there is to say.
#[must_use]
pub fn sarif(summary: &Summary) -> String {
    let results: Vec<Value> = messages(summary).iter().map(result).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "howcome",
                "version": summary.howcome,
                "rules": [{
                    "id": RULE,
                    "name": "FailureInducingChange",
                    "shortDescription": {"text": "A change that decides whether a test fails."},
                    "fullDescription": {"text": "Experiments with the changes between two versions showed that the outcome \
                        of a test depends on this one."},
                    "defaultConfiguration": {"level": "error"},
                }],
            }},
            "invocations": [invocation(summary)],
            "results": results,
        }],
    });
    format!("{log:#}")
}

fn invocation(summary: &Summary) -> Value {
    let account = Account::of(summary);
    let is_found = matches!(summary.ending, Some(Ending::Found | Ending::NeverWorked));
    let level = if is_found { "note" } else { "warning" };
    let said = std::iter::once(&account.headline).chain(&account.remarks).map(|said| (level, said));
    let warnings = summary.warnings.iter().map(|warning| ("warning", warning));
    let notifications: Vec<Value> =
        said.chain(warnings).map(|(level, said)| json!({"level": level, "message": message(said)})).collect();
    json!({"executionSuccessful": is_found, "toolExecutionNotifications": notifications})
}

fn result(found: &Message) -> Value {
    let level = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut result = json!({
        "ruleId": RULE,
        "ruleIndex": 0,
        "level": level,
        "message": message(&found.text),
        "locations": [{"physicalLocation": physical_location(&found.change)}],
    });
    if let Some(commit) = &found.commit {
        result["properties"] = json!({"commit": commit});
    }
    if !found.needs.is_empty() {
        let related = (0_u64..).zip(found.needs.iter()).map(|(id, need)| {
            let needed = format!("In order to build it needs {}.", need.described());
            json!({"id": id, "physicalLocation": physical_location(need), "message": message(&needed)})
        });
        result["relatedLocations"] = related.collect();
    }
    result
}

fn physical_location(change: &Change) -> Value {
    let mut location = Map::new();
    location.insert("artifactLocation".to_owned(), json!({"uri": uri(&change.path)}));
    if let Some((first, last)) = change.lines() {
        let mut region = json!({"startLine": first, "endLine": last});
        if !change.added.is_empty() {
            let lines: Vec<&str> =
                change.added.iter().map(|line| line.trim_end_matches(['\r', '\n'])).collect();
            region["snippet"] = json!({"text": lines.join("\n")});
        }
        location.insert("region".to_owned(), region);
    }
    Value::Object(location)
}

/// A message, in which single braces would stand for an argument.
fn message(text: &str) -> Value {
    json!({"text": text.replace('{', "{{").replace('}', "}}")})
}

/// A relative path as a reference: everything that could mean something else is written as its bytes.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte))
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_cannot_be_taken_for_anything_else() {
        assert_eq!(uri("src/a b#1?.c"), "src/a%20b%231%3F.c");
        assert_eq!(uri("c:/100%é"), "c%3A/100%25%C3%A9");
    }

    #[test]
    fn a_brace_in_a_message_does_not_ask_for_an_argument() {
        assert_eq!(message("Fix {0}"), json!({"text": "Fix {{0}}"}));
    }
}
