//! Programs and uploads that mean harm.

use crate::server::{Server, has_sandbox};
use serde_json::{Value, json};

/// Runs a shell script as the preparation of a job, and gives what it printed.
fn in_a_job(server: &Server, script: &str) -> (Value, String) {
    let request = json!({"question": "items", "list": "a\nb", "setup": script, "script": "! grep -q a \"$HOWCOME_ITEMS\""});
    let id = server.job(&request, &[]);
    let info = server.end_of(&id);
    let printed = server.file(&id, "messages.txt").body;
    (info, printed)
}

#[test]
fn a_job_sees_neither_the_network_nor_the_host_nor_other_jobs() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[]);
    let (data, pid, port) = (server.data.display(), server.pid(), server.address.port());
    let secret = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(secret.path(), "the host's secret").unwrap();
    let script = format!(
        "for f in {data}/howcome.db {} /etc/shadow /root /home; do cat $f 2>/dev/null || ls $f 2>/dev/null; done; \
         ls {data} 2>/dev/null && echo SAW data; ls /proc/{pid} 2>/dev/null | grep -q status && tr '\\0' ' ' </proc/{pid}/cmdline | grep serve && echo SAW server; \
         ls /sys/class/net 2>/dev/null | grep -v lo && echo SAW network; \
         python3 -c \"import socket; socket.create_connection(('127.0.0.1', {port}), 2); print('SAW service')\" 2>/dev/null; \
         touch /usr/x /etc/x /x 2>/dev/null && echo SAW writable; \
         kill -9 {pid} 2>/dev/null && echo SAW kill; \
         python3 -c 'import ctypes; trace = ctypes.CDLL(None).ptrace; print(\"SAW trace\" * any(trace(16, pid, 0, 0) == 0 for pid in (1, {pid})))'; \
         echo done",
        secret.path().display()
    );
    let (info, printed) = in_a_job(&server, &script);
    assert_eq!(info["ending"], "found", "{info} {printed}");
    assert!(printed.contains("done") && !printed.contains("SAW") && !printed.contains("secret"), "{printed}");
    assert!(!printed.contains("root:"), "{printed}");
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn bombs_end_at_their_limits_and_the_service_goes_on() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[
        "--slots",
        "1",
        "--job-processes",
        "60",
        "--job-memory",
        "300M",
        "--job-disk",
        "20M",
        "--job-time",
        "20s",
    ]);
    let bombs = [
        ("processes", "f() { f | f & }; f; wait; echo over"),
        ("memory", "python3 -c 'x = bytearray(10**9)' && echo SAW"),
        (
            "many small ones",
            "for i in 1 2 3 4 5 6; do python3 -c 'import time; x = bytearray(10**8); time.sleep(30)' & done; wait; echo SAW",
        ),
        (
            "disk",
            "head -c 100000000 /dev/zero >big && echo SAW; i=0; while [ $i -lt 500 ]; do head -c 1000000 /dev/zero >f$i || exit 1; i=$((i+1)); done; sleep 5; echo SAW",
        ),
        (
            "files without a name",
            "python3 -c 'import os, time; all = [(open(\"x\", \"wb\"), os.unlink(\"x\")) for i in range(20)]; [f.write(b\"x\" * 10**7) for f, _ in all]; time.sleep(60)'; echo SAW",
        ),
        (
            "files in memory",
            "python3 -c 'import os, time; [os.write(os.memfd_create(\"x\"), b\"x\" * 10**7) for i in range(20)]; time.sleep(60)'; echo SAW",
        ),
        (
            "shared memory",
            "for i in 1 2 3 4 5 6; do python3 -c 'import mmap, time; m = mmap.mmap(-1, 10**8); [m.write(b\"x\" * 10**6) for i in range(100)]; time.sleep(60)' & done; wait; echo SAW",
        ),
        (
            "empty files",
            "python3 -c 'import time; [open(\"f%d\" % i, \"w\").close() for i in range(60000)]; time.sleep(60)'; echo SAW",
        ),
        (
            "devices",
            "head -c 1000 /dev/zero >/dev/x && echo SAW; for i in 1 2 3 4 5; do head -c 9000000 /dev/zero >/dev/shm/$i; done; sleep 60; echo SAW",
        ),
        ("output", "head -c 200000000 /dev/zero | tr '\\0' x; exit 1"),
    ];
    for (name, bomb) in bombs {
        let (info, printed) = in_a_job(&server, bomb);
        assert!(!printed.contains("SAW"), "{name}: {info}");
        assert!(printed.len() < 3_000_000, "{name}: {}", printed.len());
        assert_eq!(server.get("/health").status, 200, "{name}");
    }
    // After all of them, an honest job is answered.
    let (info, _) = in_a_job(&server, "true");
    assert_eq!(info["ending"], "found", "{info}");
}

/// Every bomb of processor time counts, also of processes that were killed.
#[test]
fn processor_time_is_counted_and_ends_at_the_quota() {
    if !has_sandbox() {
        return;
    }
    // On a busy machine, the job gets only a small part of a processor.
    let server = Server::start(&["--user-cpu", "300ms", "--job-time", "10s"]);
    // It detaches itself, and never ends.
    let (info, _) = in_a_job(&server, "setsid sh -c 'while :; do :; done' & wait");
    assert_eq!(info["ending"], "failed", "{info}");
    assert!(info["problem"].as_str().unwrap().contains("longer than 10"), "{info}");
    let request = json!({"question": "items", "list": "a", "test": "false"});
    let reply = server.submit(&request, &[]);
    assert_eq!(reply.status, 429, "{reply:?}");
    assert!(reply.body.contains("processor time"), "{reply:?}");
}

