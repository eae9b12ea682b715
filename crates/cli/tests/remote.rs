//! `--remote`, as a user would run it: the answers of a cluster are those of this machine.

#![allow(clippy::unwrap_used)]

#[path = "../../remote/tests/fake_cluster/mod.rs"]
mod fake_cluster;
mod howcome;
mod journals;

use fake_cluster::proxy::BadProxy;
use fake_cluster::{ClusterOptions, FakeCluster, Fault};
use howcome::{Place, Repo, finding_of};
use journals::{entries, trail};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How many questions of the search did not come from the action cache.
fn uncached_questions(place: &Place, run: &str) -> usize {
    let entries = entries(place, run);
    let questions =
        entries.iter().filter(|entry| entry["event"] == "observed" && entry["purpose"] == "question");
    questions.filter(|entry| entry["is_cached"] != true).count()
}

/// Asks here and on a cluster, with several numbers of workers. Returns the cluster.
fn same_answer(place: &Place, question: &[&str], flags: &[&str], test: &[&str]) -> FakeCluster {
    let cluster = FakeCluster::start(ClusterOptions::default());
    let ask = |run: &str, more: &[&str]| {
        let words = [question, &["-q", "--json", "--run-dir", run], flags, more, &["--"], test].concat();
        finding_of(&place.json(&words))
    };
    let here = ask("here", &["-j1"]);
    for jobs in ["1", "4"] {
        let run = format!("there-{jobs}");
        let there = ask(&run, &["-j", jobs, "--remote", &cluster.url()]);
        assert_eq!(there, here);
        assert_eq!(trail(place, &run), trail(place, "here"));
    }
    cluster
}

#[test]
fn items_are_the_same_and_a_second_run_takes_all_questions_from_the_cache() {
    let place = Place::new();
    let cluster = same_answer(&place, &["items", "list.txt"], &[], &["./test.sh"]);
    for jobs in ["1", "3"] {
        let (executed, run) = (cluster.executed(), format!("again-{jobs}"));
        let words = ["items", "list.txt", "-q", "--json", "--run-dir", &run, "-j", jobs];
        place.json(&[&words[..], &["--remote", &cluster.url(), "--", "./test.sh"]].concat());
        assert_eq!(cluster.executed() - executed, 4, "two sides of the baseline and two proofs");
        assert_eq!(uncached_questions(&place, &run), 0);
        assert_eq!(trail(&place, &run), trail(&place, "here"));
    }
    let executed = cluster.executed();
    let trusting = [
        "items",
        "list.txt",
        "-q",
        "--run-dir",
        "trusting",
        "-j1",
        "--remote",
        &cluster.url(),
        "--trust-cache",
        "--",
        "./test.sh",
    ];
    let seen = place.seen(&trusting);
    let journal = String::from_utf8(place.read("trusting/journal.jsonl")).unwrap();
    for observed in journal.lines().filter(|line| line.contains("\"event\":\"observed\"")) {
        assert!(observed.contains("\"is_cached\":true"), "{observed}");
    }
    assert!(seen.contains("from the action cache of the cluster"), "{seen}");
    assert_eq!(cluster.executed(), executed, "nothing is executed");
}

#[test]
fn an_input_is_reduced_to_the_same() {
    let place = Place::empty();
    let text: String = (0..60).map(|number| format!("line {number}\n")).collect();
    place.write("in.txt", text.as_bytes());
    place.script("check.sh", "#!/bin/sh\ngrep -q 'line 17' \"$1\" && grep -q 'line 42' \"$1\" && { echo bad >&2; exit 1; }\nexit 0\n");
    same_answer(&place, &["input", "in.txt"], &[], &["./check.sh", "{}"]);
}

/// A program with a bug in its third version.
fn program() -> Repo {
    let repo = Repo::new();
    repo.write("Makefile", b"prog: main.c add.c\n\tcc -o prog main.c add.c\n");
    repo.write("main.c", b"#include <stdio.h>\nint add(int a, int b);\nint main(void) {\n    printf(\"%d\\n\", add(2, 2));\n    return add(2, 2) != 4;\n}\n");
    repo.write("add.c", b"int add(int a, int b) {\n    return a + b;\n}\n");
    repo.commit("first");
    repo.change("notes.txt", "notes\n");
    repo.change("add.c", "int scale = 1;\nint add(int a, int b) {\n    return a - b;\n}\n");
    repo.change("notes.txt", "more notes\n");
    repo
}

#[test]
fn changes_with_a_build_have_the_same_cause() {
    if !howcome_testing::need_program("cc") || !howcome_testing::need_program("make") {
        return;
    }
    let repo = program();
    same_answer(&repo, &["changes", "--good", "HEAD~3", "--bad", "HEAD"], &["--build", "make"], &["./prog"]);
}

