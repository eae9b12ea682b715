//! `howcome items`, as a user would run it.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use insta::assert_snapshot;

#[test]
fn the_smallest_part_of_a_list_that_still_fails() {
    let place = Place::new();
    assert_snapshot!(place.seen(&["items", "list.txt", "-j1", "--run-dir", "run", "--", "./test.sh"]));
    assert_eq!(place.read("run/best/items.txt"), b"7\n31\n");
    assert_snapshot!(place.seen(&["show", "run", "--trail"]));
}

#[test]
fn the_smallest_difference_that_decides() {
    let place = Place::new();
    assert_snapshot!(place.seen(&[
        "items",
        "list.txt",
        "-j1",
        "--run-dir",
        "run",
        "--isolate",
        "--",
        "./test.sh"
    ]));
}

#[test]
fn the_same_questions_and_the_same_answer_for_any_number_of_workers() {
    for algorithm in ["balanced", "ddmin", "dd", "dd+", "isolate"] {
        let place = Place::new();
        let answer = |jobs: &str| {
            let run = format!("{algorithm}-{jobs}");
            let words = [
                "items",
                "list.txt",
                "-j",
                jobs,
                "--algorithm",
                algorithm,
                "--run-dir",
                &run,
                "--json",
                "-q",
            ];
            let json = place.json(&[words.as_slice(), &["--", "./test.sh"]].concat());
            let trail = place.seen(&["show", &run, "--trail"]);
            let questions: Vec<String> =
                trail.lines().skip(1).map(|line| line.split("left").next().unwrap().to_owned()).collect();
            (
                json["finding"].clone(),
                json["tests"]["asked"].clone(),
                json["tests"]["told"].clone(),
                questions,
            )
        };
        let one = answer("1");
        assert_eq!(answer("2"), one);
        assert_eq!(answer("8"), one);
    }
}

#[test]
fn the_finding_as_json_keeps_the_contract() {
    let place = Place::new();
    let json = place.json(&["items", "list.txt", "-j1", "--json", "-q", "--", "./test.sh"]);
    assert_eq!(json["schema"], 1);
    assert_eq!(json["question"], "items");
    assert_eq!(json["ending"], "found");
    assert_eq!(json["finding"]["items"], serde_json::json!(["7", "31"]));
    assert_eq!(json["minimal"], serde_json::json!({"of": "items", "checked": true}));
    assert_eq!(json["verified"], serde_json::json!({"alone_fails": true, "without_passes": true}));
    let tests = |name: &str| json["tests"][name].as_u64().unwrap();
    assert_eq!(tests("asked"), tests("told") + tests("predicted"));
    assert_eq!(tests("told"), tests("pass") + tests("fail") + tests("unresolved"));
    // With one worker nothing is wasted: the baseline, what was told, and the two confirmations.
    assert_eq!(tests("executed"), 2 + tests("told") + 2);
}

#[test]
fn a_finding_of_dd_is_confirmed_before_anything_is_claimed_of_it() {
    let place = Place::new();
    // Not monotone: dd's answer does not fail on its own.
    place.script("odd.sh", "#!/bin/sh\nset -- $(cat \"$HOWCOME_ITEMS\")\ncase \"$*\" in *\"7 8\"*) exit 1;; esac\n[ $# -gt 35 ] && exit 1\nexit 0\n");
    let json =
        place.json(&["items", "list.txt", "-j2", "--algorithm", "dd", "--json", "-q", "--", "./odd.sh"]);
    let claims_minimal = json["minimal"]["checked"].as_bool().unwrap();
    let fails_alone = json["verified"]["alone_fails"].as_bool().unwrap();
    assert!(fails_alone || !claims_minimal, "{json}");
}

#[test]
fn what_counts_as_the_failure_can_be_said() {
    let place = Place::new();
    place.script(
        "talks.sh",
        "#!/bin/sh\ngrep -qx 12 \"$HOWCOME_ITEMS\" && echo 'cannot open display' >&2\nexit 1\n",
    );
    let words = [
        "items",
        "list.txt",
        "-j2",
        "-q",
        "--json",
        "--fails-when",
        "stderr~cannot open",
        "--",
        "./talks.sh",
    ];
    assert_eq!(place.json(&words)["finding"]["items"], serde_json::json!(["12"]));
}

