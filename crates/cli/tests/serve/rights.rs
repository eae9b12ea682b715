//! Tokens, other people's jobs, other sites, limits.

use crate::requests::{form, send};
use crate::server::{Server, howcome, howcome_where_the_kernel_refuses};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
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
    assert!(server.get(&format!("/jobs/{id}")).body.contains("Only you can see this page"));
    assert!(server.get("/jobs").body.contains("Your jobs"));
    server.headers = format!("Cookie: {session}\r\nOrigin: http://{}\r\n", server.address);
    assert_eq!(server.post("/logout").status, 303);
    // Whoever follows a link to a job sees it after signing in; nothing else can be asked for.
    let login = format!("/login?job={id}");
    server.headers = String::new();
    assert_eq!(server.get(&format!("/jobs/{id}")).header("location"), Some(login.as_str()));
    assert!(server.get(&login).body.contains(&format!("name=\"job\" value=\"{id}\"")));
    for (wanted, shown) in [(id.as_str(), format!("/jobs/{id}")), ("//evil.example.org", "/".to_owned())] {
        let signed_in = server.post_form("/login", &format!("token={ada}&job={wanted}"));
        assert_eq!(signed_in.header("location"), Some(shown.as_str()));
    }
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
fn an_account_that_is_added_closes_a_running_service() {
    let mut server = Server::start(&["--no-sandbox"]);
    let id = server.job(&small(), &[]);
    assert_eq!(server.end_of(&id)["ending"], "found");
    for path in [&format!("/jobs/{id}"), "/jobs"] {
        let page = server.get(path).body;
        assert!(
            page.contains("verybody who reaches this service can see") && !page.contains("Only you"),
            "{page}"
        );
    }
    let ada = add_token(&server.data, "ada");
    let began = std::time::Instant::now();
    while server.get("/api/v1/jobs").status != 401 {
        assert!(began.elapsed().as_secs() < 30, "it stays open");
        std::thread::park_timeout(std::time::Duration::from_millis(50));
    }
    assert_eq!(server.get(&format!("/api/v1/jobs/{id}")).status, 401);
    assert_eq!(server.submit(&small(), &[]).status, 401);
    server.headers = format!("Authorization: Bearer {ada}\r\n");
    assert_eq!(server.get("/api/v1/jobs").json(), json!([]));
    let removed = howcome().args(["serve", "token", "remove", "ada", "--data"]).arg(&server.data).status();
    assert!(removed.unwrap().success());
    assert_eq!(server.get("/api/v1/jobs").status, 401, "it does not open again by itself");
}