#[test]
fn warm_builds_have_the_same_cause() {
    if !howcome_testing::need_program("cc") || !howcome_testing::need_program("make") {
        return;
    }
    let repo = program();
    let cluster = FakeCluster::start(ClusterOptions::default());
    let ask = |run: &str, more: &[&str]| {
        let words =
            ["changes", "-q", "--json", "-j1", "--good", "HEAD~3", "--build", "make", "--run-dir", run];
        finding_of(&repo.json(&[&words, more, &["--", "./prog"]].concat()))
    };
    assert_eq!(ask("there", &["--remote", &cluster.url(), "--remote-warm"]), ask("here", &[]));
    assert_eq!(trail(&repo, "there"), trail(&repo, "here"));
}

#[test]
fn a_history_is_the_same() {
    if !howcome_testing::need_program("cc") || !howcome_testing::need_program("make") {
        return;
    }
    same_answer(&program(), &["history"], &["--build", "make"], &["./prog"]);
}

#[test]
fn a_lost_cluster_stops_the_run_which_can_be_resumed_here() {
    let place = Place::new();
    place.json(&["items", "list.txt", "-q", "--json", "-j1", "--run-dir", "here", "--", "./test.sh"]);
    let cluster = FakeCluster::start(ClusterOptions::default());
    let url = cluster.url();
    cluster.order(
        "Execute",
        &[&vec![Fault::CutStream; 6][..], &vec![Fault::Fail(tonic::Code::PermissionDenied); 20]].concat(),
    );
    let seen = place.seen(&[
        "items",
        "list.txt",
        "-j1",
        "-q",
        "--run-dir",
        "run",
        "--remote",
        &url,
        "--",
        "./test.sh",
    ]);
    assert!(seen.contains("--- exit 3"), "{seen}");
    assert!(seen.contains("hint: `howcome resume`"), "{seen}");
    let resumed = place.json(&["resume", "run", "-j1", "-q", "--json"]);
    let here = place.json(&["show", "here", "--json"]);
    assert_eq!(finding_of(&resumed), finding_of(&here));
    assert_eq!(trail(&place, "run"), trail(&place, "here"));
    cluster.order("Execute", &vec![Fault::Fail(tonic::Code::PermissionDenied); 20]);
    let seen = place.seen(&[
        "items",
        "list.txt",
        "-j1",
        "--run-dir",
        "or",
        "--remote",
        &url,
        "--or-local",
        "--",
        "./test.sh",
    ]);
    assert!(seen.contains("--- exit 0") && seen.contains("continues on this machine"), "{seen}");
    assert_eq!(trail(&place, "or"), trail(&place, "here"));
}

#[test]
fn faults_change_no_answer() {
    let place = Place::new();
    place.json(&["items", "list.txt", "-q", "--json", "-j1", "--run-dir", "here", "--", "./test.sh"]);
    let runs = howcome_testing::repeats(2, 20);
    for number in 0..runs {
        let cluster = FakeCluster::start(ClusterOptions {
            delay: Duration::from_millis(1),
            ..ClusterOptions::default()
        });
        let kinds = [
            ("Execute", Fault::WorkerDies(137)),
            ("Execute", Fault::CutStream),
            ("Execute", Fault::Fail(tonic::Code::ResourceExhausted)),
            ("Execute", Fault::LoseBlobs),
            ("BatchReadBlobs", Fault::WrongBytes),
            ("FindMissingBlobs", Fault::Fail(tonic::Code::Unavailable)),
        ];
        // In an order that depends on the number of the run; never so many in a row that the cluster counts as lost.
        for place in 0..18 {
            let (method, fault) = &kinds[(place * 5 + number) % kinds.len()];
            cluster.order(method, &[fault.clone(), Fault::Nothing, Fault::Nothing]);
        }
        let run = format!("there-{number}");
        let words =
            ["items", "list.txt", "-q", "--json", "-j4", "--run-dir", &run, "--remote", &cluster.url()];
        place.json(&[&words, &["--", "./test.sh"][..]].concat());
        assert_eq!(trail(&place, &run), trail(&place, "here"));
    }
}

#[test]
fn a_bad_line_changes_no_answer() {
    let place = Place::new();
    place.json(&["items", "list.txt", "-q", "--json", "-j1", "--run-dir", "here", "--", "./test.sh"]);
    let cluster = FakeCluster::start(ClusterOptions::default());
    let proxy = BadProxy::start(cluster.address, 20_000);
    let words = ["items", "list.txt", "-q", "--json", "-j4", "--run-dir", "there", "--remote", &proxy.url()];
    let there = place.json(&[&words, &["--", "./test.sh"][..]].concat());
    assert_eq!(trail(&place, "there"), trail(&place, "here"));
    assert_eq!(finding_of(&there), finding_of(&place.json(&["show", "here", "--json"])));
    let happened = [&proxy.cuts, &proxy.overtakings].map(|count| count.load(Ordering::SeqCst));
    assert!(happened.iter().all(|count| *count > 0), "cuts and overtakings: {happened:?}");
}

