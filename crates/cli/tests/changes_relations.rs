//! `howcome changes` with a chosen algorithm, and with what the user knows of the changes.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Repo, lines_of};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// A commit with 40 hunks: each tenth line of four files.
fn forty_hunks() -> Repo {
    let repo = Repo::new();
    repo.sh("for file in a b c d; do seq 100 | sed s/^/$file/ >$file.txt; done");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.sh("sed -i 's/5$/5 new/' ?.txt");
    repo.commit("second");
    repo
}

fn told(json: &Value) -> u64 {
    json["tests"]["told"].as_u64().unwrap()
}

fn predicted(json: &Value) -> u64 {
    json["tests"]["predicted"].as_u64().unwrap()
}

const BETWEEN: [&str; 4] = ["--good", "good", "--bad", "HEAD"];

fn finds(repo: &Repo, flags: &[&str], test: &str) -> Value {
    repo.finds(&[&BETWEEN, flags].concat(), test)
}

#[test]
fn isolate_keeps_the_difference_and_not_the_failing_side() {
    let repo = forty_hunks();
    let json = finds(&repo, &["--algorithm", "isolate"], "! grep -q 'c75 new' c.txt");
    assert_eq!(lines_of(&json), ["c.txt: -c75", "c.txt: +c75 new"]);
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
    assert_eq!(json["minimal"], json!({"of": "lines", "checked": true}));
    // A binary search, and one test of the hunk alone.
    assert!(told(&json) <= 7, "{}", json["tests"]);
}

#[test]
fn isolate_finds_two_hunks_that_fail_only_together() {
    let repo = forty_hunks();
    let test = "! { grep -q 'c75 new' c.txt && grep -q 'a35 new' a.txt; }";
    let json = finds(&repo, &["--algorithm", "isolate"], test);
    assert_eq!(lines_of(&json), ["a.txt: -a35", "a.txt: +a35 new", "c.txt: -c75", "c.txt: +c75 new"]);
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
    assert_eq!(json["minimal"]["checked"], true);
    assert!(told(&json) <= 16, "{}", json["tests"]);
}

#[test]
fn a_difference_that_cannot_be_judged_alone_is_proved_with_what_it_needs() {
    let repo = forty_hunks();
    let test = "grep -q 'c75 new' c.txt && { grep -q 'b15 new' b.txt || exit 125; exit 1; }; exit 0";
    for algorithm in ["isolate", "dd+"] {
        let json = finds(&repo, &["--algorithm", algorithm], test);
        assert_eq!(lines_of(&json), ["c.txt: -c75", "c.txt: +c75 new"], "{algorithm}");
        let needs = &json["finding"]["needs"];
        assert_eq!(needs.as_array().unwrap().len(), 1, "{algorithm}: {needs}");
        assert_eq!(needs[0]["added"], json!(["b15 new"]), "{algorithm}");
        assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}), "{algorithm}");
        assert_eq!(json["minimal"]["checked"], true, "{algorithm}");
        assert!(told(&json) <= 24, "{algorithm}: {}", json["tests"]);
    }
}

#[test]
fn what_lacks_something_that_it_needs_is_not_tested() {
    let repo = forty_hunks();
    // Whatever is new in c.txt needs what is new in line 15 of b.txt.
    let test = "grep -q new c.txt && ! grep -q 'b15 new' b.txt && exit 125; ! grep -q 'c75 new' c.txt";
    repo.sh("printf '# everything in c.txt\\nc.txt: b.txt:15\\n' >needs.txt");
    for algorithm in ["dd+", "isolate", "balanced"] {
        let flags = ["--algorithm", algorithm, "--needs", "needs.txt"];
        let (unknown, known) = (finds(&repo, &flags[..2], test), finds(&repo, &flags, test));
        assert_eq!(predicted(&unknown), 0, "{algorithm}");
        // Nothing is tested that cannot be judged, but for the check of what is said to be needed.
        assert!(known["tests"]["unresolved"].as_u64() <= Some(1), "{algorithm}: {}", known["tests"]);
        assert!(lines_of(&known).contains(&"c.txt: +c75 new".to_owned()), "{algorithm}: {known}");
        assert!(told(&known) <= told(&unknown) + 1, "{algorithm}: {} {}", known["tests"], unknown["tests"]);
    }
}

#[test]
fn the_reason_of_a_prediction_is_in_the_trail() {
    let repo = forty_hunks();
    repo.sh("printf 'c.txt:75: b.txt:15 b.txt:25\\n' >needs.txt");
    let test = "grep -q 'c75 new' c.txt && { grep -q 'b15 new' b.txt || exit 125; exit 1; }; exit 0";
    let flags = ["--algorithm", "dd+", "--needs", "needs.txt", "--run-dir", "run"];
    let json = finds(&repo, &flags, test);
    assert!(predicted(&json) > 0, "{}", json["tests"]);
    let trail = repo.seen(&["show", "run", "--trail"]);
    assert!(trail.contains("predicted: c.txt:75 needs b.txt:"), "{trail}");
}

