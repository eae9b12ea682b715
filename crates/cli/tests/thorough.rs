//! `--thorough`: a search that would end because it makes no progress goes on, at once or later.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Place, Repo, finding_of, lines_of};
use serde_json::{Value, json};

/// How many lines the commit changes. Only the last few of them can be left out, one after the other; all other mixes cannot be judged.
const LINES: u32 = 40;
const NEEDLESS: u32 = 4;

fn repo() -> Repo {
    let repo = Repo::new();
    repo.sh("seq 200 >code.txt");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.sh("sed -i -e '1~5 s/^/new /' code.txt");
    repo.commit("second");
    let needed = LINES - NEEDLESS;
    let last = 5 * needed - 4;
    repo.script(
        "test.sh",
        &format!(
            "#!/bin/sh\n\
             grep -q new code.txt || exit 0\n\
             test $(head -n {last} code.txt | grep -c new) = {needed} || exit 3\n\
             exit 1\n"
        ),
    );
    repo
}

const CHANGES: [&str; 7] = ["changes", "-q", "--json", "--good", "good", "--bad", "main"];
const HISTORY: [&str; 5] = ["history", "-q", "--json", "--bad", "main"];

/// How many lines an answer has: each goes and comes.
fn changed_lines(json: &Value) -> usize {
    let cause = json!({"finding": json["finding"].get("cause").unwrap_or(&json["finding"])});
    lines_of(&cause).len() / 2
}

/// Asks with a limit, without one, and with one that is lifted later.
fn goes_on_later(question: &[&str]) {
    let repo = repo();
    let ask = |run: &str, flags: &[&str]| {
        repo.json(&[question, &["--run-dir", run], flags, &["--", "./test.sh"]].concat())
    };
    let all_at_once = ask("thorough", &["--thorough", "-j1"]);
    assert_eq!(changed_lines(&all_at_once), (LINES - NEEDLESS) as usize);
    assert_eq!(all_at_once["minimal"], json!({"of": "lines", "checked": true}));
    let limited = ask("limited", &["-j1"]);
    assert_eq!(changed_lines(&limited), LINES as usize, "{limited:#}");
    assert_eq!(limited["minimal"]["ended_after"], json!({"tests_without_progress": 25}));
    // A run that has ended at its limit stays as it is.
    let again = repo.json(&["resume", "limited", "-q", "--json"]);
    assert_eq!(finding_of(&again), finding_of(&limited));
    let stopped = repo.json(&["resume", "limited", "--thorough", "-q", "--json", "-j1", "--max-tests", "60"]);
    assert_eq!(stopped["ending"], "stopped");
    // That it is thorough is kept with the run.
    let resumed = repo.json(&["resume", "limited", "-q", "--json", "-j2"]);
    assert_eq!(finding_of(&resumed), finding_of(&all_at_once));
    assert_eq!(resumed["minimal"], all_at_once["minimal"]);
    assert_eq!(resumed["tests"]["told"], all_at_once["tests"]["told"]);
    assert_eq!(repo.read("limited/culprit.patch"), repo.read("thorough/culprit.patch"));
    // Every test of it can still be made again.
    let shown = repo.seen(&["show", "limited", "--test", "80"]);
    assert!(shown.contains("hunks on commit") && shown.ends_with("--- exit 0\n"), "{shown}");
}

#[test]
fn a_search_for_changes_that_ended_at_its_limit_goes_on_later() {
    goes_on_later(&CHANGES);
}

#[test]
fn a_search_through_history_that_ended_at_its_limit_goes_on_later() {
    goes_on_later(&HISTORY);
}

#[test]
fn a_run_that_no_limit_ended_has_nothing_more_to_do() {
    let repo = Repo::new();
    repo.sh("seq 60 >code.txt");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.sh("sed -i -e s/^3$/x/ -e s/^30$/broken/ code.txt");
    repo.commit("second");
    let question =
        [&CHANGES[..], &["-j1", "--run-dir", "run", "--", "sh", "-c", "! grep -q broken code.txt"]];
    let first = repo.json(&question.concat());
    let again = repo.json(&["resume", "--thorough", "run", "-q", "--json", "-j1"]);
    assert_eq!(finding_of(&again), finding_of(&first));
    assert_eq!(again["tests"]["told"], first["tests"]["told"]);
}

#[test]
fn questions_without_limits_refuse_it() {
    let place = Place::new();
    place.run(&["items", "list.txt", "-q", "--run-dir", "run", "--", "./test.sh"]);
    let seen = place.seen(&["resume", "run", "--thorough"]);
    assert!(seen.contains("error: a run of `howcome items` has nothing to do for --thorough\n"), "{seen}");
    assert!(seen.contains("hint: leave it out") && seen.ends_with("--- exit 2\n"), "{seen}");
    // It is as it was.
    let output = place.run(&["resume", "run", "-q"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_published_algorithm_ends_when_it_makes_no_progress() {
    let repo = Repo::new();
    repo.sh("seq 600 >code.txt");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.sh("sed -i -e '1~10 s/^/new /' code.txt");
    repo.commit("second");
    repo.script(
        "test.sh",
        "#!/bin/sh\ncase $(grep -c new code.txt) in 0) exit 0 ;; 60) exit 1 ;; *) exit 3 ;; esac\n",
    );
    for algorithm in ["ddmin", "dd+"] {
        let words = [&CHANGES[..], &["-j1", "--algorithm", algorithm, "--", "./test.sh"]].concat();
        let json = repo.json(&words);
        let limit = json!({"tests_without_progress": 100});
        assert_eq!(json["minimal"]["ended_after"], limit, "{algorithm}: {json:#}");
        assert_eq!(changed_lines(&json), 60);
        assert!(json["tests"]["told"].as_u64().unwrap() < 140, "{algorithm}: {json:#}");
    }
}

#[test]
fn hundreds_of_changes_between_two_folders_are_not_an_answer() {
    let repo = Repo::new();
    repo.sh("mkdir old new; seq 1200 >old/code.txt; sed -e '1~10 s/^/new /' old/code.txt >new/code.txt");
    repo.script(
        "test.sh",
        "#!/bin/sh\ncase $(grep -c new code.txt) in 0) exit 0 ;; 120) exit 1 ;; *) exit 3 ;; esac\n",
    );
    let versions = ["changes", "-q", "--json", "--good", "old", "--bad", "new", "-j1"];
    let json = repo.json(&[&versions[..], &["--", "./test.sh"]].concat());
    assert_eq!((&json["ending"], &json["finding"]["hunks"]), (&json!("undecided"), &json!(120)), "{json:#}");
    let shown = repo.seen(&["changes", "-q", "--good", "old", "--bad", "new", "-j1", "--", "./test.sh"]);
    assert!(
        shown.contains("the search for fewer of them ended") && shown.ends_with("--- exit 5\n"),
        "{shown}"
    );
}
