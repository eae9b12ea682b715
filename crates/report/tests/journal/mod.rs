//! Hand-made journals for the tests and the example.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used)]

pub mod changes;
pub mod history;
pub mod state;

use howcome_dd::{Outcome, Step};
use howcome_report::{Summary, TextForm};
use howcome_run::{
    Algorithm, AnswerSource, Because, Conclusion, Ending, Entry, JOURNAL_VERSION, Minimal, Observation,
    Purpose, RUN_VERSION, RunFile, Tally, TestId, TestInfo, Verified,
};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

pub use Outcome::{Fail, Pass, Unresolved};

pub const SEGV: Because = Because::Signal(11);
pub const OK: Because = Because::Exit(0);

pub fn run_file() -> RunFile {
    RunFile {
        howcome: "0.1.0".into(),
        version: RUN_VERSION,
        question: howcome_run::QuestionName::Items,
        algorithm: howcome_run::Algorithm::Ddmin.into(),
        jobs: 2,
        started: 1_772_399_220,
        request: Value::Null,
        inputs: howcome_run::InputHashes::new(),
    }
}

/// A journal as it is written, one call for each line.
#[derive(Clone, Default)]
pub struct Journal {
    pub entries: Vec<Entry>,
    tests: u64,
}

impl Journal {
    pub fn opened() -> Self {
        Self::default().open()
    }

    pub fn open(self) -> Self {
        self.entry(Entry::Opened { howcome: "0.1.0".into(), journal: JOURNAL_VERSION, time: 1_772_399_220 })
    }

    pub fn entry(mut self, entry: Entry) -> Self {
        self.entries.push(entry);
        self
    }

    pub fn stage(self, stage: u32, subject: &str, deltas: u32, unit: &str) -> Self {
        let (subject, search, unit) = (subject.to_owned().into(), Algorithm::Ddmin, unit.to_owned().into());
        self.entry(Entry::Stage { stage, subject, search, deltas, unit, bytes: None })
    }

    pub fn observe(
        self,
        stage: u32,
        purpose: Purpose,
        what: &str,
        outcome: Outcome,
        because: Because,
    ) -> Self {
        let took = Duration::from_millis(180 + 7 * self.tests);
        self.observation(stage, purpose, what, Observation::new(outcome, because, took))
    }

    pub fn observation(mut self, stage: u32, purpose: Purpose, what: &str, observation: Observation) -> Self {
        self.tests += 1;
        let (test, configuration) = (TestId(self.tests), what.parse().unwrap());
        let at = self.tests as f64 * 0.2;
        self.entry(Entry::Observed {
            test,
            stage,
            purpose,
            at,
            configuration,
            repeat: None,
            content: None,
            observation,
        })
    }

    /// The last test is what the search hears.
    pub fn told(self, step: Step, outcome: Outcome, left: u32) -> Self {
        let test = Some(TestId(self.tests));
        self.entry(Entry::Told {
            how: AnswerSource::Tested,
            test,
            configuration: None,
            step,
            outcome,
            because: None,
            left,
            bytes: None,
        })
    }

    pub fn tested(self, step: Step, what: &str, outcome: Outcome, because: Because, left: u32) -> Self {
        self.observe(0, Purpose::Question, what, outcome, because).told(step, outcome, left)
    }

    pub fn looked_up(
        self,
        how: AnswerSource,
        test: Option<u64>,
        what: &str,
        outcome: Outcome,
        left: u32,
    ) -> Self {
        let (test, configuration) = (test.map(TestId), Some(what.parse().unwrap()));
        self.entry(Entry::Told {
            how,
            test,
            configuration,
            step: Step::Subset,
            outcome,
            because: None,
            left,
            bytes: None,
        })
    }

    pub fn ended(
        self,
        ending: Ending,
        conclusion: Option<Conclusion>,
        why: Option<&str>,
        seconds: f64,
    ) -> Self {
        self.entry(Entry::Ended { ending, conclusion, why: why.map(Into::into), seconds })
    }

    pub fn summary(&self) -> Summary {
        Summary::of(&run_file(), Path::new("howcome.out/20260301-items"), &self.entries)
    }
}

pub fn conclusion(
    finding: Value,
    checked: bool,
    alone_fails: Option<bool>,
    without_passes: Option<bool>,
) -> Conclusion {
    Conclusion {
        finding: serde_json::from_value(finding).unwrap(),
        minimal: Minimal::new(howcome_run::Unit::Item, checked),
        verified: Verified { alone_fails, without_passes },
        confidence: None,
    }
}

pub fn two_flags() -> Value {
    json!({"items": ["-O2", "-ffast-math"], "of": 8})
}

/// The two tests without which nothing starts, over eight compiler flags.
pub fn baseline() -> Journal {
    Journal::opened()
        .stage(0, "flags.txt", 8, "item")
        .observe(0, Purpose::BaselineFailing, "1-8", Fail, SEGV)
        .observe(0, Purpose::BaselinePassing, "-", Pass, OK)
}

/// The first half of the search.
pub fn half_way() -> Journal {
    baseline()
        .tested(Step::Subset, "1-4", Pass, OK, 8)
        .tested(Step::Subset, "5-8", Pass, OK, 8)
        .tested(Step::Complement, "3-8", Unresolved, Because::Exit(2), 8)
        .tested(Step::Complement, "1-2,5-8", Fail, SEGV, 6)
}

