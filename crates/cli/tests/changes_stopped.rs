//! A run of `howcome changes` that is stopped, interrupted or killed loses nothing and leaves nothing behind.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Repo, finding_of, lines_of};
use insta::assert_snapshot;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, mkfifo};
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::process::{Child, Stdio};

const FINE: &str = "#!/bin/sh\n! { grep -q one code.txt && grep -q two code.txt; }\n";

/// Says that it has begun, then waits for ever, in a mix that has one of the two lines and not the other.
const STUCK: &str = "#!/bin/sh\n\
    if grep -q two code.txt && ! grep -q one code.txt; then\n\
        (trap '' TERM HUP; setsid sh -c 'exec sleep 1000' 3>\"$HOWCOME_DIR/alive\") &\n\
        echo $$ >\"$HOWCOME_DIR/begun\"\n\
        exec sleep 1000\n\
    fi\n\
    ! { grep -q one code.txt && grep -q two code.txt; }\n";

fn repo() -> Repo {
    let repo = Repo::new();
    repo.sh("seq 60 >code.txt");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    for number in 1..=6 {
        if number == 4 {
            repo.sh("sed -i -e s/^3$/x/ -e s/^10$/one/ -e s/^30$/x/ -e s/^40$/two/ -e s/^50$/x/ code.txt");
        }
        repo.change("other.txt", &format!("{number}\n"));
    }
    repo.script("test.sh", FINE);
    repo
}

const WORDS: [&str; 9] = ["changes", "-q", "--json", "-j1", "--good", "good", "--bad", "main", "--run-dir"];

fn begin(repo: &Repo) -> (Child, fs::File) {
    repo.script("test.sh", STUCK);
    for pipe in ["begun", "alive"] {
        mkfifo(&repo.path(pipe), nix::sys::stat::Mode::S_IRWXU).unwrap();
    }
    let words = [&WORDS[..], &["run", "--", "./test.sh"]].concat();
    let child = repo.howcome(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Opening a pipe waits for the other end.
    let alive = fs::File::open(repo.path("alive")).unwrap();
    fs::read(repo.path("begun")).unwrap();
    (child, alive)
}

/// Waits until nothing of the test is left.
fn wait_for_the_end(mut alive: fs::File) {
    alive.read_to_end(&mut Vec::new()).unwrap();
}

fn counts(json: &Value) -> [&Value; 5] {
    ["asked", "told", "pass", "fail", "unresolved"].map(|name| &json["tests"][name])
}

#[test]
fn a_killed_run_is_resumed_as_if_nothing_had_happened() {
    let repo = repo();
    let fresh = repo.json(&[&WORDS[..], &["fresh", "--", "./test.sh"]].concat());
    let (mut child, alive) = begin(&repo);
    let known = repo.read("run/journal.jsonl").split(|byte| *byte == b'\n').count();
    child.kill().unwrap();
    child.wait().unwrap();
    wait_for_the_end(alive);
    repo.script("test.sh", FINE);
    let resumed = repo.json(&["resume", "run", "-j1", "-q", "--json"]);
    assert_eq!(finding_of(&resumed), finding_of(&fresh));
    assert_eq!(counts(&resumed), counts(&fresh));
    // What was known is not tested again, but for the two versions.
    let executed = |json: &Value| json["tests"]["executed"].as_u64().unwrap();
    assert!(executed(&resumed) <= executed(&fresh) + 3, "{} {}", executed(&resumed), executed(&fresh));
    assert!(known > 8);
    assert_eq!(repo.read("run/culprit.patch"), repo.read("fresh/culprit.patch"));
}

#[test]
fn an_interrupted_run_says_what_is_known_and_can_be_resumed() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let repo = repo();
        let (child, alive) = begin(&repo);
        kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        wait_for_the_end(alive);
        assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(repo.left_behind().is_empty());
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["ending"], "stopped");
        assert_eq!(json["finding"]["commit"], Value::from(repo.git(&["rev-parse", "main~2"])));
        let lines = lines_of(&json);
        assert!(lines.contains(&"code.txt: +two".to_owned()), "{lines:?}");
        repo.script("test.sh", FINE);
        let json = repo.json(&["resume", "run", "-j2", "-q", "--json"]);
        assert_eq!(lines_of(&json), ["code.txt: -10", "code.txt: +one", "code.txt: -40", "code.txt: +two"]);
    }
}

