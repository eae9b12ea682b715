//! Walks through revisions with a test that fails only sometimes.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Repo;

/// Sixteen revisions. The sixth takes the retries away; the eleventh brings the report that the test needs.
fn repo() -> Repo {
    let repo = Repo::new();
    let lines: String = (0..10).map(|number| format!("# line {number}\n")).collect();
    for number in 1..=16 {
        let retries = if number < 6 { 3 } else { 0 };
        repo.write("limits.sh", format!("# limits\nretries={retries}\n# end\n").as_bytes());
        let report = "[ \"$1\" = report ] && { . ./limits.sh; echo retries $retries; exit 0; }\n";
        let report = if number < 11 { "" } else { report };
        repo.write("tool.sh", format!("{lines}{report}exit 2\n").as_bytes());
        repo.change("notes", &format!("{number}\n"));
        if number == 6 {
            repo.git(&["tag", "culprit"]);
        }
    }
    repo
}

/// Fails in this percentage of its runs without retries. The n-th run of all has the same luck each time.
fn flaky_test(repo: &Repo, rate: u32) {
    let test = format!(
        "#!/bin/sh\nout=$(sh tool.sh report) || {{ echo 'no report'; exit 125; }}\necho >>\"$HOWCOME_DIR/runs\"\n\
         luck=$(echo 3 $(wc -l <\"$HOWCOME_DIR/runs\") | md5sum | tr -dc 0-9 | cut -c1-4)\n\
         [ \"$out\" = 'retries 0' ] && [ $(expr $luck % 100) -lt {rate} ] && {{ echo 'connection lost' >&2; exit 1; }}\nexit 0\n"
    );
    repo.script("flaky.sh", &test);
}

const WORDS: [&str; 10] =
    ["history", "--bad", "HEAD", "--flaky", "-q", "-j1", "--json", "--run-dir", "run", "--"];

#[test]
fn the_revision_that_made_a_test_flaky_is_found_although_no_older_one_can_run_the_test() {
    let repo = repo();
    flaky_test(&repo, 60);
    let json = repo.json(&[&WORDS, ["./flaky.sh"].as_slice()].concat());
    assert_eq!(json["ending"], "found", "{json:#}");
    let cause = &json["finding"]["cause"]["changes"][0];
    assert_eq!(cause["commit"], repo.git(&["rev-parse", "culprit"]).trim(), "{json:#}");
    assert_eq!(cause["added"], serde_json::json!(["retries=0"]), "{json:#}");
    let confidence = json["confidence"].as_f64().unwrap();
    assert!((0.999..1.0).contains(&confidence), "{confidence}");
    let again = repo.json(&["resume", "run", "-q", "-j1", "--json"]);
    assert_eq!(again["finding"], json["finding"]);
    assert_eq!(again["tests"]["told"], json["tests"]["told"]);
}

#[test]
fn a_test_that_fails_too_seldom_cannot_be_told_from_one_that_passes() {
    let repo = repo();
    flaky_test(&repo, 6);
    let ended = repo.run(&[&WORDS, ["./flaky.sh"].as_slice()].concat());
    assert_eq!(ended.status.code(), Some(4), "{}", String::from_utf8_lossy(&ended.stderr));
    let json = repo.json(&["show", "run", "--json"]);
    assert_eq!((json["ending"].as_str(), json.get("confidence")), (Some("flaky"), None), "{json:#}");
}

#[test]
fn rates_that_are_close_do_not_show_that_it_never_worked() {
    let repo = repo();
    let test = "#!/bin/sh\nout=$(sh tool.sh report) || exit 125\necho >>\"$HOWCOME_DIR/runs\"\n\
         luck=$(echo 3 $(wc -l <\"$HOWCOME_DIR/runs\") | md5sum | tr -dc 0-9 | cut -c1-4)\nrate=45\n\
         [ \"$out\" = 'retries 0' ] && rate=60\n[ $(expr $luck % 100) -lt $rate ] && { echo lost >&2; exit 1; }\nexit 0\n";
    repo.script("flaky.sh", test);
    let json = repo.json(&[&WORDS, ["./flaky.sh"].as_slice()].concat());
    assert_eq!(json["ending"], "undecided", "{json:#}");
    assert!(json["why"].as_str().unwrap().contains("a quarter as often"), "{json:#}");
}

#[test]
fn a_walk_with_a_flaky_test_that_is_stopped_can_be_resumed() {
    let repo = repo();
    flaky_test(&repo, 60);
    let mut words = WORDS.to_vec();
    words.insert(1, "--max-tests=4");
    let stopped = repo.run(&[&words, ["./flaky.sh"].as_slice()].concat());
    assert_eq!(stopped.status.code(), Some(3), "{}", String::from_utf8_lossy(&stopped.stderr));
    let json = repo.json(&["resume", "run", "-q", "-j1", "--json"]);
    assert_eq!(json["ending"], "found", "{json:#}");
    assert_eq!(
        json["finding"]["failing_commit"]["id"],
        repo.git(&["rev-parse", "culprit"]).trim(),
        "{json:#}"
    );
}
