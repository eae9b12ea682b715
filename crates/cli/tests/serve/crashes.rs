//! A service that is killed loses no job that it has acknowledged.

use crate::requests::{form, try_send};
use crate::server::{Server, has_sandbox};
use serde_json::json;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// A small question whose answer depends on its number.
fn numbered(number: usize) -> serde_json::Value {
    let list: Vec<String> = (0..40).map(|line| format!("x{line}")).collect();
    let script = format!("! grep -qx x{} \"$HOWCOME_ITEMS\"", number % 40);
    json!({"question": "items", "title": format!("job {number}"), "list": list.join("\n"), "script": script})
}

/// Submits one job, again and again until it is acknowledged.
fn submit(address: &Mutex<SocketAddr>, number: usize) -> String {
    let (request, key) = (numbered(number).to_string(), format!("key {number}"));
    let parts = [("request", None, request.as_bytes()), ("retry_key", None, key.as_bytes())];
    let (headers, body) = form(&parts);
    loop {
        let address = *address.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = try_send(address, "POST", "/api/v1/jobs", &headers, &body);
        let whole = reply.and_then(|reply| serde_json::from_str::<serde_json::Value>(&reply.body).ok());
        match whole.as_ref().and_then(|reply| reply["job"].as_str()) {
            Some(id) => return id.to_owned(),
            None => thread::park_timeout(Duration::from_millis(5)),
        }
    }
}

/// Several clients submit jobs while the service is killed at moments that depend on nothing else.
fn kill_and_count(submissions: usize, kills: usize) {
    const CLIENTS: usize = 4;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = Server::start_in(&data, &["--slots", "2"]);
    let (address, next) = (Mutex::new(server.address), AtomicUsize::new(0));
    let mut acknowledged: Vec<(usize, String)> = Vec::new();
    thread::scope(|scope| {
        let (address, next) = (&address, &next);
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| {
                scope.spawn(move || {
                    let mine = std::iter::repeat_with(|| next.fetch_add(1, Ordering::SeqCst));
                    mine.take_while(|number| *number < submissions)
                        .map(|number| (number, submit(address, number)))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        let mut seed = 20_261_118u64;
        for _ in 0..kills {
            // Up to 0.4 s: during a start, a submission, a preparation, a search, an end.
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            thread::park_timeout(Duration::from_millis(seed >> 33 & 0x1ff).min(Duration::from_millis(400)));
            server.kill();
            server = Server::start_in(&data, &["--slots", "2"]);
            *address.lock().unwrap() = server.address;
        }
        acknowledged = clients.into_iter().flat_map(|client| client.join().unwrap()).collect();
    });
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
    // Each job was recorded as ended once: the log has at most one line for each.
    let log = std::fs::read_to_string(&server.log).unwrap();
    let lines = || log.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let ended: Vec<String> = lines()
        .filter(|line| line["event"] == "job.ended")
        .map(|line| line["job"].as_str().unwrap().to_owned())
        .collect();
    let distinct: BTreeSet<&String> = ended.iter().collect();
    assert_eq!(distinct.len(), ended.len(), "a job ended twice");
    let continued = lines().filter(|line| line["event"] == "job.started" && line["attempt"] != 1).count();
    eprintln!("{submissions} submissions, {} kills: all answered, {continued} continued", kills + 1);
}

#[test]
fn killed_services_lose_no_acknowledged_job() {
    if has_sandbox() {
        kill_and_count(16, 4);
    }
}

#[test]
fn two_hundred_submissions_survive_twenty_kills() {
    if howcome_testing::runs_long_suites() && has_sandbox() {
        kill_and_count(200, 20);
    }
}

/// A question that takes some seconds.
fn slow() -> serde_json::Value {
    json!({"question": "items", "list": "a\nb\nc\nd\ne\nf\ng\nh", "script": "sleep 0.2; ! grep -q c \"$HOWCOME_ITEMS\""})
}

#[test]
fn a_service_that_is_ended_gives_its_jobs_to_the_next_one() {
    if !has_sandbox() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = Server::start_in(&data, &[]);
    let id = server.job(&slow(), &[]);
    server.wait_for(&id, &["running"]);
    assert!(server.end(), "{}", std::fs::read_to_string(&server.log).unwrap());
    let server = Server::start_in(&data, &[]);
    assert_eq!(server.end_of(&id)["ending"], "found");
}

#[test]
fn jobs_without_a_sandbox_end_with_a_killed_service_and_are_continued() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = Server::start_in(&data, &["--no-sandbox"]);
    let id = server.job(&slow(), &[]);
    while server.info(&id)["tests"].as_u64().unwrap_or(0) == 0 {
        thread::park_timeout(Duration::from_millis(10));
    }
    server.kill();
    let server = Server::start_in(&data, &["--no-sandbox"]);
    let info = server.end_of(&id);
    assert_eq!(info["ending"], "found", "{info}");
}
