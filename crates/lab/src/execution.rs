//! One execution of a test, before it is judged.

use crate::Captured;
use howcome_run::{Because, signal_name};
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The exit code that means that the test cannot judge the candidate, as for `git bisect run`.
pub const SKIP: i32 = 125;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TestEnding {
    /// With this exit code.
    Exit(i32),
    /// By this signal.
    Signal(i32),
    /// It exceeded its timeout.
    TimedOut,
}

impl TestEnding {
    /// The ending with a shell's 128+n replaced by signal n.
    #[must_use]
    pub fn plain(self) -> Self {
        match self {
            TestEnding::Exit(code @ 129..=192) if is_signal(code - 128) => TestEnding::Signal(code - 128),
            other => other,
        }
    }
}

// The threads library uses 32 and 33 itself; no process dies of them.
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

/// One execution of a test.
#[derive(Clone, Debug)]
pub struct Execution {
    /// How it ended, according to the operating system.
    pub ending: TestEnding,
    /// Its standard output.
    pub stdout: Captured,
    /// Its standard error.
    pub stderr: Captured,
    /// The folder with the files that it left.
    pub workspace: PathBuf,
    /// The path that this folder had while it ran. What it printed names this path.
    pub ran_in: PathBuf,
    /// The files and folders that make the candidate, relative to its folder. See [`crate::Command::varied`].
    pub varied: Vec<PathBuf>,
    /// The folders of the user whose files are in the workspace, too.
    pub copy_of: Vec<PathBuf>,
    /// How long it took.
    pub took: Duration,
    /// How long the build before it took.
    pub built: Duration,
    /// How long it took to write its files before that.
    pub prepared: Duration,
    /// The standard error of the build.
    pub build_said: Captured,
    /// The processor time that it and all processes it started used.
    pub cpu: Duration,
    /// The peak resident size of its largest process, in bytes, without the build. Processes that ran at the same time
    /// are not added up. It is never less than a few mebibytes, because the process that starts tests is counted too.
    /// Processes whose parent ignores SIGCHLD are not counted.
    pub memory: u64,
    /// The innermost functions of the crash, innermost first, or why they are unknown. `None` if no tool has run. A
    /// debugger shows the first process that dies of the signal with which the test ended.
    pub backtrace: Option<Result<Vec<String>, String>>,
    /// The functions that use uninitialised data, or why they are unknown. `None` if no tool has run.
    pub uninitialised: Option<Result<BTreeSet<String>, String>>,
    /// Whether it ran earlier, perhaps for somebody else, and only its record was read now.
    pub is_cached: bool,
}

impl Execution {
    /// An execution with only an ending, for callers that decide without running anything.
    #[must_use]
    pub fn new(ending: TestEnding) -> Self {
        Self {
            ending,
            stdout: Captured::default(),
            stderr: Captured::default(),
            workspace: PathBuf::new(),
            ran_in: PathBuf::new(),
            varied: Vec::new(),
            copy_of: Vec::new(),
            took: Duration::ZERO,
            built: Duration::ZERO,
            prepared: Duration::ZERO,
            build_said: Captured::default(),
            cpu: Duration::ZERO,
            memory: 0,
            backtrace: None,
            uninitialised: None,
            is_cached: false,
        }
    }

    /// Whether a signal ended it that no program can send itself by mistake: somebody killed it, perhaps the kernel
    /// because there was no memory. A test that exceeds its timeout is not among them.
    #[must_use]
    pub fn was_killed(&self) -> bool {
        self.ending.plain() == TestEnding::Signal(nix::libc::SIGKILL)
    }

    /// Whether it says that something is in use that only one test can have at a time.
    #[must_use]
    pub fn lacks_what_others_use(&self) -> bool {
        const SAID: [&str; 5] = [
            "address already in use",
            "eaddrinuse",
            "database is locked",
            "text file busy",
            "could not get lock",
        ];
        let says = |stream: &Captured| {
            stream.pieces().any(|piece| {
                let text = String::from_utf8_lossy(piece).to_ascii_lowercase();
                SAID.iter().any(|said| text.contains(said))
            })
        };
        self.ending != TestEnding::Exit(0) && (says(&self.stdout) || says(&self.stderr))
    }

    /// The last lines of standard output, then those of standard error, at most `count` of each.
    #[must_use]
    pub fn last_lines(&self, count: usize) -> Vec<String> {
        [self.stdout.last_lines(count), self.stderr.last_lines(count)].concat()
    }

    /// The most informative line that a failed build printed: the first that mentions an error, or else the last.
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

const WORDS_OF_ERRORS: [&str; 6] =
    ["error:", "error[", "undefined reference", "no rule to make target", "segmentation fault", "*** ["];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shells_128_plus_n_is_signal_n() {
        assert_eq!(TestEnding::Exit(139).plain(), TestEnding::Signal(11));
        assert_eq!(TestEnding::Exit(128).plain(), TestEnding::Exit(128));
        assert_eq!(TestEnding::Exit(255).plain(), TestEnding::Exit(255));
        assert_eq!(TestEnding::Exit(127).plain(), TestEnding::Exit(127));
    }
}