#[test]
fn a_budget_ends_a_run_with_the_best_so_far() {
    let repo = repo();
    let culprit = repo.git(&["rev-parse", "main~2"]);
    for budget in 0..4 {
        // Two tests find the commit.
        let commit =
            if budget < 2 { String::new() } else { format!("in commit {}, ", culprit.get(..12).unwrap()) };
        let (budget, run) = (budget.to_string(), format!("run{budget}"));
        let words = ["changes", "-q", "-j1", "--good", "good", "--bad", "main", "--max-tests", &budget];
        let seen = repo.seen(&[&words[..], &["--run-dir", &run, "--", "./test.sh"]].concat());
        let known = format!("Stopped early: the cause is {commit}among 6 hunks in 2 files.");
        assert!(seen.contains(&known), "{seen}");
        assert!(seen.contains(&format!("howcome resume {run}")) && seen.ends_with("--- exit 3\n"), "{seen}");
    }
    let fresh = repo.json(&[&WORDS[..], &["fresh", "--", "./test.sh"]].concat());
    let resumed = repo.json(&["resume", "run3", "-q", "-j1", "--json"]);
    assert_eq!(resumed["finding"]["changes"], fresh["finding"]["changes"]);
    assert_eq!(counts(&resumed), counts(&fresh));
}

#[test]
fn a_run_that_is_stopped_after_every_test_comes_to_the_same_answer() {
    let repo = repo();
    let fresh = repo.json(&[&WORDS[..], &["fresh", "--", "./test.sh"]].concat());
    repo.run(&[&WORDS[..], &["run", "--max-tests", "1", "--", "./test.sh"]].concat());
    let mut sessions = 1;
    let resumed = loop {
        sessions += 1;
        let budget = sessions.to_string();
        let json = repo.json(&["resume", "run", "-q", "--json", "-j2", "--max-tests", &budget]);
        if json["ending"] == "found" {
            break json;
        }
        assert_eq!(json["ending"], "stopped", "{json:#}");
        assert!(sessions < 40);
    };
    assert_eq!(finding_of(&resumed), finding_of(&fresh));
    assert_eq!(counts(&resumed), counts(&fresh));
}

#[test]
fn a_run_is_not_resumed_with_other_versions() {
    let repo = repo();
    repo.sh("rm test.sh; git checkout -q good; echo two >>code.txt; echo one >>code.txt; cp code.txt kept");
    repo.script(".git/test.sh", FINE);
    let test = repo.path(".git/test.sh");
    let flags = ["--good", "HEAD", "--max-tests", "0", "--run-dir", "howcome.out/run"];
    let words = [&["changes", "-q", "-j1"][..], &flags, &["--", test.to_str().unwrap()]].concat();
    repo.run(&words);
    // The record keeps a copy, so it has to be spoilt, too.
    repo.sh("cp -r howcome.out/run/versions saved; echo three >>howcome.out/run/versions/bad/0");
    assert_snapshot!(repo.seen(&["resume", "howcome.out/run", "-q"]));
    repo.sh("rm -r howcome.out/run/versions; cp -r saved howcome.out/run/versions");
    let json = repo.json(&["resume", "howcome.out/run", "-q", "--json"]);
    assert_eq!(json["ending"], "found");
}

#[test]
fn an_edit_of_the_working_tree_does_not_matter_to_a_run_that_was_begun() {
    let repo = repo();
    repo.sh("rm test.sh; git checkout -q good; echo two >>code.txt; git add code.txt; echo one >>code.txt");
    repo.sh("echo new >new.txt; rm -f other.txt; chmod +x code.txt");
    repo.script(".git/test.sh", FINE);
    let test = repo.path(".git/test.sh");
    let flags = ["--good", "HEAD", "--max-tests", "1", "--run-dir", "howcome.out/run"];
    let words = [&["changes", "-q", "-j1"][..], &flags, &["--", test.to_str().unwrap()]].concat();
    repo.run(&words);
    repo.sh("seq 9 >code.txt; echo other >new.txt; echo more >more.txt");
    repo.commit("edited");
    let json = repo.json(&["resume", "howcome.out/run", "-q", "--json"]);
    assert_eq!(json["ending"], "found");
    assert_eq!(lines_of(&json), ["code.txt: +two", "code.txt: +one"]);
    let seen = repo.seen(&["show", "howcome.out/run", "--test", "1", "--into", "by-hand"]);
    assert!(seen.contains("try it by hand:") && seen.contains("--- exit 0"), "{seen}");
    assert!(repo.path("by-hand/code.txt").is_file() && !repo.path("by-hand/more.txt").exists());
}

