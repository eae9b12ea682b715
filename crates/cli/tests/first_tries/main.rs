//! First tries: ordinary projects with a failure whose cause is known, and the plain command that a user types first.
//!
//! Each folder in `cases` has the script `make`, which creates the project, the `command`, and the `truth`. `results.txt` keeps
//! what became of each try and how many tests it took, so that a change that makes one worse is seen. `./test` runs some of
//! them, `./test --long` all. With `HOWCOME_UPDATE=1`, `results.txt` is written anew.

#![allow(clippy::unwrap_used)]

mod answer;
mod case;
mod results;

use case::FirstTry;
use results::{Results, TryResult};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A try that takes more tests than this is not quick.
const QUICK: u64 = 30;
/// A try that compiles its project for each test is not quick either.
const COMPILERS: [&str; 7] = ["cargo", "cargo-nextest", "go", "g++", "javac", "cmake", "tsc"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/first_tries")
}

#[test]
fn first_tries_are_answered_as_recorded() {
    let recorded = Results::read(&folder().join("results.txt"));
    let is_update = std::env::var_os("HOWCOME_UPDATE").is_some();
    let every = if is_update { 1 } else { howcome_testing::repeats(4, 1) };
    // Without --long, only tries that are known to be quick.
    let is_quick = |case: &&FirstTry| {
        let compiles = case.needs.iter().any(|program| COMPILERS.contains(&program.as_str()));
        !compiles && recorded.get(&case.name).is_some_and(|result| result.told <= QUICK)
    };
    let cases = FirstTry::all(&folder().join("cases"));
    let cases = cases.iter().filter(|case| every == 1 || is_quick(case)).step_by(every);
    let mut now = recorded.clone();
    let mut worse = Vec::new();
    for case in cases {
        if !case.needs.iter().all(|needed| is_there(needed)) {
            continue;
        }
        let (result, why) = case.run();
        if let Some(before) = recorded.get(&case.name)
            && result.is_worse_than(before)
        {
            worse.push(format!("{}: {before}, now {result}: {why}", case.name));
        }
        now.insert(&case.name, result);
    }
    if is_update {
        now.write(&folder().join("results.txt"));
    }
    assert!(worse.is_empty(), "{}", worse.join("\n"));
}

/// Whether a program is installed, or for `python3 MODULE` a module of the Python that runs.
fn is_there(needed: &str) -> bool {
    let Some(("python3", module)) = needed.split_once(' ') else {
        return howcome_testing::need_program(needed);
    };
    let import = Command::new("python3").args(["-c", &format!("import {module}")]).output();
    let is_there = import.is_ok_and(|ended| ended.status.success());
    if !is_there {
        howcome_testing::skip(format!("python3 has no module {module}"));
    }
    is_there
}

#[test]
fn no_first_try_is_answered_wrongly() {
    let recorded = Results::read(&folder().join("results.txt"));
    let cases = FirstTry::all(&folder().join("cases"));
    let missing: Vec<&str> =
        cases.iter().map(|case| case.name.as_str()).filter(|name| recorded.get(name).is_none()).collect();
    assert!(missing.is_empty(), "without a result: {missing:?}");
    let wrong = cases.iter().filter(|case| recorded.get(&case.name).is_some_and(TryResult::is_wrong));
    assert_eq!(wrong.map(|case| case.name.as_str()).collect::<Vec<_>>(), [""; 0]);
}
