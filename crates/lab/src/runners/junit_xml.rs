//! Reports in the XML format of JUnit, which many runners write.

use super::java_exception::read_exception;
use super::xml::{XmlPart, XmlParts};
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

/// Reads the reports in an output. They name all tests.
pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    if !printed.stdout.iter().any(|line| line.trim_start().starts_with("<testsuite")) {
        return None;
    }
    let text = printed.stdout.join("\n");
    let mut reading = Reading::default();
    for part in XmlParts::of(&text[text.find('<')?..]) {
        reading.read_part(&part?)?;
    }
    reading.finish()
}

/// What is known after some parts of the document.
#[derive(Default)]
struct Reading {
    report: TestReport,
    /// The elements that are open.
    open: Vec<String>,
    tests: u64,
    case: Option<TestCase>,
    has_suite: bool,
}

/// A test that is being read.
struct TestCase {
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

impl Reading {
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
                let is_error = self.open.last().is_some_and(|name| is_error(name));
                if let Some(TestCase { outcome: CaseOutcome::Failed(_, said), .. }) = &mut self.case
                    && is_error
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
                self.case = Some(TestCase { class, name, outcome });
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
        if name == "testcase" {
            let case = self.case.take()?;
            self.add(case);
        }
        Some(())
    }

    fn add(&mut self, case: TestCase) {
        let TestCase { class, name, outcome } = case;
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

/// Adds the place in which a failure happened, if the text of its element is an exception of Java.
fn with_place(error: TestError, said: &str) -> TestError {
    let lines: Vec<&str> = said.lines().collect();
    let exception = read_exception(&lines);
    let is_exception = !error.kind.is_empty() && exception.kind == error.kind;
    let message = error.message.split_whitespace().collect::<Vec<_>>().join(" ");
    if is_exception { exception } else { TestError { message, ..error } }
}
