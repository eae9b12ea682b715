//! What a test runner reports, whatever its format.

use std::collections::BTreeMap;

/// What a test runner reports about one run.
///
/// Many runners name only the tests that fail. A test that is not named passed if its group was run to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestReport {
    /// The name of the runner. [`read_report`](super::read_report) fills it in.
    pub runner: &'static str,
    /// The tests that are named, by the name with which the user would run one alone, as far as the output has it.
    pub tests: BTreeMap<String, TestState>,
    /// The groups of tests that are named: files, packages, suites. The group `""` is the whole run.
    pub groups: BTreeMap<String, GroupState>,
    /// How many tests ran, skipped ones not counted, if the output says so.
    pub ran: Option<u64>,
    /// How many tests were skipped, if the output says so. Many runners do not say which tests those are.
    pub skipped: Option<u64>,
}

/// What became of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestState {
    /// It passed.
    Passed,
    /// It failed, with this error.
    Failed(TestError),
    /// It was skipped.
    Skipped,
}

/// What became of a group of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupState {
    /// All its tests were run. Those that failed are named.
    Finished,
    /// Its tests were not run, because of this error: the file cannot be imported, the package does not compile.
    Broken(TestError),
}

/// An error that a test runner reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestError {
    /// The type of the exception (`AssertionError`), `panic`, or `assertion` if the runner's own macro failed. Empty if unknown.
    pub kind: String,
    /// What it says, as printed, without the type: a line, or a few lines joined by a space.
    pub message: String,
    /// The function in which it happened, if the output says so.
    pub function: Option<String>,
    /// The file and the line where it happened, if the output says so. The path is as printed.
    pub place: Option<(String, u32)>,
    /// The text of that line, if the output shows it.
    pub line: Option<String>,
    /// What a script prints before it says that a check fails, if it says nothing else: output of the program, mostly.
    pub context: String,
}

impl TestReport {
    /// Whether a test is reported that passed.
    pub(crate) fn has_passed(&self) -> bool {
        self.tests.values().any(|state| *state == TestState::Passed)
    }

    /// The group of a test: the longest group whose name the test's name begins with, or the whole run.
    #[must_use]
    pub fn group_of(&self, test: &str) -> Option<(&str, &GroupState)> {
        let own = self.groups.iter().filter(|(group, _)| is_in_group(test, group));
        own.max_by_key(|(group, _)| group.len()).map(|(group, state)| (group.as_str(), state))
    }

    /// The tests that failed, with their errors.
    pub fn failures(&self) -> impl Iterator<Item = (&str, &TestError)> {
        self.tests.iter().filter_map(|(name, state)| match state {
            TestState::Failed(error) => Some((name.as_str(), error)),
            TestState::Passed | TestState::Skipped => None,
        })
    }

    /// The groups whose tests were not run, with the reasons.
    pub fn broken(&self) -> impl Iterator<Item = (&str, &TestError)> {
        self.groups.iter().filter_map(|(name, state)| match state {
            GroupState::Broken(error) => Some((name.as_str(), error)),
            GroupState::Finished => None,
        })
    }
}

/// Whether a test belongs to a group by its name: `tests/test_cart.py::test_total` to `tests/test_cart.py`. The Go package `shop/price`
/// is not in `shop`.
pub(crate) fn is_in_group(test: &str, group: &str) -> bool {
    let rest = test.strip_prefix(group);
    rest.is_some_and(|rest| group.is_empty() || rest.is_empty() || rest.starts_with([':', '.', ' ', '#']))
}
