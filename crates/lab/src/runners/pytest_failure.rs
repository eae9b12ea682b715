//! One failure in the output of `pytest`: the text below its title, in any of the styles of `--tb`.

use super::TestError;
use super::python_error::{read_traceback, split_exception, split_frame};

/// A failure that is told in a section of its own.
pub(super) struct ToldFailure<'a> {
    /// The title of the section: `TestAdd.test_zero`, or `ERROR at setup of test_x`. `--tb=line` prints none.
    pub title: Option<&'a str>,
    pub error: TestError,
    /// The file of the outermost frame, which is usually the test itself.
    pub test_file: Option<String>,
}

/// All failures of a section.
pub(super) fn read_failures<'a>(lines: &[&'a str]) -> Vec<ToldFailure<'a>> {
    let titles: Vec<usize> = (0..lines.len()).filter(|at| title_in(lines[*at]).is_some()).collect();
    if titles.is_empty() {
        let errors = lines.iter().filter_map(|line| read_one_line(line));
        return errors.map(|error| ToldFailure { title: None, error, test_file: None }).collect();
    }
    let ends = titles.iter().skip(1).copied().chain([lines.len()]);
    let parts = titles.iter().zip(ends).map(|(at, end)| (lines[*at], &lines[at + 1..end]));
    let told = parts.map(|(title, part)| ToldFailure {
        title: title_in(title),
        error: read_failure(part),
        test_file: part.iter().find_map(|line| Some(split_place(line)?.0.0)),
    });
    told.collect()
}

fn title_in(line: &str) -> Option<&str> {
    let is_title = line.starts_with('_') && line.ends_with('_') && !line.starts_with("_ _");
    is_title.then(|| line.trim_matches('_').strip_prefix(' ')?.strip_suffix(' ')).flatten()
}

/// The error that the lines below a title tell about.
pub(super) fn read_failure(lines: &[&str]) -> TestError {
    // What the test printed comes after the failure, and can look like anything.
    let end = lines.iter().position(|line| line.starts_with("---") && line.contains(" Captured "));
    let lines = &lines[..end.unwrap_or(lines.len())];
    let mut failure = FailureText::default();
    for line in lines {
        failure.add(line);
    }
    let (kind, place) = (failure.kind.map(str::to_owned), failure.place.clone());
    // The traceback of an exception group is in a box, and its own exception is the first line that is not indented there.
    let grouped = || {
        let mut boxed = lines.iter().filter_map(|line| line.strip_prefix("  | "));
        boxed.find(|line| split_exception(line).is_some()).map(read_exception)
    };
    failure.finish().or_else(|| read_traceback(lines)).or_else(grouped).unwrap_or_else(|| {
        // Documentation tests show what they expected and what they got.
        let expected = lines.iter().position(|line| *line == "Expected:").unwrap_or_default();
        let said = lines[expected..].iter().map(|line| line.trim()).take_while(|line| !line.is_empty());
        let message = said.collect::<Vec<_>>().join(" ");
        TestError { kind: kind.unwrap_or_default(), message, place, ..TestError::default() }
    })
}

/// The error in a line `file:line: Kind: message`, as `--tb=line` prints it.
fn read_one_line(line: &str) -> Option<TestError> {
    let (place, said) = split_place(line)?;
    let mut error = read_exception(said);
    error.place = Some(place);
    Some(error)
}

/// The kind and the message of an exception as it is printed after `E`. An assertion that was rewritten has no type.
pub(super) fn read_exception(said: &str) -> TestError {
    let (kind, message) = match split_exception(said) {
        Some(parts) => parts,
        None if said.starts_with("assert ") => ("AssertionError", said),
        None => ("", said),
    };
    TestError { kind: kind.to_owned(), message: message.to_owned(), ..TestError::default() }
}

