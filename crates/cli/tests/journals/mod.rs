//! What the journal of a run says.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use crate::howcome::Place;
use serde_json::Value;

/// The entries of a journal.
pub fn entries(place: &Place, run: &str) -> Vec<Value> {
    let journal = String::from_utf8(place.read(&format!("{run}/journal.jsonl"))).unwrap();
    journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The trail of a run: its stages and questions, what was asked, how it was answered, and why.
pub fn trail(place: &Place, run: &str) -> Vec<String> {
    let entries = entries(place, run);
    // The configuration of a question is that of its test, unless a test of another one with the same content answered it. Which of the
    // two is tested depends on the order in which tests start, and so do the numbers of tests.
    let tested = |test: &Value| {
        let observed = |entry: &&Value| entry["event"] == "observed" && entry["test"] == *test;
        entries.iter().find(observed).map(|entry| entry["configuration"].clone())
    };
    let steps = entries.iter().filter(|entry| entry["event"] == "told" || entry["event"] == "stage");
    steps
        .map(|entry| {
            let mut step = entry.clone();
            if entry["event"] == "told" && entry["configuration"].is_null() {
                step["configuration"] = tested(&entry["test"]).unwrap_or_default();
            }
            step.as_object_mut().unwrap().remove("test");
            step.to_string()
        })
        .collect()
}
