//! What happened in a test. Searches get the outcome; people read the reason.

use howcome_dd::{Answer, Hints, Outcome};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::ops::AddAssign;
use std::time::Duration;

/// One test of one configuration, including its repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// The outcome for the search.
    pub outcome: Outcome,
    /// The reason.
    pub because: Because,
    /// How long it took, including repeats.
    #[serde(rename = "seconds", with = "seconds")]
    pub took: Duration,
    /// How long it took to prepare the last run, for example to write its files. It is not recorded.
    #[serde(skip)]
    pub prepared: Duration,
    /// The outcomes of all runs. There is more than one if a test is repeated before its outcome is believed.
    #[serde(default, skip_serializing_if = "Tally::is_single")]
    pub tally: Tally,
    /// Whether no other test ran at the same time, so that a timeout can be believed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alone: bool,
    /// Whether it was started before the search asked for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ahead: bool,
    /// Whether other tests might be the reason: SIGKILL ended the test and howcome did not send it, or it could not get a port
    /// or a lock. That is believed only if it happens again while no other test runs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub was_disturbed: bool,
    /// Whether it fails like the failing side, but prints other details: other values in the same assertion, another line
    /// of the same script.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub differs: bool,
    /// Whether it was not run now: its record was in the action cache of a cluster.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cached: bool,
    /// The probability that the outcome is right, if the test is noisy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Hints about deltas that the subject derived from it.
    #[serde(default, skip_serializing_if = "Hints::is_empty")]
    pub hints: Hints,
    /// What else it showed that is worth a look: a failure other than the one in question, or something that was
    /// searched for in addition to it.
    #[serde(default, skip_serializing_if = "<[String]>::is_empty")]
    pub also: Box<[String]>,
    /// The file in `log/` with the output of the test, if it printed anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
}

impl Observation {
    /// An observation of a single run with nothing to add.
    #[must_use]
    pub fn new(outcome: Outcome, because: Because, took: Duration) -> Self {
        let tally = Tally::of(outcome);
        Self {
            outcome,
            because,
            took,
            prepared: Duration::ZERO,
            tally,
            alone: false,
            ahead: false,
            was_disturbed: false,
            differs: false,
            is_cached: false,
            confidence: None,
            hints: Hints::default(),
            also: Box::default(),
            log: None,
        }
    }

    /// The outcome if only a failure with the same details counts.
    #[must_use]
    pub fn exact_outcome(&self) -> Outcome {
        if self.differs { Outcome::Unresolved } else { self.outcome }
    }

    /// The answer for the search.
    #[must_use]
    pub fn answer(&self) -> Answer {
        Answer { hints: self.hints.clone(), ..self.answer_without_hints() }
    }

    /// The answer for the search if another configuration made the same candidate: hints are about deltas of that other
    /// configuration.
    #[must_use]
    pub fn answer_without_hints(&self) -> Answer {
        let was_run = !matches!(
            self.because,
            Because::DidNotApply(_) | Because::DidNotBuild(_) | Because::NewWarning(_)
        );
        Answer { was_run, ..Answer::from(self.outcome) }
    }
}

/// The reason for an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// The test ended with this exit code.
    Exit(i32),
    /// The test was ended by this signal.
    Signal(i32),
    /// The test ended like the failing side (the ending is given in words), but with another message.
    SaidOtherwise(String),
    /// The test ended like the failing side, but differs in another aspect; both are given in words.
    OtherThan(String),
    /// The test that decides was not run, for this reason.
    DidNotRun(String),
    /// The test exceeded its timeout.
    TimedOut,
    /// The kernel killed a process of the test because there was no memory left.
    NoMemory,
    /// The configuration could not be turned into something to run.
    DidNotApply(String),
    /// The candidate of the configuration did not build.
    DidNotBuild(String),
    /// Code of the test that is built with the candidate did not build: the candidate lacks what the test uses.
    TestDidNotBuild(String),
    /// The candidate was built with a dangerous warning that neither version has, so it can pass or fail by accident.
    NewWarning(String),
    /// Repeating the test gave no outcome that can be believed.
    Contradiction,
    /// The test command could not be started. This is not a verdict, so the run ends.
    CouldNotStart(String),
    /// The disk was full. This is not a verdict, so the run ends.
    DiskFull(String),
    /// A file that belongs to the test exceeds the limit on the size of files. This is not a verdict, so the run ends.
    FileLimit(String),
    /// The test asked to stop the whole run with this exit code, as for `git bisect run`. This is not a verdict.
    AskedToStop(i32),
    /// The cluster that runs the tests cannot be used any more. This is not a verdict, so the run ends.
    Unreachable(String),
    /// The machinery around the test is broken. This is not a verdict, so the run ends.
    Broken(String),
}

