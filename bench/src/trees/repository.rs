//! A repository with many files and commits, one of which breaks something.

use super::CommitQuestion;
use crate::changes::git;
use crate::random::Random;
use anyhow::{Context, ensure};
use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// The size of a repository.
#[derive(Clone, Copy, Debug)]
pub(super) struct LargeRepository {
    pub(super) files: u32,
    pub(super) commits: u32,
}

/// The file in which something breaks.
const BROKEN: u32 = 7;

impl LargeRepository {
    /// Writes the repository. After the first commit, which adds all files, each commit changes a few of them. The one after five
    /// eighths of them breaks the line that the test looks for.
    pub(super) fn make(self, folder: &Path) -> anyhow::Result<CommitQuestion> {
        std::fs::create_dir_all(folder)?;
        git(folder, ["init", "--quiet", "--initial-branch=main"])?;
        let mut child = Command::new("git")
            .args(["fast-import", "--quiet"])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .spawn()
            .context("git")?;
        let mut stream = BufWriter::new(child.stdin.take().context("its input")?);
        self.write(&mut stream)?;
        drop(stream);
        ensure!(child.wait()?.success(), "git does not accept the history");
        git(folder, ["reset", "--quiet", "--hard", "main"])?;
        git(folder, ["tag", "good", &format!("main~{}", self.commits)])?;
        Ok(CommitQuestion {
            repository: folder.to_owned(),
            good: "good".to_owned(),
            bad: "main".to_owned(),
            test: ["grep", "-q", "limit = 10", &path(BROKEN)].map(str::to_owned).to_vec(),
        })
    }

    fn write(self, stream: &mut impl Write) -> anyhow::Result<()> {
        let mut random = Random::new(u64::from(self.files) << 32 | u64::from(self.commits));
        let mut texts: Vec<Vec<String>> = (0..self.files).map(|file| text(file, &mut random)).collect();
        for commit in 0..=self.commits {
            let changed: BTreeSet<u32> = match commit {
                0 => (0..self.files).collect(),
                _ => (0..1 + random.below(5)).map(|_| random.below(self.files)).collect(),
            };
            let is_culprit = commit == self.commits * 5 / 8;
            for file in changed.iter().filter(|_| commit > 0) {
                let lines = &mut texts[*file as usize];
                let line = 1 + random.below(lines.len() as u32 - 1) as usize;
                lines[line] = format!("changed in {commit}: {}", random.below(1_000_000));
            }
            if is_culprit {
                texts[BROKEN as usize][0] = "limit = 20".to_owned();
            }
            writeln!(stream, "commit refs/heads/main")?;
            let seconds = 1_600_000_000 + u64::from(commit) * 3600;
            writeln!(stream, "committer Someone <someone@example.org> {seconds} +0000")?;
            let subject = format!("change {commit}");
            writeln!(stream, "data {}\n{subject}", subject.len())?;
            for file in changed.iter().copied().chain(is_culprit.then_some(BROKEN)) {
                let bytes = texts[file as usize].join("\n") + "\n";
                writeln!(stream, "M 100644 inline {}\ndata {}\n{bytes}", path(file), bytes.len())?;
            }
        }
        Ok(())
    }
}

fn text(file: u32, random: &mut Random) -> Vec<String> {
    let first = if file == BROKEN { "limit = 10".to_owned() } else { format!("file {file}") };
    let lines = (0..10 + random.below(70)).map(|line| format!("line {line}: {}", random.below(1_000_000)));
    std::iter::once(first).chain(lines).collect()
}

fn path(file: u32) -> String {
    format!("part{}/group{}/file{file}.conf", file % 40, file / 40 % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_commit_breaks_the_line_that_the_test_looks_for() {
        let folder = tempfile::tempdir().unwrap();
        let question = LargeRepository { files: 60, commits: 16 }.make(folder.path()).unwrap();
        let holds = |revision: &str| {
            git(folder.path(), ["checkout", "--quiet", revision]).unwrap();
            let status =
                Command::new(&question.test[0]).args(&question.test[1..]).current_dir(folder.path()).status();
            status.unwrap().success()
        };
        assert_eq!(
            [holds("good"), holds("main~7"), holds("main~6"), holds("main")],
            [true, true, false, false]
        );
        assert_eq!(git(folder.path(), ["ls-files"]).unwrap().lines().count(), 60);
    }
}