#[test]
fn a_crash_is_a_failure_and_so_is_a_timeout() {
    let place = Place::new();
    place.script("crash.sh", "#!/bin/sh\ngrep -qx 12 \"$HOWCOME_ITEMS\" && kill -SEGV $$\nexit 0\n");
    let json = place.json(&["items", "list.txt", "-q", "--json", "--", "./crash.sh"]);
    assert_eq!(json["finding"]["items"], serde_json::json!(["12"]));
    place.script("hang.sh", "#!/bin/sh\ngrep -qx 12 \"$HOWCOME_ITEMS\" && exec sleep 1000\nexit 0\n");
    let json = place.json(&["items", "list.txt", "-q", "--json", "--timeout", "300ms", "--", "./hang.sh"]);
    assert_eq!(json["finding"]["items"], serde_json::json!(["12"]));
}

#[test]
fn the_list_may_come_from_standard_input_and_the_answer_go_to_a_file() {
    let place = Place::new();
    let mut command = place.command("/bin/sh".as_ref());
    let line = "printf 'a\\n31\\n\\n7' | \"$0\" items - -o answer.txt -q -- ./test.sh";
    let output = command.args(["-c", line, env!("CARGO_BIN_EXE_howcome")]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(place.read("answer.txt"), b"31\n7\n");
}

#[test]
fn a_dry_run_says_what_would_be_done_and_leaves_no_trace() {
    let place = Place::new();
    let seen = place.seen(&["items", "list.txt", "--dry-run", "--", "./test.sh"]);
    assert!(seen.contains("40 items would be varied, by balanced"), "{seen}");
    assert!(seen.ends_with("--- exit 0\n"), "{seen}");
    assert_eq!(std::fs::read_dir(place.path("howcome.out")).unwrap().count(), 0);
}

#[test]
fn any_test_of_the_trail_can_be_made_again_and_tried_by_hand() {
    let place = Place::new();
    place.run(&["items", "list.txt", "-q", "--run-dir", "run", "--", "./test.sh"]);
    let output = place.run(&["show", "run", "--test", "2", "--into", "again"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let by_hand = text.lines().last().unwrap();
    let status = place.command("/bin/sh".as_ref()).args(["-c", by_hand]).status().unwrap();
    let said_fail = text.starts_with("test 2: fail");
    assert_eq!(status.code(), Some(i32::from(said_fail)), "{text}");
}

#[test]
fn a_run_can_be_shown_as_a_page_and_as_markdown() {
    let place = Place::new();
    place.write("list.txt", b"7\n31\n<script>alert(1)</script>\n");
    place.script("all.sh", "#!/bin/sh\ngrep -q script \"$HOWCOME_ITEMS\" && exit 1\nexit 0\n");
    place.run(&["items", "list.txt", "-q", "--run-dir", "run", "--", "./all.sh"]);
    assert!(place.run(&["show", "run", "--html", "page.html"]).status.success());
    let page = String::from_utf8(place.read("page.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("&lt;script&gt;") && !page.contains("<script>alert"));
    let markdown = String::from_utf8(place.run(&["show", "run", "--markdown"]).stdout).unwrap();
    assert!(markdown.contains("<script>alert(1)</script>") && markdown.contains("```"), "{markdown}");
}

#[test]
fn the_demo_answers_its_questions() {
    let place = Place::new();
    let output = place.run(&["demo"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("discount=loyal\n        rounding=up"), "{text}");
}

#[test]
fn completions_and_manual_pages_come_from_the_help() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let completions = String::from_utf8(place.run(&["completions", shell]).stdout).unwrap();
        assert!(completions.contains("fails-when"), "{shell}");
    }
    assert!(place.run(&["man", "--into", "man"]).status.success());
    let page = String::from_utf8(place.read("man/howcome-items.1")).unwrap();
    assert!(page.contains("HOWCOME_ITEMS") && page.contains("fails\\-when"), "{page}");
    let main = String::from_utf8(place.run(&["man"]).stdout).unwrap();
    assert!(main.starts_with(".ie") || main.contains(".TH howcome 1"), "{main}");
}

#[test]
fn the_help_of_items() {
    let place = Place::new();
    let help =
        String::from_utf8(place.howcome(&["items", "--help"]).env("COLUMNS", "100").output().unwrap().stdout);
    assert_snapshot!(help.unwrap());
}
