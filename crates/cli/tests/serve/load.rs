//! Many people at once: how long each of them waits, and how much memory the service takes.

use crate::requests::send;
use crate::server::{Server, has_sandbox};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Follows a job to its end. Returns how long the first sign took, and how many came.
fn watch(server: SocketAddr, id: &str) -> (Duration, usize) {
    let began = Instant::now();
    let mut stream = TcpStream::connect(server).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
    write!(stream, "GET /jobs/{id}/events HTTP/1.1\r\nHost: {server}\r\n\r\n").unwrap();
    let (mut first, mut signs) = (None, 0);
    for line in BufReader::new(stream).lines() {
        let line = line.unwrap();
        match line.strip_prefix("event: ") {
            Some("live") => {
                first.get_or_insert_with(|| began.elapsed());
                signs += 1;
            }
            Some("over") => return (first.expect("something before the end"), signs),
            _ => {}
        }
    }
    panic!("the stream ended before the job");
}

/// A small question with a few dozen tests.
fn question(number: usize) -> serde_json::Value {
    let list: Vec<String> = (0..60).map(|line| format!("x{line}")).collect();
    let script = format!(
        "! (grep -qx x{} \"$HOWCOME_ITEMS\" && grep -qx x{} \"$HOWCOME_ITEMS\")",
        number % 30,
        30 + number % 30
    );
    json!({"question": "items", "list": list.join("\n"), "script": script})
}

/// Kilobytes in memory.
fn memory(pid: u32, which: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(which)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn shown(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)].as_millis();
    format!("median {} ms, 95 % within {} ms, at most {} ms", at(50), at(95), at(100))
}

/// `watching` clients watch the jobs that `submitting` clients submit at the same moment, while another one reads pages.
fn many_clients(watching: usize, submitting: usize) {
    let server = Server::start(&["--connections", "1000"]);
    let before = memory(server.pid(), "VmRSS:");
    let (start, is_over) = (Barrier::new(submitting), AtomicBool::new(false));
    let (mut submitted, mut first_signs, mut pages) = (Vec::new(), Vec::new(), Vec::new());
    thread::scope(|scope| {
        let (server, start, is_over) = (&server, &start, &is_over);
        let reader = scope.spawn(move || {
            let mut times = Vec::new();
            while !is_over.load(Ordering::Relaxed) || times.is_empty() {
                let began = Instant::now();
                assert_eq!(send(server.address, "GET", "/", "", b"").status, 200);
                times.push(began.elapsed());
                thread::park_timeout(Duration::from_millis(20));
            }
            times
        });
        let clients: Vec<_> = (0..submitting)
            .map(|number| {
                scope.spawn(move || {
                    start.wait();
                    let began = Instant::now();
                    (server.job(&question(number), &[]), began.elapsed())
                })
            })
            .collect();
        submitted = clients.into_iter().map(|client| client.join().unwrap()).collect();
        let watchers: Vec<_> = (0..watching)
            .map(|number| {
                let id = submitted[number % submitting].0.clone();
                let watcher = thread::Builder::new().stack_size(256 << 10);
                watcher.spawn_scoped(scope, move || watch(server.address, &id)).unwrap()
            })
            .collect();
        first_signs = watchers.into_iter().map(|watcher| watcher.join().unwrap().0).collect();
        is_over.store(true, Ordering::Relaxed);
        pages = reader.join().unwrap();
    });
    for (number, (id, _)) in submitted.iter().enumerate() {
        assert_eq!(server.end_of(id)["ending"], "found");
        let items = json!([format!("x{}", number % 30), format!("x{}", 30 + number % 30)]);
        assert_eq!(server.file(id, "finding.json").json()["finding"]["items"], items);
    }
    let most = memory(server.pid(), "VmHWM:");
    eprintln!("{watching} clients watching, {submitting} submitting at the same moment");
    eprintln!("  submit      {}", shown(submitted.into_iter().map(|(_, took)| took).collect()));
    eprintln!("  first sign  {}", shown(first_signs));
    eprintln!("  start page  {}", shown(pages));
    eprintln!("  memory      {} MB before, {} MB at most", before / 1_000, most / 1_000);
    // Far above what it takes, and far below what it would take if each client had a copy of each job.
    assert!(most < before + 300_000, "{before} kB, then {most} kB");
}

#[test]
fn many_people_watch_and_submit_at_once() {
    if has_sandbox() {
        many_clients(60, 6);
    }
}

#[test]
fn five_hundred_people_watch_and_fifty_submit_at_once() {
    if howcome_testing::runs_long_suites() && has_sandbox() {
        many_clients(500, 50);
    }
}
