//! A run of `howcome input` that is stopped, interrupted or killed has its best candidate on disk, and nothing is lost.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, mkfifo};
use serde_json::Value;
use std::fs;
use std::process::{Child, Stdio};

const LINES: usize = 60;

/// Fails if lines 17 and 43 are there.
const TEST: &str =
    "#!/bin/sh\ngrep -qx 'line 17' numbers.txt && grep -qx 'line 43' numbers.txt && exit 1\nexit 0\n";

/// The same, but when less than half of the lines are left, it writes to a pipe and waits forever.
const STUCK: &str = "#!/bin/sh
grep -qx 'line 17' numbers.txt && grep -qx 'line 43' numbers.txt || exit 0
n=$(wc -l <numbers.txt)
if [ \"$n\" -lt 30 ]; then echo begun >\"$HOWCOME_DIR/begun\"; exec sleep 1000; fi
exit 1
";

fn place() -> Place {
    let place = Place::empty();
    let text: String = (1..=LINES).map(|number| format!("line {number}\n")).collect();
    place.write("numbers.txt", text.as_bytes());
    place.script("test.sh", TEST);
    place
}

/// A run that has come to a test that does not end.
fn stuck(place: &Place) -> Child {
    place.script("test.sh", STUCK);
    mkfifo(&place.path("begun"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let words = ["input", "numbers.txt", "-j1", "-q", "--run-dir", "run", "--", "./test.sh"];
    let child = place.howcome(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    fs::read(place.path("begun")).unwrap();
    child
}

/// The answer of a run that is not disturbed.
fn undisturbed() -> (Vec<u8>, Value) {
    let place = place();
    let json = place.json(&["input", "numbers.txt", "-j1", "-q", "--json", "--", "./test.sh"]);
    (place.read("numbers.min.txt"), json)
}

fn fails(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    ["line 17", "line 43"].iter().all(|wanted| text.lines().any(|line| line == *wanted))
}

#[test]
fn an_interrupted_run_keeps_the_best_so_far_and_writes_it() {
    let place = place();
    let child = stuck(&place);
    let best = place.read("run/best/numbers.txt");
    assert!(fails(&best), "the best is on disk while the run goes on");
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{stdout}");
    assert!(stdout.contains("Interrupted.") && stdout.contains("howcome resume run"), "{stdout}");
    assert!(place.left_behind().is_empty());
    assert_eq!(place.read("numbers.min.txt"), best);
    place.script("test.sh", TEST);
    let resumed = place.json(&["resume", "run", "-j1", "-q", "--json"]);
    let (text, fresh) = undisturbed();
    assert_eq!(place.read("numbers.min.txt"), text);
    assert_eq!(resumed["tests"]["told"], fresh["tests"]["told"]);
    assert_eq!(resumed["finding"]["passes"], fresh["finding"]["passes"]);
}

#[test]
fn a_killed_run_can_be_resumed_and_gives_the_same_answer() {
    let place = place();
    let mut child = stuck(&place);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(fails(&place.read("run/best/numbers.txt")));
    place.script("test.sh", TEST);
    let resumed = place.json(&["resume", "run", "-j1", "-q", "--json"]);
    let (text, fresh) = undisturbed();
    assert_eq!(place.read("numbers.min.txt"), text);
    assert_eq!(resumed["tests"]["told"], fresh["tests"]["told"]);
}

#[test]
fn a_record_that_is_cut_off_anywhere_can_be_resumed() {
    let place = place();
    let whole =
        place.json(&["input", "numbers.txt", "-j1", "-q", "--json", "--run-dir", "run", "--", "./test.sh"]);
    let journal = place.read("run/journal.jsonl");
    let text = place.read("numbers.min.txt");
    for part in 1..=6 {
        fs::write(place.path("run/journal.jsonl"), &journal[..journal.len() * part / 7]).unwrap();
        let resumed = place.json(&["resume", "run", "-j2", "-q", "--json"]);
        assert_eq!(resumed["finding"], whole["finding"], "{part}/7");
        assert_eq!(resumed["tests"]["told"], whole["tests"]["told"]);
        assert_eq!(place.read("numbers.min.txt"), text);
        assert_eq!(place.read("run/best/numbers.txt"), text);
    }
}

#[test]
fn a_budget_ends_a_run_with_its_best_written() {
    let place = place();
    let words = ["input", "numbers.txt", "-j1", "-q", "--json", "--run-dir", "run", "--max-tests", "6"];
    let json = place.json(&[words.as_slice(), &["--", "./test.sh"]].concat());
    assert_eq!(json["ending"], "stopped");
    assert_eq!(json["minimal"]["checked"], false);
    assert_eq!(json["verified"]["alone_fails"], Value::Null);
    let kept = place.read("numbers.min.txt");
    assert!(fails(&kept) && kept.len() < place.read("numbers.txt").len());
    assert_eq!(json["finding"]["bytes_after"].as_u64(), Some(kept.len() as u64));
    // A file that another program writes meanwhile is not lost.
    place.write("numbers.min.txt", b"mine");
    let seen = place.seen(&["resume", "run", "-q"]);
    assert!(seen.contains("numbers.min.txt, so the answer is only in run/best"), "{seen}");
    assert_eq!(place.read("numbers.min.txt"), b"mine");
    assert!(fails(&place.read("run/best/numbers.txt")));
}

#[test]
fn a_test_that_contradicts_itself_is_not_believed() {
    let place = place();
    // The short input fails only once.
    place.script(
        "test.sh",
        "#!/bin/sh\ngrep -q 'line 17' numbers.txt || exit 0\n[ $(wc -c <numbers.txt) -gt 7 ] && exit 1\n\
         mkdir \"$HOWCOME_DIR/once\" 2>/dev/null && exit 1\nexit 0\n",
    );
    let json = place.json(&["input", "numbers.txt", "-j1", "-q", "--json", "--", "./test.sh"]);
    assert_eq!(json["ending"], "flaky", "{json:#}");
    assert_eq!(json["minimal"]["checked"], false);
}

#[test]
fn the_same_question_can_be_asked_again_with_another_run_dir() {
    let place = Place::empty();
    place.write("x.txt", b"1\n2\nbad\n3\n");
    let ask = |run: &str| {
        let words = ["input", "x.txt", "-q", "-j1", "--run-dir", run, "--", "sh", "-c", "! grep -q bad {}"];
        let output = place.run(&words);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(ask("one").0, Some(0));
    assert_eq!(ask("two"), (Some(0), String::new()));
    assert_eq!(ask("elsewhere/three"), (Some(0), String::new()));
    // What the user has changed is the user's.
    place.write("x.min.txt", b"my notes on bad\n");
    let (code, said) = ask("four");
    assert_eq!(code, Some(2));
    assert!(
        said.contains("x.min.txt exists already, and it is not the unchanged answer of an earlier run"),
        "{said}"
    );
    assert_eq!(place.read("x.min.txt"), b"my notes on bad\n");
}

#[test]
fn an_input_that_is_small_enough_ends_the_run() {
    let place = Place::empty();
    let lines: String = (0..200).map(|number| format!("line {number}\n")).collect();
    place.write("x.txt", format!("{lines}bad\n{lines}").as_bytes());
    let ask = |until: &[&str], run: &str| {
        let words = [&["input", "x.txt", "-q", "--json", "--run-dir", run][..], until];
        place.json(&[&words.concat()[..], &["--", "sh", "-c", "! grep -q bad {}"]].concat())
    };
    let whole = ask(&[], "whole");
    let small = ask(&["--until-size", "1K", "-j1"], "small");
    assert_eq!((&small["ending"], &small["minimal"]["checked"]), (&"found".into(), &false.into()));
    let bytes = small["finding"]["bytes_after"].as_u64().unwrap();
    assert!(bytes <= 1024 && bytes > whole["finding"]["bytes_after"].as_u64().unwrap(), "{small:#}");
    assert!(small["tests"]["told"].as_u64() < whole["tests"]["told"].as_u64());
    assert!(small["why"].as_str().unwrap().contains("--until-size"), "{small:#}");
    // The same answer for any number of workers, and when the run is resumed.
    let parallel = ask(&["--until-size", "1K", "-j4"], "parallel");
    assert_eq!(
        (&parallel["finding"]["bytes_after"], &parallel["tests"]["told"]),
        (&small["finding"]["bytes_after"], &small["tests"]["told"])
    );
    let resumed = place.json(&["resume", "small", "-q", "--json"]);
    assert_eq!(resumed["finding"]["bytes_after"], small["finding"]["bytes_after"]);
    assert_eq!(resumed["tests"]["told"], small["tests"]["told"]);
}