impl Because {
    /// Something that a test needs cannot be written.
    #[must_use]
    pub fn not_written(why: String, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Because::DiskFull(why),
            io::ErrorKind::FileTooLarge => Because::FileLimit(why),
            _ => Because::Broken(why),
        }
    }

    /// Whether this says nothing about the configuration, so that the run cannot continue.
    #[must_use]
    pub fn is_no_verdict(&self) -> bool {
        matches!(
            self,
            Because::Contradiction
                | Because::CouldNotStart(_)
                | Because::DiskFull(_)
                | Because::FileLimit(_)
                | Because::AskedToStop(_)
                | Because::Unreachable(_)
                | Because::Broken(_)
        )
    }
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Because::Exit(code) => write!(f, "exit code {code}"),
            Because::Signal(number) => write!(f, "signal {}", signal_name(*number)),
            Because::OtherThan(how) => f.write_str(how),
            Because::SaidOtherwise(ending) => write!(f, "{ending}, but another message"),
            Because::DidNotRun(why) => write!(f, "the test did not run: {why}"),
            Because::TimedOut => f.write_str("timed out"),
            Because::NoMemory => f.write_str("killed by the kernel because there was no memory left"),
            Because::DidNotApply(why) => write!(f, "did not apply: {why}"),
            Because::DidNotBuild(why) => write!(f, "did not build: {why}"),
            Because::TestDidNotBuild(why) => write!(f, "the test did not build: {why}"),
            Because::NewWarning(warning) => write!(f, "a warning that neither version has: {warning}"),
            Because::Contradiction => f.write_str("contradicts itself"),
            Because::CouldNotStart(why) => write!(f, "could not start: {why}"),
            Because::DiskFull(why) => write!(f, "disk full: {why}"),
            Because::FileLimit(why) => write!(f, "file too large: {why}"),
            Because::AskedToStop(code) => write!(f, "asked to stop the run with exit code {code}"),
            Because::Unreachable(why) => write!(f, "could not be run: {why}"),
            Because::Broken(why) => write!(f, "could not be run: {why}"),
        }
    }
}

#[rustfmt::skip]
const SIGNALS: [(i32, &str); 22] = [
    (1, "HUP"), (2, "INT"), (3, "QUIT"), (4, "ILL"), (5, "TRAP"), (6, "ABRT"), (7, "BUS"), (8, "FPE"), (9, "KILL"),
    (10, "USR1"), (11, "SEGV"), (12, "USR2"), (13, "PIPE"), (14, "ALRM"), (15, "TERM"), (16, "STKFLT"),
    (17, "CHLD"), (18, "CONT"), (24, "XCPU"), (25, "XFSZ"), (30, "PWR"), (31, "SYS"),
];

/// The name of a signal without `SIG`, as on Linux, or its number if it has no name.
#[must_use]
pub fn signal_name(number: i32) -> String {
    SIGNALS
        .iter()
        .find(|(n, _)| *n == number)
        .map_or_else(|| number.to_string(), |(_, name)| (*name).to_owned())
}

/// The number of a signal given as `SEGV`, `SIGSEGV` or `11`.
#[must_use]
pub fn signal_number(name: &str) -> Option<i32> {
    let name = name.strip_prefix("SIG").unwrap_or(name);
    let known = SIGNALS.iter().find(|(_, known)| *known == name).map(|(number, _)| *number);
    known.or_else(|| name.parse().ok().filter(|number| (1..=64).contains(number)))
}

/// How often each outcome was seen for one configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Runs that passed.
    pub pass: u32,
    /// Runs that failed.
    pub fail: u32,
    /// Runs that could not be judged.
    pub unresolved: u32,
}

impl Tally {
    /// One run.
    #[must_use]
    pub fn of(outcome: Outcome) -> Self {
        let mut tally = Self::default();
        tally.add(outcome);
        tally
    }

    /// Counts one more run.
    pub fn add(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Pass => &mut self.pass,
            Outcome::Fail => &mut self.fail,
            Outcome::Unresolved => &mut self.unresolved,
        } += 1;
    }

    /// How often an outcome was seen.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> u32 {
        match outcome {
            Outcome::Pass => self.pass,
            Outcome::Fail => self.fail,
            Outcome::Unresolved => self.unresolved,
        }
    }

    /// How many runs there were.
    #[must_use]
    pub fn runs(&self) -> u32 {
        self.pass + self.fail + self.unresolved
    }

    fn is_single(&self) -> bool {
        self.runs() == 1
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, more: Self) {
        self.pass += more.pass;
        self.fail += more.fail;
        self.unresolved += more.unresolved;
    }
}

mod seconds {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    pub(super) fn serialize<S: Serializer>(duration: &Duration, to: S) -> Result<S::Ok, S::Error> {
        // Microseconds are more precise than any measurement of a test.
        to.serialize_f64((duration.as_secs_f64() * 1e6).round() / 1e6)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        let seconds = f64::deserialize(from)?;
        Duration::try_from_secs_f64(seconds).map_err(serde::de::Error::custom)
    }
}
