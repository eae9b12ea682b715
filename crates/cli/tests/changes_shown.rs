//! What `howcome show` makes of a run of `howcome changes`, and the JSON that scripts rely on.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Repo, lines_of};
use insta::assert_snapshot;
use serde_json::{Value, json};
use std::process::Command;

const TEST: &str = "! { grep -q one code.txt && grep -q two code.txt; }";

/// A run that went through commits, hunks and lines.
fn shown() -> (Repo, Value) {
    let repo = Repo::new();
    repo.sh("seq 60 >code.txt");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    for number in 1..=4 {
        repo.change("other.txt", &format!("{number}\n"));
    }
    repo.sh("sed -i -e 's/^3$/x/' -e 's/^9$/x/; s/^10$/one/; s/^11$/x/; s/^30$/x/; s/^39$/x/; s/^40$/two/; s/^41$/x/' code.txt");
    repo.commit("breaks it");
    repo.change("other.txt", "5\n");
    repo.change("other.txt", "6\n");
    let json = repo.finds(&["--good", "good", "--bad", "main", "-j1", "--run-dir", "run"], TEST);
    (repo, json)
}

#[test]
fn the_json_has_all_that_was_promised() {
    let (repo, json) = shown();
    assert_eq!(json["schema"], json!(1));
    assert_eq!(json["question"], json!("changes"));
    assert_eq!(json["ending"], json!("found"));
    assert_eq!(json["run"], json!("run"));
    assert_eq!(json["jobs"], json!(1));
    let tests = |name: &str| json["tests"][name].as_u64().unwrap_or_else(|| panic!("{name}: {json:#}"));
    assert_eq!(tests("asked"), tests("told") + tests("predicted"));
    assert_eq!(tests("told"), tests("pass") + tests("fail") + tests("unresolved"));
    // Two for the baseline, two that confirm, and two sides that are tested once more.
    assert_eq!((tests("cancelled"), tests("executed")), (0, tests("told") + 6));
    assert!(json["seconds"].is_number());
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
    assert_eq!(json["minimal"], json!({"of": "lines", "checked": true}));
    let finding = &json["finding"];
    assert_eq!(finding["commit"], json!(repo.git(&["rev-parse", "main~2"])));
    assert_eq!((&finding["files"], &finding["hunks"]), (&json!(1), &json!(2)));
    assert_eq!((&finding["lines_removed"], &finding["lines_added"]), (&json!(2), &json!(2)));
    assert_eq!(finding["needs"], json!([]));
    let change = &finding["changes"][0];
    assert_eq!(
        (&change["path"], &change["old_line"], &change["new_line"]),
        (&json!("code.txt"), &json!(10), &json!(10))
    );
    assert_eq!((&change["removed"], &change["added"]), (&json!(["10"]), &json!(["one"])));
    let patch = String::from_utf8(repo.read("run/culprit.patch")).unwrap();
    assert_eq!(finding["patch"], json!(patch));
    assert_snapshot!(patch);
    repo.is_fixed_by("run/culprit.patch", "main", TEST);
    let again = repo.json(&["show", "run", "--json"]);
    assert_eq!(again, json);
}

#[test]
fn a_run_can_be_shown_in_many_forms() {
    let (repo, _) = shown();
    assert_snapshot!("text", repo.seen(&["show", "run"]));
    assert_snapshot!("trail", repo.seen(&["show", "run", "--trail"]));
    assert_snapshot!("markdown", repo.seen(&["show", "run", "--markdown"]));
    assert_snapshot!("github", repo.seen(&["show", "run", "--github"]));
    let sarif = repo.json(&["show", "run", "--sarif"]);
    assert_eq!(sarif["version"], json!("2.1.0"));
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let places: Vec<(&Value, &Value)> = results
        .iter()
        .flat_map(|result| result["locations"].as_array().unwrap())
        .map(|location| &location["physicalLocation"])
        .map(|place| (&place["artifactLocation"]["uri"], &place["region"]["startLine"]))
        .collect();
    assert!(places.contains(&(&json!("code.txt"), &json!(10))), "{places:?}");
    assert!(places.contains(&(&json!("code.txt"), &json!(40))), "{places:?}");
    repo.run(&["show", "run", "--html", "page.html"]);
    let page = String::from_utf8(repo.read("page.html")).unwrap();
    assert!(
        page.contains("code.txt:10") && page.contains("breaks it"),
        "the page names the line and the commit"
    );
}

/// Rebuilds every test of the trail, runs it by hand as the answer says, and gives the stages that were seen.
fn rebuild_all(repo: &Repo) -> Vec<String> {
    let trail = String::from_utf8(repo.run(&["show", "run", "--trail"]).stdout).unwrap();
    let mut stages = Vec::new();
    for number in 1.. {
        let (number, into) = (number.to_string(), format!("try{number}"));
        let output = repo.run(&["show", "run", "--test", &number, "--into", &into]);
        if !output.status.success() {
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(stderr.contains("the trail has no test"), "test {number}: {stderr}{trail}");
            break;
        }
        let shown = String::from_utf8(output.stdout).unwrap();
        let (_, by_hand) = shown.split_once("try it by hand:\n").unwrap_or_else(|| panic!("{shown}"));
        let status = Command::new("sh").args(["-c", by_hand]).current_dir(repo.path("/")).status().unwrap();
        let outcome = shown.split([' ', '\n']).nth(2).unwrap();
        assert_eq!(status.success(), outcome == "pass", "{shown}{trail}");
        stages.push(shown.lines().nth(1).unwrap().to_owned());
    }
    stages
}

#[test]
fn every_test_can_be_made_again_and_ends_the_same() {
    let (repo, json) = shown();
    let stages = rebuild_all(&repo);
    assert_eq!(stages.len() as u64, json["tests"]["asked"].as_u64().unwrap());
    let has = |text: &str| stages.iter().any(|stage| stage.contains(text));
    assert!(has("on commit"), "{stages:#?}");
}

#[test]
fn a_test_is_not_made_again_over_something_else() {
    let (repo, _) = shown();
    repo.write("full/file", b"mine\n");
    assert_snapshot!(repo.seen(&["show", "run", "--test", "99"]));
    let seen = repo.seen(&["show", "run", "--test", "1", "--into", "full"]);
    assert!(seen.contains("full is not empty") && seen.ends_with("--- exit 2\n"), "{seen}");
    assert_eq!(repo.read("full/file"), b"mine\n");
}
#[test]
fn every_test_of_a_search_without_history_can_be_made_again() {
    let (repo, _) = shown();
    repo.sh("rm -r run");
    let json =
        repo.finds(&["--good", "good", "--bad", "main", "--within", "hunk", "-j2", "--run-dir", "run"], TEST);
    assert_eq!(lines_of(&json), ["code.txt: -10", "code.txt: +one", "code.txt: -40", "code.txt: +two"]);
    assert_eq!(rebuild_all(&repo).len() as u64, json["tests"]["asked"].as_u64().unwrap());
}

#[test]
fn each_stage_tells_in_a_pipe_how_far_it_is() {
    let repo = Repo::new();
    repo.change("a.txt", "1\n");
    for number in 2..=16 {
        repo.write("a.txt", format!("{number}\n").as_bytes());
        repo.write("b.txt", if number < 9 { b"good\n" } else { b"bad\n" });
        repo.change("c.txt", &format!("{number}\n"));
    }
    let words = ["changes", "-j1", "--good", "HEAD~15", "--", "sh", "-c", "! grep -q bad b.txt"];
    let output = repo.run(&words);
    assert_snapshot!("progress", String::from_utf8_lossy(&output.stderr));
}
