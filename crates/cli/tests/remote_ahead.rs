//! `--remote` with more slots than a search has use for: they run proofs of the answer, later passes, and the search for the next cause.
//! The answer and the trail are those of a run on this machine.

#![allow(clippy::unwrap_used)]

#[path = "../../remote/tests/fake_cluster/mod.rs"]
mod fake_cluster;
mod howcome;
mod journals;

use fake_cluster::{ClusterOptions, FakeCluster};
use howcome::{Place, Repo, finding_of};
use journals::{entries, trail};
use serde_json::Value;

/// Asks here and on a cluster. Returns the record of the run on the cluster.
fn ask_twice(place: &Place, question: &[&str], test: &[&str]) -> Vec<Value> {
    let cluster = FakeCluster::start(ClusterOptions { slots: 16, ..ClusterOptions::default() });
    let ask = |run: &str, flags: &[&str]| {
        let words = [question, &["-q", "--json", "--run-dir", run], flags, &["--"], test].concat();
        // Each run has a folder of its own for the patches.
        finding_of(&place.json(&words)).to_string().replace(&format!("\"{run}/"), "\"run/")
    };
    let here = ask("here", &["-j1"]);
    assert_eq!(ask("there", &["-j16", "--remote", &cluster.url()]), here);
    assert_eq!(trail(place, "there"), trail(place, "here"));
    let state = cluster.cluster.state();
    assert!(state.most_at_once <= 16, "{} at once", state.most_at_once);
    drop(state);
    entries(place, "there")
}

/// The stages whose first test had started before they began.
fn begun_before(entries: &[Value]) -> Vec<String> {
    let is_ahead = |test: &Value| {
        let observed = |entry: &&Value| entry["event"] == "observed" && entry["test"] == *test;
        entries.iter().find(observed).is_some_and(|entry| entry["ahead"] == true)
    };
    let (mut stage, mut begun) = (None, Vec::new());
    for entry in entries {
        if entry["event"] == "stage" {
            stage = Some(entry["subject"].to_string());
        }
        if entry["event"] == "told"
            && entry["how"] == "tested"
            && let Some(stage) = stage.take()
            && is_ahead(&entry["test"])
        {
            begun.push(stage);
        }
    }
    begun
}

/// How many confirmations had started before anybody waited for them.
fn proofs_ahead(entries: &[Value]) -> usize {
    let is_proof = |entry: &&Value| entry["purpose"].as_str().is_some_and(|why| why.starts_with("confirm"));
    entries.iter().filter(is_proof).filter(|entry| entry["ahead"] == true).count()
}

#[test]
fn idle_slots_search_for_the_next_cause_and_prove_this_one() {
    let repo = Repo::new();
    repo.write("one.txt", b"fine\n");
    repo.write("two.txt", b"fine\n");
    repo.commit("first");
    for number in 1..12 {
        match number {
            3 => repo.change("one.txt", "bad\nmore\n"),
            9 => repo.change("two.txt", "bad\nmore\n"),
            _ => repo.change("notes.txt", &format!("notes {number}\n")),
        };
    }
    let question = ["changes", "--good", "HEAD~11", "--bad", "HEAD", "--all"];
    let entries = ask_twice(&repo, &question, &["sh", "-c", "! cat one.txt two.txt | grep bad"]);
    let begun = begun_before(&entries);
    assert!(begun.iter().any(|stage| stage.contains("commits")), "{begun:?}");
    assert!(proofs_ahead(&entries) >= 4, "{} proofs", proofs_ahead(&entries));
    // Whether the test has changed its mind meanwhile shows only at the end.
    let observed = entries.iter().filter(|entry| entry["event"] == "observed");
    let (again, others): (Vec<_>, Vec<_>) = observed.partition(|entry| entry["purpose"] == "confirm-again");
    assert!(others.iter().all(|other| number(other) < number(again.last().unwrap())), "{again:#?}");
}

fn number(entry: &Value) -> u64 {
    entry["test"].as_u64().unwrap()
}

/// Neither as a test of a later stage nor because its result was not the expected one.
#[test]
fn no_confirmation_runs_twice() {
    let repo = Repo::new();
    repo.write("one.txt", b"fine\n");
    repo.commit("first");
    repo.change("one.txt", "bad\nmore\n");
    let question = ["changes", "--good", "HEAD~1", "--bad", "HEAD"];
    let entries = ask_twice(&repo, &question, &["sh", "-c", "! grep bad one.txt"]);
    let of = |event: &str| entries.iter().filter(move |entry| entry["event"] == event).collect::<Vec<_>>();
    let is_confirmation = |entry: &&Value| entry["purpose"].as_str().unwrap().starts_with("confirm");
    let confirmations: Vec<_> = of("observed").into_iter().filter(is_confirmation).map(number).collect();
    assert_eq!(confirmations.len(), 4, "{entries:#?}");
    // Guesses of the search have smaller numbers.
    let first = confirmations.into_iter().min().unwrap();
    assert!(of("cancelled").into_iter().all(|cancelled| number(cancelled) < first), "{entries:#?}");
}

#[test]
fn idle_slots_run_later_passes_and_prove_the_smallest_input() {
    let place = Place::empty();
    let text: String = (0..30).map(|number| format!("line {number}\n")).collect();
    place.write("in.txt", text.as_bytes());
    place.script("check.sh", "#!/bin/sh\ngrep -q 'line 17' \"$1\" && { echo bad >&2; exit 1; }\nexit 0\n");
    let entries = ask_twice(&place, &["input", "in.txt"], &["./check.sh", "{}"]);
    let begun = begun_before(&entries);
    assert!(begun.len() >= 2, "{begun:?}");
    assert_eq!(proofs_ahead(&entries), 1);
}

#[test]
fn idle_slots_prove_a_difference() {
    let place = Place::empty();
    let text: String = (0..30).map(|number| format!("line {number}\n")).collect();
    place.write("bad.txt", text.as_bytes());
    let good = [3, 9, 17, 21, 26].iter().fold(text, |text, number| {
        text.replace(&format!("line {number}\n"), &format!("another text {number}\n"))
    });
    place.write("good.txt", good.as_bytes());
    place.script("check.sh", "#!/bin/sh\ngrep -q 'line 17' \"$1\" && { echo bad >&2; exit 1; }\nexit 0\n");
    let entries = ask_twice(&place, &["input", "bad.txt", "--pass", "good.txt"], &["./check.sh", "{}"]);
    assert_eq!(proofs_ahead(&entries), 2, "{entries:#?}");
}
