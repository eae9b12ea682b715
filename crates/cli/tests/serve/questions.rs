//! Each question is answered, watched, asked further, shared.

use crate::requests::send;
use crate::server::{Server, has_sandbox};
use serde_json::json;
use std::collections::BTreeSet;

#[test]
fn every_example_is_answered_and_its_page_shows_the_answer() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[]);
    let shown = [
        ("changes", "till.awk"),
        ("history", "till.awk"),
        ("input", "The original beside the answer"),
        ("items", "items is enough"),
        ("state", "The chain"),
    ];
    let jobs: Vec<String> = shown.iter().map(|(name, _)| server.example(name)).collect();
    for ((name, expected), id) in shown.iter().zip(&jobs) {
        let info = server.end_of(id);
        assert_eq!(info["ending"], "found", "{name}: {info}");
        let page = server.get(&format!("/jobs/{id}"));
        assert!(
            page.body.contains(expected) || page.body.contains("items are enough"),
            "{name}: {}",
            page.body
        );
        let finding = server.file(id, "finding.json").json();
        assert_eq!(finding["question"], *name);
    }
    assert!(server.file(&jobs[0], "culprit.patch").body.contains("n >= 10"));
    assert!(server.file(&jobs[2], "smaller-input").body.len() < 100);
    let status = server.get("/status").body;
    assert!(status.contains("<b>5</b> found"), "{status}");
    assert!(server.get("/metrics").body.contains("howcome_jobs{status=\"ended\",ending=\"found\"} 5"));
    assert_eq!(server.get("/health").body, "ok\n");
}

#[test]
fn a_step_of_a_chain_is_asked_how_it_came_to_be() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[]);
    let id = server.example("state");
    server.end_of(&id);
    let page = server.get(&format!("/jobs/{id}")).body;
    assert!(page.contains(&format!("action=\"/jobs/{id}/before/4\"")), "{page}");
    assert_eq!(server.post(&format!("/jobs/{id}/before/4")).status, 303);
    // Pressed twice, it is asked once.
    assert_eq!(server.post(&format!("/jobs/{id}/before/4")).status, 303);
    let began = std::time::Instant::now();
    let page = loop {
        let page = server.get(&format!("/jobs/{id}")).body;
        if !page.contains("data-refresh") {
            break page;
        }
        assert!(began.elapsed().as_secs() < 120);
        std::thread::park_timeout(std::time::Duration::from_millis(100));
    };
    assert!(page.contains("hands the cause on") && page.contains("prices[5]"), "{page}");
    assert!(page.contains("<pre class=\"source\""), "{page}");
    let origin = server.get(&format!("/api/v1/jobs/{id}/before/4")).json();
    assert!(
        origin["state"] == "found" && origin["sentence"].as_str().unwrap().contains("prices[0]"),
        "{origin}"
    );
    assert_eq!(server.get(&format!("/api/v1/jobs/{id}/before/3")).status, 404);
}

#[test]
fn two_archives_are_compared_and_two_releases_are_a_history() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[]);
    let version = |line: &str| {
        let text = format!("#!/bin/sh\necho start\n{line}\necho end\n");
        let mut header = Vec::new();
        // A tar file with one entry, in a folder as releases are.
        let mut head = [0u8; 512];
        head[..11].copy_from_slice(b"prog-1/prog");
        head[100..108].copy_from_slice(b"0000755\0");
        head[124..136].copy_from_slice(format!("{:011o}\0", text.len()).as_bytes());
        head[136..148].copy_from_slice(b"00000000000\0");
        head[148..156].copy_from_slice(b"        ");
        head[156] = b'0';
        head[257..263].copy_from_slice(b"ustar\0");
        head[263..265].copy_from_slice(b"00");
        let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
        head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        header.extend(head);
        header.extend(text.bytes());
        header.resize(header.len().next_multiple_of(512) + 1024, 0);
        header
    };
    let (good, bad) = (version("true"), version("exit 1"));
    let files = [("good_archive", "good.tar", good.as_slice()), ("bad_archive", "bad.tar", bad.as_slice())];
    for question in ["changes", "history"] {
        let id = server.job(&json!({"question": question, "test": "./prog"}), &files);
        let info = server.end_of(&id);
        assert_eq!(info["ending"], "found", "{question}: {info}");
        assert!(server.file(&id, "culprit.patch").body.contains("+exit 1"), "{question}");
    }
}

