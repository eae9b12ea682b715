//! `howcome input --pass`, as a user would run it.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use insta::assert_snapshot;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, mkfifo};
use serde_json::json;
use std::fs;
use std::process::Stdio;

const GOOD: &str = "[server]\nport = 80\nname = a\n\n[log]\nlevel = info\n";
const BAD: &str = "[server]\nport = 8080\nname = b\ntls = on\n\n[log]\nlevel = debug\nfile = x.log\n";

/// Fails with the level `debug`; cannot judge a setting without a value.
const TEST: &str = "#!/bin/sh
grep -q '= *$' \"$1\" && exit 3
grep -q 'level = debug' \"$1\" && exit 1
exit 0
";

fn place() -> Place {
    let place = Place::empty();
    place.write("good.ini", GOOD.as_bytes());
    place.write("bad.ini", BAD.as_bytes());
    place.script("test.sh", TEST);
    place
}

const ISOLATE: [&str; 6] = ["input", "bad.ini", "--pass", "good.ini", "--run-dir", "run"];

fn isolating<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    [&ISOLATE, flags, &["--", "./test.sh", "{}"]].concat()
}

#[test]
fn the_smallest_difference_between_two_inputs() {
    let place = place();
    assert_snapshot!(place.seen(&isolating(&["-j1", "-q"])));
    let (failing, passing) = (place.read("bad.min.ini"), place.read("bad.min.pass.ini"));
    let failing = String::from_utf8(failing).unwrap();
    assert_eq!(failing.replace("debug", "info").as_bytes(), passing);
    assert_eq!(place.read("run/best/bad.ini"), failing.as_bytes());
    assert_eq!(place.read("run/best.pass/bad.ini"), passing);
    assert_eq!((place.read("good.ini"), place.read("bad.ini")), (GOOD.into(), BAD.into()));
    assert_snapshot!(place.seen(&["show", "run", "--markdown"]));
}

#[test]
fn the_finding_as_json_keeps_the_contract() {
    let place = place();
    let json = place.json(&isolating(&["-j1", "-q", "--json", "-o", "out.ini"]));
    assert_eq!((&json["question"], &json["ending"]), (&json!("input"), &json!("found")));
    assert_eq!(json["minimal"], json!({"of": "tokens", "checked": true}));
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
    let finding = &json["finding"];
    assert_eq!(finding["failing"], json!(place.path("out.ini")));
    assert_eq!(finding["passing"], json!(place.path("out.pass.ini")));
    assert_eq!(finding["passing_side"], "good.ini");
    let difference = finding["difference"].as_array().unwrap();
    assert_eq!(difference.len(), 1);
    assert_eq!((&difference[0]["removed"], &difference[0]["added"]), (&json!(["info"]), &json!(["debug"])));
    assert!(place.path("out.ini").exists() && place.path("out.pass.ini").exists());
}

#[test]
fn the_same_questions_and_the_same_answer_for_any_number_of_workers() {
    let answer = |jobs: &str| {
        let place = place();
        let json = place.json(&isolating(&["-j", jobs, "-q", "--json", "-o", "out.ini"]));
        let trail = place.seen(&["show", "run", "--trail"]);
        let questions: Vec<String> =
            trail.lines().skip(1).map(|line| line.split("left").next().unwrap().to_owned()).collect();
        (json["finding"]["difference"].clone(), json["tests"]["told"].clone(), questions)
    };
    let one = answer("1");
    assert_eq!(answer("2"), one);
    assert_eq!(answer("8"), one);
}

