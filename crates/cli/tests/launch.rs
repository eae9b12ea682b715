//! `--launch`: tests that run through another command give the same answer, and a launcher that fails is never a verdict.

#![allow(clippy::unwrap_used)]

mod howcome;
mod launchers;

use howcome::{Place, Repo, finding_of, lines_of};
use launchers::{LoopbackSlurm, LoopbackSsh};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// The folder that all machines share, with nothing left in it after a run.
struct Shared(tempfile::TempDir);

impl Shared {
    fn new() -> Self {
        Self(tempfile::TempDir::new().unwrap())
    }

    fn path(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    fn left(&self) -> Vec<PathBuf> {
        fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    /// The finding of a list, with a launcher.
    fn finds(&self, place: &Place, launcher: &str, flags: &[&str], test: &str) -> Value {
        let launch = ["items", "list.txt", "--json", "-q", "--launch", launcher, "--workspaces", self.path()];
        let found = place.json(&[&launch, flags, &["--", test]].concat());
        assert_eq!(self.left(), Vec::<PathBuf>::new());
        found
    }
}

/// How many tests were told with which outcome: the same wherever tests run.
fn told(json: &Value) -> [Value; 4] {
    ["told", "pass", "fail", "unresolved"].map(|count| json["tests"][count].clone())
}

/// A launcher that notes each call and does what its text says. `"$@"` is what it is to run.
fn launcher(place: &Place, text: &str) -> String {
    let calls = place.path("calls");
    let script = format!("#!/bin/sh\ncalls='{}'\necho x >>\"$calls\"\n{text}\n", calls.display());
    place.script("launcher.sh", &script);
    "./launcher.sh".to_owned()
}

fn calls(place: &Place) -> usize {
    String::from_utf8(place.read("calls")).unwrap().lines().count()
}

#[test]
fn a_launcher_gives_the_same_answer_as_this_machine() {
    let (place, shared) = (Place::new(), Shared::new());
    let local = place.json(&["items", "list.txt", "--json", "-q", "-j1", "--", "./test.sh"]);
    let noisy =
        launcher(&place, "echo 'job 17 has been allocated' >&2; \"$@\"; code=$?; echo done; exit $code");
    for jobs in ["-j1", "-j3", "-j16"] {
        let launched = shared.finds(&place, &noisy, &[jobs], "./test.sh");
        assert_eq!(finding_of(&launched), finding_of(&local));
        assert_eq!(told(&launched), told(&local));
        assert_eq!(launched["verified"], local["verified"]);
        // What became of tests that were started ahead matters only if many run at a time.
        let busy = launched["ahead"]["busy"].as_f64();
        assert_eq!(busy.is_some_and(|busy| busy > 0.0), jobs == "-j16", "{launched}");
    }
    assert!(calls(&place) > 3 * local["tests"]["told"].as_u64().unwrap() as usize);
}

#[test]
fn words_arrive_unchanged_whether_or_not_a_launcher_uses_a_shell() {
    let (place, shared) = (Place::empty(), Shared::new());
    place.write("list.txt", b"it's\n$HOME\n`x`\na  b\n\"q\"\n*\n");
    place.script("test.sh", "#!/bin/sh\n[ \"$2\" = \"a 'b' \\$c *\" ] || exit 5\ngrep -qxF '$HOME' \"$1\" && grep -qxF 'a  b' \"$1\" && exit 1\nexit 0\n");
    let plain = launcher(&place, "exec \"$@\"");
    for launcher in [plain.as_str(), "sh -c 'eval \"$*\"' sh"] {
        let launch =
            ["items", "list.txt", "--json", "-q", "--launch", launcher, "--workspaces", shared.path()];
        let found = place.json(&[&launch[..], &["--", "./test.sh", "{}", "a 'b' $c *"]].concat());
        assert_eq!(found["finding"]["items"], json!(["$HOME", "a  b"]), "{launcher}");
    }
}

#[test]
fn a_connection_that_fails_is_not_a_verdict() {
    let (place, shared) = (Place::new(), Shared::new());
    let local = place.json(&["items", "list.txt", "--json", "-q", "-j1", "--", "./test.sh"]);
    // Before the test begins, while it runs, and after its end: ssh exits with 255 if the connection fails.
    let every_third = "case $(($(wc -l <\"$calls\") % 3)) in\n\
        0) echo 'connection refused' >&2; exit 255 ;;\n\
        1) \"$@\"; exit 255 ;;\n\
        esac\nexec \"$@\"";
    let breaking = "[ $(($(wc -l <\"$calls\") % 5)) -gt 0 ] || { \"$@\" & sleep 0.02; kill -9 $!; exit 255; }\nexec \"$@\"";
    for text in [every_third, breaking] {
        let flaky = launcher(&place, text);
        let launched = shared.finds(&place, &flaky, &["-j1"], "./test.sh");
        assert_eq!(finding_of(&launched), finding_of(&local));
        assert_eq!(told(&launched), told(&local));
    }
}

#[test]
fn a_launcher_that_is_gone_stops_the_run_which_can_be_resumed_elsewhere() {
    let (place, shared) = (Place::new(), Shared::new());
    let local = place.json(&["items", "list.txt", "--json", "-q", "-j1", "--", "./test.sh"]);
    let gone = launcher(
        &place,
        "[ $(wc -l <\"$calls\") -lt 9 ] || { echo 'no route to host' >&2; exit 255; }\nexec \"$@\"",
    );
    let words = [
        "items",
        "list.txt",
        "-q",
        "-j1",
        "--run-dir",
        "run",
        "--launch",
        &gone,
        "--workspaces",
        shared.path(),
        "--",
        "./test.sh",
    ];
    let output = place.run(&words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("the launcher") && said.contains("exit code 255") && said.contains("no route to host"),
        "{said}"
    );
    assert_eq!(shared.left(), Vec::<PathBuf>::new());
    let resumed = place.json(&["resume", "run", "--json", "-q", "--launch", ""]);
    assert_eq!(finding_of(&resumed), finding_of(&local));
    assert_eq!(told(&resumed), told(&local));
}

#[test]
fn a_resumed_run_uses_the_same_launcher() {
    let (place, shared) = (Place::new(), Shared::new());
    let plain = launcher(&place, "exec \"$@\"");
    let words = ["items", "list.txt", "-q", "--max-tests", "3", "--run-dir", "run", "--launch", &plain];
    let output = place.run(&[&words[..], &["--workspaces", shared.path(), "--", "./test.sh"]].concat());
    assert_eq!(output.status.code(), Some(3));
    let before = calls(&place);
    let resumed = place.json(&["resume", "run", "--json", "-q"]);
    assert_eq!(resumed["finding"]["items"], json!(["7", "31"]));
    assert!(calls(&place) > before + 3);
}

#[test]
fn signals_and_timeouts_of_a_launched_test_are_its_own() {
    let (place, shared) = (Place::new(), Shared::new());
    place.script("crash.sh", "#!/bin/sh\ngrep -qx 7 \"$HOWCOME_ITEMS\" && kill -SEGV $$\nexit 0\n");
    place.script("hang.sh", "#!/bin/sh\ngrep -qx 7 \"$HOWCOME_ITEMS\" && exec sleep 1000\nexit 0\n");
    let plain = launcher(&place, "exec \"$@\"");
    let crash = shared.finds(&place, &plain, &["--fails-when", "signal=SEGV"], "./crash.sh");
    assert_eq!(crash["finding"]["items"], json!(["7"]));
    let hang = shared.finds(&place, &plain, &["--fails-when", "timeout", "--timeout", "300ms"], "./hang.sh");
    assert_eq!(hang["finding"]["items"], json!(["7"]));
}

#[test]
fn builds_are_launched_too() {
    let (repo, shared) = (Repo::new(), Shared::new());
    repo.write("value", b"1\n");
    repo.commit("good");
    repo.git(&["tag", "good"]);
    for number in 2..7 {
        repo.write("value", if number < 4 { b"1\n" } else { b"2\n" });
        repo.write("other", format!("{number}\n").as_bytes());
        repo.commit(&format!("number {number}"));
    }
    let launcher = shared.0.path().join("launcher.sh");
    let text = format!("#!/bin/sh\necho x >>'{}'\nexec \"$@\"\n", shared.0.path().join("calls").display());
    fs::write(&launcher, text).unwrap();
    let launch = format!("sh {}", launcher.display());
    let build = ["--good", "good", "--bad", "HEAD", "--build", "cp value built"];
    let test = "test \"$(cat built)\" = 1";
    let local = repo.finds(&build, test);
    let launched =
        repo.finds(&[&build[..], &["--launch", &launch, "--workspaces", shared.path()]].concat(), test);
    assert_eq!(finding_of(&launched), finding_of(&local));
    assert_eq!(lines_of(&launched), ["value: -1", "value: +2"]);
    let launches = fs::read_to_string(shared.0.path().join("calls")).unwrap().lines().count();
    assert!(launches >= 2 * launched["tests"]["told"].as_u64().unwrap() as usize, "{launches}");
}

#[test]
fn what_cannot_be_launched_is_refused() {
    let (place, shared) = (Place::new(), Shared::new());
    fs::create_dir(place.path("my files")).unwrap();
    let shared = shared.path();
    let items =
        |flags: &[&str]| place.seen(&[&["items", "list.txt", "-q"], flags, &["--", "./test.sh"]].concat());
    let cases = [
        (items(&["--launch", "env"]), "--launch needs a folder that all machines share"),
        (items(&["--launch", "env", "--workspaces", "my files"]), "a launcher can change this path"),
        (items(&["--launch", "env", "--workspaces", "nowhere"]), "there is no such folder"),
        (
            items(&["--launch", "no-such-launcher", "--workspaces", shared]),
            "the program no-such-launcher was not found",
        ),
        (items(&["--launch", "'env", "--workspaces", shared]), "a quotation mark has no end"),
        (items(&["--launch", "env", "--sandbox"]), "cannot be used with"),
        (
            place.seen(&[
                "state",
                "--fail",
                "true",
                "--pass",
                "true",
                "--launch",
                "env",
                "--workspaces",
                shared,
            ]),
            "`howcome state` stops the program and reads its memory on this machine",
        ),
        (
            place.seen(&[
                "history",
                "--same",
                "memory",
                "--launch",
                "env",
                "--workspaces",
                shared,
                "--",
                "./test.sh",
            ]),
            "--same memory can only be found out on this machine",
        ),
    ];
    for (seen, expected) in cases {
        assert!(seen.contains(expected) && seen.contains("--- exit 2"), "{expected}: {seen}");
    }
}

#[test]
fn a_folder_that_is_not_shared_is_named() {
    let (place, shared) = (Place::new(), Shared::new());
    // As if the other machine had no such folder: nothing runs there, and nobody complains.
    let output = place.run(&[
        "items",
        "list.txt",
        "-q",
        "-j1",
        "--launch",
        "true",
        "--workspaces",
        shared.path(),
        "--",
        "./test.sh",
    ]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("do the machines share that folder?"), "{said}");
}

#[test]
fn ssh_gives_the_same_answer_and_leaves_no_process() {
    let (place, shared) = (Place::new(), Shared::new());
    let Some(ssh) = LoopbackSsh::start() else { return };
    let local = place.json(&["items", "list.txt", "--json", "-q", "-j1", "--", "./test.sh"]);
    let launched = shared.finds(&place, ssh.launcher(), &["-j4"], "./test.sh");
    assert_eq!(finding_of(&launched), finding_of(&local));
    assert_eq!(told(&launched), told(&local));
    // Tests that would run for minutes if nobody ended them.
    let pids = shared.0.path().join("pids");
    let text = format!(
        "#!/bin/sh\necho $$ >>'{}'\ngrep -qx 7 \"$HOWCOME_ITEMS\" && exec sleep 600\nexit 0\n",
        pids.display()
    );
    place.script("hang.sh", &text);
    let flags = ["-j2", "--fails-when", "timeout", "--timeout", "1s"];
    let launch =
        ["items", "list.txt", "--json", "-q", "--launch", ssh.launcher(), "--workspaces", shared.path()];
    let found = place.json(&[&launch[..], &flags, &["--", "./hang.sh"]].concat());
    assert_eq!(found["finding"]["items"], json!(["7"]));
    for pid in fs::read_to_string(&pids).unwrap().lines() {
        launchers::wait_until_gone(pid);
    }
}

#[test]
fn slurm_gives_the_same_answer() {
    if !howcome_testing::runs_long_suites() {
        return;
    }
    let (place, shared) = (Place::new(), Shared::new());
    let Some(slurm) = LoopbackSlurm::start() else { return };
    let local = place.json(&["items", "list.txt", "--json", "-q", "-j1", "--", "./test.sh"]);
    let launch = [
        "items",
        "list.txt",
        "--json",
        "-q",
        "-j2",
        "--launch",
        "srun --exact -n1",
        "--workspaces",
        shared.path(),
    ];
    let words = [&launch[..], &["--", "./test.sh"]].concat();
    let mut inside = place.command(std::path::Path::new("salloc"));
    inside
        .args(["-Q", "-n2", env!("CARGO_BIN_EXE_howcome")])
        .args(words)
        .env("SLURM_CONF", slurm.configuration());
    let output = inside.output().unwrap();
    let launched: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(finding_of(&launched), finding_of(&local));
    assert_eq!(told(&launched), told(&local));
}
