//! Failures that end the same way but are not the same: with real programs, a debugger and a memory checker.

use crate::bench::{BOTH, Bench, STAYS, finished, order};
use howcome_dd::Outcome;
use howcome_lab::{Baseline, Execution, JudgingTerms, Lab, Repeat, SameAspect, TestEnding};
use howcome_run::{Executor, Observation};
use std::fs;
use std::process::Command;
use std::sync::Arc;

/// Crashes in one of several functions, or uses uninitialised data.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile int *nothing;
static int deep(void) { return *nothing; }
static int one(void) { return deep() + 1; }
static int two(void) { return deep() + 2; }
static int ask(int *number) { if (number[0] > 3) puts("many"); return 0; }
static int tell(int *number) { if (number[1] > 3) puts("few"); return 0; }
int main(int count, char **words)
{
    int *numbers = malloc(2 * sizeof *numbers);
    for (int word = 1; word < count; word++) {
        if (!strcmp(words[word], "one")) one();
        if (!strcmp(words[word], "two")) two();
        if (!strcmp(words[word], "abort")) abort();
        if (!strcmp(words[word], "ask")) ask(numbers);
        if (!strcmp(words[word], "tell")) tell(numbers);
    }
    free(numbers);
    return 1;
}
"#;

/// Whether these programs are installed. Prints a message if one is missing.
fn has(programs: &[&str]) -> bool {
    programs.iter().all(|program| {
        let is_there = Command::new(program).arg("--version").output().is_ok();
        if !is_there {
            eprintln!("not tested: {program} is not installed");
        }
        is_there
    })
}

/// Compiles the program into the folder of the bench, and sets the aspect to compare.
fn ready(bench: &mut Bench, same: SameAspect) {
    let folder = bench.temp.path();
    fs::write(folder.join("program.c"), PROGRAM).unwrap();
    let compiled = Command::new("gcc")
        .args(["-g", "-O0", "-fno-inline", "-w", "-o", "program", "program.c"])
        .current_dir(folder)
        .status();
    assert!(compiled.unwrap().success());
    bench.local.set_same(&[same]);
}

/// The execution of the failing side, and the observations of other tests that are compared with it.
fn compared(
    bench: &mut Bench,
    same: SameAspect,
    failing: &str,
    others: &[&str],
) -> (Execution, Vec<Observation>) {
    let seen = bench.sh(failing);
    let terms = JudgingTerms { same: vec![same], ..JudgingTerms::default() };
    let baseline = Baseline::of_failing(&terms, &seen).unwrap();
    let judge = Arc::new(baseline.judge);
    let mut observations = Vec::new();
    for (number, other) in others.iter().enumerate() {
        let subject = bench.script(other);
        bench.local.set_experiment(subject, judge.clone(), Repeat::Times(1));
        bench.local.start(order(number as u64));
        observations.push(finished(bench.local.wait(None)).1);
    }
    (seen, observations)
}

fn verdicts(observations: &[Observation]) -> Vec<(Outcome, String)> {
    observations.iter().map(|seen| (seen.outcome, seen.because.to_string())).collect()
}

#[test]
fn a_crash_in_another_function_is_not_the_same_however_deep_in_a_script_it_happens() {
    if !has(&["gcc", "gdb"]) {
        return;
    }
    for confinement in BOTH {
        let Some(mut bench) = Bench::new(confinement) else { continue };
        ready(&mut bench, SameAspect::Backtrace);
        let others = [
            "exec $BENCH/program one",
            "$BENCH/program; x=$($BENCH/program ask one 2>&1); exit $?",
            "sh -c 'kill -ABRT $$'; echo 7 | $BENCH/program two; exit $?",
            "kill -SEGV $$",
            "exit 0",
        ];
        let (failing, seen) =
            compared(&mut bench, SameAspect::Backtrace, "true | cat; $BENCH/program one; exit $?", &others);
        let frames = failing.backtrace.unwrap().unwrap();
        assert_eq!(frames, ["deep", "one", "main"]);
        let verdicts = verdicts(&seen);
        let fails = (Outcome::Fail, "signal SEGV".to_owned());
        assert_eq!(verdicts[..2], [fails.clone(), fails]);
        let elsewhere = "signal SEGV, but it crashed in deep < two < main instead of deep < one < main";
        assert_eq!(verdicts[2], (Outcome::Unresolved, elsewhere.to_owned()));
        assert_eq!(verdicts[3].0, Outcome::Unresolved, "{}", verdicts[3].1);
        assert_eq!(verdicts[4].0, Outcome::Pass);
    }
}

