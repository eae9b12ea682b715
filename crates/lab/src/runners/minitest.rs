//! The output of minitest.

use super::line_pattern::LinePattern;
use super::ruby_error::read_call;
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

/// How many lines of a message are read.
const LONGEST_MESSAGE: usize = 8;

/// Reads the output of one run, or of several one after the other. It names the tests that fail.
pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.stdout.iter().map(String::as_str).collect();
    let mut reading = MinitestReading::default();
    for at in 0..lines.len() {
        reading.read_line(&lines[at..])?;
    }
    reading.finish()
}

/// What is known after some lines.
#[derive(Default)]
struct MinitestReading {
    report: TestReport,
    is_running: bool,
    /// How many failures and errors of this run are named.
    failures: u64,
    /// The number of the last item, which is a failure, an error or a skipped test.
    items: u64,
}

impl MinitestReading {
    /// Reads the first of these lines. `None` if it contradicts the lines before it.
    fn read_line(&mut self, lines: &[&str]) -> Option<()> {
        static NUMBERED: LinePattern = LinePattern::new(") ", r"^ +(\d+)\) (Failure|Error|Skipped):$");
        static VERBOSE: LinePattern = LinePattern::new(" s = ", r"^(\S.*#.+) = \d+\.\d+ s = ([.FES])$");
        static COUNTS: LinePattern = LinePattern::new(
            " runs, ",
            r"^(\d+) runs, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips$",
        );
        let line = lines.first()?;
        if *line == "# Running:" {
            // The run before this one did not come to its end.
            if self.is_running {
                return None;
            }
            (self.is_running, self.failures, self.items) = (true, 0, 0);
            return Some(());
        }
        if !self.is_running {
            return Some(());
        }
        if let Some(verbose) = VERBOSE.captures(line) {
            match &verbose[2] {
                "." => self.add(&verbose[1], TestState::Passed),
                "S" => self.add(&verbose[1], TestState::Skipped),
                _ => {}
            }
        } else if let Some(item) = NUMBERED.captures(line) {
            if item[1].parse() == Ok(self.items + 1) {
                self.items += 1;
                self.read_item(&item[2], &lines[1..])?;
            }
        } else if let Some(counts) = COUNTS.captures(line) {
            let count = |group: usize| counts[group].parse::<u64>().ok();
            if self.failures != count(2)? + count(3)? {
                return None;
            }
            let (runs, skipped) = (count(1)?, count(4)?);
            self.report.ran = Some(self.report.ran.unwrap_or_default() + runs.checked_sub(skipped)?);
            self.report.skipped = Some(self.report.skipped.unwrap_or_default() + skipped);
            self.is_running = false;
        }
        Some(())
    }

    /// Reads the lines after `1) Failure:`.
    fn read_item(&mut self, word: &str, lines: &[&str]) -> Option<()> {
        static PLACED: LinePattern = LinePattern::new("]:", r"^(.+) \[(.+):(\d+)\]:$");
        let head = lines.first()?;
        let block = lines[1..].iter().take_while(|line| !line.is_empty()).take(LONGEST_MESSAGE).copied();
        let (name, state) = if word == "Error" {
            self.failures += 1;
            (head.strip_suffix(':')?.to_owned(), TestState::Failed(read_error(block)))
        } else {
            let placed = PLACED.captures(head)?;
            let state = if word == "Skipped" {
                TestState::Skipped
            } else {
                self.failures += 1;
                TestState::Failed(TestError {
                    kind: "assertion".to_owned(),
                    message: block.map(str::trim).collect::<Vec<_>>().join(" "),
                    place: placed[3].parse().ok().map(|line| (placed[2].to_owned(), line)),
                    ..TestError::default()
                })
            };
            (placed[1].to_owned(), state)
        };
        self.add(&name, state);
        Some(())
    }

    fn add(&mut self, name: &str, state: TestState) {
        let known = self.report.tests.entry(name.to_owned()).or_insert_with(|| state.clone());
        if !matches!(known, TestState::Failed(_)) {
            *known = state;
        }
    }

    fn finish(mut self) -> Option<TestReport> {
        let ran = self.report.ran.filter(|_| !self.is_running)?;
        let is_empty = ran == 0 && self.report.skipped == Some(0);
        let whole_run = if is_empty {
            GroupState::Broken(TestError { message: "0 runs".to_owned(), ..TestError::default() })
        } else {
            GroupState::Finished
        };
        self.report.groups.insert(String::new(), whole_run);
        Some(self.report)
    }
}

/// `ArgumentError: negative amount`, and the calls. The innermost call comes first.
fn read_error<'a>(block: impl Iterator<Item = &'a str>) -> TestError {
    let mut error = TestError::default();
    for (at, line) in block.enumerate() {
        if let Some((function, place)) = line.strip_prefix("    ").and_then(read_call) {
            error.function = function;
            error.place = Some(place);
            break;
        }
        if at == 0 {
            let (kind, message) = line.split_once(": ").unwrap_or((line.trim_end_matches(':'), ""));
            (error.kind, error.message) = (kind.to_owned(), message.to_owned());
        } else {
            error.message = format!("{} {}", error.message, line.trim()).trim().to_owned();
        }
    }
    error
}
