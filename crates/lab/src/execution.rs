//! What one run of a test showed, before anybody has judged it.

use crate::Captured;
use howcome_run::{Because, signal_name};
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The exit code by which a test says that it cannot judge the candidate, as for `git bisect run`.
pub const SKIP: i32 = 125;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TestEnding {
    /// With this exit code.
    Exit(i32),
    /// By this signal.
    Signal(i32),
    /// It took longer than it may.
    TimedOut,
}

impl TestEnding {
    /// The ending with a shell's 128+n read as what it stands for: signal n.
    #[must_use]
    pub fn plain(self) -> Self {
        match self {
            TestEnding::Exit(code @ 129..=192) if is_signal(code - 128) => TestEnding::Signal(code - 128),
            other => other,
        }
    }
}

// 32 and 33 belong to the threads library; nobody dies of them.
fn is_signal(number: i32) -> bool {
    (1..=31).contains(&number) || (34..=64).contains(&number)
}

impl fmt::Display for TestEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TestEnding::Exit(code) => write!(f, "exit code {code}"),
            TestEnding::Signal(number) => write!(f, "signal {}", signal_name(*number)),
            TestEnding::TimedOut => f.write_str("a timeout"),
        }
    }
}

impl From<TestEnding> for Because {
    fn from(ending: TestEnding) -> Self {
        match ending {
            TestEnding::Exit(code) => Because::Exit(code),
            TestEnding::Signal(number) => Because::Signal(number),
            TestEnding::TimedOut => Because::TimedOut,
        }
    }
}

/// What one run of a test showed.
#[derive(Clone, Debug)]
pub struct Execution {
    /// How it ended, as the operating system says it.
    pub ending: TestEnding,
    /// What it printed to standard output.
    pub stdout: Captured,
    /// What it printed to standard error.
    pub stderr: Captured,
    /// Where it ran and what it left behind.
    pub workspace: PathBuf,
    /// How long it took.
    pub took: Duration,
    /// How long it took to build what was tested.
    pub built: Duration,
    /// What the build had to say.
    pub build_said: Captured,
    /// How long processors were busy with it and with all that it started.
    pub cpu: Duration,
    /// The most bytes of memory that one of its processes has had at a time: the resident size of the largest one, those that
    /// ran beside it not counted. The build is not part of it. Never less than what the process that starts tests has itself,
    /// which is a few mebibytes. Processes whose parent ignores how its children end are not seen.
    pub memory: u64,
    /// The innermost functions where it crashed, from the inside out, or why they cannot be told. `None` where nobody looked. A
    /// debugger shows the first process that dies of the signal which the test ended with.
    pub backtrace: Option<Result<Vec<String>, String>>,
    /// The functions that use data which was never set, or why that cannot be told. `None` where nobody looked.
    pub uninitialised: Option<Result<BTreeSet<String>, String>>,
}

impl Execution {
    /// An ending and nothing else, for those who decide without running anything.
    #[must_use]
    pub fn new(ending: TestEnding) -> Self {
        Self {
            ending,
            stdout: Captured::default(),
            stderr: Captured::default(),
            workspace: PathBuf::new(),
            took: Duration::ZERO,
            built: Duration::ZERO,
            build_said: Captured::default(),
            cpu: Duration::ZERO,
            memory: 0,
            backtrace: None,
            uninitialised: None,
        }
    }

    /// The last lines that it printed: those of standard error, or of standard output where there are none.
    #[must_use]
    pub fn last_lines(&self, count: usize) -> Vec<String> {
        let stream = if self.stderr.is_empty() { &self.stdout } else { &self.stderr };
        stream.last_lines(count)
    }

    /// Of what a build that did not succeed has printed, the line that says most: the first that tells of an error, or else the
    /// last.
    #[must_use]
    pub fn complaint(&self) -> Option<String> {
        let says_why = |line: &String| {
            let line = line.to_ascii_lowercase();
            WORDS_OF_ERRORS.iter().any(|word| line.contains(word))
        };
        let pieces = self.stderr.pieces().chain(self.stdout.pieces());
        let mut lines =
            pieces.flat_map(|piece| piece.split(|byte| *byte == b'\n')).map(String::from_utf8_lossy);
        let first = lines.find_map(|line| Some(line.trim().to_owned()).filter(says_why));
        first.or_else(|| self.last_lines(1).pop())
    }
}

const WORDS_OF_ERRORS: [&str; 4] = ["error:", "error[", "undefined reference", "no rule to make target"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shells_128_and_more_is_the_signal_it_stands_for() {
        assert_eq!(TestEnding::Exit(139).plain(), TestEnding::Signal(11));
        assert_eq!(TestEnding::Exit(128).plain(), TestEnding::Exit(128));
        assert_eq!(TestEnding::Exit(255).plain(), TestEnding::Exit(255));
        assert_eq!(TestEnding::Exit(127).plain(), TestEnding::Exit(127));
    }
}