#[test]
fn an_abort_is_attributed_to_the_program_and_not_to_the_library() {
    if !has(&["gcc", "gdb"]) {
        return;
    }
    let mut bench = Bench::any();
    ready(&mut bench, SameAspect::Backtrace);
    let seen = bench.sh("$BENCH/program 'a b' \"it's\" abort");
    assert_eq!(seen.ending.plain(), TestEnding::Signal(6));
    assert_eq!(seen.backtrace, Some(Ok(vec!["main".to_owned()])));
}

#[test]
fn a_backtrace_that_the_test_prints_needs_no_debugger() {
    let mut bench = Bench::any();
    bench.local.set_same(&[SameAspect::Backtrace]);
    let prints = |function: &str| {
        format!(
            "printf 'ERROR: XSanitizer: no\\n  #0 0x12 in {function} x.c:1\\n  #1 0x1 in main x.c:2\\n' >&2; exit 1"
        )
    };
    let (failing, seen) =
        compared(&mut bench, SameAspect::Backtrace, &prints("f"), &[&prints("f"), &prints("g"), "exit 1"]);
    assert_eq!(failing.backtrace.unwrap().unwrap(), ["f", "main"]);
    let outcomes: Vec<Outcome> = seen.iter().map(|seen| seen.outcome).collect();
    assert_eq!(outcomes, [Outcome::Fail, Outcome::Unresolved, Outcome::Unresolved]);
}

#[test]
fn a_failing_side_without_a_backtrace_is_refused_if_backtraces_are_compared() {
    let mut bench = Bench::any();
    bench.local.set_same(&[SameAspect::Backtrace]);
    let terms = JudgingTerms { same: vec![SameAspect::Backtrace], ..JudgingTerms::default() };
    let refusal = Baseline::of_failing(&terms, &bench.sh("exit 3")).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "--same backtrace has nothing to compare on the bad revision: it was not ended by a signal, and printed no backtrace"
    );
    bench.local.set_same(&[]);
    assert!(Baseline::of_failing(&terms, &bench.sh("exit 3")).is_err(), "no tool has run");
}

#[test]
fn new_uses_of_uninitialised_data_are_not_the_same() {
    if !has(&["gcc", "valgrind"]) {
        return;
    }
    let mut bench = Bench::any();
    ready(&mut bench, SameAspect::Uninitialised);
    let others = ["$BENCH/program", "$BENCH/program tell ask; exit 1"];
    let (failing, seen) =
        compared(&mut bench, SameAspect::Uninitialised, "$BENCH/program ask; exit $?", &others);
    let functions: Vec<String> = failing.uninitialised.unwrap().unwrap().into_iter().collect();
    assert_eq!(functions, ["ask"]);
    let verdicts = verdicts(&seen);
    assert_eq!(verdicts[0], (Outcome::Fail, "exit code 1".to_owned()));
    let new = "exit code 1, but it uses uninitialised data in tell";
    assert_eq!(verdicts[1], (Outcome::Unresolved, new.to_owned()));
}

#[test]
fn a_closer_look_leaves_nothing_behind_when_it_is_cancelled() {
    if !has(&["gdb"]) {
        return;
    }
    let mut bench = Bench::any();
    bench.local.set_same(&[SameAspect::Backtrace]);
    let [mut ready, mut held] = ["ready", "held"].map(|name| bench.pipe(name));
    let stays_if_traced =
        format!("if grep -q 'TracerPid:[[:space:]]*[1-9]' /proc/$$/status; then {STAYS}; fi; kill -SEGV $$");
    let baseline =
        Baseline::of_failing(&JudgingTerms::default(), &Execution::new(TestEnding::Signal(11))).unwrap();
    let subject = bench.script(&stays_if_traced);
    bench.local.set_experiment(subject, Arc::new(baseline.judge), Repeat::Times(1));
    bench.local.start(order(0));
    assert_eq!(ready.next(), "\n");
    assert!(held.is_held());
    bench.local.cancel(order(0).id);
    held.wait_for_end();
    bench.local.set_same(&[]);
    assert_eq!(bench.sh("exit 7").ending, TestEnding::Exit(7));
}
