//! Commits that made a test fail more often than before.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Repo;
use serde_json::Value;

/// Commits after the one that is tagged `good`. The one that is tagged `culprit` changes the limit, and a file that does not matter.
fn repo(commits: u32, culprit: u32) -> Repo {
    let repo = Repo::new();
    repo.write("limits.cfg", b"name = demo\nlimit = 5\nwidth = 3\n");
    repo.change("notes", "0\n");
    repo.git(&["tag", "good"]);
    for number in 1..=commits {
        if number == culprit {
            repo.write("limits.cfg", b"name = demo\nlimit = 50\nwidth = 3\n");
        }
        repo.change("notes", &format!("{number}\n"));
        if number == culprit {
            repo.git(&["tag", "culprit"]);
        }
    }
    repo
}

/// Fails in this percentage of its runs before the culprit, and in that percentage from it on. The n-th run of all has the same luck
/// each time.
fn flaky_test(repo: &Repo, seed: u32, [before, after]: [u32; 2]) {
    let test = format!(
        "#!/bin/sh\necho >>\"$HOWCOME_DIR/runs\"\n\
         luck=$(echo {seed} $(wc -l <\"$HOWCOME_DIR/runs\") | md5sum | tr -dc 0-9 | cut -c1-4)\n\
         rate={before}; grep -q 'limit = 50' limits.cfg && rate={after}\n\
         [ $(expr $luck % 100) -ge $rate ] || {{ echo 'limit exceeded' >&2; exit 1; }}\n"
    );
    repo.script("flaky.sh", &test);
}

const WORDS: [&str; 9] =
    ["changes", "--good", "good", "--bad", "HEAD", "--flaky", "-q", "--json", "--run-dir"];

fn found(repo: &Repo, run: &str, flags: &[&str]) -> Value {
    let _ = std::fs::remove_file(repo.path("runs"));
    repo.json(&[&WORDS, [run].as_slice(), flags, &["--", "./flaky.sh"]].concat())
}

fn assert_culprit(repo: &Repo, json: &Value, confidence: f64) {
    assert_eq!(json["ending"], "found", "{json:#}");
    assert_eq!(
        json["finding"]["changes"][0]["commit"],
        repo.git(&["rev-parse", "culprit"]).trim(),
        "{json:#}"
    );
    assert_eq!(json["finding"]["changes"][0]["added"], serde_json::json!(["limit = 50"]), "{json:#}");
    assert_eq!(json["finding"]["changes"].as_array().unwrap().len(), 1, "{json:#}");
    let sure = json["confidence"].as_f64().unwrap();
    assert!((confidence..1.0).contains(&sure), "{sure}");
}

#[test]
fn the_commit_that_made_a_test_flaky_is_found_whatever_the_luck_and_the_number_of_workers() {
    let repo = repo(40, 23);
    for (seed, rates) in [(1, [0, 50]), (2, [10, 70]), (3, [0, 100])] {
        flaky_test(&repo, seed, rates);
        let json = found(&repo, &format!("run{seed}"), &["-j1"]);
        assert_culprit(&repo, &json, 0.999);
        let executed = json["tests"]["executed"].as_u64().unwrap();
        assert!(executed < 200, "{executed} runs for {rates:?}");
        // Three workers meet other luck each time, so that a proof can be less sure than the commit.
        assert_culprit(&repo, &found(&repo, &format!("many{seed}"), &["-j3"]), 0.98);
    }
}

#[test]
fn the_culprit_of_a_merged_branch_is_found_with_a_flaky_test() {
    let repo = repo(6, 0);
    repo.git(&["checkout", "-q", "-b", "topic"]);
    for number in 1..=8 {
        if number == 5 {
            repo.write("limits.cfg", b"name = demo\nlimit = 50\nwidth = 3\n");
        }
        repo.change("topic", &format!("{number}\n"));
        if number == 5 {
            repo.git(&["tag", "culprit"]);
        }
    }
    repo.git(&["checkout", "-q", "-"]);
    repo.change("notes", "before the merge\n");
    repo.merge("topic", || {
        repo.git(&["checkout", "topic", "--", "limits.cfg", "topic"]);
    });
    for number in 10..16 {
        repo.change("notes", &format!("{number}\n"));
    }
    flaky_test(&repo, 8, [5, 60]);
    assert_culprit(&repo, &found(&repo, "run", &["-j1"]), 0.999);
}

