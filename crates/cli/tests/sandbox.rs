//! `--sandbox`: a test can change nothing and reach nobody, and the answer is the same.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn howcome(folder: &Path, temp: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_howcome"));
    command.args(words).current_dir(folder).env("TMPDIR", temp).output().unwrap()
}

/// Writes wherever it can, and calls whom it can.
const HARM: &str = "touch \"$HOWCOME_DIR/SAW\" /tmp/howcome-SAW-$PPID ~/howcome-SAW 2>/dev/null && echo SAW
    python3 -c \"import socket; socket.create_connection(('127.0.0.1', PORT), 1); print('SAW')\" 2>/dev/null
    ls /proc | grep -qx PID && echo SAW\n";

#[test]
fn a_test_in_the_sandbox_can_do_no_harm_and_nothing_stays_behind() {
    if !howcome_testing::need_program("bwrap") || !howcome_testing::need_program("python3") {
        return;
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (folder, temp) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let harm = HARM.replace("PORT", &port.to_string()).replace("PID", &std::process::id().to_string());
    write(&folder.path().join("check.sh"), &format!("#!/bin/sh\n{harm}! grep -q b \"$HOWCOME_ITEMS\"\n"));
    write(&folder.path().join("list"), "a\nb\nc\n");
    let words = ["items", "list", "--sandbox", "-v", "--json", "--run-dir", "run", "--", "./check.sh"];
    let output = howcome(folder.path(), temp.path(), &words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["finding"]["items"], serde_json::json!(["b"]));
    assert!(!found["test"].to_string().contains("SAW"), "{found}");
    let logs = fs::read_dir(folder.path().join("run/log")).into_iter().flatten().flatten();
    for log in logs {
        assert!(!fs::read_to_string(log.path()).unwrap_or_default().contains("SAW"));
    }
    assert!(!folder.path().join("SAW").exists());
    assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 0, "the folder of the sandbox stays behind");
}

#[test]
fn a_test_that_cannot_run_in_the_sandbox_is_not_blamed_on_the_user() {
    if !howcome_testing::need_program("bwrap") {
        return;
    }
    let (folder, temp) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(
        &folder.path().join("check.sh"),
        "#!/bin/sh\ntouch \"$HOWCOME_DIR/x\" || exit 1\n! grep -q b \"$HOWCOME_ITEMS\"\n",
    );
    write(&folder.path().join("list"), "a\nb\n");
    let refused = |more: &[&str]| {
        let words = [&["items", "list"], more, &["--", "./check.sh"]].concat();
        let output = howcome(folder.path(), temp.path(), &words);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).contains("ran in a sandbox"))
    };
    assert_eq!(refused(&["--sandbox"]), (Some(1), true));
    assert_eq!(refused(&[]), (Some(0), false));
}