#[test]
fn an_input_that_passes_is_shown_beside_the_one_that_fails() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[]);
    let files: [(&str, &str, &[u8]); 2] =
        [("input_file", "fail.txt", b"a\nbad\nb\nc\n"), ("pass_file", "pass.txt", b"a\nc\n")];
    let request = json!({"question": "input", "test": "sh -c '! grep bad \"$1\"' x {}"});
    let id = server.job(&request, &files);
    let info = server.end_of(&id);
    assert_eq!(info["ending"], "found", "{info}");
    let page = server.get(&format!("/jobs/{id}")).body;
    assert!(page.contains("The failing input beside the passing one"), "{page}");
    // Paths inside the sandbox lead nowhere.
    assert!(!page.contains("is written to"), "{page}");
    let [failing, passing] = ["smaller-input", "passing-input"].map(|name| server.file(&id, name).body);
    assert!(failing.contains("bad") && !passing.contains("bad"), "{failing} {passing}");
}

#[test]
fn a_git_bundle_and_a_script_of_ones_own_are_enough() {
    if !has_sandbox() || !howcome_testing::need_program("git") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = "git init -q . && git config user.email a@b && git config user.name a && echo 1 >f && git add f && \
        git commit -qm one && git tag v1 && echo 2 >f && git commit -qam two && git bundle create -q ../b HEAD --all";
    let repository = folder.path().join("r");
    std::fs::create_dir(&repository).unwrap();
    assert!(
        std::process::Command::new("sh")
            .args(["-c", script])
            .current_dir(&repository)
            .status()
            .unwrap()
            .success()
    );
    let bundle = std::fs::read(folder.path().join("b")).unwrap();
    let server = Server::start(&[]);
    let request =
        json!({"question": "changes", "good": "v1", "bad": "HEAD", "script": "test \"$(cat f)\" = 1"});
    let id = server.job(&request, &[("bundle", "x.bundle", &bundle)]);
    let info = server.end_of(&id);
    assert_eq!(info["ending"], "found", "{info}");
    assert!(server.file(&id, "culprit.patch").body.contains("+2"));
}

#[test]
fn a_preparation_that_fails_is_named_before_what_it_printed() {
    if !howcome_testing::need_program("git") {
        return;
    }
    let server = Server::start(&["--no-sandbox"]);
    let request = json!({"question": "items", "list": "a", "test": "false", "setup": "echo no rule; exit 7"});
    let id = server.job(&request, &[]);
    let info = server.end_of(&id);
    let said = "the command `echo no rule; exit 7` failed with exit code 7\n\nno rule";
    assert_eq!((&info["ending"], &info["problem"]), (&json!("failed"), &json!(said)));
    assert!(!server.get(&format!("/jobs/{id}")).body.contains("Is this right?"));
    let bundle = b"# v2 git bundle\n0123456789012345678901234567890123456789 refs/heads/main\n\nPACK";
    let request = json!({"question": "changes", "good": "v1", "bad": "HEAD", "test": "false"});
    let id = server.job(&request, &[("bundle", "x.bundle", bundle)]);
    let problem = server.end_of(&id)["problem"].as_str().unwrap().to_owned();
    assert!(
        problem.starts_with("the command `git clone howcome-bundle.git` failed with exit code 128"),
        "{problem}"
    );
    assert!(problem.contains("fatal: ") && !problem.contains("hint:"), "{problem}");
}

/// A list whose search takes many short tests.
fn long_job() -> serde_json::Value {
    let list: Vec<String> = (0..400).map(|number| format!("item {number}")).collect();
    // Scattered items, each of which is needed.
    let needed: Vec<String> = (0..40).map(|number| format!("item {}", number * 10)).collect();
    let test = format!(
        "for i in {}; do grep -qx \"item $i\" \"$HOWCOME_ITEMS\" || exit 0; done; exit 1",
        needed.iter().map(|item| item.replace("item ", "")).collect::<Vec<_>>().join(" ")
    );
    json!({"question": "items", "list": list.join("\n"), "script": test})
}

#[test]
fn a_job_is_cancelled_resumed_and_run_again() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[]);
    let id = server.job(&long_job(), &[]);
    let began = std::time::Instant::now();
    while server.info(&id)["tests"].as_u64().unwrap_or(0) < 3 && began.elapsed().as_secs() < 100 {
        std::thread::park_timeout(std::time::Duration::from_millis(20));
    }
    assert_eq!(server.post(&format!("/jobs/{id}/cancel")).status, 303);
    let info = server.end_of(&id);
    assert_eq!(info["status"], "cancelled", "{info}");
    let tests = info["tests"].as_u64().unwrap();
    assert!(tests >= 3, "{info}");
    assert_eq!(server.post(&format!("/jobs/{id}/resume")).status, 303);
    let info = server.end_of(&id);
    assert_eq!(info["ending"], "found", "{info}");
    assert!(info["tests"].as_u64().unwrap() > tests);
    let items = server.file(&id, "finding.json").json()["finding"]["items"].as_array().unwrap().len();
    assert_eq!(items, 40);
    let again = server.post(&format!("/api/v1/jobs/{id}/again")).json()["job"].as_str().unwrap().to_owned();
    assert_ne!(again, id);
    assert_eq!(server.end_of(&again)["ending"], "found");
}

