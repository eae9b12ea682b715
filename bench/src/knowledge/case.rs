//! A small regression, and the right answer.

use crate::howcome;
use anyhow::{Context, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The files of one version: paths and texts.
pub(crate) type VersionFiles = BTreeMap<String, String>;

/// Versions of which the last one fails, and the cause.
#[derive(Default)]
pub(crate) struct KnowledgeCase {
    /// Two versions are folders; more versions are the commits of a repository.
    pub(crate) versions: Vec<VersionFiles>,
    pub(crate) flags: &'static [&'static str],
    /// For `sh -c`.
    pub(crate) test: String,
    /// The lines of the cause, such as `file: -old` and `file: +new`.
    pub(crate) cause: Vec<String>,
}

/// The answer of the command.
pub(crate) struct KnowledgeAnswer {
    pub(crate) told: u32,
    /// In order.
    pub(crate) lines: Vec<String>,
}

impl KnowledgeCase {
    /// A case between two versions that differ in single lines, without moved lines. `decides` selects the lines of the
    /// cause.
    pub(crate) fn between(
        good: VersionFiles,
        bad: VersionFiles,
        decides: impl Fn(&str, &str) -> bool,
    ) -> Self {
        let mut cause = Vec::new();
        for (path, text) in &bad {
            let old = good.get(path).map(String::as_str).unwrap_or_default();
            for (old, new) in old.lines().zip(text.lines()).filter(|(old, new)| old != new) {
                if decides(path, new) {
                    cause.extend([format!("{path}: -{old}"), format!("{path}: +{new}")]);
                }
            }
        }
        Self { versions: vec![good, bad], cause, ..Self::default() }
    }

    /// Whether an answer names the cause and nothing else.
    pub(crate) fn is_answered_by(&self, answer: &KnowledgeAnswer) -> bool {
        let mut cause = self.cause.clone();
        cause.sort();
        cause == answer.lines
    }

    /// Writes the versions to an empty folder and returns their names.
    pub(crate) fn write(&self, folder: &Path) -> anyhow::Result<[OsString; 2]> {
        if let [good, bad] = &self.versions[..] {
            let [old, new] = ["good", "bad"].map(|name| folder.join(name));
            write(good, &old)?;
            write(bad, &new)?;
            return Ok([old.into(), new.into()]);
        }
        git(folder, &["init", "--quiet"])?;
        for version in &self.versions {
            write(version, folder)?;
            git(folder, &["add", "--all"])?;
            git(folder, &["commit", "--quiet", "--message", "change"])?;
        }
        Ok([format!("HEAD~{}", self.versions.len() - 1).into(), "HEAD".into()])
    }

    /// Runs the command as a user would, with one test at a time.
    pub(crate) fn ask(
        &self,
        folder: &Path,
        versions: &[OsString; 2],
        further: &[&str],
    ) -> anyhow::Result<KnowledgeAnswer> {
        let run = tempfile::tempdir()?;
        let output = Command::new(howcome::program()?)
            .args(["changes", "--json", "--jobs", "1"])
            .args(self.flags)
            .args(further)
            .arg("--good")
            .arg(&versions[0])
            .arg("--bad")
            .arg(&versions[1])
            .arg("--run-dir")
            .arg(run.path().join("run"))
            .args(["--", "sh", "-c", &self.test])
            .current_dir(folder)
            .output()?;
        let said: Value = serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)))?;
        let told = said["tests"]["told"].as_u64().context("how many tests were told")? as u32;
        Ok(KnowledgeAnswer { told, lines: lines_of(&said["finding"]["changes"]) })
    }
}

fn lines_of(changes: &Value) -> Vec<String> {
    let mut all = Vec::new();
    for change in changes.as_array().into_iter().flatten() {
        let path = change["path"].as_str().unwrap_or_default();
        for (side, sign) in [("removed", '-'), ("added", '+')] {
            let lines = change[side].as_array().into_iter().flatten().filter_map(Value::as_str);
            all.extend(lines.map(|line| format!("{path}: {sign}{}", line.trim_end_matches('\n'))));
        }
    }
    all.sort();
    all
}

fn write(files: &VersionFiles, folder: &Path) -> anyhow::Result<()> {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().context("a path without a folder")?)?;
        fs::write(path, text)?;
    }
    Ok(())
}

fn git(folder: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let status = Command::new("git")
        .args(["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(folder)
        .status()
        .context("git")?;
    ensure!(status.success(), "git {arguments:?}: {status}");
    Ok(())
}
