//! Real programs: the passing run with all deltas at a place is the failing run at that place.

#![allow(clippy::unwrap_used)]

#[path = "programs/mod.rs"]
mod seeded;

use howcome_dd::Configuration;
use howcome_state::Address;
use howcome_state::debug::Program;
use howcome_state::graph::State;
use howcome_state::matching::Differences;
use howcome_state::tracee::{End, Invocation, Limits, Output, Tracee, Watchdog};
use seeded::{Arguments, Built, Seeded, programs};
use std::time::Duration;

/// A run that is stopped at the place of its program.
struct Stopped {
    tracee: Tracee,
    output: Output,
    state: State,
}

impl Stopped {
    fn at(built: &Built, seeded: &Seeded, arguments: &Arguments, name: &str) -> (Self, Program) {
        let input = built.folder().join(name);
        std::fs::write(&input, &arguments.input).unwrap();
        let invocation = Invocation {
            program: built.program.clone(),
            called: "./program".into(),
            arguments: arguments.words.iter().map(Into::into).collect(),
            environment: Vec::new(),
            standard_input: Some(input),
            directory: built.folder().to_owned(),
        };
        let output = Output::new().unwrap();
        let mut tracee = Tracee::start(&invocation, Limits::default(), &output).unwrap();
        let program = Program::load(&tracee.loaded(&built.program).unwrap(), &[]).unwrap();
        let function = program.functions_named(&seeded.place)[0];
        tracee.go_to(program.function(function).body, 1, &program).unwrap();
        tracee.call(program.symbol("fflush").unwrap(), "fflush", 0).unwrap();
        let state = tracee.state(&program).unwrap();
        (Self { tracee, output: Output::new().unwrap(), state }, program)
    }

    /// What the rest of the run does with these deltas, and its state before that.
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

struct Rest {
    state: State,
    end: End,
    printed: [String; 2],
}

fn told(differences: &Differences) -> String {
    let mut text = String::new();
    for delta in &differences.deltas {
        let line = format!(
            "{:?} {:?} {}: {} -> {}\n",
            delta.group, delta.kind, delta.variable, delta.base, delta.other
        );
        text.push_str(&line);
    }
    text
}

#[test]
fn explore() {
    for seeded in programs() {
        if let Ok(only) = std::env::var("ONLY") {
            if seeded.name != only {
                continue;
            }
        }
        let Some(built) = Built::of(&seeded) else { continue };
        let (mut passing, program) = Stopped::at(&built, &seeded, &seeded.pass, "passing");
        let (mut failing, _) = Stopped::at(&built, &seeded, &seeded.fail, "failing");
        let there = Differences::between(&program, &passing.state, &failing.state);
        let back = Differences::between(&program, &failing.state, &passing.state);
        let none = Configuration::empty();
        let expected = failing.rest(&program, &back, &none);
        let altered = passing.rest(&program, &there, &Configuration::all(there.deltas.len() as u32));
        let left = Differences::between(&program, &altered.state, &failing.state);
        println!(
            "{} {:?}: {} vertices, {} deltas, dropped {}, left {} same end {} same output {}",
            seeded.name,
            seeded.language,
            passing.state.graph.vertices.len(),
            there.deltas.len(),
            there.dropped,
            left.deltas.len(),
            altered.end == expected.end,
            altered.printed == expected.printed
        );
        println!("{}", told(&there).lines().take(60).collect::<Vec<_>>().join("\n"));
        if !left.deltas.is_empty() {
            println!("  LEFT\n{}", told(&left));
        }
        if altered.end != expected.end || altered.printed != expected.printed {
            println!("  {:?} {:?}\n {:?} {:?}", altered.end, altered.printed, expected.end, expected.printed);
        }
    }
}