#[test]
fn nobody_guesses_an_address() {
    let server = Server::start(&["--no-sandbox"]);
    let id = server.job(&json!({"question": "items", "list": "a\nb", "test": "false"}), &[]);
    let answer = server.get("/jobs/aaaaaaaaaaaaaaaaaaaaaaaaaa");
    assert_eq!(answer.status, 404);
    for guess in [
        &id[1..],
        &format!("{}a", &id[..25]),
        "%2e%2e",
        "..%2f..%2fetc%2fpasswd",
        "'%20or%201=1--",
        "",
        "%00",
    ] {
        for path in [
            format!("/jobs/{guess}/events"),
            format!("/shared/{guess}"),
            format!("/api/v1/jobs/{guess}/files/finding.json"),
        ] {
            let reply = server.get(&path);
            assert!(reply.status == 404 || reply.status == 400, "{path}: {reply:?}");
        }
    }
    // What does not exist and what is somebody else's look the same.
    assert_eq!(server.get("/shared/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa").body, answer.body);
}

#[test]
fn a_program_that_detaches_itself_does_not_outlive_its_job() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[]);
    let name = format!("{}", 86_000 + std::process::id() % 10_000);
    let (info, _) =
        in_a_job(&server, &format!("setsid nohup sleep {name} >/dev/null 2>&1 </dev/null & sleep 0.1"));
    assert_eq!(info["ending"], "found", "{info}");
    let alive = std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        std::fs::read(entry.path().join("cmdline"))
            .is_ok_and(|line| line == format!("sleep\0{name}\0").as_bytes())
    });
    assert!(!alive);
}

#[test]
fn links_that_a_job_leaves_behind_lead_nowhere() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[]);
    let script = "mkdir -p ../run; ln -s /etc/passwd ../answer; ln -s /etc/passwd ../run/culprit.patch; mkfifo ../run/forward.patch; exit 1";
    let request = json!({"question": "items", "list": "a", "setup": script, "test": "false"});
    let id = server.job(&request, &[]);
    server.end_of(&id);
    for name in [
        "smaller-input",
        "culprit.patch",
        "forward.patch",
        "../../howcome.db",
        "..%2f..%2fhowcome.db",
        "journal.jsonl",
    ] {
        assert_eq!(server.file(&id, name).status, 404, "{name}");
    }
    assert_eq!(server.get(&format!("/jobs/{id}")).status, 200);
}

#[test]
fn a_forged_journal_shows_nothing_but_itself() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[]);
    let script = "mkdir -p ../run && printf '%s\\n' '{\"event\":\"warning\",\"text\":\"<script>alert(1)</script>\"}' 'rubbish' > ../run/journal.jsonl; \
         printf '%s' '{\"howcome\":\"<img src=x>\",\"version\":1,\"question\":\"items\",\"algorithm\":\"ddmin\",\"jobs\":1,\"started\":99999999999999,\"request\":null}' > ../run/run.json";
    let request = json!({"question": "items", "list": "a", "setup": script, "test": "false"});
    let id = server.job(&request, &[]);
    server.end_of(&id);
    let page = server.get(&format!("/jobs/{id}"));
    assert_eq!(page.status, 200, "{page:?}");
    assert!(!page.body.contains("<script>alert") && !page.body.contains("<img src=x>"), "{}", page.body);
}

#[test]
fn names_and_outputs_with_html_and_escapes_are_shown_as_text() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[]);
    let evil = "<script>alert(1)</script>\u{1b}[2J\"'><img src=x onerror=alert(1)>";
    let request = json!({
        "question": "items", "title": evil, "list": format!("{evil}\nb"),
        "script": format!("printf '%s' '{}'; test ! -s \"$HOWCOME_ITEMS\"", evil.replace('\'', "")),
    });
    let id = server.job(&request, &[("file", "<b>x\".txt", b"x")]);
    server.end_of(&id);
    for path in [format!("/jobs/{id}"), "/".to_owned(), "/jobs".to_owned(), format!("/new/items?from={id}")] {
        let page = server.get(&path).body;
        assert!(!page.contains("<script>alert") && !page.contains("<img src=x"), "{path}: {page}");
        assert!(!page.contains('\u{1b}') || path.contains("new"), "{path}");
    }
    let log = std::fs::read_to_string(&server.log).unwrap();
    assert!(!log.contains('\u{1b}'));
}

#[test]
fn uploads_that_are_truncated_or_no_archives_are_refused_and_leave_nothing() {
    let server = Server::start(&["--no-sandbox"]);
    let request = json!({"question": "changes", "test": "true"});
    for (part, content) in [
        ("good_archive", &b"not an archive"[..]),
        ("bundle", b"not a bundle"),
        ("archive", b"\x1f\x8b\x08\x00garbage"),
        ("archive", b"PK\x03\x04garbage"),
    ] {
        let reply = server.submit(&request, &[(part, "x", content)]);
        assert_eq!(reply.status, 400, "{part}: {reply:?}");
    }
    let headers = "Content-Type: multipart/form-data; boundary=limit\r\n";
    let body = b"--limit\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\nhalf of it";
    assert_eq!(crate::requests::send(server.address, "POST", "/api/v1/jobs", headers, body).status, 400);
    let reply = server.submit(&json!({"question": "items", "lsit": "a"}), &[]);
    assert!(reply.status == 400 && reply.body.contains("lsit"), "{reply:?}");
    assert_eq!(std::fs::read_dir(server.data.join("jobs")).unwrap().count(), 0);
}
