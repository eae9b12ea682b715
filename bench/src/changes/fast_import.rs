//! A history in the format of `git fast-import`.

use super::program::ProgramFiles;
use anyhow::{Context, ensure};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A written commit, by its number, which starts at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CommitMark(pub(crate) u32);

/// The history so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImportStream {
    bytes: Vec<u8>,
    last: u32,
}

impl ImportStream {
    /// Adds a commit that turns the files of its first parent into `files`.
    pub(crate) fn commit(
        &mut self,
        parents: &[CommitMark],
        before: &ProgramFiles,
        files: &ProgramFiles,
        subject: &str,
    ) -> CommitMark {
        self.last += 1;
        let mark = CommitMark(self.last);
        // One branch is enough, because only its last position matters.
        self.line("commit refs/heads/main");
        self.line(&format!("mark :{}", mark.0));
        let seconds = 1_600_000_000 + u64::from(mark.0) * 3600;
        self.line(&format!("committer Someone <someone@example.org> {seconds} +0000"));
        self.data(subject.as_bytes());
        for (which, parent) in parents.iter().enumerate() {
            let word = if which == 0 { "from" } else { "merge" };
            self.line(&format!("{word} :{}", parent.0));
        }
        for path in before.keys().filter(|path| !files.contains_key(*path)) {
            self.line(&format!("D {path}"));
        }
        for (path, bytes) in files.iter().filter(|(path, bytes)| before.get(*path) != Some(bytes)) {
            self.line(&format!("M 100644 inline {path}"));
            self.data(bytes);
        }
        mark
    }

    /// Imports the history into a repository and checks out the last commit. Returns the names of all commits.
    pub(crate) fn import(&self, folder: &Path, marks: &Path) -> anyhow::Result<BTreeMap<CommitMark, String>> {
        git(folder, ["init", "--quiet", "--initial-branch=main"])?;
        let mut child = Command::new("git")
            .args(["fast-import", "--quiet"])
            .arg(format!("--export-marks={}", marks.display()))
            .current_dir(folder)
            .stdin(Stdio::piped())
            .spawn()
            .context("git")?;
        child.stdin.take().context("its input")?.write_all(&self.bytes)?;
        ensure!(child.wait()?.success(), "git does not accept the history");
        git(folder, ["reset", "--quiet", "--hard", "main"])?;
        let marks = fs::read_to_string(marks)?;
        marks.lines().map(mark_and_name).collect()
    }

    fn line(&mut self, line: &str) {
        self.bytes.extend_from_slice(line.as_bytes());
        self.bytes.push(b'\n');
    }

    fn data(&mut self, bytes: &[u8]) {
        self.line(&format!("data {}", bytes.len()));
        self.bytes.extend_from_slice(bytes);
        self.bytes.push(b'\n');
    }
}

fn mark_and_name(line: &str) -> anyhow::Result<(CommitMark, String)> {
    let (mark, name) = line.trim_start_matches(':').split_once(' ').context("a mark without a name")?;
    Ok((CommitMark(mark.parse()?), name.to_owned()))
}

/// Runs git without the user's settings, and returns its output.
pub(crate) fn git<'a>(folder: &Path, arguments: impl IntoIterator<Item = &'a str>) -> anyhow::Result<String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stderr(Stdio::inherit())
        .output()
        .context("git")?;
    ensure!(output.status.success(), "git ended with {}", output.status);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
