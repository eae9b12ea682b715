//! A wrapper around the test of a case. It writes a list of all tests and otherwise changes nothing.

use anyhow::Context;
use howcome_run::Content;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

/// The argument that starts this program as the wrapper.
pub(crate) const WRAPPER: &str = "wrapper";

/// How a tool passes a candidate to its test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CandidatePassing {
    /// Under its own name, in the working directory of the test.
    Named,
    /// Under any name, as the last argument.
    Argument,
}

/// The files of a wrapper.
pub(crate) struct TestWrapper<'a> {
    pub(crate) gives: CandidatePassing,
    /// The name under which the test expects the candidate.
    pub(crate) name: &'a str,
    pub(crate) test: &'a Path,
    pub(crate) folder: &'a Path,
}

impl TestWrapper<'_> {
    /// The list of tests.
    pub(crate) fn log(&self) -> PathBuf {
        self.folder.join("tests")
    }

    /// The smallest interesting candidate so far.
    pub(crate) fn best(&self) -> PathBuf {
        self.folder.join("best")
    }

    /// Writes a script that any tool can start without arguments.
    pub(crate) fn write(&self) -> anyhow::Result<PathBuf> {
        let program = std::env::current_exe().context("where this program is")?;
        let gives = if self.gives == CandidatePassing::Named { "named" } else { "argument" };
        let words = [program.as_path(), Path::new(WRAPPER), Path::new(gives), Path::new(self.name)];
        let words = words.into_iter().chain([self.test, self.folder]);
        let quoted = words.map(|word| format!("'{}'", word.display().to_string().replace('\'', r"'\''")));
        let script = format!("#!/bin/sh\nexec {} \"$@\"\n", quoted.collect::<Vec<_>>().join(" "));
        let path = self.folder.join("test");
        fs::write(&path, script)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        Ok(path)
    }

    fn run(&self, candidate: Option<&str>) -> anyhow::Result<ExitCode> {
        let began = now();
        let own = match (self.gives, candidate) {
            (CandidatePassing::Argument, Some(path)) => {
                let own = tempfile::tempdir()?;
                fs::copy(path, own.path().join(self.name))?;
                Some(own)
            }
            _ => None,
        };
        let folder = own.as_ref().map_or(Path::new("."), tempfile::TempDir::path);
        let bytes = fs::read(folder.join(self.name)).unwrap_or_default();
        let content = Content::of([bytes.as_slice()]);
        // Each test has two lines, because tools end tests that they no longer need, and those count too.
        self.note(&format!("began {began:.6} {} {content}", bytes.len()))?;
        let mut test = Command::new(self.test);
        test.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let is_interesting = test.status()?.success();
        let verdict = if is_interesting { "interesting" } else { "dull" };
        self.note(&format!("{verdict} {:.6} {} {content}", now(), bytes.len()))?;
        let smallest = fs::metadata(self.best()).map_or(u64::MAX, |best| best.len());
        if is_interesting && (bytes.len() as u64) < smallest {
            let fresh = self.folder.join(format!("best.{}", std::process::id()));
            fs::write(&fresh, &bytes)?;
            fs::rename(fresh, self.best())?;
        }
        Ok(if is_interesting { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn note(&self, line: &str) -> anyhow::Result<()> {
        let mut log = OpenOptions::new().create(true).append(true).open(self.log())?;
        Ok(log.write_all(format!("{line}\n").as_bytes())?)
    }
}

/// Runs the wrapper.
pub(crate) fn wrap(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let [gives, name, test, folder, rest @ ..] = arguments else {
        anyhow::bail!("a wrapper is written by `howcome-bench input`");
    };
    let gives = if gives == "named" { CandidatePassing::Named } else { CandidatePassing::Argument };
    let wrapper = TestWrapper { gives, name, test: Path::new(test), folder: Path::new(folder) };
    wrapper.run(rest.last().map(String::as_str))
}

/// Seconds since the epoch, because two processes share no other clock.
pub(crate) fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// The part of a name after its last dot.
pub(crate) fn extension(name: &str) -> &str {
    Path::new(name).extension().and_then(OsStr::to_str).unwrap_or_default()
}
