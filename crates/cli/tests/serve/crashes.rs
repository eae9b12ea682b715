//! A service that is killed loses no job that it has acknowledged.

use crate::server::{Server, has_sandbox};
use serde_json::json;
use std::collections::BTreeSet;

/// A small question whose answer depends on its number.
fn numbered(number: usize) -> serde_json::Value {
    let list: Vec<String> = (0..40).map(|line| format!("x{line}")).collect();
    let script = format!("! grep -qx x{} \"$HOWCOME_ITEMS\"", number % 40);
    json!({"question": "items", "title": format!("job {number}"), "list": list.join("\n"), "script": script})
}

/// Submits jobs while the service is killed at moments that depend on the seed.
fn kill_and_count(submissions: usize, kills: usize) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = Server::start_in(&data, &["--slots", "2"]);
    let mut acknowledged: Vec<(usize, String)> = Vec::new();
    let mut seed = 20_261_118u64;
    let between = submissions / kills;
    let (mut killed, mut next) = (0, 0);
    for number in 0..submissions {
        acknowledged.push((number, server.job(&numbered(number), &[])));
        if number % between == 0 {
            // Once in each stretch, at a place that depends on the seed.
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            next = number + usize::try_from(seed >> 33).unwrap() % between;
        }
        if number == next {
            server.kill();
            killed += 1;
            server = Server::start_in(&data, &["--slots", "2"]);
        }
    }
    assert_eq!(killed, kills);
    // And once more while only jobs run.
    server.kill();
    let server = Server::start_in(&data, &["--slots", "2"]);
    for (number, id) in &acknowledged {
        let info = server.end_of(id);
        assert_eq!(info["ending"], "found", "{number}: {info}");
        let finding = server.file(id, "finding.json").json();
        assert_eq!(finding["finding"]["items"], json!([format!("x{}", number % 40)]), "{number}");
    }
    let ids: BTreeSet<&String> = acknowledged.iter().map(|(_, id)| id).collect();
    assert_eq!(ids.len(), submissions);
    let listed = server.get("/api/v1/jobs").json().as_array().unwrap().len();
    assert_eq!(listed, submissions, "none is there twice");
    // Each job was recorded as ended once: the log has one line for each.
    let log = std::fs::read_to_string(&server.log).unwrap();
    let ended: Vec<String> = log
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|line| line["event"] == "job.ended")
        .map(|line| line["job"].as_str().unwrap().to_owned())
        .collect();
    let distinct: BTreeSet<&String> = ended.iter().collect();
    assert_eq!(distinct.len(), ended.len(), "a job ended twice");
}

#[test]
fn killed_services_lose_no_acknowledged_job() {
    if has_sandbox() {
        kill_and_count(12, 3);
    }
}

#[test]
fn two_hundred_submissions_survive_twenty_kills() {
    if howcome_testing::runs_long_suites() && has_sandbox() {
        kill_and_count(200, 20);
    }
}

#[test]
fn a_service_that_is_ended_gives_its_jobs_to_the_next_one() {
    if !has_sandbox() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = Server::start_in(&data, &[]);
    let slow = json!({"question": "items", "list": "a\nb\nc\nd", "script": "sleep 0.2; ! grep -q c \"$HOWCOME_ITEMS\""});
    let id = server.job(&slow, &[]);
    server.wait_for(&id, &["running"]);
    assert!(server.end(), "{}", std::fs::read_to_string(&server.log).unwrap());
    let server = Server::start_in(&data, &[]);
    assert_eq!(server.end_of(&id)["ending"], "found");
}
