//! A run that is stopped, interrupted or killed loses nothing and leaves nothing behind.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use insta::assert_snapshot;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, mkfifo};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Says that it has begun, then waits for ever if it has to decide about half of the list.
const STUCK: &str = "#!/bin/sh
n=$(wc -l <\"$HOWCOME_ITEMS\")
if [ \"$n\" -gt 0 ] && [ \"$n\" -lt 32 ]; then
    (trap '' TERM HUP; setsid sh -c 'exec sleep 1000' 3>\"$HOWCOME_DIR/alive\") &
    echo $$ >\"$HOWCOME_DIR/begun\"
    exec sleep 1000
fi
grep -qx 7 \"$HOWCOME_ITEMS\" && grep -qx 31 \"$HOWCOME_ITEMS\" && exit 1
exit 0
";

/// A run that has come to a test which does not end, and a pipe that closes when nothing of that test is left.
fn stuck(place: &Place) -> (Child, fs::File) {
    stuck_in(place, place.howcome(&STUCK_WORDS))
}

const STUCK_WORDS: [&str; 8] = ["items", "list.txt", "-j1", "-q", "--run-dir", "run", "--", "./stuck.sh"];

/// The same with howcome started in this way.
fn stuck_in(place: &Place, mut howcome: Command) -> (Child, fs::File) {
    place.script("stuck.sh", STUCK);
    for pipe in ["begun", "alive"] {
        mkfifo(&place.path(pipe), nix::sys::stat::Mode::S_IRWXU).unwrap();
    }
    let child = howcome.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Opening a pipe waits for the other end.
    let alive = fs::File::open(place.path("alive")).unwrap();
    fs::read(place.path("begun")).unwrap();
    (child, alive)
}

/// Waits until nobody holds the other end any more.
fn wait_for_the_end(mut alive: fs::File) {
    alive.read_to_end(&mut Vec::new()).unwrap();
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).unwrap())
}

/// The run ends with a report that says how to go on, and nothing of it is left.
fn is_interrupted(place: &Place, child: Child, alive: fs::File) {
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{stdout}");
    assert!(stdout.contains("Interrupted.") && stdout.contains("howcome resume run"), "{stdout}");
    wait_for_the_end(alive);
    assert!(place.left_behind().is_empty());
}

#[test]
fn an_interrupted_run_keeps_the_best_so_far_and_can_be_resumed() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let place = Place::new();
        let (child, alive) = stuck(&place);
        kill(pid(&child), signal).unwrap();
        is_interrupted(&place, child, alive);
        assert!(place.path("run/best/items.txt").exists());
        place.script("stuck.sh", howcome::TEST);
        let json = place.json(&["resume", "run", "-j1", "-q", "--json"]);
        assert_eq!(json["finding"]["items"], serde_json::json!(["7", "31"]));
    }
}

/// howcome, started by a program that ignores a signal.
fn ignoring(place: &Place, signal: &str, words: &[&str]) -> Command {
    let mut command = place.command(Path::new("env"));
    command.arg(format!("--ignore-signal={signal}")).arg(env!("CARGO_BIN_EXE_howcome")).args(words);
    command
}

#[test]
fn nohup_protects_a_run_from_the_end_of_the_terminal() {
    let place = Place::new();
    let (child, alive) = stuck_in(&place, ignoring(&place, "HUP", &STUCK_WORDS));
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    assert_eq!(u64::from_str_radix(ignored.trim(), 16).unwrap() & 1, 1, "{status}");
    kill(pid(&child), Signal::SIGTERM).unwrap();
    is_interrupted(&place, child, alive);
}

#[test]
fn a_program_that_ignores_the_end_of_its_children_can_start_howcome() {
    let place = Place::new();
    let words = ["items", "list.txt", "-j1", "-q", "--", "./test.sh"];
    let output = ignoring(&place, "CHLD", &words).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("2 of 40 items are enough"), "{output:?}");
}