#[test]
fn two_inputs_that_end_alike_explain_nothing() {
    let place = place();
    assert_snapshot!(place.seen(&[&ISOLATE[..], &["-j1", "-q", "--", "false"]].concat()));
    let output = place.run(&["input", "bad.ini", "--pass", "bad.ini", "-q", "--", "./test.sh", "{}"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn each_failing_input_has_a_passing_one() {
    let place = place();
    let words = ["input", "bad.ini", "test.sh", "--pass", "good.ini", "-q", "--", "true"];
    assert_snapshot!(place.seen(&words));
}

#[test]
fn a_stopped_isolation_keeps_the_best_pair_and_can_be_resumed() {
    let place = place();
    let stopped = place.run(&isolating(&["-j1", "-q", "--max-tests", "2"]));
    assert_eq!(stopped.status.code(), Some(3));
    let stdout = String::from_utf8(stopped.stdout).unwrap();
    assert!(stdout.starts_with("Stopped early: the deciding difference is among "), "{stdout}");
    assert_eq!(place.read("run/best/bad.ini"), place.read("bad.min.ini"));
    let passing = String::from_utf8(place.read("bad.min.pass.ini")).unwrap();
    assert!(!passing.contains("level = debug"), "{passing}");
    // The originals can change; the run does not.
    place.write("good.ini", b"");
    let resumed = place.json(&["resume", "run", "-j1", "-q", "--json"]);
    assert_eq!(resumed["finding"]["difference"][0]["added"], json!(["debug"]));
    let fresh = self::place().json(&isolating(&["-j1", "-q", "--json"]));
    assert_eq!(resumed["tests"]["told"], fresh["tests"]["told"]);
}

#[test]
fn an_interrupted_isolation_keeps_the_best_pair() {
    let place = place();
    place.script(
        "stuck.sh",
        &TEST.replace(
            "exit 0\n",
            "grep -q 8080 \"$1\" || exit 0\necho $$ >\"$HOWCOME_DIR/begun\"\nexec sleep 1000\n",
        ),
    );
    mkfifo(&place.path("begun"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let words = [&ISOLATE[..], &["-j1", "-q", "--", "./stuck.sh", "{}"]].concat();
    let child = place.howcome(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Opening a pipe waits for the other end.
    fs::read(place.path("begun")).unwrap();
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(place.read("run/best/bad.ini")).unwrap().contains("level = debug"));
    assert!(!String::from_utf8(place.read("run/best.pass/bad.ini")).unwrap().contains("level = debug"));
    place.script("stuck.sh", TEST);
    let json = place.json(&["resume", "run", "-j1", "-q", "--json"]);
    assert_eq!(json["finding"]["difference"][0]["added"], json!(["debug"]));
}

#[test]
fn any_test_of_the_trail_can_be_made_again() {
    let place = place();
    place.run(&isolating(&["-j1", "-q"]));
    assert_snapshot!(place.seen(&["show", "run", "--test", "1", "--into", "again"]));
    let script = "\"$PWD/test.sh\" again/bad.ini";
    let status = place.command("sh".as_ref()).args(["-c", script]).status().unwrap();
    assert_ne!(status.code(), Some(3));
}

#[test]
fn a_file_that_only_the_failing_folder_has_can_decide() {
    let place = Place::empty();
    place.write("good/a.txt", b"one\n");
    place.write("bad/a.txt", b"two\n");
    place.write("bad/lib/b.txt", b"three\n");
    place
        .script("test.sh", "#!/bin/sh\n[ -d \"$1\" ] || exit 3\n[ -e \"$1/lib/b.txt\" ] && exit 1\nexit 0\n");
    let json = place.json(&["input", "bad", "--pass", "good", "-q", "--json", "--", "./test.sh", "{}"]);
    let difference = &json["finding"]["difference"];
    assert_eq!(difference[0]["path"], "bad/lib/b.txt");
    assert_eq!(difference[0]["what"], "only the failing side has the file");
    assert!(place.path("bad.min").is_dir() && place.path("bad.min.pass").is_dir());
}

/// Figure 1 of the cause-effect paper, and a compiler that crashes on an addition of 1.0 in a loop.
#[test]
fn table_1_of_the_cause_effect_paper_with_a_real_compiler_as_the_judge_of_syntax() {
    // Without a compiler, the same is tested with a grammar as the judge in the crate `input`.
    if !howcome_testing::need_program("gcc") {
        return;
    }
    let place = Place::empty();
    let text = "double mult(double z[], int n)\n{\n    int i, j;\n    i = 0;\n    for (j = 0; j < n; j++) {\n        \
                i = i + j + 1;\n        z[i] = z[i] * (z[0] + 1.0);\n    }\n    return z[n];\n}\n";
    place.write("fail.c", text.as_bytes());
    place.script(
        "cc.sh",
        "#!/bin/sh\ngcc -fsyntax-only -x c \"$1\" 2>&1 || exit 3\n\
         tr -d ' \\n' <\"$1\" | grep -q 'for(.*+1\\.0' && kill -SEGV $$\nexit 0\n",
    );
    let json = place.json(&["input", "fail.c", "--isolate", "-q", "--json", "--", "./cc.sh", "{}"]);
    assert_eq!(json["finding"]["difference"][0]["added"], json!(["+ 1.0"]));
    let told = json["tests"]["told"].as_u64().unwrap();
    assert!(told <= 8, "the paper took 21, and 8 are possible along the syntax tree: {told}");
}