#[test]
fn what_cannot_go_to_a_cluster_is_refused() {
    let place = Place::new();
    let exits = |words: &[&str], says: &str| {
        let seen = place.seen(words);
        assert!(seen.contains("--- exit 2") && seen.contains(says), "{seen}");
    };
    exits(&["items", "list.txt", "--remote", "localhost:1", "--", "./test.sh"], "grpc://HOST:PORT");
    exits(
        &["items", "list.txt", "--remote", "grpc://localhost:1", "--sandbox", "--", "./test.sh"],
        "--sandbox",
    );
    exits(&["items", "list.txt", "--trust-cache", "--", "./test.sh"], "--remote");
    place.script("launcher", "#!/bin/sh\nexec \"$@\"\n");
    place.write("authority", b"not a certificate\n");
    place.write("token", b"\n");
    let elsewhere = |more: &[&str], says: &str| {
        let words =
            [&["items", "list.txt", "--remote", "grpc://localhost:1"], more, &["--", "./test.sh"]].concat();
        exits(&words, says);
    };
    elsewhere(&["--launch", "./launcher", "--workspaces", "."], "--remote cannot be used with --launch");
    elsewhere(&["--remote-tls-ca", "authority"], "write grpcs:// instead of grpc://");
    exits(
        &[
            "items",
            "list.txt",
            "--remote",
            "grpcs://localhost:1",
            "--remote-tls-ca",
            "authority",
            "--",
            "./test.sh",
        ],
        "does not contain a certificate",
    );
    elsewhere(&["--remote-token-file", "token"], "the token token is empty");
    elsewhere(&["--remote-env", "1BAD=2"], "`1BAD` is not the name of a variable");
    exits(
        &["state", "--remote", "grpc://localhost:1", "--good", "a", "--bad", "b", "--", "./test.sh"],
        "--remote",
    );
    let seen = place.seen(&[
        "items",
        "list.txt",
        "--remote",
        "grpc://127.0.0.1:1",
        "--run-dir",
        "r",
        "--",
        "./test.sh",
    ]);
    // Nothing was tested, but the run is there and goes on when the cluster does, or without it.
    assert!(seen.contains("--- exit 3") && seen.contains("cannot be used"), "{seen}");
    assert!(place.seen(&["resume", "r", "-q"]).contains("--- exit 0"));
    let cluster = FakeCluster::start(ClusterOptions::default());
    cluster.order("GetCapabilities", &[Fault::Fail(tonic::Code::Unauthenticated)]);
    let words = ["items", "list.txt", "--remote", &cluster.url(), "--run-dir", "s", "--", "./test.sh"];
    exits(&words, "was refused");
    assert!(!place.path("s").exists(), "no run is left behind");
}

/// The variable is a default for all commands. It must not break those that run elsewhere.
#[test]
fn a_flag_for_another_place_overrules_the_variable_with_the_address() {
    let place = Place::new();
    place.script("launcher", "#!/bin/sh\nexec \"$@\"\n");
    std::fs::create_dir(place.path("work")).unwrap();
    let exits = |address: &str, flags: &[&str], code: i32| {
        let words = [&["items", "list.txt", "-q"], flags, &["--", "./test.sh"]].concat();
        let ended = place.howcome(&words).env("HOWCOME_REMOTE", address).output().unwrap();
        assert_eq!(ended.status.code(), Some(code), "{flags:?}: {}", String::from_utf8_lossy(&ended.stderr));
    };
    exits("grpc://127.0.0.1:1", &[], 3);
    exits("grpc://127.0.0.1:1", &["--launch", "./launcher", "--workspaces", "work"], 0);
    exits("grpc://127.0.0.1:1", &["--remote", ""], 0);
    exits("", &[], 0);
}

#[test]
fn a_token_is_never_recorded() {
    let place = Place::new();
    let cluster = FakeCluster::start(ClusterOptions::default());
    place.write("token", b"s3cret-token\n");
    let words = [
        "items",
        "list.txt",
        "-q",
        "--run-dir",
        "run",
        "--remote",
        &cluster.url(),
        "--remote-token-file",
        "token",
    ];
    let seen =
        place.seen(&[&words, &["--remote-header", "x-key=s3cret-header", "--", "./test.sh"][..]].concat());
    assert!(seen.contains("--- exit 0"), "{seen}");
    for file in ["run/run.json", "run/journal.jsonl"] {
        assert!(!String::from_utf8(place.read(file)).unwrap().contains("s3cret"), "{file}");
    }
}
