//! A run of `howcome history` that is stopped, interrupted or killed loses nothing and leaves nothing behind.

#![allow(clippy::unwrap_used)]

#[path = "histories/case.rs"]
mod case;
mod histories;
mod howcome;

use case::{Case, told};
use histories::{Plan, Region};
use howcome::finding_of;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, mkfifo};
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::process::{Child, Stdio};

/// Short, but with all that there is on the way.
fn case() -> Case {
    Case::new(Plan {
        broken: vec![8, 12],
        region: Some((10, Region::Around)),
        cause_rewritten: Some(18),
        ..Plan::new(20, 15, 5)
    })
}

/// How often the test was run so far.
fn runs(case: &Case) -> usize {
    fs::read_to_string(case.place.path("runs")).map_or(0, |runs| runs.lines().count())
}

/// Makes the test count its runs; the given one says that it has begun, then waits for ever.
fn sticks_at(case: &Case, run: usize) {
    let test = fs::read_to_string(&case.history.test).unwrap();
    let test = test.rsplit_once("# counted\n").map_or(test.as_str(), |(_, test)| test);
    let test = test.trim_start_matches("#!/bin/sh\n");
    let counted = format!(
        "#!/bin/sh\n\
         echo >>\"$HOWCOME_DIR/runs\"\n\
         if [ $(wc -l <\"$HOWCOME_DIR/runs\") = {run} ]; then\n\
             (trap '' TERM HUP; setsid sh -c 'exec sleep 1000' 3>\"$HOWCOME_DIR/alive\") &\n\
             echo $$ >\"$HOWCOME_DIR/begun\"\n\
             exec sleep 1000\n\
         fi\n# counted\n{test}"
    );
    case.place.script("test.sh", &counted);
    let _ = fs::remove_file(case.place.path("runs"));
}

/// Begins a run and comes back when it is stuck in a test.
fn begin(case: &Case, run: &str) -> (Child, fs::File) {
    for pipe in ["begun", "alive"] {
        let _ = fs::remove_file(case.place.path(pipe));
        mkfifo(&case.place.path(pipe), nix::sys::stat::Mode::S_IRWXU).unwrap();
    }
    let mut howcome = case.place.howcome(&case.words(&["-j1", "--timeout", "1h", "--run-dir", run]));
    let child = howcome.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Opening a pipe waits for the other end.
    let alive = fs::File::open(case.place.path("alive")).unwrap();
    fs::read(case.place.path("begun")).unwrap();
    (child, alive)
}

/// Waits until nothing of the test is left.
fn wait_for_the_end(mut alive: fs::File) {
    alive.read_to_end(&mut Vec::new()).unwrap();
}

fn counts(answer: &Value) -> [&Value; 5] {
    ["asked", "told", "pass", "fail", "unresolved"].map(|name| &answer["tests"][name])
}

#[test]
fn a_run_that_is_killed_at_any_moment_is_resumed_as_if_nothing_had_happened() {
    let case = case();
    sticks_at(&case, 0);
    let fresh = case.ask(&["-j1", "--timeout", "1h"]);
    case.is_right(&fresh);
    let all = runs(&case);
    let step = all.div_ceil(howcome_testing::repeats(3, all));
    for moment in (1..all).step_by(step).chain([all]) {
        sticks_at(&case, moment);
        let run = format!("run{moment}");
        let (mut child, alive) = begin(&case, &run);
        child.kill().unwrap();
        child.wait().unwrap();
        wait_for_the_end(alive);
        let done = runs(&case);
        sticks_at(&case, 0);
        let resumed = case.place.json(&["resume", &run, "-j1", "-q", "--json"]);
        assert_eq!(finding_of(&resumed), finding_of(&fresh), "killed in run {moment}");
        assert_eq!(counts(&resumed), counts(&fresh), "killed in run {moment}");
        // The test that was cut short, and a look whether the test is still the same.
        let together = done + runs(&case);
        assert!(together <= all + 3, "killed in run {moment}: {together} instead of {all}");
    }
}

