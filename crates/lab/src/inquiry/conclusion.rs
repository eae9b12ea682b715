//! How a question ends.

use howcome_dd::Difference;
use howcome_run::words::{count, duration};
use howcome_run::{Because, Conclusion, Ending, Problem, ProblemKind, Stop};

/// What a question comes to.
#[derive(Debug)]
pub enum Response {
    /// It was answered, as far as it could be.
    Concluded(Box<Concluded>),
    /// It was a dry run: what would be varied, and about how long that takes.
    DryRun(String),
}

impl From<Concluded> for Response {
    fn from(concluded: Concluded) -> Self {
        Response::Concluded(Box::new(concluded))
    }
}

/// How a question was answered.
#[derive(Debug)]
pub struct Concluded {
    /// How it ended.
    pub ending: Ending,
    /// What was found, and what was checked of it.
    pub conclusion: Option<Conclusion>,
    /// The two sides of the answer, if it is a difference between configurations.
    pub answer: Option<Difference>,
    /// What to tell the user, if the ending alone does not say it.
    pub problem: Option<Problem>,
    /// Why, if the ending alone does not say it.
    pub why: Option<String>,
}

impl Concluded {
    /// With nothing to add to the ending.
    #[must_use]
    pub fn new(ending: Ending, conclusion: Option<Conclusion>) -> Self {
        Self { ending, conclusion, answer: None, problem: None, why: None }
    }

    /// Stopped, with what is known.
    #[must_use]
    pub fn stopped(why: Stop, conclusion: Option<Conclusion>) -> Self {
        let (ending, why, problem) = explain_stop(why);
        Self { problem, ..Self::new(ending, conclusion) }.because(why)
    }

    /// Refused: there is nothing to explain.
    #[must_use]
    pub fn refused(problem: Problem, why: String) -> Self {
        Self { problem: Some(problem), ..Self::new(Ending::Refused, None) }.because(why)
    }

    /// With the reason.
    #[must_use]
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }

    /// With the two sides of the answer.
    #[must_use]
    pub fn with_answer(mut self, answer: Difference) -> Self {
        self.answer = Some(answer);
        self
    }
}

/// How a run ends that was stopped, why in words, and the problem if there is one.
#[must_use]
pub fn explain_stop(why: Stop) -> (Ending, String, Option<Problem>) {
    match why {
        Stop::MaxTests(tests) => {
            (Ending::Stopped, format!("the budget of {} is used up", count(tests, "test")), None)
        }
        Stop::MaxTime(time) => {
            (Ending::Stopped, format!("the {} that it was given are over", duration(time)), None)
        }
        Stop::Interrupted => (Ending::Stopped, "interrupted".to_owned(), None),
        Stop::NoVerdict(seen) if seen.because == Because::Contradiction => {
            let tally = seen.tally;
            let why = format!(
                "of {} of the same candidate {} failed, {} passed and {} could not be judged",
                count(tally.runs().into(), "run"),
                tally.fail,
                tally.pass,
                tally.unresolved
            );
            (Ending::Flaky, why, None)
        }
        Stop::NoVerdict(seen) => {
            // The test could be started when the baseline was run, so it is not the command line that is wrong.
            let problem = explain_no_verdict(&seen.because).of_kind(ProblemKind::Stopped);
            (Ending::Stopped, seen.because.to_string(), Some(problem))
        }
    }
}

/// The problem with a test that said nothing about its candidate.
#[must_use]
pub fn explain_no_verdict(because: &Because) -> Problem {
    match because {
        Because::CouldNotStart(why) => Problem::new(format!("the test cannot be started: {why}"))
            .hint("give the path of a program, or of a script that is executable and begins with #!"),
        Because::DiskFull(why) => Problem::new(format!("the disk is full: {why}"))
            .hint("make room, or set TMPDIR to a larger disk, then resume the run")
            .of_kind(ProblemKind::Stopped),
        Because::AskedToStop(code) => {
            Problem::new(format!("the test asked for an end by exit code {code}")).of_kind(ProblemKind::Stopped)
        }
        Because::DidNotApply(why) | Because::DidNotBuild(why) => {
            Problem::new(format!("one side of the baseline cannot be made: {why}"))
                .of_kind(ProblemKind::NothingToExplain)
        }
        other => Problem::new(format!("the test {other}"))
            .hint("a test may do what it likes in the folder that it starts in, but not to that folder or those above")
            .of_kind(ProblemKind::Stopped),
    }
}