#[test]
fn every_question_gives_the_same_answer_in_the_sandbox() {
    if !howcome_testing::need_program("bwrap")
        || !howcome_testing::need_program("git")
        || !howcome_testing::need_program("gcc")
    {
        return;
    }
    let (folder, temp) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let script = "git init -q . && git config user.email a@b && git config user.name a && echo 1 >f && git add f && \
        git commit -qm one && git tag v1 && echo 2 >f && git commit -qam two";
    assert!(Command::new("sh").args(["-c", script]).current_dir(folder.path()).status().unwrap().success());
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
    write(&folder.path().join("check.sh"), "#!/bin/sh\ntest \"$(cat f)\" = 1\n");
    write(&folder.path().join("prices.sh"), &fs::read_to_string(demo.join("order/prices.sh")).unwrap());
    write(&folder.path().join("order.json"), &fs::read_to_string(demo.join("order/order.json")).unwrap());
    fs::copy(demo.join("list/prices.c"), folder.path().join("prices.c")).unwrap();
    let compile = ["-g", "-O0", "-o", "prices", "prices.c"];
    assert!(Command::new("gcc").args(compile).current_dir(folder.path()).status().unwrap().success());
    let questions: [(&str, &[&str]); 4] = [
        ("/patch", &["changes", "--good", "v1", "--bad", "HEAD", "--", "./check.sh"]),
        ("/cause/patch", &["history", "--bad", "HEAD", "--", "./check.sh"]),
        ("/bytes_after", &["input", "order.json", "-o", "smaller.json", "--", "./prices.sh", "{}"]),
        ("/chain/3/causes", &["state", "--fail", "./prices 9 8 7 6 5", "--pass", "./prices 9 8 7 6 5 4"]),
    ];
    for (answer, question) in questions {
        let finding = |flag: &[&str]| {
            let words: Vec<&str> = [&question[..1], &["--json", "-q"], flag, &question[1..]].concat();
            let output = howcome(folder.path(), temp.path(), &words);
            assert_eq!(
                output.status.code(),
                Some(0),
                "{words:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            let mut found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            (found["finding"].pointer(answer).cloned(), found["tests"]["told"].take())
        };
        let inside = finding(&["--sandbox"]);
        assert!(inside.0.is_some(), "{question:?}");
        assert_eq!(finding(&[]), inside, "{question:?}");
    }
    assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 0);
}

#[test]
fn without_bubblewrap_landlock_and_seccomp_guard_files_and_network() {
    use howcome_sandbox::{Cell, CellView, Walls};
    let program = Path::new(env!("CARGO_BIN_EXE_howcome"));
    let walls = Walls::probe_without_bubblewrap(program);
    assert!(!walls.missing().is_empty(), "the operator is told that namespaces are missing");
    if !walls.stand() {
        howcome_testing::skip("there is no Landlock here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let (work, secret) = (folder.path().join("work"), folder.path().join("secret"));
    fs::create_dir(&work).unwrap();
    fs::set_permissions(&work, fs::Permissions::from_mode(0o777)).unwrap();
    fs::write(&secret, "SAW").unwrap();
    let script = format!(
        "cat {0}; ls {1}; touch {0} /tmp/howcome-SAW && echo SAW; cat /etc/passwd >/dev/null && echo SAW; \
         python3 -c 'import socket; socket.socket(); print(\"SAW\")'; kill -0 {2} && echo SAW; echo fine >{3}/file; cat {3}/file",
        secret.display(),
        folder.path().display(),
        std::process::id(),
        work.display(),
    );
    let cell = Cell::new(CellView::System, "/").writable(&work, &work).user(65_534);
    let command = cell.command(&walls, program, &["/bin/sh".into(), "-c".into(), script.into()]);
    let output = Command::new(&command[0]).args(&command[1..]).current_dir(&work).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed, "fine\n", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn without_bubblewrap_state_can_trace_its_program() {
    use howcome_sandbox::{Cell, CellView, Walls};
    let program = Path::new(env!("CARGO_BIN_EXE_howcome"));
    let walls = Walls::probe_without_bubblewrap(program);
    if !walls.stand() {
        howcome_testing::skip("there is no Landlock here");
        return;
    }
    if !howcome_testing::need_program("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo/list/prices.c");
    let compile = [Path::new("-g"), Path::new("-O0"), Path::new("-o"), Path::new("prices"), &source];
    assert!(Command::new("gcc").args(compile).current_dir(folder.path()).status().unwrap().success());
    let question =
        ["state", "-q", "--json", "--fail", "./prices 9 8 7 6 5", "--pass", "./prices 9 8 7 6 5 4"];
    let words: Vec<_> = [Cell::ITSELF].into_iter().chain(question).map(Into::into).collect();
    let cell = Cell::new(CellView::System, folder.path()).writable(folder.path(), folder.path()).user(65_534);
    let command = cell.command(&walls, program, &words);
    let output =
        Command::new(&command[0]).args(&command[1..]).current_dir("/").env("TMPDIR", folder.path()).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(found["finding"]["chain"].as_array().is_some_and(|chain| chain.len() > 2), "{found}");
}
