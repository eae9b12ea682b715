//! The command line as a client.

use crate::server::{Server, has_sandbox, howcome};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;

fn ask(server: &Server, folder: &Path, words: &[&str]) -> Output {
    howcome()
        .args(["--server", &format!("http://{}", server.address)])
        .args(words)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_command_line_submits_follows_and_fetches() {
    if !has_sandbox() || !howcome_testing::need_program("git") || !howcome_testing::need_program("gcc") {
        return;
    }
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
    let copy =
        |from: &str, to: &str| write(&folder.path().join(to), &fs::read_to_string(demo.join(from)).unwrap());
    copy("order/order.json", "order.json");
    copy("order/prices.sh", "bin/prices.sh");
    copy("list/prices.c", "prices.c");
    write(&folder.path().join("list"), "a\nb\nc\n");
    write(&folder.path().join("check.sh"), "#!/bin/sh\n. ./helper.sh\n");
    write(&folder.path().join("helper.sh"), "! grep -q b \"$HOWCOME_ITEMS\"\n");
    let shell = |script: &str| {
        let made = std::process::Command::new("sh").args(["-c", script]).current_dir(folder.path()).status();
        assert!(made.unwrap().success(), "{script}");
    };
    shell("gcc -g -O0 -o prices prices.c");
    shell(
        "git init -q r && cd r && git config user.email a@b && git config user.name a && echo 1 >f && git add f && \
         git commit -qm one && git tag v1 && echo 2 >f && git commit -qam two",
    );
    write(&folder.path().join("good/prog"), "#!/bin/sh\nexit 0\n");
    write(&folder.path().join("bad/prog"), "#!/bin/sh\nexit 1\n");
    let questions: [(&[&str], &str); 6] = [
        (&["input", "order.json", "--", "bin/prices.sh", "{}"], "13 bytes of 597"),
        (&["--send", "helper.sh", "items", "list", "--", "./check.sh"], "1 of 3 items"),
        (&["state", "--fail", "./prices 9 8 7 6 5", "--pass", "./prices 9 8 7 6 5 4"], "prices[5] = 0"),
        (&["changes", "--repo", "r", "--good", "v1", "--bad", "HEAD", "--", "grep", "-q", "1", "f"], "+2"),
        (&["history", "--repo", "r", "--", "grep", "-q", "1", "f"], "+2"),
        (&["changes", "--good", "good", "--bad", "bad", "--", "sh", "prog"], "exit 1"),
    ];
    for (words, expected) in questions {
        let output = ask(&server, folder.path(), words);
        let (said, printed) =
            (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
        assert_eq!(output.status.code(), Some(0), "{words:?}: {said}{printed}");
        assert!(printed.contains(expected), "{words:?}: {printed}");
        assert!(said.contains(&format!("http://{}/jobs/", server.address)), "{said}");
    }
    assert!(fs::read(folder.path().join("order.min.json")).unwrap().len() < 20);
    let refused = ask(&server, folder.path(), &["items", "list", "--algorithm", "dd", "--", "./check.sh"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--algorithm cannot be used with --server"));
    let nothing = ask(&server, folder.path(), &["items", "list", "--json", "--", "true"]);
    assert_eq!(nothing.status.code(), Some(1), "{}", String::from_utf8_lossy(&nothing.stderr));
}

#[test]
fn the_command_line_waits_for_a_service_that_is_restarted() {
    if !has_sandbox() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = Server::start_in(&data, &[]);
    write(&folder.path().join("list"), "a\nb\nc\nd\ne\nf\ng\nh\n");
    write(&folder.path().join("check.sh"), "#!/bin/sh\nsleep 0.2; ! grep -q c \"$HOWCOME_ITEMS\"\n");
    let client = howcome()
        .args(["--server", &format!("http://{}", server.address), "items", "list", "--", "./check.sh"])
        .current_dir(folder.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while server.get("/api/v1/jobs").json()[0]["status"] != "running" {
        std::thread::park_timeout(std::time::Duration::from_millis(20));
    }
    server.kill();
    let listen = server.address.to_string();
    let _server = Server::start_by(howcome(), &listen, &data, &[]);
    let output = client.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 of 8 items"), "{said}");
    assert!(!said.contains(" left"), "{said}");
}

#[test]
fn files_above_the_current_folder_are_sent_and_missing_ones_are_not_asked_about() {
    if !has_sandbox() || !howcome_testing::need_program("git") || !howcome_testing::need_program("python3") {
        return;
    }
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let above = |name: &str, text: &str| write(&folder.path().join(name), text);
    above("check.sh", "#!/bin/sh\ngrep -q 1 f\n");
    above("check.py", "import sys\nsys.exit('1' not in open('f').read())\n");
    above("small.sh", "#!/bin/sh\n! grep -q b \"$1\"\n");
    above("app.cfg", "a\nb\nc\n");
    above("list", "a\nb\nc\n");
    let script = "git init -q r && cd r && git config user.email a@b && git config user.name a && echo 1 >f && \
                  git add f && git commit -qm one && git tag v1 && echo 2 >f && git commit -qam two";
    let made = std::process::Command::new("sh").args(["-c", script]).current_dir(folder.path()).status();
    assert!(made.unwrap().success());
    let here = folder.path().join("r");
    let full = folder.path().join("check.sh").display().to_string();
    let changes = ["changes", "--good", "v1", "--bad", "HEAD", "--"];
    let questions: [(&[&str], &[&str], &str); 6] = [
        (&changes, &["../check.sh"], "+2"),
        (&changes, &[&full], "+2"),
        (&changes, &["python3", "../check.py"], "+2"),
        (&["history", "--"], &["../check.sh"], "+2"),
        (&["input", "../app.cfg", "--"], &["../small.sh", "{}"], "1 byte of 6 bytes"),
        (&["items", "../list", "--"], &["../small.sh", "{}"], "1 of 3 items"),
    ];
    for (asked, test, expected) in questions {
        let output = ask(&server, &here, &[asked, test].concat());
        let (said, printed) =
            (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
        assert_eq!(output.status.code(), Some(0), "{asked:?} {test:?}: {said}{printed}");
        assert!(printed.contains(expected), "{asked:?} {test:?}: {printed}");
        assert!(printed.contains(&format!("Recorded at http://{}/jobs/", server.address)), "{printed}");
        for inside in ["/job/", "../run", "howcome show", "../answer"] {
            assert!(!printed.contains(inside), "{inside}: {printed}");
        }
        if asked[0] == "input" {
            assert!(printed.contains("The smaller input is written to ../app.min.cfg."), "{printed}");
        }
    }
    let history = ask(&server, &here, &["history", "--", "../check.sh"]);
    let printed = String::from_utf8_lossy(&history.stdout);
    let address = printed.split_whitespace().find(|word| word.ends_with("/forward.patch")).unwrap();
    let path = address.strip_prefix(&format!("http://{}", server.address)).unwrap();
    assert_eq!(server.get(path).status, 200, "{address}");
    assert!(fs::read_to_string(folder.path().join("app.min.cfg")).unwrap().contains('b'));
    let jobs = server.get("/api/v1/jobs").json().as_array().unwrap().len();
    above("r/check.sh", "#!/bin/sh\n");
    let failed =
        ask(&server, &here, &["changes", "--good", "v1", "--bad", "HEAD", "--build", "./no", "--", "true"]);
    let said = String::from_utf8_lossy(&failed.stderr);
    assert!(failed.status.code() == Some(2) && !said.contains("/job/"), "{said}");
    let jobs = jobs + 1;
    let refused: [(&[&str], &str); 5] = [
        (&["input", "../missing", "--", "true"], "../missing: no such file or directory"),
        (&["input", "f", "--pass", "missing", "--", "true"], "missing: no such file or directory"),
        (&["items", "../list", "--", "../missing.sh"], "missing.sh cannot be started"),
        (&["state", "--fail", "./missing 1", "--pass", "./missing 2"], "./missing: program not found"),
        (&["items", "../list", "--", "../check.sh"], "have the same name"),
    ];
    for (words, expected) in refused {
        let output = ask(&server, &here, words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains(expected), "{words:?}: {said}");
    }
    assert_eq!(server.get("/api/v1/jobs").json().as_array().unwrap().len(), jobs);
}

#[test]
fn the_command_line_tells_a_missing_token_from_a_wrong_one() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let added = howcome().args(["serve", "token", "add", "ada", "--data"]).arg(&data).output().unwrap();
    let token = String::from_utf8(added.stdout).unwrap().trim().to_owned();
    let server = Server::start_in(&data, &["--no-sandbox"]);
    write(&folder.path().join("list"), "a\nb\n");
    let ask_with = |token: &str| {
        howcome()
            .args(["--server", &format!("http://{}", server.address), "items", "list", "--"])
            .args(["sh", "-c", "! grep -q a $HOWCOME_ITEMS"])
            .env("HOWCOME_TOKEN", token)
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    for (token, expected) in
        [("", "it needs a token: set HOWCOME_TOKEN"), ("guessed", "does not know the token")]
    {
        let output = ask_with(token);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
    }
    let output = ask_with(&token);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    // Without walls, a job is somewhere in the data of the service.
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(!printed.contains(&data.display().to_string()), "{printed}");
}
