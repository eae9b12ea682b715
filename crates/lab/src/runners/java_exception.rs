//! Exceptions as Java prints them: the type, the message, and the calls.

use super::TestError;
use super::line_pattern::LinePattern;

/// Functions that report a failure for a test, or call the test.
const MACHINERY: [&str; 9] = [
    "org.junit.",
    "junit.framework.",
    "org.opentest4j.",
    "org.hamcrest.",
    "org.assertj.",
    "java.",
    "jdk.",
    "sun.",
    "org.gradle.",
];

/// Reads the exception that begins on the first of these lines, up to its cause. The place is the innermost call in the code of the
/// project.
pub(super) fn read_exception(lines: &[&str]) -> TestError {
    let mut texts = lines.iter().map(|line| line.trim());
    let (kind, first) = split_type(texts.next().unwrap_or_default());
    let mut error = TestError { kind: kind.to_owned(), message: first.to_owned(), ..TestError::default() };
    for text in texts {
        if text.starts_with("Caused by:") || text.starts_with("... ") {
            break;
        }
        if let Some(call) = text.strip_prefix("at ") {
            if add_place(&mut error, call) {
                break;
            }
        } else if !text.is_empty() {
            if !error.message.is_empty() {
                error.message.push(' ');
            }
            error.message.push_str(text);
        }
    }
    error
}

/// `java.lang.AssertionError: expected:<42> but was:<41>`
fn split_type(text: &str) -> (&str, &str) {
    let (kind, message) = text.split_once(':').unwrap_or((text, ""));
    (kind, message.trim())
}

/// Reads `shop.CartTest.total(CartTest.java:5)`, if this is a call in the code of the project.
fn add_place(error: &mut TestError, call: &str) -> bool {
    static CALL: LinePattern = LinePattern::new("(", r"^(?:[^/(]*/)*([^/(]+)\(([^():]+):(\d+)\)");
    let Some(call) = CALL.captures(call) else { return false };
    let is_ours = !MACHINERY.iter().any(|begin| call[1].starts_with(begin));
    if is_ours {
        error.function = Some(call[1].to_owned());
        error.place = call[3].parse().ok().map(|line| (call[2].to_owned(), line));
    }
    is_ours
}