#[test]
fn a_signal_that_arrives_twice_as_timeout_sends_it_does_not_lose_the_report() {
    let place = Place::new();
    let (child, alive) = stuck(&place);
    // Two different signals, because two of the same can arrive as one.
    for signal in [Signal::SIGTERM, Signal::SIGINT] {
        kill(pid(&child), signal).unwrap();
    }
    is_interrupted(&place, child, alive);
}

#[test]
fn a_killed_run_leaves_nothing_behind_and_can_be_resumed() {
    let place = Place::new();
    let (mut child, alive) = stuck(&place);
    let known = place.read("run/journal.jsonl").split(|byte| *byte == b'\n').count();
    child.kill().unwrap();
    child.wait().unwrap();
    wait_for_the_end(alive);
    place.script("stuck.sh", howcome::TEST);
    let resumed = place.json(&["resume", "run", "-j1", "-q", "--json"]);
    assert_eq!(resumed["finding"]["items"], serde_json::json!(["7", "31"]));
    let fresh = place.json(&["items", "list.txt", "-j1", "-q", "--json", "--", "./test.sh"]);
    assert_eq!(resumed["tests"]["told"], fresh["tests"]["told"]);
    assert_eq!(resumed["tests"]["asked"], fresh["tests"]["asked"]);
    assert!(known > 1);
}

#[test]
fn a_budget_ends_a_run_that_can_be_resumed() {
    let place = Place::new();
    assert_snapshot!(place.seen(&[
        "items",
        "list.txt",
        "-j1",
        "--max-tests",
        "11",
        "--run-dir",
        "run",
        "--",
        "./test.sh"
    ]));
    assert_snapshot!(place.seen(&["resume", "run", "-j1"]));
    let json = place.json(&["show", "run", "--json"]);
    assert_eq!(json["ending"], "found");
}

#[test]
fn a_run_that_has_ended_is_only_confirmed_when_it_is_resumed() {
    let place = Place::new();
    let words = ["items", "list.txt", "-j1", "-q", "--json", "--run-dir", "run", "--", "./test.sh"];
    let first = place.json(&words);
    let again = place.json(&["resume", "run", "-j1", "-q", "--json"]);
    assert_eq!(again["finding"], first["finding"]);
    assert_eq!(again["tests"]["told"], first["tests"]["told"]);
    // The baseline is run again, to see whether the test is still the same.
    let executed = |json: &serde_json::Value| json["tests"]["executed"].as_u64().unwrap();
    assert_eq!(executed(&again), executed(&first) + 2);
}

#[test]
fn a_test_that_has_changed_since_the_run_began_is_noticed() {
    let place = Place::new();
    place.run(&["items", "list.txt", "-j1", "-q", "--max-tests", "3", "--run-dir", "run", "--", "./test.sh"]);
    place.script("test.sh", "#!/bin/sh\nexit 7\n");
    assert_snapshot!(place.seen(&["resume", "run", "-j1", "-q"]));
}

#[test]
fn a_test_that_contradicts_itself_is_not_believed() {
    let place = Place::new();
    // The finding fails when the search asks, and not when it is confirmed.
    place.script(
        "once.sh",
        "#!/bin/sh\ngrep -qx 7 \"$HOWCOME_ITEMS\" || exit 0\n[ \"$(wc -l <\"$HOWCOME_ITEMS\")\" -gt 1 ] && exit 1\n\
         mkdir \"$HOWCOME_DIR/once\" 2>/dev/null && exit 1\nexit 0\n",
    );
    assert_snapshot!(place.seen(&["items", "list.txt", "-j1", "-q", "--run-dir", "run", "--", "./once.sh"]));
}

#[test]
fn runs_are_listed_with_what_came_of_them() {
    let place = Place::new();
    assert_snapshot!(place.seen(&["runs"]));
    place.run(&["items", "list.txt", "-j1", "-q", "--run-dir", "howcome.out/a", "--", "./test.sh"]);
    place.run(&["items", "list.txt", "-j1", "-q", "--isolate", "--run-dir", "howcome.out/b", "--", "true"]);
    let seen = place.seen(&["runs"]);
    assert!(seen.contains("howcome.out/a") && seen.contains("2 of 40 items are enough"), "{seen}");
    assert!(seen.contains("howcome.out/b") && seen.contains("Nothing to explain"), "{seen}");
}