#[test]
fn an_edit_of_a_folder_or_of_an_untracked_test_does_not_matter_either() {
    let repo = repo();
    repo.sh("mkdir old new; seq 60 >old/code.txt; cp old/code.txt new; echo two >>new/code.txt; echo one >>new/code.txt");
    let test = repo.path("test.sh");
    let folders = ["--good", "old", "--bad", "new", "--max-tests", "0", "--run-dir", "howcome.out/folders"];
    let words = [&["changes", "-q", "-j1"][..], &folders, &["--", "sh", test.to_str().unwrap()]].concat();
    repo.run(&words);
    repo.sh("echo 1 >old/code.txt; rm new/code.txt");
    let json = repo.json(&["resume", "howcome.out/folders", "-q", "--json"]);
    assert_eq!(lines_of(&json), ["code.txt: +two", "code.txt: +one"]);
    // The test is not committed, so every version gets a copy of it.
    let flags = ["--good", "good", "--bad", "HEAD", "--max-tests", "0", "--run-dir", "howcome.out/test"];
    repo.sh("rm -r old new");
    repo.run(&[&["changes", "-q", "-j1"][..], &flags, &["--", "sh", "test.sh"]].concat());
    repo.script("test.sh", "#!/bin/sh\nexit 0\n");
    let json = repo.json(&["resume", "howcome.out/test", "-q", "--json"]);
    assert_eq!(json["ending"], "found", "{json:#}");
}

#[test]
fn a_bisect_script_may_stop_the_run() {
    let repo = repo();
    repo.script("test.sh", &FINE.replace("! {", "grep -qsx 3 other.txt && exit 130\n! {"));
    let words = [&WORDS[..], &["run", "--codes", "bisect", "--", "./test.sh"]].concat();
    let output = repo.run(&words);
    assert_eq!(output.status.code(), Some(3));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["ending"], "stopped");
    assert!(String::from_utf8(output.stderr).unwrap().contains("exit code 130"));
}

#[test]
fn a_search_for_all_causes_is_resumed_where_it_stopped() {
    let repo = repo();
    repo.script("test.sh", "#!/bin/sh\n! grep -q 'one\\|two' code.txt\n");
    let fresh = repo.json(&[&WORDS[..], &["fresh", "--all", "--", "./test.sh"]].concat());
    assert_eq!(fresh["finding"]["further"].as_array().map(Vec::len), Some(1), "{fresh:#}");
    let told = fresh["tests"]["told"].as_u64().unwrap();
    for budget in 1..told {
        let (run, budget) = (format!("run{budget}"), budget.to_string());
        let words = [&WORDS[..], &[&run, "--all", "--max-tests", &budget, "--", "./test.sh"]].concat();
        assert_eq!(repo.run(&words).status.code(), Some(3), "after {budget} tests");
        let resumed = repo.json(&["resume", &run, "-q", "--json", "-j2"]);
        assert_eq!(resumed["finding"]["changes"], fresh["finding"]["changes"], "after {budget} tests");
        assert_eq!(counts(&resumed), counts(&fresh), "after {budget} tests");
    }
}
#[test]
fn a_run_between_two_neighbouring_commits_can_be_resumed_after_its_end() {
    let repo = repo();
    let between =
        ["changes", "-q", "--json", "-j1", "--good", "main~3", "--bad", "main~2", "--run-dir", "run"];
    let first = repo.json(&[&between[..], &["--", "./test.sh"]].concat());
    let again = repo.json(&["resume", "run", "-j2", "-q", "--json"]);
    assert_eq!(again["finding"], first["finding"]);
    assert_eq!(counts(&again), counts(&first));
}

#[test]
fn a_confirmation_that_contradicts_the_search_is_no_answer() {
    let repo = Repo::new();
    repo.sh("seq 9 >a");
    repo.commit("one");
    repo.git(&["tag", "good"]);
    repo.sh("sed -i -e s/2/two/ -e s/7/broken/ a");
    repo.commit("two");
    let test = "echo >>$HOWCOME_DIR/runs; n=$(wc -l <$HOWCOME_DIR/runs); test $n -gt 4 && exit 0; ! grep -q broken a";
    let told = repo.run(&["changes", "-q", "-j1", "--good", "good", "--bad", "HEAD", "--", "sh", "-c", test]);
    assert_eq!(told.status.code(), Some(4), "{}", String::from_utf8_lossy(&told.stdout));
}
