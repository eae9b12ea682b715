//! Programs that are compiled, stopped and read, for the tests of graphs.

#![allow(dead_code, unreachable_pub)]

pub mod core;

use howcome_state::Address;
use howcome_state::debug::{Program, Registers, StackFrame};
use howcome_state::graph::{MemoryGraph, ProgramState, VertexId};
use howcome_state::tracee::{Invocation, Output, RunLimits, TraceEvent, Tracee};
use howcome_testing::need_program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A compiled program in a folder of its own.
pub struct Built {
    pub folder: TempDir,
    pub program: PathBuf,
}

/// A stopped program and what was read of it.
pub struct Stopped {
    pub tracee: Tracee,
    pub program: Program,
    pub state: ProgramState,
}

/// Compiles a program. Without a compiler for it the test is recorded as skipped.
#[track_caller]
pub fn build(name: &str, source: &str, flags: &[&str]) -> Option<Built> {
    let folder = tempfile::tempdir().unwrap();
    let (file, program) = (folder.path().join(name), folder.path().join("program"));
    fs::write(&file, source).unwrap();
    let extension = Path::new(name).extension().unwrap().to_str().unwrap();
    let compiler = match extension {
        "c" => "gcc",
        "cc" => "g++",
        _ => "rustc",
    };
    let mut command = Command::new(compiler);
    command.arg("-g").args(flags).arg("-o").arg(&program).arg(&file);
    if !need_program(compiler) {
        return None;
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(Built { folder, program })
}

impl Built {
    /// Runs it up to the body of a function and reads what is there.
    pub fn stopped_at(&self, function: &str, arguments: &[&str]) -> Stopped {
        let invocation = Invocation {
            program: self.program.clone(),
            called: "./program".into(),
            arguments: arguments.iter().map(Into::into).collect(),
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
            standard_input: None,
            directory: self.folder.path().to_owned(),
            temp_folder: std::env::temp_dir(),
        };
        let output = Output::new().unwrap();
        let mut tracee = Tracee::start(&invocation, RunLimits::default(), &output).unwrap();
        let program = Program::load(&tracee.loaded(&self.program).unwrap(), &[]).unwrap();
        let functions = program.functions_named(function);
        let body = program.function(*functions.first().expect("the function")).body;
        tracee.set_breakpoints(&[body]).unwrap();
        let event = tracee.go(Some(&program)).unwrap();
        assert!(matches!(event, TraceEvent::Breakpoint(_)), "{event:?}");
        let snapshot = tracee.snapshot().unwrap();
        let frames = tracee.frames(&program, 100).unwrap();
        let frames = if frames.is_empty() { frames_by_pointer(&tracee, &program) } else { frames };
        let state = ProgramState::read(&program, frames, snapshot, Vec::new());
        Stopped { tracee, program, state }
    }
}

fn frames_by_pointer(tracee: &Tracee, program: &Program) -> Vec<StackFrame> {
    use howcome_state::ReadMemory;
    let snapshot = tracee.snapshot().unwrap();
    let mut registers = tracee.process().registers().unwrap();
    let mut frames = Vec::new();
    loop {
        let pc = Address(registers[Registers::PROGRAM_COUNTER]);
        let is_innermost = frames.is_empty();
        let function = program.function_at(if is_innermost { pc } else { pc - 1 });
        if function.is_none() {
            return frames;
        }
        let bp = Address(registers[Registers::FRAME_POINTER]);
        let cfa = bp + 16;
        let full = Registers::of_innermost(registers);
        frames.push(StackFrame { function, pc, cfa, registers: full, is_innermost });
        registers[Registers::PROGRAM_COUNTER] = snapshot.word(bp + 8).unwrap();
        registers[Registers::FRAME_POINTER] = snapshot.word(bp).unwrap();
        registers[Registers::STACK_POINTER] = cfa.0;
    }
}

impl Stopped {
    pub fn graph(&self) -> &MemoryGraph {
        &self.state.graph
    }

    /// The value of the vertex with this expression.
    pub fn value(&self, expression: &str) -> String {
        let vertices = (0..self.graph().vertices.len() as u32).map(VertexId);
        let mut found =
            vertices.filter(|vertex| self.graph().expression(&self.program, *vertex) == expression);
        let Some(vertex) = found.next() else { return format!("no {expression} in:\n{}", self.listing()) };
        self.graph().value(&self.program, &self.state.snapshot, vertex)
    }

    /// All vertices as `expression = value`.
    pub fn listing(&self) -> String {
        let mut text = String::new();
        for index in 0..self.graph().vertices.len() as u32 {
            let vertex = VertexId(index);
            let expression = self.graph().expression(&self.program, vertex);
            let value = self.graph().value(&self.program, &self.state.snapshot, vertex);
            let shape = self.graph().vertices[index as usize].shape;
            text.push_str(&format!("{expression} = {value}    {shape:?}\n"));
        }
        text
    }
}
