//! Errors of compilers, linkers, shells and other programs that read a file.

use super::place::{split_number, split_place, whole_place};
use crate::runners::TestError;

pub(super) fn read(line: &str, after: &[&str]) -> Option<TestError> {
    rustc(line, after)
        .or_else(|| with_place(line))
        .or_else(|| linker(line))
        .or_else(|| shell(line))
        .or_else(|| make(line))
        .or_else(|| shellcheck(line))
}

fn error(message: &str, place: Option<(String, u32)>) -> TestError {
    TestError { kind: "error".to_owned(), message: message.to_owned(), place, ..TestError::default() }
}

/// `error[E0308]: mismatched types`, then ` --> src/lib.rs:3:5`.
fn rustc(line: &str, after: &[&str]) -> Option<TestError> {
    let said = line.strip_prefix("error")?;
    let message = match said.strip_prefix('[') {
        Some(said) => said.split_once("]: ")?.1,
        None => said.strip_prefix(": ")?,
    };
    let place = after.first().and_then(|line| line.trim_start().strip_prefix("--> ")).and_then(whole_place);
    // Other programs begin their messages like this, too. Only those of the compiler have a place.
    (said.starts_with('[') || place.is_some()).then(|| error(message, place))
}

/// `x.c:3:5: error: message`, `X.java:3: error: message`, `x.go:3:5: undefined: f`, `x.xml:3: parser error : message`.
fn with_place(line: &str) -> Option<TestError> {
    let (place, said) = split_place(line)?;
    let said = said.strip_prefix(':')?.trim_start();
    for word in ["error: ", "fatal error: ", "parser error : ", "syntax error, ", "syntax error: "] {
        if let Some(message) = said.strip_prefix(word) {
            return Some(error(message, Some(place)));
        }
    }
    let is_go = place.0.ends_with(".go") && GO.iter().any(|known| said.contains(known));
    is_go.then(|| error(said, Some(place)))
}

/// The messages of the Go compiler do not say that they are errors, and tests print places in the same way.
const GO: [&str; 12] = [
    "undefined: ",
    "syntax error: ",
    "declared and not used",
    "imported and not used",
    "cannot use ",
    "not enough arguments",
    "too many arguments",
    "missing return",
    "redeclared in this block",
    "assignment mismatch",
    "has no field or method",
    "mismatched types",
];

/// ``x.c:(.text+0x1d): undefined reference to `f'``
fn linker(line: &str) -> Option<TestError> {
    let at = line.find("undefined reference to ").or_else(|| line.find("multiple definition of "))?;
    Some(error(&line[at..], None))
}

/// `x.sh: 3: Syntax error: "fi" unexpected`, `x.sh: line 3: f: command not found`
fn shell(line: &str) -> Option<TestError> {
    let (file, said) = line.split_once(": ")?;
    let said = said.strip_prefix("line ").unwrap_or(said);
    let (number, message) = split_number(said)?;
    let message = message.strip_prefix(": ")?;
    let is_known = ["yntax error", "not found", "unbound variable", "parameter not set", "bad substitution"];
    let is_known = is_known.iter().any(|known| message.contains(known));
    (is_known && !file.contains(' ')).then(|| error(message, Some((file.to_owned(), number))))
}

/// `    ^----^ SC2115 (warning): Use "${var:?}" to ensure …`, `^-- SC2148 (error): Tips depend on …`
fn shellcheck(line: &str) -> Option<TestError> {
    let (mark, message) = line.trim_start().split_once(" SC")?;
    let (_, message) = message.split_once("): ")?;
    let is_mark = !mark.is_empty() && mark.chars().all(|letter| matches!(letter, '^' | '-'));
    is_mark.then(|| error(message, None))
}

/// ``make: *** No rule to make target 'x', needed by 'y'.  Stop.``
fn make(line: &str) -> Option<TestError> {
    let (_, message) = line.split_once("*** ").filter(|(program, _)| program.contains("make"))?;
    let is_known = message.starts_with("No rule to make target") || message.starts_with("missing separator");
    is_known.then(|| error(message, None))
}