#[test]
fn a_noisy_test_is_repeated_until_it_can_be_believed() {
    let place = Place::new();
    // Lies in one of eight runs, by a counter that all of them share.
    place.script(
        "noisy.sh",
        "#!/bin/sh\nr=0; grep -qx 7 \"$HOWCOME_ITEMS\" && grep -qx 31 \"$HOWCOME_ITEMS\" && r=1\n\
         echo >>\"$HOWCOME_DIR/runs\"; n=$(wc -l <\"$HOWCOME_DIR/runs\")\n\
         [ $((n * 5 % 8)) -eq 3 ] && r=$((1 - r))\nexit $r\n",
    );
    let json = place.json(&["items", "list.txt", "-j1", "-q", "--json", "--flaky", "--", "./noisy.sh"]);
    assert_eq!(json["finding"]["items"], serde_json::json!(["7", "31"]));
    let confidence = json["confidence"].as_f64().unwrap();
    assert!((0.99..1.0).contains(&confidence), "{confidence}");
    let json = place.json(&["items", "list.txt", "-j1", "-q", "--json", "--repeat", "3", "--", "./test.sh"]);
    // Each side is looked at often enough for one ending to be seen three times.
    assert_eq!(json["tests"]["executed"], 2 * 5 + 3 * 13 + 3 * 2);
}

#[test]
fn runs_that_end_at_one_item_or_at_all_of_them_can_be_resumed() {
    for (items, code) in
        [("1-40", "[ $(wc -l <\"$HOWCOME_ITEMS\") = 40 ]"), ("7", "grep -qx 7 \"$HOWCOME_ITEMS\"")]
    {
        let place = Place::new();
        place.script("some.sh", &format!("#!/bin/sh\n{code} && exit 1\nexit 0\n"));
        let words = ["items", "list.txt", "-j2", "-q", "--json", "--run-dir", "run", "--", "./some.sh"];
        let first = place.json(&words);
        for jobs in ["-j1", "-j3"] {
            let again = place.json(&["resume", "run", jobs, "-q", "--json"]);
            assert_eq!(again["finding"], first["finding"], "{items}");
            assert_eq!(again["tests"]["told"], first["tests"]["told"], "{items}");
        }
    }
}

#[test]
fn a_resumed_run_never_loses_the_best_so_far() {
    let place = Place::new();
    let words = ["items", "list.txt", "-j1", "-q", "--max-tests", "9", "--run-dir", "run", "-o", "best.txt"];
    place.run(&[words.as_slice(), &["--", "./test.sh"]].concat());
    let best = place.read("best.txt");
    assert_eq!(best, place.read("run/best/items.txt"));
    assert_eq!(best.iter().filter(|byte| **byte == b'\n').count(), 9);
    // A budget that earlier sessions have used up.
    place.run(&["resume", "run", "-j1", "-q", "--max-tests", "1"]);
    assert_eq!((place.read("run/best/items.txt"), place.read("best.txt")), (best.clone(), best.clone()));
    // A test that is not what it was.
    place.script("test.sh", "#!/bin/sh\nexit 7\n");
    place.run(&["resume", "run", "-j1", "-q"]);
    assert_eq!((place.read("run/best/items.txt"), place.read("best.txt")), (best.clone(), best));
    let shown = String::from_utf8(place.run(&["show", "run"]).stdout).unwrap();
    assert!(
        shown.starts_with("Stopped early: 9 of 40 items"),
        "the last word is still the last word: {shown}"
    );
}

#[test]
fn a_test_that_disappears_in_the_middle_stops_the_run_with_the_best_so_far() {
    let place = Place::new();
    place.script(
        "gone.sh",
        "#!/bin/sh\necho >>\"$HOWCOME_DIR/runs\"\n[ $(wc -l <\"$HOWCOME_DIR/runs\") -ge 9 ] && rm \"$HOWCOME_DIR/gone.sh\"\n\
         grep -qx 7 \"$HOWCOME_ITEMS\" && grep -qx 31 \"$HOWCOME_ITEMS\" && exit 1\nexit 0\n",
    );
    let output = place.run(&["items", "list.txt", "-j1", "-q", "--run-dir", "run", "--", "./gone.sh"]);
    let (stdout, stderr) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(
        stdout.starts_with("Stopped early: ") && stderr.contains("cannot be started"),
        "{stdout}{stderr}"
    );
}

