//! Programs that are compiled for a measurement, and gdb's figures for them.

use super::figures::MeasuredTime;
use anyhow::{Context, ensure};
use howcome_state::debug::Program;
use howcome_state::tracee::{Invocation, Output, RunLimits, Tracee};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A compiled program in its own folder.
pub(super) struct CompiledProgram {
    pub(super) folder: TempDir,
    pub(super) program: PathBuf,
}

impl CompiledProgram {
    /// Compiles a source with debug information and without optimisation.
    pub(super) fn of(name: &str, source: &str) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let (file, program) = (folder.path().join(format!("{name}.c")), folder.path().join(name));
        fs::write(&file, source)?;
        compile(folder.path(), &[&file], &["-o".as_ref(), &program])?;
        Ok(Self { folder, program })
    }

    /// One run of it.
    pub(super) fn invocation(&self, arguments: &[&str]) -> Invocation {
        Invocation {
            program: self.program.clone(),
            called: self.program.clone().into(),
            arguments: arguments.iter().map(Into::into).collect(),
            environment: Vec::new(),
            standard_input: None,
            directory: self.folder.path().to_owned(),
            temp_folder: std::env::temp_dir(),
        }
    }

    /// A run that is stopped at the first call of a function, with its debug information.
    pub(super) fn stopped_at(&self, function: &str) -> anyhow::Result<(Tracee, Program, Output)> {
        let output = Output::new()?;
        let mut tracee = Tracee::start(&self.invocation(&[]), RunLimits::default(), &output)?;
        let program = Program::load(&tracee.loaded(&self.program)?, &[])?;
        let function = *program.functions_named(function).first().context("the function is missing")?;
        tracee.go_to(program.function(function).body, 1, None, &program)?;
        Ok((tracee, program, output))
    }

    /// Runs a script in gdb, which prints counts and times.
    pub(super) fn gdb(&self, script: &str, arguments: &[&str]) -> anyhow::Result<Vec<(usize, MeasuredTime)>> {
        let file = self.folder.path().join("script.py");
        fs::write(&file, script)?;
        let mut command = Command::new("gdb");
        command.args(["-nx", "-nh", "-batch", "-x"]).arg(&file).arg("--args").arg(&self.program);
        command.args(arguments).stdin(Stdio::null()).env_remove("DEBUGINFOD_URLS");
        let output = command.output().context("gdb is not installed")?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let figures = text.lines().find_map(|line| line.strip_prefix("FIGURES "));
        let figures = figures.with_context(|| {
            format!("gdb said nothing: {text}{}", String::from_utf8_lossy(&output.stderr))
        })?;
        let figures: Vec<(usize, f64, f64)> = serde_json::from_str(figures)?;
        Ok(figures.into_iter().map(|(count, clock, work)| (count, MeasuredTime { clock, work })).collect())
    }
}

/// Runs the C compiler on files, in a folder.
pub(super) fn compile(folder: &Path, files: &[&Path], options: &[&Path]) -> anyhow::Result<()> {
    let mut command = Command::new("gcc");
    command.current_dir(folder).args(["-g", "-O0", "-w"]).args(options).args(files);
    let output = command.output().context("gcc is not installed")?;
    ensure!(output.status.success(), "gcc: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}