#[test]
fn patches_that_are_known_are_there_even_if_the_run_is_killed() {
    let case = case();
    sticks_at(&case, 0);
    case.ask(&["-j1", "--timeout", "1h", "--run-dir", "whole"]);
    let all = runs(&case);
    sticks_at(&case, all);
    let (mut child, alive) = begin(&case, "killed");
    child.kill().unwrap();
    child.wait().unwrap();
    wait_for_the_end(alive);
    for patch in ["backported.patch", "culprit.patch"] {
        let [whole, killed] =
            ["whole", "killed"].map(|run| fs::read(case.place.path(run).join(patch)).unwrap());
        assert_eq!(killed, whole, "{patch}");
    }
}

#[test]
fn an_interrupted_run_says_what_is_known_and_can_be_resumed() {
    let case = case();
    sticks_at(&case, 0);
    let fresh = case.ask(&["-j1", "--timeout", "1h"]);
    let all = runs(&case);
    for (signal, moment) in [(Signal::SIGINT, 6), (Signal::SIGTERM, all / 2), (Signal::SIGINT, all - 2)] {
        sticks_at(&case, moment);
        let run = format!("run{moment}");
        let (child, alive) = begin(&case, &run);
        kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        wait_for_the_end(alive);
        assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(case.place.left_behind().is_empty());
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["ending"], "stopped");
        sticks_at(&case, 0);
        let resumed = case.place.json(&["resume", &run, "-j2", "-q", "--json"]);
        assert_eq!(finding_of(&resumed), finding_of(&fresh));
        assert_eq!(counts(&resumed), counts(&fresh));
    }
}

#[test]
fn what_is_known_grows_with_the_budget() {
    let case = case();
    let fresh = case.ask(&["-j1"]);
    let mut known = None;
    for budget in (0..told(&fresh)).step_by(11) {
        let budget = budget.to_string();
        let output = case.place.run(&case.words(&[
            "-j1",
            "--max-tests",
            &budget,
            "--run-dir",
            &format!("run{budget}"),
        ]));
        assert_eq!(output.status.code(), Some(3), "after {budget} tests");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["ending"], "stopped");
        assert!(told(&answer) <= budget.parse().unwrap());
        let passing = case.index(&answer["finding"]["passing_revision"]).as_u64();
        // A revision that passes is found once and only replaced by a newer one.
        assert!(passing >= known, "{passing:?} after {known:?}");
        known = passing;
    }
    assert!(known.is_some());
}

#[test]
fn a_run_that_is_stopped_again_and_again_comes_to_the_same_answer() {
    let case = case();
    let fresh = case.ask(&["-j1"]);
    case.place.run(&case.words(&["-j1", "--max-tests", "1", "--run-dir", "run"]));
    let mut budget = 1;
    let resumed = loop {
        budget += 9;
        let answer =
            case.place.json(&["resume", "run", "-q", "--json", "-j2", "--max-tests", &budget.to_string()]);
        if answer["ending"] == "found" {
            break answer;
        }
        assert_eq!(answer["ending"], "stopped", "{answer:#}");
        assert!(budget < 200);
    };
    assert_eq!(finding_of(&resumed), finding_of(&fresh));
    assert_eq!(counts(&resumed), counts(&fresh));
}

#[test]
fn a_run_without_time_can_be_resumed() {
    let case = case();
    let output = case.place.run(&case.words(&["-j1", "--max-time", "1ms", "--run-dir", "run"]));
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let resumed = case.place.json(&["resume", "run", "-q", "--json", "--max-time", "1h"]);
    case.is_right(&resumed);
}

#[test]
fn a_run_that_has_ended_is_told_again_without_a_test() {
    let case = case();
    let fresh = case.ask(&["-j1", "--run-dir", "run"]);
    sticks_at(&case, 0);
    let again = case.place.json(&["resume", "run", "-j2", "-q", "--json"]);
    assert_eq!(finding_of(&again), finding_of(&fresh));
    assert_eq!(counts(&again), counts(&fresh));
    assert!(runs(&case) <= 2, "{}", runs(&case));
    let shown = case.place.json(&["show", "run", "--json"]);
    assert_eq!(finding_of(&shown), finding_of(&fresh));
}