/// What was read of a failure so far. Every frame replaces the one before it: the last one raised the exception.
#[derive(Default)]
struct FailureText<'a> {
    /// The lines after `E`, without it.
    exception: Vec<&'a str>,
    is_in_exception: bool,
    /// The type at the end of the failure: `cart.py:18: ValueError`.
    kind: Option<&'a str>,
    place: Option<(String, u32)>,
    function: Option<&'a str>,
    line: Option<&'a str>,
    /// The first function and the marked line of the source text that is shown before the place.
    shown_function: Option<&'a str>,
    shown_line: Option<&'a str>,
    /// The line before was `cart.py:18: in parse_price`.
    is_after_short_frame: bool,
}

impl<'a> FailureText<'a> {
    fn add(&mut self, line: &'a str) {
        let is_exception = line == "E" || line.starts_with("E  ");
        if is_exception && !self.is_in_exception {
            self.exception.clear();
        }
        self.is_in_exception = is_exception;
        let is_after_short_frame = std::mem::take(&mut self.is_after_short_frame);
        if is_exception {
            self.exception.push(&line[1..]);
        } else if let Some(marked) = line.strip_prefix(">  ") {
            self.shown_line = Some(marked.trim());
        } else if line.starts_with("_ _ _") {
            (self.shown_function, self.shown_line) = (None, None);
        } else if let Some(source) = line.strip_prefix("    ") {
            if is_after_short_frame {
                self.line = Some(source.trim());
            } else if self.shown_function.is_none() {
                self.shown_function = defined_function(source);
            }
        } else if let Some((place, said)) = split_place(line) {
            self.add_frame(place, said);
        }
    }

    fn add_frame(&mut self, place: (String, u32), said: &'a str) {
        if let Some(function) = said.strip_prefix("in ") {
            self.is_after_short_frame = true;
            (self.place, self.function, self.line) = (Some(place), Some(function), None);
        } else if !said.contains(' ') {
            self.kind = Some(said).filter(|kind| !kind.is_empty());
            self.place = Some(place);
            (self.function, self.line) = (self.shown_function.take(), self.shown_line.take());
        }
    }

    fn finish(self) -> Option<TestError> {
        let indentation = |line: &&&str| line.len() - line.trim_start().len();
        let told = || self.exception.iter().filter(|line| !line.trim().is_empty());
        // The place of a syntax error is indented more than the error itself, which comes after it.
        let outermost = told().map(|line| indentation(&line)).min()?;
        let mut outer = told().filter(|line| indentation(line) == outermost).map(|line| line.trim());
        let mut error = read_exception(outer.next()?);
        if error.message.is_empty() {
            error.message = outer.next().unwrap_or_default().to_owned();
        }
        if error.kind.is_empty() {
            error.kind = self.kind.unwrap_or_default().to_owned();
        }
        error.function = self.function.map(str::to_owned);
        error.place = self.place;
        error.line = self.line.map(str::to_owned);
        if let Some(at) = self.exception.iter().position(|line| line.trim_start().starts_with("File \""))
            && let Some((file, number, None)) = split_frame(self.exception[at])
        {
            error.place = Some((file, number));
            error.line = self.exception.get(at + 1).map(|line| line.trim().to_owned());
            error.function = None;
        }
        Some(error)
    }
}

/// `cart.py:18: said`.
fn split_place(line: &str) -> Option<((String, u32), &str)> {
    if line.starts_with(char::is_whitespace) {
        return None;
    }
    let (at, _) = line.match_indices(':').find(|(at, _)| {
        let rest = &line[at + 1..];
        let digits = rest.len() - rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        digits > 0 && (rest[digits..] == *":" || rest[digits..].starts_with(": "))
    })?;
    let (number, said) = line[at + 1..].split_once(':')?;
    Some(((line[..at].to_owned(), number.parse().ok()?), said.trim()))
}

fn defined_function(source: &str) -> Option<&str> {
    let rest = source.strip_prefix("async ").unwrap_or(source).strip_prefix("def ")?;
    rest.split('(').next().map(str::trim)
}
