//! A small C program, compiled and started.

use howcome_state::Address;
use howcome_state::tracee::{Invocation, Output, RunLimits, TraceError, TraceEvent, Tracee};
use object::{Object, ObjectSymbol};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

/// A compiled C program in a folder of its own.
pub(crate) struct Built {
    pub(crate) folder: TempDir,
    pub(crate) program: PathBuf,
}

impl Built {
    pub(crate) fn new(source: &str, flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (file, program) = (folder.path().join("program.c"), folder.path().join("program"));
        fs::write(&file, source).unwrap();
        let output =
            Command::new("gcc").args(["-g", "-O0"]).args(flags).arg("-o").arg(&program).arg(&file).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Self { folder, program }
    }

    pub(crate) fn invocation(&self, arguments: &[&str]) -> Invocation {
        Invocation {
            program: self.program.clone(),
            called: "./program".into(),
            arguments: arguments.iter().map(Into::into).collect(),
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
            standard_input: None,
            directory: self.folder.path().to_owned(),
            temp_folder: std::env::temp_dir(),
        }
    }

    pub(crate) fn start(&self, arguments: &[&str], output: &Output) -> Tracee {
        Tracee::start(&self.invocation(arguments), RunLimits::default(), output).unwrap()
    }

    pub(crate) fn symbol(&self, tracee: &Tracee, name: &str) -> Address {
        let loaded = tracee.loaded(&self.program).unwrap();
        let bytes = fs::read(&self.program).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name)).unwrap();
        Address(symbol.address() + loaded[0].bias)
    }

    /// Stopped at the first instruction of a function.
    pub(crate) fn stopped_at(&self, function: &str, arguments: &[&str], output: &Output) -> Tracee {
        let mut tracee = self.start(arguments, output);
        let at = self.symbol(&tracee, function);
        tracee.set_breakpoints(&[at]).unwrap();
        assert_eq!(tracee.go(None), Ok(TraceEvent::Breakpoint(at)));
        tracee
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Result<TraceEvent, TraceError> {
        self.start(arguments, &Output::new().unwrap()).go(None)
    }
}
