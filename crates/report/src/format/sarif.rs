//! The finding as SARIF 2.1.0, which code scanners and editors read.

use crate::Summary;
use crate::account::Account;
use crate::places::message::{Message, Severity};
use crate::places::messages::messages;
use crate::places::span::SourceSpan;
use howcome_run::{Ending, QuestionName};
use serde_json::{Map, Value, json};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The rule of all results of a question.
struct SarifRule {
    id: &'static str,
    name: &'static str,
    short: &'static str,
    full: &'static str,
}

const CHANGE: SarifRule = SarifRule {
    id: "failure-inducing-change",
    name: "FailureInducingChange",
    short: "A change that decides whether a test fails.",
    full: "Experiments with the changes between two versions showed that the outcome of a test depends on this one.",
};

const TRANSITION: SarifRule = SarifRule {
    id: "cause-transition",
    name: "CauseTransition",
    short: "A place where one variable stops and another starts being the cause of a failure.",
    full: "Experiments with the states of a passing and a failing run showed which variables decide about the outcome, \
           and where they do.",
};

/// The log of a run with a result for each change or for each cause transition, indented, without a newline at its end.
///
/// If there is no place to point to, there are no results, and a notification has the answer.
#[must_use]
pub fn sarif(summary: &Summary) -> String {
    let rule = if summary.question == QuestionName::State { TRANSITION } else { CHANGE };
    let results: Vec<Value> = messages(summary).iter().map(|message| result(&rule, message)).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "howcome",
                "version": summary.howcome,
                "rules": [{
                    "id": rule.id,
                    "name": rule.name,
                    "shortDescription": {"text": rule.short},
                    "fullDescription": {"text": rule.full},
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

fn result(rule: &SarifRule, found: &Message) -> Value {
    let level = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut result = json!({
        "ruleId": rule.id,
        "ruleIndex": 0,
        "level": level,
        "message": message(&found.text),
        "locations": [{"physicalLocation": physical_location(&found.span)}],
    });
    if let Some(commit) = &found.commit {
        result["properties"] = json!({"commit": commit});
    }
    if !found.related.is_empty() {
        let related = (0_u64..).zip(found.related.iter()).map(|(id, (span, said))| {
            json!({"id": id, "physicalLocation": physical_location(span), "message": message(said)})
        });
        result["relatedLocations"] = related.collect();
    }
    if !found.flow.is_empty() {
        let steps: Vec<Value> = found
            .flow
            .iter()
            .map(
                |(span, said)| json!({"physicalLocation": physical_location(span), "message": message(said)}),
            )
            .map(|location| json!({"location": location}))
            .collect();
        result["codeFlows"] = json!([{"threadFlows": [{"locations": steps}]}]);
    }
    result
}

fn physical_location(span: &SourceSpan) -> Value {
    let mut location = Map::new();
    location.insert("artifactLocation".to_owned(), json!({"uri": uri(&span.path)}));
    if let Some((first, last)) = span.lines {
        let mut region = json!({"startLine": first, "endLine": last});
        if let Some(snippet) = &span.snippet {
            region["snippet"] = json!({"text": snippet});
        }
        location.insert("region".to_owned(), region);
    }
    Value::Object(location)
}

/// A message, in which single braces would stand for an argument.
fn message(text: &str) -> Value {
    json!({"text": text.replace('{', "{{").replace('}', "}}")})
}

/// A path as a reference: everything that could mean something else is written as its bytes.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    }
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
        assert_eq!(uri("/src/a b.c"), "file:///src/a%20b.c");
    }

    #[test]
    fn a_brace_in_a_message_does_not_ask_for_an_argument() {
        assert_eq!(message("Fix {0}"), json!({"text": "Fix {{0}}"}));
    }
}
