//! The result of `git bisect run` on the same history, with the oldest revision marked as good.

use super::histories::History;
use anyhow::{Context, ensure};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The result of a bisection.
pub(crate) struct Bisected {
    pub(crate) tests: u64,
    /// How many commits could be the first bad one; 1 if the bisection names it.
    pub(crate) left: u64,
}

/// Bisects in a clone. Revisions that do not build or fail differently are skipped.
pub(crate) fn run(history: &History, folder: &Path) -> anyhow::Result<Bisected> {
    let clone = folder.join("bisected");
    history.clone_of(history.plan.newest(), None, &clone)?;
    let script = folder.join("bisect.sh");
    let [count, test] = [folder.join("count"), history.test.clone()].map(|path| path.display().to_string());
    let judge = format!(
        "echo >>{count}\n{} 2>/dev/null || exit 125\n{test} >/dev/null 2>&1\ncase $? in 0) exit 0 ;; 1) exit 1 ;; esac\nexit 125\n",
        history.build
    );
    fs::write(&script, judge)?;
    let oldest = history.names.first().context("an empty history")?;
    let started = git(&clone, &["bisect", "start", "HEAD", oldest])?;
    ensure!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
    let said = git(&clone, &["bisect", "run", "sh", &script.display().to_string()])?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let candidates = match said.rsplit_once("The first bad commit could be any of:") {
        Some((_, rest)) => rest.lines().filter(|line| line.len() == oldest.len()).count() as u64,
        None => 1,
    };
    let tests = fs::read_to_string(&count).map_or(0, |count| count.lines().count()) as u64;
    Ok(Bisected { tests, left: candidates })
}

fn git(clone: &Path, words: &[&str]) -> anyhow::Result<Output> {
    let mut git = Command::new("git");
    git.args(words).current_dir(clone).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    git.output().context("git")
}

#[cfg(test)]
mod tests {
    use super::super::histories::Plan;
    use super::*;

    #[test]
    fn bisection_is_undecided_if_old_revisions_lack_a_feature_that_the_test_needs() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::new(Plan::new(40, 24, 12), folder.path()).unwrap();
        let bisected = run(&history, folder.path()).unwrap();
        assert_eq!(bisected.left, 24);
        let folder = tempfile::tempdir().unwrap();
        let history = History::new(Plan::new(40, 0, 12), folder.path()).unwrap();
        let bisected = run(&history, folder.path()).unwrap();
        assert_eq!(bisected.left, 1);
    }
}
