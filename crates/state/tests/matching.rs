//! Real programs: the passing run with all deltas at a place is the failing run at that place.

#![allow(clippy::unwrap_used)]

#[path = "programs/mod.rs"]
mod seeded;

use howcome_dd::{Configuration, DeltaId};
use howcome_state::Address;
use howcome_state::debug::Program;
use howcome_state::graph::ProgramState;
use howcome_state::matching::{DeltaKind, Differences};
use howcome_state::tracee::{Invocation, Output, RunEnd, RunLimits, Tracee, Watchdog};
use seeded::{Arguments, Built, Seeded, for_each, programs};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A run that is stopped at the first call of a function.
struct Stopped {
    tracee: Tracee,
    output: Output,
    state: ProgramState,
}

/// What the rest of a run does, and its state before.
struct Rest {
    state: ProgramState,
    end: RunEnd,
    printed: [String; 2],
}

impl Stopped {
    fn at(file: &Path, function: &str, arguments: &Arguments, input: &str) -> (Self, Program) {
        let directory = file.parent().unwrap().to_owned();
        let input = directory.join(input);
        fs::write(&input, &arguments.input).unwrap();
        let invocation = Invocation {
            program: file.to_owned(),
            called: "./program".into(),
            arguments: arguments.words.iter().map(Into::into).collect(),
            environment: Vec::new(),
            standard_input: Some(input),
            directory,
            temp_folder: std::env::temp_dir(),
        };
        let output = Output::new().unwrap();
        let mut tracee = Tracee::start(&invocation, RunLimits::default(), &output).unwrap();
        let program = Program::load(&tracee.loaded(file).unwrap(), &[]).unwrap();
        let function = program.functions_named(function)[0];
        tracee.go_to(program.function(function).body, 1, None, &program).unwrap();
        tracee.call(program.symbol("fflush").unwrap(), "fflush", 0).unwrap();
        let state = tracee.state(&program).unwrap();
        (Self { tracee, output: Output::new().unwrap(), state }, program)
    }

    fn rest(&mut self, program: &Program, differences: &Differences, chosen: &Configuration) -> Rest {
        let malloc = program.symbol("malloc").unwrap();
        let mut allocate = |size: &u64| Address(self.tracee.call(malloc, "malloc", *size).unwrap());
        let allocated: Vec<Address> = differences.allocations.iter().map(&mut allocate).collect();
        self.output.clear().unwrap();
        let alterations = differences.alterations(chosen, &allocated);
        let mut copy = self.tracee.altered(&self.output, &alterations).unwrap();
        let state = copy.state(program).unwrap();
        let watchdog = Watchdog::new();
        copy.limit(&watchdog, Duration::from_secs(1)).unwrap();
        let end = copy.go_to_end(program).unwrap();
        drop(copy);
        let printed = self.output.printed().unwrap().map(|text| String::from_utf8_lossy(&text).into_owned());
        Rest { state, end, printed }
    }
}

/// The two runs of a program, stopped at the same place, and their differences.
struct Compared {
    program: Program,
    passing: Stopped,
    failing: Stopped,
    there: Differences,
    back: Differences,
}

impl Compared {
    fn new(file: &Path, place: &str, pass: &Arguments, fail: &Arguments) -> Self {
        let (passing, program) = Stopped::at(file, place, pass, "passing");
        let (failing, _) = Stopped::at(file, place, fail, "failing");
        let there = Differences::between(&program, &passing.state, &failing.state);
        let back = Differences::between(&program, &failing.state, &passing.state);
        Self { program, passing, failing, there, back }
    }

    fn with(&mut self, chosen: &Configuration) -> Rest {
        self.passing.rest(&self.program, &self.there, chosen)
    }

    fn with_all(&mut self) -> Rest {
        self.with(&Configuration::all(self.there.deltas.len() as u32))
    }

    fn failing(&mut self) -> Rest {
        self.failing.rest(&self.program, &self.back, &Configuration::empty())
    }

    /// The passing run with all deltas has the state of the failing run, and does what it does.
    fn check(&mut self) -> Result<(), String> {
        let (altered, failing) = (self.with_all(), self.failing());
        let left = Differences::between(&self.program, &altered.state, &self.failing.state);
        if !left.deltas.is_empty() || left.dropped + self.there.dropped > 0 {
            return Err(format!("left over: {}", told(&left)));
        }
        if altered.end != failing.end
            || without_numbers(&altered.printed) != without_numbers(&failing.printed)
        {
            let (here, there) = (altered.printed, failing.printed);
            return Err(format!("{:?} {here:?} instead of {:?} {there:?}", altered.end, failing.end));
        }
        Ok(())
    }
}

/// Rust prints the number of the thread that panics.
fn without_numbers(printed: &[String; 2]) -> [String; 2] {
    let is_thread = |line: &&str| !line.starts_with("thread 'main' (");
    [printed[0].clone(), printed[1].lines().filter(is_thread).collect()]
}

fn told(differences: &Differences) -> String {
    let tell = |delta: &howcome_state::matching::StateDelta| {
        format!("{:?} {}: {} -> {}\n", delta.kind, delta.variable, delta.base, delta.other)
    };
    differences.deltas.iter().map(tell).collect()
}

