//! `howcome history` with words, lists, checkouts and histories that are not as they should be.

#![allow(clippy::unwrap_used)]

#[path = "histories/case.rs"]
mod case;
mod histories;
mod howcome;

use case::Case;
use histories::{History, Plan};
use serde_json::Value;
use std::process::Output;

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn answer(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(output)))
}

/// Ends with a code, and says something.
fn ends(case: &Case, flags: &[&str], wanted: i32, words: &str) {
    let output = case.place.run(&case.words(flags));
    assert_eq!(code(&output), Some(wanted), "{flags:?}: {}", said(&output));
    assert!(said(&output).contains(words), "{flags:?}: {}", said(&output));
}

/// A folder for each revision instead of a repository, named `r001` and so on; and the list of their names.
fn folders(plan: Plan) -> Case {
    let case = Case::new(plan);
    let mut list = String::new();
    for (index, version) in case.history.versions.iter().enumerate() {
        let name = format!("r{index:03}");
        History::write(&version.files(), &case.place.path("revisions").join(&name)).unwrap();
        list += &format!("{name}\n");
    }
    case.place.write("list", list.as_bytes());
    case
}

const CHECKOUT: &str = "sh -c 'cp -R \"$HOWCOME_DIR/revisions/$0/.\" .' {}";

/// Asks about the folders, with a command that checks them out.
fn asked(case: &Case, checkout: &str, flags: &[&str]) -> Output {
    let words = ["history", "-q", "--json", "--revisions-from", "cat list", "--checkout", checkout];
    let words = [&words[..], &["--build", case.history.build], flags, &["--", "./test.sh"]].concat();
    case.place.run(&words)
}

#[test]
fn revisions_need_not_be_in_git() {
    let case = folders(Plan { broken: vec![9, 14], ..Plan::new(30, 18, 10) });
    let output = asked(&case, CHECKOUT, &["-j2"]);
    assert_eq!(code(&output), Some(0), "{}", said(&output));
    let answer = answer(&output);
    let finding = &answer["finding"];
    assert_eq!(
        (&finding["passing_revision"], &finding["failing_revision"]),
        (&"r008".into(), &"r010".into())
    );
    assert_eq!(finding["backported_lines"], 9, "{answer:#}");
    assert_eq!(finding["passing_commit"], Value::Null);
    let (passes, _) = case.after(29, finding["forward_file"].as_str());
    assert_eq!(passes, Some(0));
}

#[test]
fn a_list_that_cannot_be_used() {
    let case = folders(Plan::new(8, 5, 2));
    for (list, words) in [
        ("", "empty"),
        ("\n\n", "empty"),
        ("r001\nr002\nr001\n", "repeats"),
        ("r007\nr006\nr005\nr004\n", "the oldest must be first"),
        ("r001\nr003\nr002\nr004\n", "r003"),
    ] {
        case.place.write("list", list.as_bytes());
        let output = asked(&case, CHECKOUT, &[]);
        assert_eq!(code(&output), Some(2), "{list:?}: {}", said(&output));
        assert!(said(&output).contains(words), "{list:?}: {}", said(&output));
    }
    case.place.write("list", b"r001\nr\xff\n");
    assert_eq!(code(&asked(&case, CHECKOUT, &[])), Some(2));
    let words = ["history", "-q", "--revisions-from", "false", "--checkout", CHECKOUT, "--", "./test.sh"];
    assert_eq!(code(&case.place.run(&words)), Some(2));
    let words =
        ["history", "-q", "--revisions-from", "no-such-program", "--checkout", "true", "--", "./test.sh"];
    assert_eq!(code(&case.place.run(&words)), Some(2));
}

#[test]
fn a_list_goes_only_with_a_checkout() {
    let case = folders(Plan::new(8, 5, 2));
    for flag in ["--revisions-from", "--checkout"] {
        assert_eq!(code(&case.place.run(&["history", "-q", flag, "cat list", "--", "./test.sh"])), Some(2));
    }
}

#[test]
fn a_list_that_has_changed_when_a_run_is_resumed() {
    let case = folders(Plan::new(30, 18, 10));
    let list = case.place.read("list");
    let stopped = asked(&case, CHECKOUT, &["-j1", "--max-tests", "6", "--run-dir", "run"]);
    assert_eq!(code(&stopped), Some(3), "{}", said(&stopped));
    let lines: Vec<&[u8]> = list.split_inclusive(|byte| *byte == b'\n').collect();
    case.place.write("list", &[&lines[..12], &lines[13..]].concat().concat());
    let output = case.place.run(&["resume", "run", "-q", "--json"]);
    assert_eq!(code(&output), Some(2), "{}", said(&output));
    assert!(said(&output).contains("changed"), "{}", said(&output));
    // What has come since then is no obstacle.
    case.place.write("list", &[&list[..], b"r030\n"].concat());
    let output = case.place.run(&["resume", "run", "-q", "--json"]);
    assert_eq!(code(&output), Some(0), "{}", said(&output));
    assert_eq!(answer(&output)["finding"]["passing_revision"], "r009");
}