/// The second half of the search.
pub fn to_the_end(journal: Journal) -> Journal {
    journal
        .looked_up(AnswerSource::Predicted, None, "1,3", Unresolved, 6)
        .looked_up(AnswerSource::Remembered, Some(4), "5-8", Pass, 6)
        // Run ahead, and then not asked for.
        .observe(0, Purpose::Question, "1-2,5-6", Pass, OK)
        .entry(Entry::Cancelled { test: TestId(99), seconds: 0.5 })
        .tested(Step::Complement, "1-2,7-8", Fail, SEGV, 4)
        .tested(Step::Single, "2,7-8", Fail, SEGV, 3)
        .tested(Step::Single, "2,7", Fail, SEGV, 2)
        .tested(Step::Single, "2", Pass, OK, 2)
        .tested(Step::Single, "7", Pass, OK, 2)
}

pub fn confirmed(journal: Journal) -> Journal {
    journal
        .observe(0, Purpose::ConfirmAlone, "2,7", Fail, SEGV)
        .observe(0, Purpose::ConfirmWithout, "1,3-6,8", Pass, OK)
        .ended(Ending::Found, Some(conclusion(two_flags(), true, Some(true), Some(true))), None, 2.134)
}

/// A run from its baseline to its conclusion.
pub fn found() -> Journal {
    confirmed(to_the_end(half_way()))
}

pub fn stopped() -> Journal {
    let so_far = json!({"items": ["-O1", "-O2", "-g", "-pipe", "-ffast-math", "-Wall"], "of": 8});
    half_way().ended(
        Ending::Stopped,
        Some(conclusion(so_far, false, None, None)),
        Some("the budget of 4 tests is used up"),
        0.9,
    )
}

pub fn refused() -> Journal {
    Journal::opened()
        .stage(0, "flags.txt", 8, "item")
        .observe(0, Purpose::BaselineFailing, "1-8", Unresolved, Because::Exit(1))
        .observe(0, Purpose::BaselinePassing, "-", Unresolved, Because::Exit(1))
        .ended(Ending::Refused, None, None, 0.4)
}

pub fn flaky() -> Journal {
    let mut seen = Observation::new(Unresolved, Because::Contradiction, Duration::from_millis(900));
    seen.tally = Tally { pass: 2, fail: 3, unresolved: 0 };
    half_way().observation(0, Purpose::Question, "1-2,7-8", seen).ended(
        Ending::Flaky,
        None,
        Some("five runs of the same candidate did not agree"),
        1.8,
    )
}

pub fn isolated() -> Journal {
    let finding = json!({
        "items": ["-ffast-math"], "of": 8,
        "passing": ["-O1", "-O2", "-g"], "failing": ["-O1", "-O2", "-g", "-ffast-math"],
    });
    half_way()
        .tested(Step::Subset, "1-3", Pass, OK, 2)
        .tested(Step::Subset, "1-3,7", Fail, SEGV, 1)
        .observe(0, Purpose::ConfirmAlone, "7", Pass, OK)
        .observe(0, Purpose::ConfirmWithout, "1-6,8", Unresolved, Because::Exit(2))
        .ended(Ending::Found, Some(conclusion(finding, true, Some(false), Some(false))), None, 1.5)
}

/// A long search in the manner of Table 9, with two stages.
pub fn long() -> Journal {
    let mut journal = Journal::opened()
        .stage(0, "hunks", 8721, "hunk")
        .observe(0, Purpose::BaselineFailing, "1-8721", Fail, Because::Exit(1))
        .observe(0, Purpose::BaselinePassing, "-", Pass, OK);
    let did_not_build =
        || Because::DidNotBuild("infcmd.c:1239: error: `args` undeclared\n  in <function>".into());
    let mut left = 8721;
    for test in 1..=289_u32 {
        let (outcome, because, next) = match test {
            9 => (Fail, Because::Exit(1), 2547),
            60 | 130 => (Fail, Because::Exit(1), left * 2 / 3),
            280 => (Fail, Because::Exit(1), 18),
            281.. if test % 3 == 0 => (Fail, Because::Exit(1), (left / 2).max(2)),
            281.. => (Pass, OK, left),
            _ if test % 17 == 0 => (Pass, OK, left - left / 40),
            _ => (Unresolved, did_not_build(), left),
        };
        left = next;
        let what = format!("{}-{},{},{}-8000", test, test * 9, 4000 + test * 3, 5000 + test * 7);
        journal = journal.tested(Step::Complement, &what, outcome, because, left);
    }
    journal = journal.stage(1, "lines", 14, "line");
    for (left, outcome) in [(14, Pass), (7, Fail), (7, Unresolved), (3, Fail), (1, Fail), (1, Pass)] {
        let because = if outcome == Fail { Because::Exit(1) } else { OK };
        journal =
            journal.observe(1, Purpose::Question, "1-7", outcome, because).told(Step::Subset, outcome, left);
    }
    let finding =
        json!({"items": ["infcmd.c:1278: \"Set argument list to give program being debugged\""], "of": 8721});
    journal.entry(Entry::Warning { text: "271 tests did not build; grouping by file may help".into() }).ended(
        Ending::Found,
        Some(conclusion(finding, true, Some(true), None)),
        None,
        72_300.0,
    )
}

/// The report as it is in a pipe.
pub fn text(summary: &Summary) -> String {
    howcome_report::text(summary, TextForm::PLAIN)
}

/// The same with what the failing side printed.
pub fn text_with_output(summary: &Summary) -> String {
    howcome_report::text_with_output(summary, TextForm::PLAIN)
}

/// The trail as it is in a pipe.
pub fn trail(summary: &Summary, columns: usize) -> String {
    howcome_report::trail(summary, TextForm { columns, ..TextForm::PLAIN })
}
