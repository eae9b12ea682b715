//! The output of GoogleTest.

use super::line_pattern::LinePattern;
use super::outer_runner::is_of_outer_runner;
use super::{GroupState, PrintedText, TestError, TestReport, TestState};
use std::mem;

/// Reads the output of one test program, or of several one after the other.
pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    if is_of_outer_runner(printed) {
        return None;
    }
    let mut reading = GoogleTestReading::default();
    for line in &printed.stdout {
        reading.read_line(line)?;
    }
    reading.finish()
}

/// What is known after some lines.
#[derive(Default)]
struct GoogleTestReading<'a> {
    report: TestReport,
    /// Whether a test program has begun and its summary is still missing.
    is_running: bool,
    /// The test that has begun.
    running: Option<&'a str>,
    /// What was printed since the test before.
    output: Vec<&'a str>,
    /// The numbers of tests of this program that passed, failed and were skipped.
    counts: ProgramCounts,
    /// How many tests this program says to have run.
    total: Option<u64>,
    programs: u64,
}

#[derive(Default)]
struct ProgramCounts {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl<'a> GoogleTestReading<'a> {
    /// Reads a line. `None` if it contradicts the lines before it.
    fn read_line(&mut self, line: &'a str) -> Option<()> {
        static END: LinePattern = LinePattern::new(
            "[==========]",
            r"^\[==========\] (\d+) tests? from \d+ test (?:suite|case)s? ran\.",
        );
        static PASSED: LinePattern = LinePattern::new("[  PASSED  ]", r"^\[  PASSED  \] (\d+) tests?\.$");
        if line.starts_with("[==========] Running ") {
            // The program before this one did not come to its end.
            if self.is_running {
                return None;
            }
            self.is_running = true;
            self.output.clear();
        } else if let Some(end) = END.captures(line) {
            self.total = end[1].parse().ok();
        } else if self.total.is_some()
            && let Some(passed) = PASSED.captures(line)
        {
            self.finish_program(passed[1].parse().ok()?)?;
        } else if let Some(name) = line.strip_prefix("[ RUN      ] ") {
            if self.running.is_some() {
                return None;
            }
            self.running = Some(name);
            self.output.clear();
        } else if let Some((before, result)) = split_result(line) {
            self.output.push(before);
            self.finish_test(result)?;
        } else {
            self.output.push(line);
        }
        Some(())
    }

    fn finish_test(&mut self, result: PrintedResult<'a>) -> Option<()> {
        let running = self.running.take();
        if running.is_some_and(|running| running != result.name) || (self.is_running && running.is_none()) {
            return None;
        }
        let output = mem::take(&mut self.output);
        let (count, state) = match result.word {
            ResultWord::Ok => (&mut self.counts.passed, TestState::Passed),
            ResultWord::Skipped => (&mut self.counts.skipped, TestState::Skipped),
            ResultWord::Failed => (&mut self.counts.failed, TestState::Failed(first_failure(&output))),
        };
        *count += 1;
        // A test that runs several times failed if it failed once.
        let known = self.report.tests.entry(result.name.to_owned()).or_insert_with(|| state.clone());
        if !matches!(known, TestState::Failed(_)) {
            *known = state;
        }
        Some(())
    }

    fn finish_program(&mut self, passed: u64) -> Option<()> {
        let total = self.total.take()?;
        let ProgramCounts { passed: named, failed, skipped } = mem::take(&mut self.counts);
        let skipped = if self.is_running {
            if named != passed || passed + failed + skipped != total {
                return None;
            }
            skipped
        } else {
            // With `--gtest_brief=1` only the tests that failed are named.
            self.report.groups.insert(String::new(), GroupState::Finished);
            total.checked_sub(passed + failed)?
        };
        let ran = self.report.ran.unwrap_or_default() + total - skipped;
        self.report.ran = Some(ran);
        self.report.skipped = Some(self.report.skipped.unwrap_or_default() + skipped);
        self.programs += 1;
        self.is_running = false;
        Some(())
    }

