//! Reads the tables in `papers/` and checks a search against them, test by test.

use howcome_dd::{Answer, Ask, Configuration, DeltaId, Difference, Knowledge, Outcome, Search};
use std::path::Path;

/// A table of a paper: the questions, the answers and the finding.
pub(crate) struct Table {
    pub(crate) size: u32,
    pub(crate) tests: Vec<Test>,
    pub(crate) result: Option<Configuration>,
}

pub(crate) struct Test {
    pub(crate) configuration: Configuration,
    /// `None` if the table ends with the question.
    pub(crate) outcome: Option<Outcome>,
    pub(crate) predicted: bool,
    /// Whether the paper shows the test.
    pub(crate) in_paper: bool,
    /// Whether our search asks for the test.
    pub(crate) in_ours: bool,
}

pub(crate) fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Table {
    pub(crate) fn read(name: &str) -> Self {
        let mut table = Table { size: 0, tests: Vec::new(), result: None };
        for line in read(name).lines().filter(|line| !line.starts_with('#')) {
            let mut words: Vec<&str> = line.split_whitespace().collect();
            let mark = ["+", "-", "result"].into_iter().find(|mark| words[0] == *mark);
            words.drain(..usize::from(mark.is_some()));
            if mark == Some("result") {
                table.result = Some(configuration(&words));
                continue;
            }
            let sign = words.pop().expect("a test has an outcome");
            table.size = words.len() as u32;
            table.tests.push(Test {
                configuration: configuration(&words),
                outcome: outcome(sign),
                predicted: sign.starts_with('('),
                in_paper: mark != Some("+"),
                in_ours: mark != Some("-"),
            });
        }
        table
    }

    pub(crate) fn all(&self) -> Configuration {
        Configuration::all(self.size)
    }

    /// How many tests the paper runs.
    pub(crate) fn in_paper(&self) -> usize {
        self.tests.iter().filter(|test| test.in_paper && !test.predicted).count()
    }

    /// Answers a search from the table. The table has no repeated questions, and neither the empty set nor all deltas.
    pub(crate) fn converse_with(&self, mut search: impl Search<Finding = Difference>, knowledge: &Knowledge) {
        let mut known = vec![(Configuration::empty(), Outcome::Pass), (self.all(), Outcome::Fail)];
        let mut tests = self.tests.iter().filter(|test| test.in_ours);
        loop {
            let asked = match search.ask() {
                Ask::Test(question) => question.configuration,
                Ask::Done(finding) => {
                    assert!(tests.next().is_none(), "the search ends before the table does");
                    assert_eq!(Some(finding.deltas()), self.result);
                    return;
                }
            };
            let outcome = match known.iter().find(|(configuration, _)| *configuration == asked) {
                Some((_, outcome)) => *outcome,
                None => {
                    let test = tests.next().unwrap_or_else(|| panic!("{asked} is not in the table"));
                    assert_eq!(asked, test.configuration);
                    assert_eq!(knowledge.predict(&asked).is_some(), test.predicted, "{asked} is predicted");
                    let Some(outcome) = test.outcome else { return };
                    known.push((asked, outcome));
                    outcome
                }
            };
            search.tell(Answer::from(outcome));
        }
    }
}

fn configuration(words: &[&str]) -> Configuration {
    let word = |(i, word): (usize, &&str)| (*word != ".").then_some(DeltaId(i as u32));
    words.iter().enumerate().filter_map(word).collect()
}

fn outcome(sign: &str) -> Option<Outcome> {
    let sign = sign.trim_start_matches('(').trim_end_matches(')');
    Outcome::ALL.into_iter().find(|outcome| sign == outcome.sign().to_string())
}
