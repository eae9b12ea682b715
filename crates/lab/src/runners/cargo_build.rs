//! Why `cargo` could not build: the first error of the compiler.

use super::rust_panic::place_in;
use super::{GroupState, PrintedText, TestError, TestReport};

/// The report of a run that ended before any test ran, because cargo could not build the tests. `None` if cargo does not say so.
pub(super) fn read_build_error(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.lines().collect();
    let said = lines.iter().find(|line| STOPS.iter().any(|stop| line.starts_with(stop)))?;
    let error = first_diagnostic(&lines).unwrap_or_else(|| TestError {
        kind: "error".to_owned(),
        message: said.trim_start_matches("error: ").to_owned(),
        ..TestError::default()
    });
    let groups = [(String::new(), GroupState::Broken(error))].into();
    Some(TestReport { groups, ..TestReport::default() })
}

/// Whether `cargo nextest` printed these lines.
pub(super) fn is_of_nextest(lines: &[&str]) -> bool {
    lines.iter().any(|line| {
        line.starts_with(" Nextest run ID ")
            || line.starts_with("error: command `") && line.contains("cargo test --no-run")
    })
}

/// What cargo says when it gives up.
const STOPS: &[&str] = &[
    "error: could not compile `",
    "error: failed to run custom build command for `",
    "error: no test target named `",
    "error: no tests to run",
];

/// The first error of the compiler: `error[E0425]: cannot find value`, its place and the text of the line.
pub(super) fn first_diagnostic(lines: &[&str]) -> Option<TestError> {
    let is_error = |line: &&str| line.starts_with("error[") || line.starts_with("error: ");
    let is_stop =
        |line: &str| STOPS.iter().any(|stop| line.starts_with(stop)) || line.starts_with("error: command `");
    let at = lines.iter().position(|line| is_error(line) && !is_stop(line))?;
    let (kind, message) = lines[at].split_once(": ")?;
    let mut error = TestError { kind: kind.to_owned(), message: message.to_owned(), ..TestError::default() };
    let details = lines[at + 1..].iter().take_while(|line| !line.trim().is_empty());
    for line in details {
        if let Some(place) = line.trim_start().strip_prefix("--> ").filter(|_| error.place.is_none()) {
            error.place = place_in(place);
        } else if let (Some((_, number)), Some((shown, text))) = (&error.place, line.split_once('|'))
            && shown.trim().parse() == Ok(*number)
            && error.line.is_none()
        {
            error.line = Some(text.trim().to_owned());
        }
    }
    Some(error)
}
