//! A fault is not an outcome: what breaks around a run gives no wrong answer, loses no run and no file of the user.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const ITEMS: [&str; 7] = ["items", "list.txt", "-j1", "-q", "--run-dir", "run", "--"];

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_run_whose_list_was_cut_off_claims_nothing() {
    for whole in [true, false] {
        let place = Place::new();
        let budget = if whole { "1000" } else { "11" };
        place.run(&[&["items", "--max-tests", budget], &ITEMS[1..], &["./test.sh"]].concat());
        let list = place.read("run/list");
        for length in [0, list.len() / 2, list.len() - 1] {
            place.write("run/list", &list[..length]);
            let json: Vec<&str> = if whole { vec![] } else { vec!["--json"] };
            let seen = place.seen(&[&["resume", "run", "-q", "-j1"], json.as_slice()].concat());
            assert!(seen.contains("error: run/list is not what it was when the run began"), "{seen}");
            assert!(seen.contains("\nhint: ") && seen.ends_with("--- exit 2\n"), "{seen}");
            assert!(!seen.contains("smallest") && !seen.contains("finding"), "{seen}");
            for words in [&["show", "run", "--test", "1"][..], &["show", "run", "--test", "1", "--into", "x"]]
            {
                let seen = place.seen(words);
                assert!(seen.contains("error: run/list is not what it was when the run began"), "{seen}");
                assert!(seen.ends_with("--- exit 2\n"), "{seen}");
            }
        }
        place.write("run/list", &list);
        let json = place.json(&["resume", "run", "-q", "-j1", "--json"]);
        assert_eq!(json["finding"]["items"], serde_json::json!(["7", "31"]));
    }
}

#[test]
fn a_list_without_a_hash_that_is_too_short_for_a_test_is_an_error_and_no_bug() {
    let place = Place::new();
    place.run(&[&ITEMS[..], &["./test.sh"]].concat());
    let file: serde_json::Value = serde_json::from_slice(&place.read("run/run.json")).unwrap();
    let mut file = file.as_object().unwrap().clone();
    assert!(file.remove("inputs").is_some());
    place.write("run/run.json", &serde_json::to_vec(&file).unwrap());
    place.write("run/list", b"1\n2\n");
    let seen = place.seen(&["show", "run", "--test", "1"]);
    assert!(seen.contains("error: run/list has fewer items") && seen.ends_with("--- exit 2\n"), "{seen}");
}

#[test]
fn a_run_whose_input_was_changed_claims_nothing() {
    let place = Place::empty();
    place.write("in/a.txt", b"1\n2\n3\n");
    place.write("in/b.txt", b"4\n5\n6\n");
    place.script("test.sh", "#!/bin/sh\ngrep -q 2 in/a.txt && grep -q 5 in/b.txt && exit 1\nexit 0\n");
    let words = ["input", "in", "-j1", "-q", "--max-tests", "3", "--run-dir", "run", "--", "./test.sh"];
    place.run(&words);
    fs::remove_file(place.path("run/original/in/b.txt")).unwrap();
    for words in [&["resume", "run", "-q", "-j1"][..], &["show", "run", "--test", "1"]] {
        let seen = place.seen(words);
        assert!(seen.contains("error: run/original is not what it was when the run began"), "{seen}");
        assert!(seen.ends_with("--- exit 2\n"), "{seen}");
    }
    place.write("run/original/in/b.txt", b"4\n5\n6\n");
    let json = place.json(&["resume", "run", "-q", "-j1", "--json"]);
    assert_eq!(json["ending"], "found", "{json:#}");
}

#[test]
fn an_answer_replaces_no_file_but_the_one_that_was_named() {
    let place = Place::new();
    place.write("precious", b"precious");
    place.write("kept.new", b"mine");
    place.write("real", b"old");
    symlink("precious", place.path("answer.new")).unwrap();
    symlink("real", place.path("answer")).unwrap();
    let before = names_in(&place.path("."));
    for output in ["kept", "answer"] {
        let run = format!("run-{output}");
        let words = ["items", "list.txt", "-j1", "-q", "-o", output, "--run-dir", &run, "--", "./test.sh"];
        assert_eq!(place.run(&words).status.code(), Some(0));
    }
    assert_eq!((place.read("precious"), place.read("kept.new")), (b"precious".into(), b"mine".into()));
    assert_eq!((place.read("kept"), place.read("real")), (b"7\n31\n".into(), b"7\n31\n".into()));
    assert!(place.path("answer").is_symlink() && place.path("answer.new").is_symlink());
    let mut after = names_in(&place.path("."));
    after.retain(|name| !["kept", "run-kept", "run-answer"].contains(&name.as_str()));
    assert_eq!(after, before, "no temporary file is left");
}
