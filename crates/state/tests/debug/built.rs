//! Small programs, compiled for a test and stopped at a place.

use howcome_state::debug::{LiveVariable, Loaded, Program, StackFrame, Type, TypeId};
use howcome_state::tracee::{Invocation, Output, RunLimits, Tracee};
use howcome_state::{Address, Snapshot};
use howcome_testing::need_program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A compiled program in a folder of its own.
pub(crate) struct Built {
    pub(crate) folder: TempDir,
    pub(crate) program: PathBuf,
}

/// Compiles with a command line in which `{}` is the source and which leaves `program` in the folder. Without the compiler
/// the test is recorded as skipped.
#[track_caller]
pub(crate) fn build(source: &str, suffix: &str, command: &str) -> Option<Built> {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("program.{suffix}");
    fs::write(folder.path().join(&file), source).unwrap();
    let words: Vec<String> = command.split_whitespace().map(|word| word.replace("{}", &file)).collect();
    run(folder.path(), &words)?;
    let program = folder.path().join("program");
    Some(Built { folder, program })
}

/// Runs a tool in a folder. Without the tool the test is recorded as skipped.
#[track_caller]
pub(crate) fn run(folder: &Path, words: &[String]) -> Option<String> {
    if !need_program(&words[0]) {
        return None;
    }
    let output = Command::new(&words[0]).args(&words[1..]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A program that has stopped.
pub(crate) struct Stopped {
    pub(crate) program: Program,
    pub(crate) frames: Vec<StackFrame>,
    pub(crate) snapshot: Snapshot,
    _tracee: Tracee,
    _output: Output,
}

impl Built {
    /// Reads the file without running it.
    pub(crate) fn load(&self) -> Program {
        let loaded = Loaded { path: self.program.clone(), bias: 0 };
        Program::load(&[loaded], &[]).unwrap()
    }

    /// Runs it up to the body of a function.
    pub(crate) fn stop_at(&self, function: &str) -> Stopped {
        self.stop(&[], |program| {
            let id = *program.functions_named(function).first().expect("no such function");
            program.function(id).body
        })
    }

    /// Runs it up to an address.
    pub(crate) fn stop(&self, folders: &[PathBuf], address: impl FnOnce(&Program) -> Address) -> Stopped {
        let output = Output::new().unwrap();
        let invocation = Invocation {
            program: self.program.clone(),
            called: "./program".into(),
            arguments: Vec::new(),
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
            standard_input: None,
            directory: self.folder.path().to_owned(),
            temp_folder: std::env::temp_dir(),
        };
        let mut tracee = Tracee::start(&invocation, RunLimits::default(), &output).unwrap();
        let program = Program::load(&tracee.loaded(&self.program).unwrap(), folders).unwrap();
        let address = address(&program);
        tracee.go_to(address, 1, None, &program).unwrap();
        let frames = tracee.frames(&program, 100).unwrap();
        let snapshot = tracee.snapshot().unwrap();
        Stopped { program, frames, snapshot, _tracee: tracee, _output: output }
    }
}

impl Stopped {
    /// The names of the frames, innermost first.
    pub(crate) fn names(&self) -> Vec<String> {
        let name = |frame: &StackFrame| self.program.name_at(frame.lookup()).unwrap_or_default();
        self.frames.iter().map(name).collect()
    }

    /// The locals of a frame.
    pub(crate) fn locals(&self, frame: usize) -> Vec<LiveVariable> {
        self.program.locals(&self.frames[frame], &self.snapshot)
    }

    /// A local of a frame.
    pub(crate) fn local(&self, frame: usize, name: &str) -> LiveVariable {
        let locals = self.locals(frame);
        locals.into_iter().find(|local| local.name == name).unwrap_or_else(|| panic!("no local {name}"))
    }

    /// A global.
    pub(crate) fn global(&self, name: &str) -> LiveVariable {
        let globals = self.program.globals(&self.snapshot);
        globals.into_iter().find(|global| global.name == name).unwrap_or_else(|| panic!("no global {name}"))
    }

    /// The value of a variable as a number.
    pub(crate) fn number(&self, variable: &LiveVariable) -> u64 {
        self.snapshot.number(variable.at, self.program.size(variable.ty)).unwrap()
    }

    /// The offset, type and address of a member, `a.b.c`.
    pub(crate) fn member(&self, variable: &LiveVariable, path: &str) -> (Address, TypeId) {
        let (mut at, mut ty) = (variable.at, variable.ty);
        for part in path.split('.') {
            let record = self.program.ty(ty);
            let Type::Record(record) = &*record else { panic!("{part} of {record:?}") };
            let member = record.members.iter().find(|member| member.name == part);
            let member = member.unwrap_or_else(|| panic!("no {part} in {record:?}"));
            (at, ty) = (at + member.offset, member.ty);
        }
        (at, ty)
    }
}
