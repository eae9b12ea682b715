//! Compiles a program into a folder of its own, and runs it.

use super::header::{Arguments, Language, Seeded};
use howcome_testing::need_program;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A second of processor time, so that a program that hangs is killed, and no core files.
pub(crate) const LIMITED: &str = "ulimit -c 0; ulimit -t 1; ulimit -s 2048; exec \"$0\" \"$@\"";

/// A program that is compiled.
#[derive(Debug)]
pub(crate) struct Built {
    /// Its path.
    pub(crate) program: PathBuf,
    /// The warnings of the compiler.
    pub(crate) warnings: String,
    folder: TempDir,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    /// The exit status.
    pub(crate) status: Option<i32>,
    /// The signal.
    pub(crate) signal: Option<i32>,
    /// The standard output.
    pub(crate) output: String,
}

impl Built {
    /// Compiles with debug information. Without the compiler the test is recorded as skipped.
    #[track_caller]
    pub(crate) fn of(seeded: &Seeded) -> Option<Self> {
        let (compiler, options): (&str, &[&str]) = match seeded.language {
            Language::C => ("gcc", &["-g", "-O0", "-Wall", "-Wextra"]),
            Language::Cpp => ("g++", &["-g", "-O0", "-Wall", "-Wextra"]),
            Language::Rust => ("rustc", &["-g", "--edition", "2021"]),
        };
        if !need_program(compiler) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join(&seeded.name);
        let mut command = Command::new(compiler);
        let output = command.args(options).arg("-o").arg(&program).arg(&seeded.path).output().unwrap();
        let warnings = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{} does not compile: {warnings}", seeded.name);
        Some(Self { program, warnings, folder })
    }

    /// The folder of the program; removed with this value.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, arguments: &Arguments) -> Ended {
        let input = self.folder().join("input");
        std::fs::write(&input, &arguments.input).unwrap();
        let output = Command::new("sh")
            .args(["-c", LIMITED])
            .arg(&self.program)
            .args(&arguments.words)
            .stdin(std::fs::File::open(&input).unwrap())
            .output()
            .unwrap();
        Ended {
            status: output.status.code(),
            signal: output.status.signal(),
            output: String::from_utf8_lossy(&output.stdout).into_owned(),
        }
    }
}
