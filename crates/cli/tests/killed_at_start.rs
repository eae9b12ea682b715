//! howcome is killed at each of its system calls: no process and no folder stays, and every run that exists can be resumed.
//!
//! This is a separate test program with a single test, because it adopts orphans and waits for them.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Place, Repo};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A question, and what its finding says.
struct Question {
    words: &'static [&'static str],
    place: fn() -> Place,
    is_right: fn(&serde_json::Value) -> bool,
    /// Whether the programs that it needs are there.
    can_be_asked: fn() -> bool,
    /// How many of its system calls are tried by the long suite. Only `state` and checkouts make very many.
    most_kills: usize,
}

const QUESTIONS: [Question; 5] = [
    Question {
        words: &["items", "list.txt", "-j1", "-q", "--", "./test.sh"],
        place: Place::new,
        is_right: |finding| finding["items"] == serde_json::json!(["7", "31"]),
        can_be_asked: || true,
        most_kills: usize::MAX,
    },
    Question {
        words: &["input", "in", "-j2", "-q", "--", "./test.sh"],
        place: || {
            let place = Place::empty();
            place.write("in/a.txt", b"1\n2\n3\n");
            place.write("in/b.txt", b"4\n5\n6\n");
            place
                .script("test.sh", "#!/bin/sh\ngrep -q 2 in/a.txt && grep -q 5 in/b.txt && exit 1\nexit 0\n");
            place
        },
        is_right: |finding| finding["bytes_after"] == 2,
        can_be_asked: || true,
        most_kills: usize::MAX,
    },
    Question {
        words: &[
            "changes",
            "--good",
            "HEAD~3",
            "--bad",
            "HEAD",
            "-j2",
            "-q",
            "--",
            "sh",
            "-c",
            "! grep -q wrong a.txt",
        ],
        place: || {
            let repo = Repo::new();
            for text in ["one\n", "one\ntwo\n", "one\ntwo\nwrong\n", "one\ntwo\nwrong\nthree\n"] {
                repo.change("a.txt", text);
            }
            repo.place
        },
        is_right: |finding| finding["lines_added"] == 1,
        can_be_asked: || true,
        most_kills: usize::MAX,
    },
    Question {
        words: &[
            "history",
            "-j1",
            "-q",
            "--revisions-from",
            "seq 6",
            "--checkout",
            "./checkout {}",
            "--",
            "grep",
            "-q",
            "right",
            "a.txt",
        ],
        place: || {
            let place = Place::empty();
            place.script(
                "checkout",
                "#!/bin/sh\nif [ $1 -lt 4 ]; then echo right; else echo wrong; fi >a.txt\n",
            );
            place
        },
        is_right: |finding| finding["passing_revision"] == "3",
        can_be_asked: || true,
        most_kills: 200,
    },
    Question {
        words: &[
            "state",
            "-j1",
            "-q",
            "--fail",
            "./price 3",
            "--pass",
            "./price 4",
            "--at",
            "print",
            "--",
            "./judge",
        ],
        place: || {
            let place = Place::empty();
            // It writes a file, so that there are copies of files.
            place.write("price.c", PRICE.as_bytes());
            place.script("judge", "#!/bin/sh\nread price\n[ \"$price\" != 6 ]\n");
            let mut gcc = place.command(Path::new("gcc"));
            assert!(gcc.args(["-g", "-o", "price", "price.c"]).status().unwrap().success());
            place
        },
        is_right: |finding| finding["chain"][0]["causes"][0]["variable"] == "price",
        can_be_asked: || howcome_testing::need_program("gcc"),
        most_kills: 200,
    },
];

const PRICE: &str = r#"#include <stdio.h>
#include <stdlib.h>
static void print(int price)
{
    FILE *file = fopen("written", "w");
    fputs("a file", file);
    fclose(file);
    printf("%d\n", price);
}
int main(int argc, char *argv[])
{
    print(atoi(argv[1]) * 2);
    return 0;
}
"#;

