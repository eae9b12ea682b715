//! The generated histories are what they claim to be, judged by git and the test alone.

#![allow(clippy::unwrap_used)]

mod histories;

use histories::{Files, History, Language, Plan, Region, git};
use std::path::Path;
use tempfile::TempDir;

/// How the test ends with these files; `None` where they do not build.
fn with(history: &History, files: &Files) -> Option<i32> {
    let folder = TempDir::new().unwrap();
    History::write(files, folder.path()).unwrap();
    history.outcome(folder.path()).unwrap()
}

/// How the test ends in a revision as it is.
fn at(history: &History, revision: usize) -> Option<i32> {
    let folder = TempDir::new().unwrap();
    history.clone_of(revision, None, &folder.path().join("clone")).unwrap();
    history.outcome(&folder.path().join("clone")).unwrap()
}

/// All that must hold in any history, which lives as long as its folder.
fn holds(plan: Plan) -> (TempDir, History) {
    let folder = TempDir::new().unwrap();
    let history = History::new(plan, folder.path()).unwrap();
    let (plan, truth) = (&history.plan, &history.truth);
    assert_eq!(history.names.len(), plan.revisions);
    assert_eq!(at(&history, plan.newest()), Some(1), "the newest revision fails");
    for broken in &plan.broken {
        assert_eq!(at(&history, *broken), None, "{broken} does not build");
    }
    for revision in &truth.patched {
        assert!(matches!(at(&history, *revision), Some(2..)), "{revision} fails differently");
    }
    if let Some(first) = truth.patched.first() {
        let newer = plan.builds_from(first + 1);
        assert_eq!(at(&history, newer), Some(1), "{newer} fails as it is");
    }
    let passing = truth.passing.unwrap_or(truth.failing);
    let code = if truth.passing.is_some() { 0 } else { 1 };
    assert_eq!(with(&history, &truth.with_patch), Some(code));
    assert_eq!(with(&history, &truth.with_cause), Some(1));
    assert_eq!(with(&history, &truth.fixed), Some(0));
    let needs = history.versions[truth.failing].with_what_is_needed();
    assert_eq!(with(&history, &needs.files()), Some(1), "the next one fails with the patch");
    if !truth.backported.is_empty() {
        assert!(matches!(at(&history, passing), Some(2..)));
        each_line_is_needed(&history, passing);
    }
    let half = (truth.failing + plan.newest()) / 2;
    let half = history.versions[plan.builds_from(half)].with_what_is_needed();
    assert_eq!(with(&history, &half.files()), Some(1), "so it does half-way to the newest");
    (folder, history)
}

/// Without any one line of the patch the passing revision does not pass, or the failing one does not fail.
fn each_line_is_needed(history: &History, passing: usize) {
    let [plain, patched, failing] = [
        history.versions[passing].files(),
        history.truth.with_patch.clone(),
        history.versions[history.truth.failing].with_what_is_needed().files(),
    ];
    for (path, text) in &patched {
        let before = plain.get(path).map_or("", String::as_str);
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in
            lines.iter().enumerate().filter(|(_, line)| !before.lines().any(|old| old == **line))
        {
            let without = |text: &str| {
                let mut lines: Vec<&str> = text.lines().collect();
                let at = lines.iter().position(|other| other == line).unwrap();
                lines.remove(at);
                lines.join("\n") + "\n"
            };
            let mut one = patched.clone();
            one.insert(path.clone(), without(text));
            let mut other = failing.clone();
            other.insert(path.clone(), without(&failing[path]));
            let outcomes = (with(history, &one), with(history, &other));
            assert_ne!(outcomes, (Some(0), Some(1)), "{path}:{} {line}", number + 1);
        }
    }
}

#[test]
fn a_feature_and_a_cause_before_it() {
    let (_folder, history) = holds(Plan { broken: vec![20, 59, 61, 90, 119], ..Plan::new(200, 120, 60) });
    assert_eq!((history.truth.passing, history.truth.failing), (Some(58), 60));
    assert_eq!(history.truth.patched, [118]);
    assert_eq!(history.truth.cause, ["lib/compute.sh: +readonly unit=2", "lib/compute.sh: -readonly unit=1"]);
    assert_eq!(history.truth.backported.len(), 9);
    assert!(history.truth.backported.contains(&"lib/options.sh: +    --sum) mode=sum ;;".to_owned()));
}

#[test]
fn a_cause_after_the_feature_needs_no_patch() {
    let (_folder, history) = holds(Plan::new(40, 10, 25));
    assert!(history.truth.backported.is_empty() && history.truth.patched.is_empty());
}

#[test]
fn one_that_never_worked() {
    let (_folder, history) = holds(Plan { broken: vec![0, 1], ..Plan::never_worked(40, 20) });
    assert_eq!((history.truth.passing, history.truth.failing), (None, 2));
}

#[test]
fn two_features() {
    let (_folder, history) = holds(Plan { second_feature: Some(30), ..Plan::new(40, 20, 10) });
    assert_eq!(history.truth.patched, [29, 19]);
    assert_eq!(history.truth.backported.len(), 11);
}

#[test]
fn lines_written_anew() {
    for region in [Region::Near, Region::Around] {
        holds(Plan { region: Some((15, region)), ..Plan::new(40, 20, 10) });
    }
    let (_folder, history) = holds(Plan { cause_rewritten: Some(30), ..Plan::new(40, 20, 10) });
    let forward = ["lib/compute.sh: +readonly unit=1", "lib/compute.sh: -readonly unit=$((1 + 1))"];
    assert_eq!(history.truth.forward, forward);
    let (_folder, history) = holds(Plan { second_cause: Some(30), ..Plan::new(40, 20, 10) });
    assert_eq!(history.truth.forward.len(), 4);
}

#[test]
fn a_driver_whose_call_is_a_part_of_its_own() {
    let (_folder, history) = holds(Plan { driver: true, ..Plan::new(40, 20, 10) });
    assert_eq!(history.truth.backported.len(), 2);
    // Without the call it fails like the newest revision, wherever it is tried.
    let mut files = history.truth.with_patch.clone();
    let driver = files["driver.sh"].replace("sum) result=$(sh out/tally --sum 1 2 3) ;;\n", "");
    files.insert("driver.sh".to_owned(), driver);
    assert_eq!(with(&history, &files), Some(1));
}

#[test]
fn a_cause_in_a_merged_branch() {
    let folder = TempDir::new().unwrap();
    let (_folder, history) = holds(Plan { merged: true, ..Plan::new(40, 20, 10) });
    let again = History::new(history.plan.clone(), folder.path()).unwrap();
    assert_eq!(again.names, history.names, "a history has the same names each time");
    let words = ["rev-list", "--parents", "-n1", &again.names[10]].map(Path::new);
    let parents = git(&again.repository, words, b"").unwrap();
    assert_eq!(parents.split_whitespace().count(), 3);
}

#[test]
fn a_program_in_c() {
    let plan = Plan { language: Language::C, broken: vec![9, 12], ..Plan::new(30, 18, 10) };
    let (_folder, history) = holds(Plan { region: Some((14, Region::Around)), ..plan });
    assert_eq!(history.truth.passing, Some(8));
}

#[test]
fn any_seed_will_do() {
    for seed in 2..6 {
        holds(Plan { seed, ..Plan::new(30, 20, 10) });
    }
}