fn check(seeded: &Seeded) -> Result<(), String> {
    let Some(built) = Built::of(seeded) else { return Ok(()) };
    let mut compared = Compared::new(&built.program, &seeded.place, &seeded.pass, &seeded.fail);
    compared.check().map_err(|wrong| format!("{wrong}\n{}", told(&compared.there)))
}

#[test]
fn the_passing_run_with_all_deltas_fails_as_the_failing_run_does() {
    for_each(&programs(), check);
}

/// Compiles a program. Without the compiler the test is recorded as skipped.
#[track_caller]
fn compiled(compiler: &[&str], source: &str) -> Option<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir().unwrap();
    let ending = if compiler[0] == "rustc" { "rs" } else { "c" };
    let (file, program) = (folder.path().join(format!("program.{ending}")), folder.path().join("program"));
    fs::write(&file, source).unwrap();
    if !howcome_testing::need_program(compiler[0]) {
        return None;
    }
    let mut command = Command::new(compiler[0]);
    let output = command.args(&compiler[1..]).arg("-o").arg(&program).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some((folder, program))
}

fn words(words: &[&str]) -> Arguments {
    Arguments { words: words.iter().map(|word| (*word).to_owned()).collect(), input: String::new() }
}

const READS: &str = r#"
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>
#include <stdlib.h>
char line[100];
FILE *file;
int raw;
void rest(void) {
    while (fgets(line, sizeof line, file)) fputs(line, stdout);
    char byte;
    while (read(raw, &byte, 1) == 1) putchar(byte);
    int letter;
    while ((letter = getchar()) != EOF) putchar(letter);
}
int main(int argc, char **argv) {
    file = fopen(argv[1], "r");
    raw = open(argv[2], O_RDONLY);
    for (int i = 0; i < atoi(argv[3]); i++) fgets(line, sizeof line, file);
    getchar();
    rest();
    return argc > 9;
}
"#;

#[test]
fn what_is_unread_is_read_on_from_where_the_other_run_would() {
    let Some((folder, program)) = compiled(&["gcc", "-g"], READS) else { return };
    fs::write(folder.path().join("a"), "one\ntwo\nthree\n").unwrap();
    fs::write(folder.path().join("b"), "four\nfive\n").unwrap();
    let pass = Arguments { input: "xhello\n".to_owned(), ..words(&["a", "a", "2"]) };
    let fail = Arguments { input: "yworld\n".to_owned(), ..words(&["b", "b", "1"]) };
    let mut compared = Compared::new(&program, "rest", &pass, &fail);
    compared.check().unwrap();
    let is_unread = |index: &u32| compared.there.deltas[*index as usize].kind == DeltaKind::Unread;
    let unread: Vec<u32> = (0..compared.there.deltas.len() as u32).filter(is_unread).collect();
    assert_eq!(unread.len(), 3, "{}", told(&compared.there));
    let printed = |compared: &mut Compared, index: u32| {
        compared.with(&[DeltaId(index)].into_iter().collect()).printed[0].clone()
    };
    assert_eq!(printed(&mut compared, unread[0]), "five\none\ntwo\nthree\nhello\n");
    assert_eq!(printed(&mut compared, unread[1]), "three\none\ntwo\nthree\nworld\n");
    assert_eq!(printed(&mut compared, unread[2]), "three\nfour\nfive\nhello\n");
}

const SPILLS: &str = r#"
#[inline(never)]
fn twice(count: usize, text: &str) -> usize {
    count * 2 + text.len()
}
fn main() {
    let count = std::env::args().count();
    let text = std::env::args().collect::<Vec<_>>().join("-");
    println!("{}", twice(count, &text));
}
"#;

#[test]
fn rust_keeps_copies_of_variables_and_they_change_too() {
    let Some((_folder, program)) = compiled(&["rustc", "-g"], SPILLS) else { return };
    let (pass, fail) = (words(&["one", "two"]), words(&["three", "four", "five"]));
    let mut compared = Compared::new(&program, "twice", &pass, &fail);
    let (altered, failing) = (compared.with_all(), compared.failing());
    assert_eq!(altered.printed, failing.printed, "{}", told(&compared.there));
}

const OPTIMISED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
__attribute__((noinline)) int sum(const struct node *list, int factor) {
    int total = 0;
    for (; list; list = list->next) total += list->value * factor;
    printf("%d\n", total);
    return total;
}
int main(int argc, char **argv) {
    struct node *list = NULL;
    for (int i = 1; i < argc; i++) {
        struct node *node = malloc(sizeof *node);
        *node = (struct node){atoi(argv[i]), list};
        list = node;
    }
    return sum(list, argc) > 100;
}
"#;

#[test]
fn variables_in_registers_are_altered_there() {
    let Some((_folder, program)) = compiled(&["gcc", "-g", "-O2"], OPTIMISED) else { return };
    let (pass, fail) = (words(&["1", "2", "3"]), words(&["1", "50", "2", "3"]));
    let mut compared = Compared::new(&program, "sum", &pass, &fail);
    let (altered, failing) = (compared.with_all(), compared.failing());
    assert_eq!(altered.printed, failing.printed, "{}", told(&compared.there));
    assert_eq!(altered.end, failing.end);
}