#[test]
fn a_page_that_watches_is_told_about_progress_and_about_the_end() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[]);
    let id = server.job(&long_job(), &[]);
    let stream = send(server.address, "GET", &format!("/jobs/{id}/events"), "", b"");
    assert_eq!(stream.header("content-type"), Some("text/event-stream"), "{stream:?}");
    assert!(stream.body.contains("event: live") && stream.body.contains(" left."), "{}", stream.body);
    assert!(stream.body.contains("event: over"), "{}", stream.body);
    assert_eq!(server.info(&id)["status"], "ended");
    // A program gets the same as JSON; one that connects after the end is told the end.
    let stream = send(server.address, "GET", &format!("/api/v1/jobs/{id}/events"), "", b"");
    let last = stream.body.lines().filter_map(|line| line.strip_prefix("data: {")).next_back();
    let last: serde_json::Value = serde_json::from_str(&format!("{{{}", last.unwrap())).unwrap();
    assert_eq!(last, server.info(&id));
    assert!(stream.body.contains("event: over"), "{}", stream.body);
    assert_eq!(server.get("/api/v1/status").json()["ended"], json!({"found": 1}));
}

#[test]
fn feedback_is_kept_and_a_shared_address_opens_the_page_for_reading_only() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[]);
    let id = server.example("items");
    server.end_of(&id);
    assert_eq!(
        server.post_form(&format!("/jobs/{id}/feedback"), "verdict=wrong&comment=%3Cb%3Eno%3C%2Fb%3E").status,
        303
    );
    assert_eq!(server.post_form(&format!("/jobs/{id}/feedback"), "verdict=perhaps").status, 400);
    let page = server.get(&format!("/jobs/{id}")).body;
    assert!(page.contains("<b>wrong</b>") && page.contains("&#60;b&#62;no"), "{page}");
    let given = server.get(&format!("/api/v1/jobs/{id}/feedback")).json();
    assert_eq!(given, json!([{"author": "", "verdict": "wrong", "comment": "<b>no</b>"}]));
    let shared = server.post_form(&format!("/jobs/{id}/share"), "days=7").body;
    let secret = shared.split("/shared/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let page = server.get(&format!("/shared/{secret}"));
    assert_eq!(page.status, 200);
    assert!(
        !page.body.contains("/cancel")
            && !page.body.contains("Delete")
            && !page.body.contains("Is this right?"),
        "{}",
        page.body
    );
    assert_eq!(server.get(&format!("/shared/{secret}/download/finding.json")).status, 200);
    assert_eq!(server.get(&format!("/shared/{}x", &secret[1..])).status, 404);
    assert_eq!(server.post(&format!("/jobs/{id}/unshare")).status, 303);
    assert_eq!(server.get(&format!("/shared/{secret}")).status, 404);
    let log = std::fs::read_to_string(&server.log).unwrap();
    assert!(!log.contains(&secret), "a secret is in the log");
}

#[test]
fn the_description_of_the_interface_names_every_address_and_the_first_page_is_small() {
    let server = Server::start(&["--no-sandbox"]);
    let description = server.get("/api/v1/openapi.json").json();
    let mut described = BTreeSet::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, about) in methods.as_object().unwrap() {
            assert!(
                described.insert(about["operationId"].to_string()),
                "{method} {path} has a name of its own"
            );
            // What is described exists: no answer of the router itself, which knows neither the address nor the method.
            let address = path.replace("{id}", "aaaaaaaaaaaaaaaaaaaaaaaaaa").replace("{step}", "1");
            let headers = "Content-Type: application/json\r\n";
            let reply =
                send(server.address, &method.to_uppercase(), &address.replace("{name}", "x"), headers, b"{}");
            let is_known =
                reply.status != 405 && (reply.status != 404 || reply.body.contains("or it is not yours"));
            assert!(is_known, "{method} {path}: {reply:?}");
            assert!(about["summary"].as_str().is_some_and(|summary| !summary.is_empty()), "{method} {path}");
            for (status, response) in about["responses"].as_object().unwrap() {
                assert!(response["description"].is_string(), "{method} {path} {status}");
            }
        }
    }
    assert_eq!(described.len(), 18, "{description}");
    assert!(description["components"]["securitySchemes"]["token"].is_object());
    let page = server.get("/");
    let style = page.body.split("href=\"").find(|part| part.starts_with("/assets/style.css")).unwrap();
    let style = server.get(style.split('"').next().unwrap());
    let script = server.get("/assets/app.js");
    let bytes = page.body.len() + style.body.len() + script.body.len();
    assert!(bytes < 100_000, "{bytes}");
    for text in [&page.body, &style.body, &script.body] {
        assert!(!text.contains("http://") && !text.contains("https://") && !text.contains("url("), "{text}");
    }
}
