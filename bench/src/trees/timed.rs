//! Both ways to find the commit, with the time that they take.

use super::CommitQuestion;
use crate::changes::git;
use crate::howcome;
use anyhow::{Context, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// `git bisect run` in a clone with the bad version checked out.
pub(super) struct Bisection<'a> {
    question: &'a CommitQuestion,
    clone: PathBuf,
    /// The ids of the good and the bad commit.
    ends: [String; 2],
    /// How many files the bad version has, and how many commits are between the two.
    pub(super) size: [usize; 2],
}

impl<'a> Bisection<'a> {
    pub(super) fn prepare(question: &'a CommitQuestion, folder: &Path) -> anyhow::Result<Self> {
        let here = &question.repository;
        let id = |name: &str| {
            git(here, ["rev-parse", &format!("{name}^{{commit}}")]).map(|id| id.trim().to_owned())
        };
        let ends = [id(&question.good)?, id(&question.bad)?];
        let clone = folder.join("clone");
        let [from, to] = [here, &clone].map(|path| path.display().to_string());
        git(folder, ["clone", "--quiet", "--no-checkout", &from, &to])?;
        git(&clone, ["checkout", "--quiet", &ends[1]])?;
        let files = git(&clone, ["ls-files"])?.lines().count();
        let range = format!("{}..{}", ends[0], ends[1]);
        let commits = git(&clone, ["rev-list", "--count", "--first-parent", &range])?.trim().parse()?;
        Ok(Self { question, clone, ends, size: [files, commits] })
    }

    /// How long it takes, and the commit that it finds.
    pub(super) fn run(&self) -> anyhow::Result<(TimedBisection, String)> {
        let [good, bad] = &self.ends;
        let (began, used) = (Instant::now(), processor_seconds()?);
        git(&self.clone, ["bisect", "start", "--first-parent", bad, good])?;
        let words = ["bisect", "run"].into_iter().chain(self.question.test.iter().map(String::as_str));
        let said = git(&self.clone, words)?;
        let took = began.elapsed().as_secs_f64();
        let timed = TimedBisection { took, processor: processor_seconds()? - used };
        git(&self.clone, ["bisect", "reset"])?;
        let culprit = said.lines().find_map(|line| line.strip_suffix(" is the first bad commit"));
        Ok((timed, culprit.context("git finds no commit")?.to_owned()))
    }
}

/// How many seconds `git bisect run` takes.
pub(super) struct TimedBisection {
    pub(super) took: f64,
    /// Of the processors, with the tests.
    pub(super) processor: f64,
}

/// The seconds that processors spent on all child processes that have ended, and on theirs. Other work on the machine changes them
/// much less than the time on the clock.
fn processor_seconds() -> anyhow::Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// How many seconds `howcome changes` takes.
pub(super) struct TimedSearch {
    /// Until it knows the commit.
    pub(super) to_commit: f64,
    /// Until it has proved its answer.
    pub(super) to_answer: f64,
    /// Until it has removed its files and ends.
    pub(super) in_all: f64,
    /// Of the processors, until it ends, with the tests.
    pub(super) processor: f64,
}

impl TimedSearch {
    /// Runs the command as a user would, and reads in its journal how far it is.
    pub(super) fn run(
        question: &CommitQuestion,
        workers: u32,
        run: &Path,
        culprit: &str,
    ) -> anyhow::Result<Self> {
        let (began, used) = (Instant::now(), processor_seconds()?);
        let mut child = Command::new(howcome::program()?)
            .args(["changes", "--quiet", "--json", "--jobs", &workers.to_string()])
            .args(["--good", &question.good, "--bad", &question.bad, "--run-dir"])
            .arg(run)
            .arg("--")
            .args(&question.test)
            .current_dir(&question.repository)
            .stdout(fs::File::create(run.with_extension("json"))?)
            .stderr(Stdio::null())
            .spawn()?;
        let journal = run.join("journal.jsonl");
        let (mut to_commit, mut to_answer) = (None, None);
        let status = loop {
            let status = child.try_wait()?;
            let written = fs::read_to_string(&journal).unwrap_or_default();
            if to_commit.is_none() && written.lines().any(is_past_the_commits) {
                to_commit = Some(began.elapsed());
            }
            if to_answer.is_none() && written.contains(r#""event":"ended""#) {
                to_answer = Some(began.elapsed());
            }
            match status {
                Some(status) => break status,
                None => std::thread::sleep(POLL),
            }
        };
        let in_all = began.elapsed();
        ensure!(status.success(), "howcome ended with {status}");
        let answer: Value = serde_json::from_slice(&fs::read(run.with_extension("json"))?)?;
        ensure!(answer.to_string().contains(culprit), "howcome does not find {culprit}");
        let seconds = |mark: Option<Duration>| mark.unwrap_or(in_all).as_secs_f64();
        Ok(Self {
            to_commit: seconds(to_commit),
            to_answer: seconds(to_answer),
            in_all: in_all.as_secs_f64(),
            processor: processor_seconds()? - used,
        })
    }
}

const POLL: Duration = Duration::from_millis(2);

/// Whether a line of the journal begins a stage after the search for the commit.
fn is_past_the_commits(line: &str) -> bool {
    line.starts_with(r#"{"event":"stage""#)
        && ![r#""subject":"versions""#, r#""subject":"commits"#, r#""subject":"branch"#]
            .iter()
            .any(|earlier| line.contains(earlier))
}