    fn finish(mut self) -> Option<TestReport> {
        if self.programs == 0 || self.is_running || self.total.is_some() || self.counts.failed > 0 {
            return None;
        }
        if self.report.ran == Some(0) && self.report.skipped == Some(0) {
            let error = TestError { message: "0 tests ran".to_owned(), ..TestError::default() };
            self.report.groups.insert(String::new(), GroupState::Broken(error));
        }
        Some(self.report)
    }
}

struct PrintedResult<'a> {
    word: ResultWord,
    name: &'a str,
}

enum ResultWord {
    Ok,
    Failed,
    Skipped,
}

/// `[  FAILED  ] Prices.ArePositive/0, where GetParam() = 1 (0 ms)`, and what the test printed before it on the same line. The list
/// of failures at the end has no times.
fn split_result(line: &str) -> Option<(&str, PrintedResult<'_>)> {
    let timed = line.strip_suffix(" ms)")?;
    let (text, time) = timed.rsplit_once(" (")?;
    time.parse::<u64>().ok()?;
    let (before, word, name) = [
        ("[       OK ] ", ResultWord::Ok),
        ("[  FAILED  ] ", ResultWord::Failed),
        ("[  SKIPPED ] ", ResultWord::Skipped),
    ]
    .into_iter()
    .find_map(|(mark, word)| text.split_once(mark).map(|(before, name)| (before, word, name)))?;
    let name = name.split_once(", where ").map_or(name, |(name, _)| name);
    Some((before, PrintedResult { word, name }))
}

fn first_failure(output: &[&str]) -> TestError {
    let found = (0..output.len()).find_map(|at| read_failure(&output[at..]));
    found.unwrap_or_default()
}

/// The failure that begins on the first of these lines: the place, and after it what was expected.
pub(super) fn read_failure(lines: &[&str]) -> Option<TestError> {
    static EXCEPTION: LinePattern = LinePattern::new(
        "C++ exception",
        r#"^(?:Unknown )?C\+\+ exception (?:with description "(.*)" )?thrown in (.+?)\.?$"#,
    );
    let place = lines.first()?.strip_suffix(": Failure")?;
    let place = place.rsplit_once(':').and_then(|(path, line)| Some((path.to_owned(), line.parse().ok()?)));
    let said = lines.get(1).copied().unwrap_or_default();
    if let Some(exception) = EXCEPTION.captures(said) {
        let message = exception.get(1).map_or("", |message| message.as_str()).to_owned();
        return Some(TestError { kind: "C++ exception".to_owned(), message, place, ..TestError::default() });
    }
    // What the test itself prints afterwards looks like the message that a user adds, so neither is read.
    let is_more = |line: &&&str| line.starts_with("  ") || line.starts_with("Expected: ");
    let more: Vec<&str> = match said {
        "Failed" => lines.get(2).copied().into_iter().collect(),
        _ => lines.iter().skip(2).take_while(is_more).copied().collect(),
    };
    let message = [said].into_iter().chain(more.iter().copied()).map(str::trim).collect::<Vec<_>>().join(" ");
    Some(TestError {
        kind: "assertion".to_owned(),
        message,
        place,
        line: expression(said, &more),
        function: None,
        ..TestError::default()
    })
}

/// The expressions that were compared, as they are in the source.
fn expression(said: &str, more: &[&str]) -> Option<String> {
    if let Some(value) = said.strip_prefix("Value of: ") {
        return Some(value.to_owned());
    }
    if let Some(expected) = said.strip_prefix("Expected: ") {
        let end = expected.rfind(", actual: ").unwrap_or(expected.len());
        return Some(expected[..end].to_owned());
    }
    let operands = more.iter().filter(|line| !line.starts_with("   ")).map(|line| line.trim());
    let operands = operands.collect::<Vec<_>>().join(", ");
    Some(operands).filter(|operands| said.starts_with("Expected equality") && !operands.is_empty())
}