#[test]
fn a_checkout_that_fails_half_way_stops_the_run_and_is_made_again() {
    let case = folders(Plan::new(30, 18, 10));
    let fails = "sh -c 'cp -R \"$HOWCOME_DIR/revisions/$0/lib\" . && test -e \"$HOWCOME_DIR/online\" && \
                 cp -R \"$HOWCOME_DIR/revisions/$0/.\" . || { case $0 in r029|r000) \
                 cp -R \"$HOWCOME_DIR/revisions/$0/.\" . ;; *) echo no network >&2; exit 1 ;; esac; }' {}";
    let output = asked(&case, fails, &["-j1", "--run-dir", "run"]);
    assert_eq!(code(&output), Some(3), "{}", said(&output));
    let told = said(&output) + &String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("no network"), "{told}");
    case.place.write("online", b"");
    let output = case.place.run(&["resume", "run", "-q", "--json"]);
    assert_eq!(code(&output), Some(0), "{}", said(&output));
    assert_eq!(answer(&output)["finding"]["passing_revision"], "r009");
}

#[test]
fn a_revision_that_is_not_available_is_skipped() {
    let case = folders(Plan::new(30, 18, 10));
    let absent = "sh -c 'case $0 in r009 | r017 | r000) exit 125 ;; esac; \
                  cp -R \"$HOWCOME_DIR/revisions/$0/.\" .' {}";
    let output = asked(&case, absent, &["-j1"]);
    assert_eq!(code(&output), Some(0), "{}", said(&output));
    let answer = answer(&output);
    assert_eq!(answer["finding"]["passing_revision"], "r008", "{answer:#}");
    assert_eq!(answer["finding"]["failing_revision"], "r010");
}

#[test]
fn a_history_of_one_revision() {
    let case = Case::new(Plan::never_worked(1, 0));
    let output = case.place.run(&case.words(&[]));
    let answer = answer(&output);
    assert_eq!((code(&output), &answer["ending"]), (Some(0), &"never-worked".into()), "{answer:#}");
    assert_eq!((&answer["finding"]["revisions"], &answer["tests"]["told"]), (&1.into(), &0.into()));
}

#[test]
fn a_history_shorter_than_the_walk() {
    for (revisions, feature, cause) in [(2, 0, 1), (3, 2, 1), (4, 2, 1), (5, 4, 2)] {
        let case = Case::new(Plan::new(revisions, feature, cause));
        case.is_right(&case.ask(&["-j1"]));
    }
    for (revisions, feature) in [(2, 1), (3, 2), (3, 1)] {
        let case = Case::new(Plan::never_worked(revisions, feature));
        case.is_right(&case.ask(&["-j1"]));
    }
}

#[test]
fn revisions_that_are_not_there_or_not_in_order() {
    let case = Case::new(Plan::new(20, 12, 6));
    case.git(&["branch", "aside", "main~3"]);
    let tree = case.git(&["rev-parse", "main^{tree}"]);
    let commit = ["-c", "user.name=A", "-c", "user.email=a@b", "commit-tree", "-m", "x", "-p", "main~5"];
    let aside = case.git(&[&commit[..], &[tree.trim()]].concat());
    ends(&case, &["--bad", "nowhere"], 2, "nowhere");
    ends(&case, &["--back-to", "nowhere"], 2, "nowhere");
    ends(&case, &["--bad", "main~4", "--back-to", "main~2"], 2, "");
    ends(&case, &["--back-to", aside.trim()], 2, "");
    ends(&case, &["--bad", ""], 2, "");
}

#[test]
fn a_bad_revision_that_passes_is_nothing_to_explain() {
    let case = Case::new(Plan::new(20, 3, 15));
    ends(&case, &["--bad", "main~10"], 1, "passes");
}

#[test]
fn a_bad_revision_that_does_not_build_is_nothing_to_explain() {
    let case = Case::new(Plan { broken: vec![19], ..Plan::new(20, 12, 6) });
    let output = case.place.run(&case.words(&[]));
    assert_eq!(code(&output), Some(1), "{}", said(&output));
}

#[test]
fn a_folder_that_is_not_a_repository() {
    let case = folders(Plan::new(4, 2, 1));
    let output = case.place.run(&["history", "-q", "--repo", "revisions", "--", "./test.sh"]);
    assert_eq!(code(&output), Some(2), "{}", said(&output));
    let output = case.place.run(&["history", "-q", "--repo", "no-such-folder", "--", "./test.sh"]);
    assert_eq!(code(&output), Some(2), "{}", said(&output));
}

#[test]
fn a_test_that_is_not_there() {
    let case = Case::new(Plan::new(8, 5, 2));
    let output = case.place.run(&["history", "-q", "--repo", "project", "--", "./no-such-test.sh"]);
    assert_eq!(code(&output), Some(2), "{}", said(&output));
}

#[test]
fn a_test_that_is_part_of_the_newest_revision_only_judges_all_of_them() {
    let case = Case::new(Plan::new(40, 24, 12));
    // The test comes into the repository with the last commit, so that every patch that goes back deletes it.
    case.git(&["reset", "-q", "--hard", "main"]);
    std::fs::copy(&case.history.test, case.history.repository.join("test.sh")).unwrap();
    case.git(&["add", "test.sh"]);
    case.git(&["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", "a test"]);
    let mut howcome = case.place.howcome(&["history", "-q", "--json", "--build", case.history.build]);
    let output = howcome.args(["--", "./test.sh"]).current_dir(&case.history.repository).output().unwrap();
    assert_eq!(code(&output), Some(0), "{}", said(&output));
    let answer = answer(&output);
    assert_eq!(case.index(&answer["finding"]["passing_revision"]), 11, "{answer:#}");
    assert_eq!(case.history.wrong(&answer), Vec::<String>::new());
}
