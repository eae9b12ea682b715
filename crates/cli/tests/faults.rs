//! A fault is not an outcome: what breaks around a run gives no wrong answer, loses no run and no file of the user.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use howcome_testing::folder::names_in;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Output;

const ITEMS: [&str; 7] = ["items", "list.txt", "-j1", "-q", "--run-dir", "run", "--"];

#[test]
fn a_run_whose_list_was_cut_off_claims_nothing() {
    for is_finished in [true, false] {
        let place = Place::new();
        let budget = if is_finished { "1000" } else { "11" };
        place.run(&[&["items", "--max-tests", budget], &ITEMS[1..], &["./test.sh"]].concat());
        let list = place.read("run/list");
        for length in [0, list.len() / 2, list.len() - 1] {
            place.write("run/list", &list[..length]);
            let json: Vec<&str> = if is_finished { vec![] } else { vec!["--json"] };
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

/// howcome in a shell that has run another command before, in a mount namespace of its own. `None` if that is not allowed here.
fn in_shell(place: &Place, before: &str, words: &[&str]) -> Option<Output> {
    let script = format!("{before} || exit 99; exec \"$0\" \"$@\"");
    let mut shell = place.command(Path::new("unshare"));
    shell.args(["-rm", "sh", "-c", &script, env!("CARGO_BIN_EXE_howcome")]).args(words);
    let output = shell.output().unwrap();
    let is_refused = output.status.code() == Some(99) || output.stderr.starts_with(b"unshare:");
    if is_refused {
        howcome_testing::skip(format!("not allowed here: {before}"));
    }
    (!is_refused).then_some(output)
}

/// Either the answer is right, and the user is told if the run cannot be resumed, or the run stops with a hint.
fn assert_answered_or_stopped(output: &Output, is_right: impl Fn(&str) -> bool, hint: &str, context: &str) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    let all = format!("{context}: {}\n{stdout}--- stderr\n{stderr}", output.status);
    match output.status.code() {
        Some(0) => assert!(is_right(&stdout), "{all}"),
        Some(3) => assert!(stderr.contains("error: ") && stderr.contains(hint), "{all}"),
        _ => panic!("{all}"),
    }
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_with_its_own_hint() {
    let hint = "hint: raise the limit with `ulimit -f unlimited`";
    let (mut answered, mut warned, mut stopped) = (0, 0, 0);
    for blocks in [0, 1, 2, 4, 8, 1000] {
        let context = format!("ulimit -f {blocks}");
        let items = Place::new();
        let input = Place::empty();
        let lines: String = (0..300).map(|number| format!("line {number}\n")).collect();
        input.write("in.txt", lines.as_bytes());
        input.script("test.sh", "#!/bin/sh\ngrep -qx 'line 17' in.txt && exit 1\nexit 0\n");
        let ask = |place: &Place, words: &[&str], is_right: &dyn Fn(&str) -> bool| {
            let output = in_shell(place, &context, words)?;
            assert_answered_or_stopped(&output, is_right, hint, &context);
            assert_eq!(place.left_behind(), [] as [std::path::PathBuf; 0]);
            Some(output)
        };
        let words = ["items", "list.txt", "-j1", "-q", "--run-dir", "run", "--", "./test.sh"];
        let Some(first) = ask(&items, &words, &|stdout| stdout.contains("2 of 40 items")) else { return };
        let words = ["input", "in.txt", "-j1", "-q", "--run-dir", "run", "--", "./test.sh"];
        let second = ask(&input, &words, &|_| input.read("in.min.txt") == b"line 17").unwrap();
        for output in [first, second] {
            let is_warned = String::from_utf8_lossy(&output.stderr).contains("it cannot be resumed");
            answered += usize::from(output.status.success());
            warned += usize::from(output.status.success() && is_warned);
            stopped += usize::from(!output.status.success());
        }
    }
    assert!(warned > 0 && answered > warned && stopped > 0, "{answered} {warned} {stopped}");
}

#[test]
fn a_run_folder_that_is_nearly_full_does_not_end_the_run() {
    let mut warned = 0;
    for kibibytes in [4, 8, 12, 16, 20, 24, 32, 400] {
        let place = Place::new();
        fs::create_dir(place.path("small")).unwrap();
        let context = format!("mount -t tmpfs -o size={kibibytes}k none small");
        let words = ["items", "list.txt", "-j1", "-q", "--run-dir", "small/run", "--", "./test.sh"];
        let Some(output) = in_shell(&place, &context, &words) else { return };
        let is_right = |stdout: &str| stdout.contains("2 of 40 items are enough");
        assert_answered_or_stopped(&output, is_right, "hint: free some space", &context);
        assert_eq!(output.status.code(), Some(0), "{context}");
        warned += usize::from(String::from_utf8_lossy(&output.stderr).contains("it cannot be resumed"));
    }
    assert!((1..8).contains(&warned), "{warned}");
}

#[test]
fn a_run_folder_too_small_for_the_input_does_not_end_the_run() {
    for kibibytes in [16, 28, 36, 44, 60] {
        let place = Place::empty();
        let lines: String = (0..1500).map(|number| format!("line {number}\n")).collect();
        place.write("in.txt", lines.as_bytes());
        place.script("test.sh", "#!/bin/sh\ngrep -qx 'line 17' in.txt && exit 1\nexit 0\n");
        fs::create_dir(place.path("small")).unwrap();
        let context = format!("mount -t tmpfs -o size={kibibytes}k none small");
        let words = ["input", "in.txt", "-j1", "-q", "--run-dir", "small/run", "--", "./test.sh"];
        let Some(output) = in_shell(&place, &context, &words) else { return };
        assert_eq!(output.status.code(), Some(0), "{context}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(place.read("in.min.txt"), b"line 17", "{context}");
    }
}