#[test]
fn a_list_may_come_through_a_pipe() {
    let place = Place::new();
    mkfifo(&place.path("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let child =
        place.howcome(&["items", "pipe", "-q", "--", "./test.sh"]).stdout(Stdio::piped()).spawn().unwrap();
    fs::write(place.path("pipe"), b"7\n8\n31\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("2 of 3 items are enough"));
}

#[test]
fn without_a_name_the_last_run_is_shown_and_resumed() {
    let place = Place::new();
    let seen = place.seen(&["show"]);
    assert!(seen.contains("error: there is no run in howcome.out or in the current folder"), "{seen}");
    place.run(&["items", "list.txt", "-j1", "-q", "--run-dir", "z-first", "--", "./test.sh"]);
    let begin =
        ["items", "list.txt", "-j1", "-q", "--max-tests", "3", "--run-dir", "a-last", "--", "./test.sh"];
    place.run(&begin);
    let output = place.run(&["resume", "-q", "--json"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "the last run is a-last\n");
    let resumed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(resumed["finding"]["items"], serde_json::json!(["7", "31"]));
    assert_eq!(place.json(&["show", "--json"])["run"], "a-last");
    // A later run in the folder of runs is the last one.
    place.run(&["items", "list.txt", "-j1", "-q", "--run-dir", "howcome.out/new", "--", "./test.sh"]);
    assert_eq!(place.json(&["show", "--trail", "--json"])["run"], "howcome.out/new");
}

#[test]
fn whatever_lists_or_shows_can_print_json() {
    let place = Place::new();
    place.run(&["items", "list.txt", "-j1", "-q", "--run-dir", "howcome.out/a", "--", "./test.sh"]);
    let runs = place.json(&["runs", "--json"]);
    assert_eq!(runs["runs"][0]["run"], "howcome.out/a");
    assert_eq!(runs["runs"][0]["ending"], "found");
    assert_eq!(runs["runs"][0]["answer"], "2 of 40 items are enough to make the test fail.");
    place.write("empty/notes.txt", b"no run\n");
    assert_eq!(place.json(&["runs", "empty", "--json"])["runs"], serde_json::json!([]));
    let trail = place.json(&["show", "--trail", "--json"]);
    assert_eq!(trail["trail"][0]["test"], 1);
    assert_eq!(trail["trail"][1]["outcome"], "fail");
    assert_eq!(trail["trail"][1]["configuration"], "1-35");
    assert_eq!(trail["stages"][0]["deltas"], 40);
    let test = place.json(&["show", "--test", "2", "--into", "by-hand", "--json"]);
    assert_eq!((&test["outcome"], &test["because"]), (&"fail".into(), &"exit code 1".into()));
    assert!(test["by_hand"].as_str().unwrap().contains("test.sh"), "{test}");
    let passes = place.json(&["input", "--list-passes", "--json"]);
    assert!(passes["passes"].as_array().unwrap().iter().any(|pass| pass["name"] == "lines"), "{passes}");
    let dry = place.json(&["items", "list.txt", "--dry-run", "--json", "-q", "--", "./test.sh"]);
    assert!(dry["dry_run"][0].as_str().unwrap().contains("40 items"), "{dry}");
    place.write("in.txt", b"a\nb\nbad\nc\n");
    place.run(&[
        "input",
        "in.txt",
        "-j1",
        "-q",
        "--run-dir",
        "howcome.out/i",
        "--",
        "sh",
        "-c",
        "! grep -q bad {}",
    ]);
    let history = place.json(&["show", "--history", "--json"]);
    assert_eq!(history["bytes_before"], 10);
    assert!(history["history"][0]["bytes"].as_u64().unwrap() < 10, "{history}");
}
