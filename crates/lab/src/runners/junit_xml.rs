//! Reports in the XML format of JUnit, which many runners write.

use super::google_test::read_failure;
use super::java_exception::read_exception;
use super::line_pattern::LinePattern;
use super::program_error::place as program_place;
use super::python_error::split_exception;
use super::xml::{XmlPart, XmlParts};
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

/// Reads the reports in an output. They name all tests.
pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    if !printed.stdout.iter().any(|line| line.contains("<testsuite") && line.trim_start().starts_with('<')) {
        return None;
    }
    let text = printed.stdout.join("\n");
    let mut reading = JunitXmlReading::default();
    for part in XmlParts::of(&text[text.find('<')?..]) {
        reading.read_part(&part?)?;
    }
    reading.finish()
}

/// What is known after some parts of the document.
#[derive(Default)]
struct JunitXmlReading {
    report: TestReport,
    /// The elements that are open.
    open: Vec<String>,
    tests: u64,
    case: Option<XmlTestCase>,
    /// Whether the text of the first error of the test is being read.
    is_in_first_error: bool,
    has_suite: bool,
}

/// A test that is being read.
struct XmlTestCase {
    class: String,
    name: String,
    outcome: CaseOutcome,
}

enum CaseOutcome {
    Passed,
    Skipped,
    /// The error, and the text of its element.
    Failed(TestError, String),
}

impl JunitXmlReading {
    /// Reads a part. `None` if it does not fit the parts before it.
    fn read_part(&mut self, part: &XmlPart<'_>) -> Option<()> {
        match part {
            XmlPart::Start { name, attributes, is_empty } => {
                let get = |wanted: &str| {
                    attributes.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.clone())
                };
                self.start(name, get)?;
                self.open.push((*name).to_owned());
                if *is_empty {
                    self.end(name)?;
                }
            }
            XmlPart::End(name) => self.end(name)?,
            XmlPart::Text(text) => {
                if let Some(XmlTestCase { outcome: CaseOutcome::Failed(_, said), .. }) = &mut self.case
                    && self.is_in_first_error
                {
                    said.push_str(text);
                }
            }
        }
        Some(())
    }

    fn start(&mut self, name: &str, get: impl Fn(&str) -> Option<String>) -> Option<()> {
        match name {
            "testsuite" => self.has_suite = true,
            "testcase" => {
                let (class, name) = (get("classname").unwrap_or_default(), get("name")?);
                // GoogleTest writes tests that it did not run.
                let was_run = get("status").is_none_or(|status| status != "notrun");
                let outcome = if was_run { CaseOutcome::Passed } else { CaseOutcome::Skipped };
                self.case = Some(XmlTestCase { class, name, outcome });
                self.tests += 1;
            }
            "skipped" => {
                let case = self.case.as_mut()?;
                if matches!(case.outcome, CaseOutcome::Passed) {
                    case.outcome = CaseOutcome::Skipped;
                }
            }
            name if is_error(name) => {
                let case = self.case.as_mut()?;
                if !matches!(case.outcome, CaseOutcome::Failed(..)) {
                    let kind = get("type").unwrap_or_default();
                    let error = TestError {
                        kind,
                        message: get("message").unwrap_or_default(),
                        ..TestError::default()
                    };
                    case.outcome = CaseOutcome::Failed(error, String::new());
                    self.is_in_first_error = true;
                }
            }
            _ => {}
        }
        Some(())
    }

    fn end(&mut self, name: &str) -> Option<()> {
        if self.open.pop()? != name {
            return None;
        }
        if is_error(name) {
            self.is_in_first_error = false;
        } else if name == "testcase" {
            let case = self.case.take()?;
            self.add(case);
        }
        Some(())
    }

    fn add(&mut self, case: XmlTestCase) {
        let XmlTestCase { class, name, outcome } = case;
        let is_class = name == class || matches!(name.as_str(), "" | "classMethod" | "initializationError");
        let full_name = if class.is_empty() { name } else { format!("{class}.{name}") };
        let state = match outcome {
            CaseOutcome::Passed => TestState::Passed,
            CaseOutcome::Skipped => TestState::Skipped,
            CaseOutcome::Failed(error, said) => TestState::Failed(with_place(error, &said)),
        };
        match state {
            // The class could not be set up.
            TestState::Failed(error) if is_class => {
                self.report.groups.insert(class, GroupState::Broken(error));
            }
            state => {
                // A test that is written several times failed if it failed once.
                let known = self.report.tests.entry(full_name).or_insert_with(|| state.clone());
                if !matches!(known, TestState::Failed(_)) {
                    *known = state;
                }
            }
        }
    }

    fn finish(mut self) -> Option<TestReport> {
        if !self.open.is_empty() || !self.has_suite {
            return None;
        }
        let skipped = self.report.tests.values().filter(|state| **state == TestState::Skipped).count() as u64;
        self.report.ran = Some(self.tests.checked_sub(skipped)?);
        self.report.skipped = Some(skipped);
        if self.tests == 0 {
            let error = TestError { message: "the report has no tests".to_owned(), ..TestError::default() };
            self.report.groups.insert(String::new(), GroupState::Broken(error));
        }
        Some(self.report)
    }
}

fn is_error(name: &str) -> bool {
    matches!(name, "failure" | "error")
}

/// Adds what the text of the element says in addition to its attributes.
fn with_place(error: TestError, said: &str) -> TestError {
    // The last line of pytest: `test_cart.py:4: AssertionError`.
    static PYTEST_PLACE: LinePattern = LinePattern::new(": ", r"^(\S+):(\d+): (\w+)$");
    let lines: Vec<&str> = said.lines().collect();
    let exception = read_exception(&lines);
    if !error.kind.is_empty() && exception.kind == error.kind {
        return exception;
    }
    let first = lines.first().copied().unwrap_or_default();
    if error.kind.is_empty() && error.message.starts_with(first) {
        // GoogleTest: the place, and on the next lines what its console output says too.
        let head = format!("{first}: Failure");
        let failure = [head.as_str()].into_iter().chain(lines.iter().skip(1).copied());
        if let Some(failure) = read_failure(&failure.collect::<Vec<_>>()).filter(|_| !first.is_empty()) {
            return failure;
        }
    }
    let place = lines.last().and_then(|line| PYTEST_PLACE.captures(line));
    if let Some(place) = place.filter(|_| error.kind.is_empty()) {
        let message = error.message.strip_prefix(&format!("{}: ", &place[3])).unwrap_or(&error.message);
        return TestError {
            kind: place[3].to_owned(),
            message: message.split_whitespace().collect::<Vec<_>>().join(" "),
            place: program_place(&place[1], &place[2]),
            ..TestError::default()
        };
    }
    let message = if error.message.is_empty() { said } else { &error.message };
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match split_exception(&message).filter(|_| error.kind.is_empty()) {
        Some((kind, message)) => {
            TestError { kind: kind.to_owned(), message: message.to_owned(), ..TestError::default() }
        }
        None => TestError { message, ..error },
    }
}