#[test]
fn a_change_of_an_earlier_commit_that_the_culprit_needs_is_found_with_a_flaky_test() {
    let repo = repo(5, 0);
    repo.change("mode.cfg", "fast = 1\n");
    for number in 6..20 {
        if number == 14 {
            repo.write("limits.cfg", b"name = demo\nlimit = 50\nwidth = 3\n");
        }
        repo.change("notes", &format!("{number}\n"));
    }
    flaky_test(&repo, 9, [0, 60]);
    repo.replace_once("flaky.sh", "&& rate=60", "&& [ -e mode.cfg ] && rate=60");
    let json = found(&repo, "run", &["-j1"]);
    assert_eq!(json["ending"], "found", "{json:#}");
    let added: Vec<&Value> =
        json["finding"]["changes"].as_array().unwrap().iter().map(|change| &change["added"]).collect();
    assert_eq!(added, [&serde_json::json!(["limit = 50"]), &serde_json::json!(["fast = 1"])], "{json:#}");
}

#[test]
fn an_answer_that_need_not_be_as_sure_takes_fewer_runs() {
    let repo = repo(30, 11);
    flaky_test(&repo, 4, [5, 60]);
    let runs = |run: &str, confidence: &str| {
        let json = found(&repo, run, &["-j1", "--confidence", confidence]);
        assert_culprit(&repo, &json, 0.8);
        json["tests"]["executed"].as_u64().unwrap()
    };
    assert!(runs("less", "80%") < runs("more", "0.99999"));
}

#[test]
fn a_flaky_search_that_is_stopped_can_be_resumed_and_shown() {
    let repo = repo(30, 17);
    flaky_test(&repo, 5, [0, 50]);
    let words = [&WORDS, ["run", "-j1", "--max-tests", "25", "--", "./flaky.sh"].as_slice()].concat();
    let stopped = repo.run(&words);
    assert_eq!(stopped.status.code(), Some(3));
    let json = repo.json(&["resume", "run", "-j1", "-q", "--json"]);
    assert_culprit(&repo, &json, 0.999);
    // Everything is known, so nothing but the baseline is run again.
    let again = repo.json(&["resume", "run", "-j2", "-q", "--json"]);
    assert_eq!(again["finding"], json["finding"]);
    assert_eq!(again["tests"]["told"], json["tests"]["told"]);
    assert_eq!(again["confidence"], json["confidence"]);
    let shown = repo.seen(&["show", "run", "--test", "20"]);
    assert!(shown.contains("commit") && shown.ends_with("--- exit 0\n"), "{shown}");
}

#[test]
fn rates_that_cannot_be_told_apart_are_not_a_regression() {
    let repo = repo(3, 2);
    flaky_test(&repo, 6, [40, 40]);
    let ended = repo.run(&[&WORDS, ["run", "-j2", "--", "./flaky.sh"].as_slice()].concat());
    assert_eq!(ended.status.code(), Some(4), "{}", String::from_utf8_lossy(&ended.stdout));
    let json = repo.json(&["show", "run", "--json"]);
    assert_eq!((json["ending"].as_str(), &json["confidence"]), (Some("flaky"), &Value::Null), "{json:#}");
}

#[test]
fn rates_that_are_close_but_clearly_differ_are_not_refused() {
    let repo = repo(12, 7);
    flaky_test(&repo, 10, [13, 37]);
    // The commit is as sure as it must be. Proofs of rates that are so close are a hundred to one or better.
    assert_culprit(&repo, &found(&repo, "run", &["-j1"]), 0.98);
}

#[test]
fn two_folders_without_commits_can_be_compared_with_a_flaky_test() {
    let repo = repo(2, 1);
    flaky_test(&repo, 7, [0, 60]);
    let json = found(&repo, "run", &["-j1", "--within", "hunk"]);
    assert_eq!(json["finding"]["changes"][0]["added"], serde_json::json!(["limit = 50"]), "{json:#}");
    assert_eq!(json["ending"], "found");
}