#[test]
fn no_process_and_no_folder_stays_wherever_howcome_is_killed_and_every_run_can_be_resumed() {
    if !howcome_testing::need_program("strace") || !can_trace() {
        return;
    }
    nix::sys::prctl::set_child_subreaper(true).unwrap();
    let (mut killed, mut resumed) = (0, 0);
    for question in QUESTIONS.iter().filter(|question| (question.can_be_asked)()) {
        let calls = system_calls(question);
        for (signal, few, many) in [("KILL", 5, question.most_kills), ("INT", 2, 60)] {
            let every = (calls.len() / howcome_testing::repeats(few, many)).max(1);
            for (name, occurrence) in calls.iter().skip(every / 2).step_by(every) {
                let end = kill_at(question, signal, name, *occurrence);
                killed += usize::from(end.was_killed);
                resumed += usize::from(end.was_resumed);
            }
        }
    }
    // Calls that depend on timing are not always made.
    assert!(killed > 10 && resumed > 1, "{killed} killed, {resumed} resumed");
}

/// In some containers nobody is allowed to trace.
fn can_trace() -> bool {
    let output = Command::new("strace").args(["-o", "/dev/null", "true"]).output().unwrap();
    if !output.status.success() {
        howcome_testing::skip("strace is not allowed to trace");
    }
    output.status.success()
}

/// The system calls of the main thread until the search begins, each with its number among those of the same name.
fn system_calls(question: &Question) -> Vec<(String, usize)> {
    let place = (question.place)();
    let mut strace = place.command(Path::new("strace"));
    // Not in the folder of the question, which is copied for the test.
    let calls = tempfile::NamedTempFile::new().unwrap();
    strace.arg("-o").arg(calls.path()).arg(env!("CARGO_BIN_EXE_howcome")).args(question.words);
    let output = strace.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut occurrences: BTreeMap<String, usize> = BTreeMap::new();
    let text = String::from_utf8_lossy(&fs::read(calls.path()).unwrap()).into_owned();
    // The start is over when the first test is on record.
    let start = text.lines().take_while(|line| !line.contains(r#"\"observed\""#));
    let names = start.filter_map(|line| line.split_once('(')).map(|(name, _)| name);
    let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let calls = names.filter(is_name).map(|name| {
        let occurrence = occurrences.entry(name.to_owned()).or_default();
        *occurrence += 1;
        (name.to_owned(), *occurrence)
    });
    calls.collect()
}

struct KilledRun {
    was_killed: bool,
    was_resumed: bool,
}

fn kill_at(question: &Question, signal: &str, name: &str, occurrence: usize) -> KilledRun {
    let place = (question.place)();
    let before = place.everything();
    let mut strace = place.command(Path::new("strace"));
    strace.args(["-o", "/dev/null", "-e"]).arg(format!("trace={name}"));
    strace.arg("-e").arg(format!("inject={name}:signal={signal}:when={occurrence}"));
    strace.arg(env!("CARGO_BIN_EXE_howcome")).args(question.words);
    let status = strace.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    // This process has adopted the orphans. When the last of them has ended, everything must be cleaned up.
    while nix::sys::wait::wait().is_ok() {}
    let at = format!("{:?}: {signal} at {name}, number {occurrence}", question.words);
    assert_eq!(place.left_behind(), [] as [PathBuf; 0], "{at}");
    if !status.success() {
        let mut after = place.everything();
        // The answer is beside the original.
        after.retain(|path, _| !path.ends_with("in.min") && !path.starts_with(place.path("./in.min")));
        assert_eq!(after.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "{at}");
    }
    let runs: Vec<PathBuf> = match fs::read_dir(place.path("howcome.out")) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => Vec::new(),
    };
    let is_there = place.path("howcome.out").exists();
    assert!(runs.len() <= 1 && is_there != runs.is_empty(), "{at}: {runs:?}");
    for run in &runs {
        let json = place.json(&["resume", run.to_str().unwrap(), "-q", "--json"]);
        assert_eq!(json["ending"], "found", "{at}: {json:#}");
        assert!((question.is_right)(&json["finding"]), "{at}: {json:#}");
    }
    KilledRun { was_killed: !status.success(), was_resumed: !runs.is_empty() }
}
