//! How a question ends.

use crate::first_line::CRLF_HINT;
use howcome_dd::Difference;
use howcome_run::words::{count, duration};
use howcome_run::{Because, Conclusion, Ending, Problem, ProblemKind, Stop};

/// The response to a question.
#[derive(Debug)]
pub enum Response {
    /// The answer, as far as it could be found.
    Concluded(Box<Concluded>),
    /// A dry run: what would be varied, and about how long that would take.
    DryRun(String),
}

impl From<Concluded> for Response {
    fn from(concluded: Concluded) -> Self {
        Response::Concluded(Box::new(concluded))
    }
}

/// The end of a question.
#[derive(Debug)]
pub struct Concluded {
    /// How it ended.
    pub ending: Ending,
    /// What was found and checked.
    pub conclusion: Option<Conclusion>,
    /// The two sides of the answer, if it is a difference between configurations.
    pub answer: Option<Difference>,
    /// A problem to report, if there is one.
    pub problem: Option<Problem>,
    /// The reason, unless the ending says it all.
    pub why: Option<String>,
}

impl Concluded {
    /// An ending without anything to add.
    #[must_use]
    pub fn new(ending: Ending, conclusion: Option<Conclusion>) -> Self {
        Self { ending, conclusion, answer: None, problem: None, why: None }
    }

    /// An ending by a stop, with what is known.
    #[must_use]
    pub fn stopped(why: Stop, conclusion: Option<Conclusion>) -> Self {
        let (ending, why, problem) = explain_stop(why);
        Self { problem, ..Self::new(ending, conclusion) }.because(why)
    }

    /// An ending because there is nothing to explain.
    #[must_use]
    pub fn refused(problem: Problem, why: String) -> Self {
        let ending = match problem.kind() {
            ProblemKind::Flaky => Ending::Flaky,
            _ => Ending::Refused,
        };
        Self { problem: Some(problem), ..Self::new(ending, None) }.because(why)
    }

    /// Adds the reason.
    #[must_use]
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }

    /// Adds the two sides of the answer.
    #[must_use]
    pub fn with_answer(mut self, answer: Difference) -> Self {
        self.answer = Some(answer);
        self
    }
}

/// The ending of a stopped run, the reason in words, and the problem if there is one.
#[must_use]
pub fn explain_stop(why: Stop) -> (Ending, String, Option<Problem>) {
    match why {
        Stop::MaxTests(tests) => {
            (Ending::Stopped, format!("the budget of {} is used up", count(tests, "test")), None)
        }
        Stop::MaxTime(time) => {
            (Ending::Stopped, format!("the time budget of {} is used up", duration(time)), None)
        }
        Stop::Interrupted => (Ending::Stopped, "interrupted".to_owned(), None),
        Stop::NoVerdict(seen) if seen.because == Because::Contradiction => {
            let tally = seen.tally;
            let why = format!(
                "of {} of the same candidate, {} failed, {} passed and {} could not be judged",
                count(tally.runs().into(), "run"),
                tally.fail,
                tally.pass,
                tally.unresolved
            );
            (Ending::Flaky, why, None)
        }
        Stop::NoVerdict(seen) => {
            // The test started during the baseline, so the command line is not wrong.
            let problem = explain_no_verdict(&seen.because).of_kind(ProblemKind::Stopped);
            (Ending::Stopped, seen.because.to_string(), Some(problem))
        }
    }
}

/// The problem with a test that gave no verdict on its candidate.
#[must_use]
pub fn explain_no_verdict(because: &Because) -> Problem {
    match because {
        Because::CouldNotStart(why) if why.contains("(CRLF)") => {
            Problem::new(format!("the test cannot be started: {why}")).hint(CRLF_HINT)
        }
        Because::CouldNotStart(why) => Problem::new(format!("the test cannot be started: {why}"))
            .hint("give the path of a program, or of a script that is executable and begins with #!"),
        Because::DiskFull(why) => Problem::new(format!("the disk is full: {why}"))
            .hint("free some space, or set TMPDIR to a folder on a larger disk, then resume the run")
            .of_kind(ProblemKind::Stopped),
        Because::FileLimit(why) => {
            Problem::new(format!("a file exceeds the limit on the size of files: {why}"))
                .hint("raise the limit with `ulimit -f unlimited`, then resume the run")
                .of_kind(ProblemKind::Stopped)
        }
        Because::Unreachable(why) => Problem::new(format!("the cluster cannot be used any more: {why}"))
            .hint(
                "`howcome resume` continues the run: with --remote when the cluster is back, or without it on this machine; \
                 --or-local changes to this machine by itself",
            )
            .of_kind(ProblemKind::Stopped),
        Because::AskedToStop(code) => {
            Problem::new(format!("the test asked to stop with exit code {code}")).of_kind(ProblemKind::Stopped)
        }
        Because::DidNotApply(why) | Because::DidNotBuild(why) => {
            Problem::new(format!("one side of the baseline cannot be prepared: {why}"))
                .of_kind(ProblemKind::NothingToExplain)
        }
        Because::Broken(why) if why.starts_with("the launcher ") => {
            Problem::new(format!("the test could not be run: {why}"))
                .hint("try the launcher by hand with `hostname` as its command, then resume the run")
                .of_kind(ProblemKind::Stopped)
        }
        other => Problem::new(format!("the test {other}"))
            .hint("a test can change everything in its working folder, but must not remove or lock that folder or its parents")
            .of_kind(ProblemKind::Stopped),
    }
}
