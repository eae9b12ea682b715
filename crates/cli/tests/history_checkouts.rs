//! What `howcome history` checks out by the user's command: one revision at a time, none twice, and nothing of it stays.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, mkfifo};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::process::Stdio;

/// Revision N of 40: a program that is wrong since 12 and has the option that the test needs since 25.
const CHECKOUT: &str = "#!/bin/sh\n\
    echo \"begin $1\" >>\"$HOWCOME_DIR/log\"\n\
    [ ! -p \"$HOWCOME_DIR/begun\" ] || [ \"$1\" != 20 ] || \"$HOWCOME_DIR/stuck\"\n\
    result=right\n\
    [ \"$1\" -lt 12 ] || result=wrong\n\
    {\n\
        echo \"case $1 in\"\n\
        echo 'old) echo nothing ;;'\n\
        [ \"$1\" -lt 25 ] || echo 'new) cat result ;;'\n\
        echo '*) exit 2 ;;'\n\
        echo esac\n\
    } | sed 's/^case [0-9]*/case $1/' >program\n\
    echo $result >result\n\
    echo \"$1\" >number\n\
    echo \"end $1\" >>\"$HOWCOME_DIR/log\"\n";

/// Says that it has begun, then waits for ever.
const STUCK: &str = "#!/bin/sh\n\
    (trap '' TERM HUP; setsid sh -c 'exec sleep 1000' 3>\"$HOWCOME_DIR/alive\") &\n\
    echo $$ >\"$HOWCOME_DIR/begun\"\n\
    exec sleep 1000\n";

const TEST: &str = "#!/bin/sh\nresult=$(sh program new) || exit 2\n[ \"$result\" = right ]\n";

fn place() -> Place {
    let place = Place::empty();
    place.script("checkout", CHECKOUT);
    place.script("stuck", STUCK);
    place.script("test.sh", TEST);
    place
}

fn words<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    let words = ["history", "-q", "--json", "--revisions-from", "seq 40", "--checkout", "./checkout {}"];
    [&words[..], flags, &["--run-dir", "run", "--", "./test.sh"]].concat()
}

/// What was checked out, in this order.
fn checked_out(place: &Place) -> Vec<String> {
    let log = String::from_utf8(place.read("log")).unwrap();
    log.lines().filter_map(|line| line.strip_prefix("end ").map(str::to_owned)).collect()
}

fn is_right(answer: &Value) {
    let finding = &answer["finding"];
    assert_eq!(answer["ending"], "found", "{answer:#}");
    assert_eq!((&finding["passing_revision"], &finding["failing_revision"]), (&"11".into(), &"12".into()));
    assert!(finding["forward"].is_string(), "{answer:#}");
}

#[test]
fn one_revision_is_checked_out_at_a_time_whatever_the_number_of_workers() {
    let place = place();
    is_right(&place.json(&words(&["-j4"])));
    let log = String::from_utf8(place.read("log")).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    for pair in lines.chunks(2) {
        let number = pair[0].strip_prefix("begin ").unwrap();
        assert_eq!(pair[1], format!("end {number}"));
    }
    let names = checked_out(&place);
    assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len(), "{names:?}");
    assert!(place.left_behind().is_empty());
}

#[test]
fn a_run_that_goes_on_checks_nothing_out_again() {
    let place = place();
    let stopped = place.run(&words(&["-j1", "--max-tests", "12"]));
    assert_eq!(stopped.status.code(), Some(3), "{}", String::from_utf8_lossy(&stopped.stderr));
    let before = checked_out(&place);
    assert!(before.len() > 2, "{before:?}");
    is_right(&place.json(&["resume", "-q", "--json", "-j1", "run"]));
    let names = checked_out(&place);
    assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len(), "{names:?}");
    // Nor does one that is only shown.
    place.run(&["show", "run", "--test", "3", "--into", "shown"]);
    assert!(place.path("shown").is_dir());
    assert_eq!(checked_out(&place), names);
}

#[test]
fn ctrl_c_ends_a_checkout_and_all_that_it_started_and_the_run_can_be_resumed() {
    let place = place();
    for pipe in ["begun", "alive"] {
        mkfifo(&place.path(pipe), nix::sys::stat::Mode::S_IRWXU).unwrap();
    }
    // Some revisions do not matter to the answer, so the one that it waits for is the oldest of few.
    let words = words(&["-j1", "--back-to", "20"]);
    let child = place.howcome(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Opening a pipe waits for the other end.
    let mut alive = fs::File::open(place.path("alive")).unwrap();
    fs::read(place.path("begun")).unwrap();
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    alive.read_to_end(&mut Vec::new()).unwrap();
    assert!(place.left_behind().is_empty());
    fs::remove_file(place.path("begun")).unwrap();
    let answer = place.json(&["resume", "-q", "--json", "run"]);
    assert_eq!(answer["ending"], "never-worked", "{answer:#}");
    assert_eq!(answer["finding"]["never_worked"]["revision"], "20");
    let names = checked_out(&place);
    assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len(), "{names:?}");
}
