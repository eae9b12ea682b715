//! Tokens, other people's jobs, other sites, limits.

use crate::requests::{form, send};
use crate::server::{Server, howcome};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

fn add_token(data: &Path, name: &str) -> String {
    let output = howcome().args(["serve", "token", "add", name, "--data"]).arg(data).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn small() -> serde_json::Value {
    json!({"question": "items", "list": "a\nb", "script": "! grep -q a \"$HOWCOME_ITEMS\""})
}

#[test]
fn with_accounts_nobody_sees_the_jobs_of_others_and_no_secret_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (ada, ben) = (add_token(&data, "ada"), add_token(&data, "ben"));
    let mut server = Server::start_in(&data, &["--no-sandbox"]);
    assert_eq!(server.submit(&small(), &[]).status, 401);
    assert_eq!(server.get("/").header("location"), Some("/login"));
    server.headers = format!("Authorization: Bearer {ada}\r\n");
    let id = server.job(&small(), &[]);
    assert_eq!(server.end_of(&id)["ending"], "found");
    server.headers = format!("Authorization: Bearer {ben}\r\n");
    for path in [
        format!("/jobs/{id}"),
        format!("/api/v1/jobs/{id}"),
        format!("/jobs/{id}/events"),
        format!("/api/v1/jobs/{id}/files/finding.json"),
        format!("/new/items?from={id}"),
    ] {
        assert_eq!(server.get(&path).status, 404, "{path}");
    }
    for action in ["cancel", "again", "delete", "share"] {
        assert!(server.post(&format!("/jobs/{id}/{action}")).status >= 400, "{action}");
    }
    assert_eq!(server.get("/api/v1/jobs").json(), json!([]));
    server.headers = format!("Authorization: Bearer {}x\r\n", &ada[1..]);
    assert_eq!(server.get("/api/v1/jobs").status, 401);
    // A browser signs in with the token and gets a session.
    server.headers = String::new();
    assert_eq!(server.post_form("/login", "token=guessed").status, 401);
    let signed_in = server.post_form("/login", &format!("token={ada}"));
    let cookie = signed_in.header("set-cookie").unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let session = cookie.split(';').next().unwrap().to_owned();
    server.headers = format!("Cookie: {session}\r\n");
    assert_eq!(server.get(&format!("/jobs/{id}")).status, 200);
    server.headers = format!("Cookie: {session}\r\nOrigin: http://{}\r\n", server.address);
    assert_eq!(server.post("/logout").status, 303);
    assert_eq!(server.get(&format!("/jobs/{id}")).header("location"), Some("/login"));
    server.end();
    let secret = session.split('=').nth(1).unwrap().to_owned();
    let mut stored = std::fs::read(data.join("howcome.db")).unwrap();
    stored.extend(std::fs::read(data.join("howcome.db-wal")).unwrap_or_default());
    stored.extend(std::fs::read(&server.log).unwrap());
    let stored = String::from_utf8_lossy(&stored).into_owned();
    for secret in [&ada, &ben, &secret] {
        assert!(!stored.contains(secret.as_str()));
    }
    let removed = howcome().args(["serve", "token", "remove", "ada", "--data"]).arg(&data).status().unwrap();
    assert!(removed.success());
}

#[test]
fn requests_of_other_sites_and_for_other_hosts_are_refused() {
    let server = Server::start(&["--no-sandbox"]);
    let post = |headers: &str| send(server.address, "POST", "/examples/items", headers, b"").status;
    assert_eq!(post("Sec-Fetch-Site: cross-site\r\n"), 403);
    assert_eq!(post("Origin: http://evil.example.org\r\n"), 403);
    assert_eq!(post("Host: evil.example.org\r\nOrigin: http://evil.example.org\r\n"), 421);
    assert_eq!(post("Sec-Fetch-Site: same-origin\r\n"), 303);
    let page = server.get("/");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
}

#[test]
fn without_accounts_it_does_not_listen_to_other_machines_unless_it_is_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let output = howcome()
        .args(["serve", "--no-sandbox", "--listen", "0.0.0.0:0", "--data"])
        .arg(folder.path().join("data"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("token add") && said.contains("--open"), "{said}");
}

#[test]
fn a_second_service_cannot_use_the_same_folder() {
    let server = Server::start(&["--no-sandbox"]);
    let output = howcome()
        .args(["serve", "--no-sandbox", "--listen", "127.0.0.1:0", "--data"])
        .arg(&server.data)
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("another service uses"));
}

#[test]
fn limits_of_size_rate_and_jobs_are_kept_and_said() {
    let server = Server::start(&["--no-sandbox", "--upload", "100K", "--user-jobs", "3", "--slots", "1"]);
    let large = vec![b'x'; 300_000];
    let reply = server.submit(&small(), &[("file", "large", &large)]);
    assert_eq!(reply.status, 413, "{reply:?}");
    assert!(server.get("/new/items").body.contains("At most 10"), "the form states the limit");
    let slow = json!({"question": "items", "list": "a\nb", "setup": "sleep 100", "test": "false"});
    for _ in 0..3 {
        server.job(&slow, &[]);
    }
    let reply = server.submit(&slow, &[]);
    assert_eq!(reply.status, 429);
    assert!(reply.body.contains("which is the limit"), "{reply:?}");
    let server = Server::start(&["--no-sandbox", "--submissions", "2"]);
    let statuses: Vec<u16> = (0..4).map(|_| server.submit(&small(), &[]).status).collect();
    assert_eq!(statuses, [201, 201, 429, 429]);
    assert!(
        std::fs::read_dir(server.data.join("jobs")).unwrap().count() <= 2,
        "refused uploads leave nothing behind"
    );
}

#[test]
fn a_request_that_is_sent_twice_makes_one_job() {
    let server = Server::start(&["--no-sandbox"]);
    let request = small().to_string();
    let (headers, body) = form(&[("request", None, request.as_bytes()), ("retry_key", None, b"one")]);
    let send = || send(server.address, "POST", "/api/v1/jobs", &headers, &body).json()["job"].clone();
    assert_eq!(send(), send());
    assert_eq!(server.get("/api/v1/jobs").json().as_array().unwrap().len(), 1);
}

#[test]
fn a_client_that_never_ends_its_request_is_dropped() {
    let server = Server::start(&["--no-sandbox"]);
    let mut slow = TcpStream::connect(server.address).unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-").unwrap();
    let mut bytes = Vec::new();
    // It ends because the service closes the connection.
    slow.read_to_end(&mut bytes).unwrap();
    assert!(!String::from_utf8_lossy(&bytes).contains("200 OK"));
}

#[test]
fn behind_a_reverse_proxy_all_addresses_have_the_prefix_and_a_file_sets_it_up() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("serve.toml");
    std::fs::write(&config, "prefix = '/why'\nhost = ['howcome.example.org']\nno-sandbox = true\n").unwrap();
    let server = Server::start(&["--config", config.to_str().unwrap()]);
    let get = |path: &str| send(server.address, "GET", path, "Host: howcome.example.org\r\n", b"");
    for path in ["/why", "/why/", "/why/new/items", "/why/status"] {
        let page = get(path);
        assert_eq!(page.status, 200, "{path}");
        assert!(
            !page.body.contains("href=\"/jobs") && !page.body.contains("action=\"/jobs"),
            "{path}: {}",
            page.body
        );
    }
    assert_eq!(get("/jobs").status, 404);
    std::fs::write(&config, "prefxi = '/why'\n").unwrap();
    let output = howcome().args(["serve", "--config"]).arg(&config).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("prefxi"));
}
