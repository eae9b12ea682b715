//! The output of `jest`.
//!
//! Each file has a line `PASS` or `FAIL`. If there is one file, or with `--verbose`, its tests follow as a tree. The errors of a
//! file come after titles (`● prices › are positive`), and the counts at the end.

use super::js_error::{add_stack, is_js_frame, join_message, split_js_error};
use super::js_report::{add_passing_groups, split_mark};
use super::tap_document::NESTING;
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.lines().collect();
    if let Some(line) = lines.iter().find(|line| line.starts_with("No tests found, exiting with code "))
        && lines.iter().any(|line| line.trim_start().starts_with("testMatch: "))
    {
        let error = TestError { message: (*line).to_owned(), ..TestError::default() };
        let groups = [(String::new(), GroupState::Broken(error))].into();
        return Some(TestReport { groups, ran: Some(0), skipped: Some(0), ..TestReport::default() });
    }
    lines.iter().rev().find(|line| line.starts_with("Test Suites: "))?;
    let counts = lines.iter().rev().find_map(|line| line.strip_prefix("Tests: "))?;
    lines.iter().rev().find(|line| line.starts_with("Time: "))?;
    let count = |name: &str| {
        let of = |part: &str| {
            part.trim().split_once(' ').filter(|(_, found)| *found == name)?.0.parse::<u64>().ok()
        };
        counts.split(',').find_map(of).unwrap_or(0)
    };
    let mut reader = JestReader::default();
    for line in &lines {
        reader.read_line(line);
    }
    reader.finish_block();
    if reader.failures < count("failed") {
        return None;
    }
    let mut report = reader.report;
    report.ran = Some(count("passed") + count("failed"));
    report.skipped = Some(count("skipped") + count("todo"));
    add_passing_groups(&mut report, reader.files);
    Some(report)
}

#[derive(Default)]
struct JestReader<'a> {
    report: TestReport,
    file: Option<&'a str>,
    /// The files that were run, and whether their tests are named.
    files: Vec<(&'a str, bool)>,
    /// The titles of the suites in which the next line of the tree is.
    suites: Vec<&'a str>,
    /// The title and the lines of the failure that is being read.
    block: Option<(&'a str, Vec<&'a str>)>,
    failures: u64,
}

impl<'a> JestReader<'a> {
    fn read_line(&mut self, line: &'a str) {
        if let Some(file) = file_in(line) {
            self.finish_block();
            self.file = Some(file);
            self.suites.clear();
            self.files.push((file, false));
        } else if let Some(title) = line.strip_prefix("  ● ") {
            self.finish_block();
            self.block = Some((title, Vec::new()));
        } else if ["Test Suites: ", "Summary of all failing tests"]
            .iter()
            .any(|start| line.starts_with(start))
        {
            self.finish_block();
            self.file = None;
        } else if let Some((_, lines)) = &mut self.block {
            lines.push(line);
        } else if let Some(file) = self.file {
            self.read_tree(file, line);
        }
    }

    /// `    ✓ are kept (1 ms)`, or the title of a suite.
    fn read_tree(&mut self, file: &str, line: &'a str) {
        let text = line.trim_start();
        let depth = ((line.len() - text.len()) / 2).saturating_sub(1);
        if text.is_empty() || !line.starts_with("  ") {
            return;
        }
        let Some((mark, name)) = split_mark(text) else {
            self.suites.truncate(depth);
            return self.suites.push(text);
        };
        if let Some((_, names_tests)) = self.files.last_mut() {
            *names_tests = true;
        }
        let state = match mark {
            '✓' | '√' => TestState::Passed,
            '○' | '✎' => TestState::Skipped,
            _ => return,
        };
        let name = ["skipped ", "todo "].iter().find_map(|word| name.strip_prefix(word)).unwrap_or(name);
        let path = self.suites.iter().take(depth).copied().chain([name]);
        self.report.tests.entry(test_name(file, path)).or_insert(state);
    }

    fn finish_block(&mut self) {
        let (Some((title, lines)), Some(file)) = (self.block.take(), self.file) else { return };
        if title == "Test suite failed to run" {
            self.report.groups.insert(file.to_owned(), GroupState::Broken(read_error(&lines)));
        } else if title != "Console" {
            self.failures += 1;
            let name = test_name(file, [title].into_iter());
            let known = self.report.tests.get(&name);
            if !matches!(known, Some(TestState::Failed(_))) {
                self.report.tests.insert(name, TestState::Failed(read_error(&lines)));
            }
        }
    }
}

/// `FAIL test/cart.test.js (5.2 s)`. With several projects, the name of the project comes before the file.
fn file_in(line: &str) -> Option<&str> {
    // With colours, the word has a space on both sides.
    let line = line.strip_prefix(' ').unwrap_or(line);
    let rest = line.strip_prefix("PASS ").or_else(|| line.strip_prefix("FAIL "))?;
    let rest = rest.split(" (").next()?.trim();
    let file = rest.rsplit(' ').next()?;
    file.contains('.').then_some(file)
}

fn test_name<'a>(file: &str, path: impl Iterator<Item = &'a str>) -> String {
    let path = path.map(|name| name.replace(" › ", NESTING));
    [file.to_owned()].into_iter().chain(path).collect::<Vec<_>>().join(NESTING)
}

/// The error below a title: the message, an extract of the source, the stack.
fn read_error(lines: &[&str]) -> TestError {
    // What a parser says is told after some advice.
    let start = lines.iter().position(|line| line.trim() == "Details:").map_or(0, |at| at + 1);
    let lines: Vec<&str> = lines[start..].iter().map(|line| line.trim()).collect();
    let is_source = |line: &&str| {
        let line = line.strip_prefix('>').unwrap_or(line);
        line.split_once('|').is_some_and(|(number, _)| number.trim().parse::<u32>().is_ok())
    };
    let end = lines.iter().position(|line| is_source(line) || is_js_frame(line)).unwrap_or(lines.len());
    let mut said = lines[..end].iter().copied().filter(|line| !line.is_empty());
    let first = said.next().unwrap_or_default();
    let (kind, message) = match split_js_error(first) {
        Some(parts) => parts,
        None if first.starts_with("expect(") => ("assertion", first),
        None => ("Error", first),
    };
    let message = join_message([message].into_iter().chain(said));
    let mut error = TestError { kind: kind.to_owned(), message, ..TestError::default() };
    add_stack(&mut error, lines[end..].iter().copied().filter(|line| line.starts_with("at ")));
    // The function of a test is called after what it calls last: `Object.toBe`.
    error.function = error.function.filter(|function| !function.starts_with("Object."));
    let marked = lines[end..].iter().find_map(|line| line.strip_prefix("> ")?.split_once('|'));
    error.line = marked.map(|(_, text)| text.trim().to_owned()).filter(|line| !line.is_empty());
    error
}
