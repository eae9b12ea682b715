//! Uncaught exceptions of Python, JavaScript, Java, Ruby, Perl, PHP and Lua.

use super::place::{split_number, split_place, whole_place};
use crate::runners::TestError;

pub(super) fn read(line: &str, before: &[&str], after: &[&str]) -> Option<TestError> {
    python(line, before, after)
        .or_else(|| java(line, after))
        .or_else(|| javascript(line, before, after))
        .or_else(|| ruby(line))
        .or_else(|| perl(line))
        .or_else(|| php(line))
        .or_else(|| lua(line))
}

/// `Traceback (most recent call last):`, frames with the innermost last, then the exception. A syntax error has no traceback, only
/// a frame.
fn python(line: &str, before: &[&str], after: &[&str]) -> Option<TestError> {
    let frames = match line.trim_start().starts_with("Traceback (most recent call last)") {
        true => after,
        // The frame of a syntax error without a traceback is the first line of its output.
        false
            if line.starts_with("  File \"")
                && !before.last().is_some_and(|line| line.starts_with("Traceback")) =>
        {
            let error = python_frames(&[&[line], after].concat())?;
            return error.kind.ends_with("Error").then_some(error).filter(|error| error.function.is_none());
        }
        false => return None,
    };
    python_frames(frames)
}

fn python_frames(lines: &[&str]) -> Option<TestError> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let base = lines.first().map(|line| indent(line).saturating_sub(2))?;
    let end = lines.iter().position(|line| !line.trim().is_empty() && indent(line) <= base)?;
    let (kind, message) = lines[end].trim().split_once(": ").unwrap_or((lines[end].trim(), ""));
    let is_name = |character: char| character.is_alphanumeric() || matches!(character, '_' | '.');
    if kind.is_empty() || !kind.chars().all(is_name) {
        return None;
    }
    let frame = lines[..end].iter().rposition(|line| line.trim_start().starts_with("File \""))?;
    let said = lines[frame].trim_start().strip_prefix("File \"")?;
    let (file, said) = said.split_once("\", line ")?;
    let (number, said) = split_number(said)?;
    let function = said.strip_prefix(", in ").map(str::to_owned);
    let text = lines[frame + 1..end].first().map(|line| line.trim().to_owned());
    let kind = kind.rsplit('.').next().unwrap_or(kind);
    let place = Some((file.to_owned(), number));
    Some(TestError {
        kind: kind.to_owned(),
        message: message.to_owned(),
        function,
        place,
        line: text,
        ..TestError::default()
    })
}

/// `Exception in thread "main" java.lang.IllegalStateException: message`, then a tab and `at a.B.c(B.java:12)`.
fn java(line: &str, after: &[&str]) -> Option<TestError> {
    let said = line.strip_prefix("Exception in thread \"")?.split_once("\" ")?.1;
    let (kind, message) = said.split_once(": ").unwrap_or((said, ""));
    let frame = after.iter().map(|line| line.trim()).find_map(|line| line.strip_prefix("at "));
    let (function, place) = frame.and_then(|frame| frame.split_once('(')).unwrap_or_default();
    let function = Some(function.to_owned()).filter(|function| !function.is_empty());
    let place = whole_place(place.trim_end_matches(')'));
    Some(TestError {
        kind: kind.to_owned(),
        message: message.to_owned(),
        function,
        place,
        line: None,
        ..TestError::default()
    })
}

/// `TypeError: message`, then `    at f (/p/x.js:3:7)`. Before it, Node prints the place and the text of the line.
fn javascript(line: &str, before: &[&str], after: &[&str]) -> Option<TestError> {
    let line = line.strip_prefix("Uncaught ").unwrap_or(line);
    let (kind, message) = line.split_once(": ").unwrap_or((line, ""));
    let kind = kind.split(" [").next().unwrap_or(kind);
    if !kind.ends_with("Error") || !kind.chars().all(char::is_alphanumeric) {
        return None;
    }
    // A message can take several lines.
    let frame = after.iter().take(12).find_map(|line| line.strip_prefix("    at "))?;
    let (function, place) = match frame.split_once(" (") {
        Some((function, place)) => (Some(function.to_owned()), place.trim_end_matches(')')),
        None => (None, frame),
    };
    let shown = before.iter().rev().take(5).position(|line| whole_place(line).is_some());
    let text = shown.and_then(|at| before.get(before.len() - at)).map(|line| line.trim().to_owned());
    let place = match (shown, kind) {
        // The frames of a syntax error are those of the loader.
        (Some(at), "SyntaxError") => whole_place(before[before.len() - 1 - at]),
        _ => whole_place(place),
    };
    let function = function.filter(|_| kind != "SyntaxError");
    Some(TestError {
        kind: kind.to_owned(),
        message: message.to_owned(),
        function,
        place,
        line: text,
        ..TestError::default()
    })
}

/// ``x.rb:3:in `f': message (NameError)``
fn ruby(line: &str) -> Option<TestError> {
    let (place, said) = split_place(line)?;
    let said = said.strip_prefix(":in ")?;
    let (function, said) = said.split_once(": ")?;
    let (message, kind) = said.strip_suffix(')')?.rsplit_once(" (")?;
    let function = Some(function.trim_matches(['`', '\'']).to_owned());
    Some(TestError {
        kind: kind.to_owned(),
        message: message.to_owned(),
        function,
        place: Some(place),
        line: None,
        ..TestError::default()
    })
}

/// `message at x.pl line 3.`
fn perl(line: &str) -> Option<TestError> {
    let (message, place) =
        line.rsplit_once(" at ").filter(|(message, _)| !message.starts_with([' ', '#']))?;
    let (file, number) = place.split_once(" line ")?;
    let (number, rest) = split_number(number)?;
    let is_end = rest.starts_with('.') || rest.starts_with(", near ") || rest.starts_with(", <");
    if !is_end || file.contains(' ') {
        return None;
    }
    let place = Some((file.to_owned(), number));
    Some(TestError { kind: "error".to_owned(), message: message.to_owned(), place, ..TestError::default() })
}

/// `PHP Fatal error:  Uncaught TypeError: message in /p/x.php:3`
fn php(line: &str) -> Option<TestError> {
    let said = line.strip_prefix("PHP ").unwrap_or(line);
    let (kind, said) =
        ["Fatal error: ", "Parse error: "].iter().find_map(|kind| Some((kind, said.strip_prefix(kind)?)))?;
    let said = said.trim();
    let (message, place) = said.rsplit_once(" in ").unwrap_or((said, ""));
    let place = whole_place(place).or_else(|| {
        let (file, number) = place.split_once(" on line ")?;
        Some((file.to_owned(), split_number(number)?.0))
    });
    let kind = kind.trim_end_matches([':', ' ']).to_owned();
    Some(TestError { kind, message: message.to_owned(), place, ..TestError::default() })
}

/// `lua: x.lua:3: message`
fn lua(line: &str) -> Option<TestError> {
    let (program, said) = line.split_once(": ").filter(|(program, _)| program.starts_with("lua"))?;
    let (place, message) = split_place(said)?;
    let message = message.trim_start_matches([':', ' ']).to_owned();
    let _ = program;
    Some(TestError { kind: "error".to_owned(), message, place: Some(place), ..TestError::default() })
}