#[test]
fn a_group_is_tried_as_a_whole_in_every_search() {
    let repo = forty_hunks();
    // The three can only be applied together.
    let test = "case $(cat a.txt b.txt d.txt | grep -cE '^(a55|b55|d55) new') in 1 | 2) exit 125 ;; esac; \
                ! grep -q 'c75 new' c.txt";
    repo.sh("echo 'a.txt:55 b.txt:55 d.txt:55' >together.txt");
    for algorithm in
        [&[][..], &["--algorithm", "dd+"], &["--algorithm", "isolate"], &["--algorithm", "balanced"]]
    {
        let json = finds(&repo, &[algorithm, &["--together", "together.txt"]].concat(), test);
        assert_eq!(lines_of(&json), ["c.txt: -c75", "c.txt: +c75 new"], "{algorithm:?}");
        assert_eq!(json["tests"]["unresolved"], 0, "{algorithm:?}: {}", json["tests"]);
    }
}

/// 16 commits, each of which changes a line of two files.
fn sixteen_commits() -> Repo {
    let repo = Repo::new();
    repo.sh("seq 160 >code.txt; seq 160 >more.txt");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    for number in 1..=16 {
        repo.sh(&format!("sed -i 's/^{number}0$/{number}0 new/' code.txt more.txt"));
        repo.commit(&format!("number {number}"));
    }
    repo
}

#[test]
fn in_the_order_of_commits_dd_plus_is_a_binary_search_over_hunks() {
    let repo = sixteen_commits();
    // A line that is new needs all earlier ones to be new.
    let test = "seen=; for n in 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1; do \
                if grep -q \"^${n}0 new\" code.txt more.txt; then seen=1; \
                elif [ $seen ]; then exit 125; fi; done; ! grep -q '^110 new' more.txt";
    let flags = ["--within", "hunk", "--algorithm", "dd+"];
    let json = finds(&repo, &[&flags[..], &["--order"]].concat(), test);
    assert_eq!(lines_of(&json), ["more.txt: -110", "more.txt: +110 new"]);
    assert_eq!(json["finding"]["changes"][0]["commit"], json!(repo.git(&["rev-parse", "HEAD~5"]).trim()));
    assert!(predicted(&json) > 0);
    // Four tests to the commit, and two within it.
    assert!(told(&json) <= 8, "{}", json["tests"]);
    assert!(told(&finds(&repo, &flags, test)) > told(&json));
}

#[test]
fn what_is_known_gives_the_same_trail_for_any_number_of_workers_and_after_resume() {
    let repo = forty_hunks();
    repo.sh("echo 'c.txt: b.txt:15' >needs.txt; echo 'a.txt d.txt' >together.txt");
    let test = "! { grep -q 'c75 new' c.txt && grep -q 'a35 new' a.txt; }";
    for algorithm in ["dd+", "isolate"] {
        let trail = |jobs: &str, budget: &[&str]| {
            let run = format!("{algorithm}-{jobs}{}", budget.len());
            let known = ["--needs", "needs.txt", "--together", "together.txt", "--algorithm", algorithm];
            finds(&repo, &[&known[..], &["-j", jobs, "--run-dir", &run], budget].concat(), test);
            if !budget.is_empty() {
                repo.run(&["resume", &run]);
            }
            let trail = repo.seen(&["show", &run, "--trail"]);
            let questions = trail.lines().skip(1).map(|line| line.split("left").next().unwrap().to_owned());
            questions.collect::<Vec<_>>()
        };
        let one = trail("1", &[]);
        assert_eq!(trail("4", &[]), one, "{algorithm}");
        assert_eq!(trail("1", &["--max-tests", "3"]), one, "{algorithm}");
    }
}

#[test]
fn bad_files_are_refused_with_file_and_line() {
    let repo = forty_hunks();
    repo.sh("mkdir f; for side in good bad; do mkdir f/$side; echo $side >f/$side/x; done");
    let mut seen = String::new();
    for (flag, name, text) in [
        ("--needs", "path.txt", "c.txt: b.txt\\nsrc/none.c: b.txt\\n"),
        ("--needs", "line.txt", "c.txt:75: b.txt:1\\n"),
        ("--together", "pattern.txt", "a.txt [b\\n"),
        ("--together", "quote.txt", "a.txt \"b.txt\\n"),
    ] {
        repo.sh(&format!("printf '{text}' >{name}"));
        seen += &repo.tells(&[&BETWEEN[..], &[flag, name]].concat(), "true");
    }
    seen += &repo.tells(&["--good", "f/good", "--bad", "f/bad", "--order"], "grep -q good x");
    assert_snapshot!(seen);
}
