//! The programs with seeded faults match their headers.

#![allow(clippy::unwrap_used)]

#[path = "programs/mod.rs"]
mod seeded;

use seeded::{Built, Debugger, Language, causes, ensure, for_each, programs, some_programs};
use std::collections::BTreeMap;

#[test]
fn each_kind_of_fault_is_there_twice_and_each_language_often_enough() {
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    let programs = programs();
    for seeded in &programs {
        *kinds.entry(seeded.fault.clone()).or_default() += 1;
    }
    let expected = [
        "C++ container invalidated",
        "aliasing",
        "cycle",
        "forgotten update of a count",
        "hash table corruption",
        "integer overflow",
        "lost list element",
        "off by one",
        "stale pointer",
        "uninitialised field",
        "wrong branch",
        "wrong enum variant",
        "wrong initialisation",
        "wrong operator",
    ];
    assert_eq!(kinds.keys().map(String::as_str).collect::<Vec<_>>(), expected);
    assert!(kinds.values().all(|times| *times >= 2), "{kinds:?}");
    let written_in = |language| programs.iter().filter(|seeded| seeded.language == language).count();
    assert!(written_in(Language::C) >= 14);
    assert!(written_in(Language::Cpp) >= 5);
    assert!(written_in(Language::Rust) >= 4);
}

#[test]
fn each_program_is_long_enough_and_has_one_fault() {
    for_each(&programs(), |seeded| {
        let code = seeded.code();
        ensure(code.len() >= 150, || format!("{} lines", code.len()))?;
        ensure(seeded.functions() >= 10, || format!("{} functions", seeded.functions()))?;
        let source = std::fs::read_to_string(&seeded.path).unwrap();
        ensure(source.matches("FAULT:").count() == 1, || "not one fault".to_string())?;
        ensure(seeded.pass != seeded.fail, || "both runs are the same".to_string())?;
        ensure(source.contains(&format!("{}(", seeded.place)), || format!("no {}", seeded.place))?;
        ensure(!seeded.transfers.is_empty(), || "nothing to transfer".to_string())
    });
}

#[test]
fn each_program_compiles_without_warnings_and_its_runs_differ() {
    for_each(&programs(), |seeded| {
        let Some(built) = Built::of(seeded) else { return Ok(()) };
        ensure(built.warnings.is_empty(), || built.warnings.clone())?;
        let passing = built.run(&seeded.pass);
        let failing = built.run(&seeded.fail);
        ensure(passing.status == Some(0), || format!("passes with {passing:?}"))?;
        ensure(passing != failing, || format!("both runs end with {passing:?}"))?;
        ensure(built.run(&seeded.fail) == failing, || "fails in another way the next time".to_string())
    });
}

#[test]
fn the_seeded_variable_is_found_at_the_last_common_place_and_is_the_only_cause() {
    for_each(&some_programs(), |seeded| {
        let Some(built) = Built::of(seeded) else { return Ok(()) };
        let causes = causes(seeded, &built)?;
        let names: Vec<&str> = causes.iter().map(|cause| cause.variable.as_str()).collect();
        let expected = regex::Regex::new(&seeded.variable).unwrap();
        ensure(names.len() == 1 && expected.is_match(names[0]), || format!("{names:?}, not {expected}"))?;
        ensure(causes[0].alone_fails == Some(true), || format!("{} does not fail alone", names[0]))?;
        ensure(causes[0].without_passes == Some(true), || format!("{} set back does not pass", names[0]))
    });
}

/// Everything that uses these programs relies on this: the seeded variable alone decides.
#[test]
fn the_seeded_variable_alone_makes_the_passing_run_fail() {
    if !howcome_testing::need_program("gdb") {
        return;
    }
    for_each(&some_programs(), |seeded| {
        let Some(built) = Built::of(seeded) else { return Ok(()) };
        let debugger = Debugger::of(seeded, &built);
        let passing = debugger.passing();
        let failing = debugger.failing();
        ensure(!failing.ending.is_empty(), || "gdb does not say how it ends".to_string())?;
        ensure(!passing.calls.is_empty(), || format!("never reaches {}", seeded.place))?;
        ensure(passing.calls == failing.calls, || format!("{:?} and {:?}", passing.calls, failing.calls))?;
        ensure(passing != failing, || format!("decided before the place: {failing:?}"))?;
        let altered = debugger.altered();
        ensure(altered == failing, || format!("{altered:?} instead of {failing:?}"))
    });
}