#[test]
fn with_open_an_account_changes_nothing() {
    let server = Server::start(&["--no-sandbox", "--open"]);
    add_token(&server.data, "ada");
    std::thread::park_timeout(std::time::Duration::from_millis(1_500));
    assert_eq!(server.get("/api/v1/jobs").status, 200);
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
fn what_can_be_known_to_fail_is_refused_at_once() {
    let server = Server::start(&["--no-sandbox"]);
    let packed = std::process::Command::new("tar").args(["cf", "-", "-C", "/etc", "passwd"]).output();
    let archive = packed.unwrap().stdout;
    let items = |more: serde_json::Value| {
        let mut request = small();
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let changes = json!({"question": "changes", "test": "true"});
    let state = json!({"question": "state", "fail": "./a 1", "pass": "./a 2"});
    let good: &[(&str, &str, &[u8])] = &[("good_archive", "a.tar", &archive)];
    for (request, files, said) in [
        (&changes, &[][..], "the versions are missing"),
        (&json!({"question": "history", "test": "true"}), &[], "the versions are missing"),
        (&changes, good, "the version that fails is missing"),
        (&changes, &[("bad_archive", "a.tar", &archive)], "the version that passes is missing"),
        (&state, &[], "the program is missing"),
        (&items(json!({"timeout": "soon"})), &[], "`soon` is not a duration"),
        (&items(json!({"fails_when": ["exit=many"]})), &[], "write exit=3"),
        (&items(json!({"passes_when": ["stderr~("]})), &[], "regular expressions"),
    ] {
        let reply = server.submit(request, files);
        assert_eq!(reply.status, 400, "{said}: {reply:?}");
        assert!(reply.json()["error"].as_str().unwrap().contains(said), "{said}: {reply:?}");
    }
    assert_eq!(server.get("/api/v1/jobs").json(), json!([]));
    let left = std::fs::read_dir(server.data.join("jobs")).unwrap().count();
    assert_eq!(left, 0, "refused submissions leave files");
    server.job(&items(json!({"timeout": "5s", "fails_when": ["exit=1", "output~"]})), &[]);
}

#[test]
fn limits_of_size_rate_and_jobs_are_kept_and_said() {
    let server = Server::start(&["--no-sandbox", "--upload", "100K", "--user-jobs", "3", "--slots", "1"]);
    let large = vec![b'x'; 300_000];
    let reply = server.submit(&small(), &[("file", "large", &large)]);
    assert_eq!(reply.status, 413, "{reply:?}");
    assert!(server.get("/new/items").body.contains("At most 100 KiB"), "the form states the limit");
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
fn old_jobs_and_old_addresses_are_gone_and_a_full_disk_is_said() {
    if !howcome_testing::need_program("sqlite3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = Server::start_in(&data, &["--no-sandbox"]);
    let [old, shared] = [(); 2].map(|()| server.job(&small(), &[]));
    for id in [&old, &shared] {
        server.end_of(id);
    }
    server.end();
    server = Server::start_in(&data, &["--no-sandbox", "--user-disk", "1K"]);
    let reply = server.submit(&small(), &[]);
    assert!(reply.status == 429 && reply.body.contains("1 KiB, which is the limit"), "{reply:?}");
    let page = server.post_form(&format!("/jobs/{shared}/share"), "days=1").body;
    let secret = page.split("/shared/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(server.get(&format!("/shared/{secret}")).status, 200);
    server.end();
    let sql = format!("UPDATE jobs SET ended = 1 WHERE id = '{old}'; UPDATE shares SET expires = 1;");
    let changed = std::process::Command::new("sqlite3").arg(data.join("howcome.db")).arg(sql).status();
    assert!(changed.unwrap().success());
    let server = Server::start_in(&data, &["--no-sandbox", "--keep-days", "1"]);
    assert_eq!(server.get(&format!("/shared/{secret}")).status, 404);
    assert_eq!(server.get(&format!("/jobs/{shared}")).status, 200);
    // Old jobs are looked for when the service starts.
    while server.get(&format!("/jobs/{old}")).status != 404 || data.join("jobs").join(&old).exists() {
        std::thread::park_timeout(std::time::Duration::from_millis(20));
    }
}

#[test]
fn a_webhook_is_told_about_the_end_and_only_allowed_hosts_are_called() {
    let hook = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let host = hook.local_addr().unwrap().to_string();
    let server = Server::start(&["--no-sandbox", "--webhook-host", &host]);
    let mut request = small();
    request["webhook"] = json!("http://127.0.0.1:1/");
    assert_eq!(server.submit(&request, &[]).status, 400);
    request["webhook"] = json!(format!("http://{host}/done?key=hidden"));
    let id = server.job(&request, &[]);
    let (mut stream, _) = hook.accept().unwrap();
    let (mut said, mut buffer) = (String::new(), [0; 4_096]);
    while !said.contains("found") {
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0, "{said}");
        said += &String::from_utf8_lossy(&buffer[..read]);
    }
    stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").unwrap();
    assert!(said.starts_with("POST /done?key=hidden") && said.contains(&id), "{said}");
    assert!(!std::fs::read_to_string(&server.log).unwrap().contains("hidden"));
}

#[test]
fn without_a_sandbox_it_does_not_start_and_says_which_walls_are_missing() {
    if !howcome_testing::need_program("strace") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut refused = howcome_where_the_kernel_refuses(&["mount", "landlock_create_ruleset"]);
    // The address cannot be used, so that a service which does start ends as well.
    let flags = ["serve", "--listen", "192.0.2.1:1", "--open", "--data"];
    let output = refused.args(flags).arg(folder.path().join("data")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("there is no sandbox on this machine") && said.contains("--no-sandbox"), "{said}");
    assert!(said.contains("namespaces") && said.contains("Landlock"), "{said}");
}

#[test]
fn without_bubblewrap_jobs_run_behind_the_walls_that_remain_and_the_operator_is_told() {
    if !howcome_testing::need_program("strace") || !howcome_testing::need_program("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // Jobs of another user must be able to pass.
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let data = folder.path().join("data");
    let walls = howcome_sandbox::Walls::probe_without_bubblewrap(Path::new(howcome().get_program()));
    if !walls.stand() {
        howcome_testing::skip("there is no Landlock here");
        return;
    }
    let refused = howcome_where_the_kernel_refuses(&["mount"]);
    let server = Server::start_by(refused, "127.0.0.1:0", &data, &[]);
    let log = std::fs::read_to_string(&server.log).unwrap();
    assert!(log.contains("walls missing") && log.contains("bubblewrap does not work here"), "{log}");
    let mut request = small();
    request["setup"] = json!(format!(
        "cat /etc/shadow {0}/howcome.db 2>/dev/null && echo SAW; ls {0} {0}/jobs 2>/dev/null && echo SAW; touch /tmp/howcome-SAW 2>/dev/null && echo SAW; \
         python3 -c 'import socket; socket.socket(); print(\"SAW\")' 2>/dev/null; kill -0 {1} 2>/dev/null && echo SAW; echo done >mine; cat mine",
        data.display(),
        server.pid()
    ));
    let id = server.job(&request, &[]);
    let info = server.end_of(&id);
    let printed = server.file(&id, "messages.txt").body;
    assert_eq!(info["ending"], "found", "{info} {printed}");
    assert!(printed.starts_with("done") && !printed.contains("SAW"), "{printed}");
}

#[test]
fn a_flag_of_the_environment_counts() {
    let output = howcome().arg("serve").env("HOWCOME_SERVE_PREFIX", "why").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("--prefix must begin with /"));
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
    // The same for one that begins an upload and sends no more of it; others are served meanwhile.
    let mut slow = TcpStream::connect(server.address).unwrap();
    let head = "POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=limit\r\nContent-Length: 1000\r\n\r\n--limit\r\n";
    slow.write_all(head.as_bytes()).unwrap();
    assert_eq!(server.get("/health").status, 200);
    let mut reply = [0; 12];
    slow.read_exact(&mut reply).unwrap();
    assert_eq!(&reply, b"HTTP/1.1 408");
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
