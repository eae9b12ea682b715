//! The first error in the output of any program: what a test program printed while a runner that does not read it was waiting.

use super::line_pattern::LinePattern;
use super::{TestError, catch2, google_test};
use regex::Captures;

/// How many lines an error extends over at most. A longer trace is not read to its end.
const LONGEST: usize = 200;

/// The first error that has a known form.
pub(super) fn find_error(lines: &[&str]) -> Option<TestError> {
    (0..lines.len()).find_map(|at| recognise(&lines[at..lines.len().min(at + LONGEST)]))
}

/// The error that begins on the first of these lines.
fn recognise(lines: &[&str]) -> Option<TestError> {
    let readers =
        [google_test::read_failure, catch2::read_failure, of_python, of_cpp, of_sanitizer, of_stack];
    readers
        .iter()
        .find_map(|read| read(lines))
        .or_else(|| of_rust(lines))
        .or_else(|| of_one_line(lines.first()?))
}

/// The traceback of Python: the innermost call comes last, and then the exception.
fn of_python(lines: &[&str]) -> Option<TestError> {
    let (head, trace) = lines.split_first()?;
    if !head.starts_with("Traceback (most recent call last)") {
        return None;
    }
    let end = trace.iter().position(|line| !line.is_empty() && !line.starts_with([' ', '\t']))?;
    let mut error = of_type_and_message(trace[end]);
    let innermost = trace[..end].iter().rposition(|line| line.starts_with("  File \""))?;
    if let Some((path, rest)) = trace[innermost]["  File \"".len()..].split_once("\", line ") {
        let (line, function) = rest.split_once(", in ").unwrap_or((rest, ""));
        error.place = line.parse().ok().map(|line| (path.to_owned(), line));
        error.function = Some(function.to_owned()).filter(|function| !function.is_empty());
    }
    error.line = trace[..end].get(innermost + 1).map(|line| line.trim().to_owned());
    Some(error)
}

/// An exception that nothing caught in C++: the type on one line, what it says on the next.
fn of_cpp(lines: &[&str]) -> Option<TestError> {
    let kind = lines.first()?.strip_prefix("terminate called after throwing an instance of '")?;
    let message = lines.get(1).and_then(|line| line.trim_start().strip_prefix("what():"));
    Some(TestError {
        kind: kind.trim_end_matches('\'').to_owned(),
        message: message.unwrap_or_default().trim().to_owned(),
        ..TestError::default()
    })
}

/// A report of a sanitizer: the kind of the error, and the innermost call.
fn of_sanitizer(lines: &[&str]) -> Option<TestError> {
    static FRAME: LinePattern =
        LinePattern::new("#0 0x", r"^\s+#0 0x[0-9a-f]+ in (.+?) ([^ ]+?):(\d+)(?::\d+)?$");
    let (_, said) = lines.first()?.split_once("Sanitizer: ").filter(|(head, _)| head.contains("ERROR: "))?;
    let kind = said.split_whitespace().next()?;
    let frame = lines.iter().find_map(|line| FRAME.captures(line));
    Some(TestError {
        kind: kind.to_owned(),
        function: frame.as_ref().map(|frame| frame[1].to_owned()),
        place: frame.as_ref().and_then(|frame| place(&frame[2], &frame[3])),
        ..TestError::default()
    })
}

/// A panic of Rust: the place on one line, the message on the next.
fn of_rust(lines: &[&str]) -> Option<TestError> {
    static PANIC: LinePattern =
        LinePattern::new(" panicked at ", r"^thread '.*' (?:\(\d+\) )?panicked at (.+):(\d+):\d+:$");
    let panic = lines.first().filter(|line| line.starts_with("thread '"))?;
    let panic = PANIC.captures(panic)?;
    let message = lines.get(1).copied().unwrap_or_default().trim().to_owned();
    Some(TestError {
        kind: "panic".to_owned(),
        message,
        place: place(&panic[1], &panic[2]),
        ..TestError::default()
    })
}

/// An exception of Java or JavaScript: the type and the message on one line, the innermost call on the next.
fn of_stack(lines: &[&str]) -> Option<TestError> {
    static CALL: LinePattern = LinePattern::new("at ", r"^\s+at (?:(.+?) ?\()?([^()]+?):(\d+)(?::\d+)?\)?$");
    let call = lines.get(1).filter(|line| line.trim_start().starts_with("at "))?;
    let call = CALL.captures(call)?;
    let head = lines.first()?;
    let head = match head.strip_prefix("Exception in thread \"") {
        Some(rest) => rest.split_once("\" ")?.1,
        None => head.strip_prefix("Uncaught ").unwrap_or(head),
    };
    let error = of_type_and_message(head);
    let is_type = error.kind.ends_with("Error") || error.kind.ends_with("Exception");
    is_type.then(|| TestError {
        function: call.get(1).map(|function| function.as_str().to_owned()),
        place: place(&call[2], &call[3]),
        ..error
    })
}

/// How an error on a single line looks, and how to read it.
struct LineForm {
    pattern: LinePattern,
    read: fn(&Captures<'_>) -> TestError,
}

static LINE_FORMS: [LineForm; 5] = [
    // glibc: `cart: cart.c:3: total: Assertion `n > 0' failed.`
    LineForm {
        pattern: LinePattern::new(
            "ssertion ",
            r"^[^:]+: ([^:]+):(\d+): (.+): (Assertion [`'‘](.*)['’] failed)",
        ),
        read: |found| TestError {
            kind: "assertion".to_owned(),
            message: found[4].to_owned(),
            function: Some(found[3].to_owned()),
            place: place(&found[1], &found[2]),
            line: Some(found[5].to_owned()),
        },
    },
    // `cart.c:3:7: error: …`, also `runtime error` of the sanitizers.
    LineForm {
        pattern: LinePattern::new(
            ": ",
            r"^([^:\s][^:]*):(\d+):(?:\d+:)? ((?:fatal |runtime )?error|FAILED|Failure): (.+)$",
        ),
        read: |found| TestError {
            kind: found[3].to_owned(),
            message: found[4].to_owned(),
            place: place(&found[1], &found[2]),
            ..TestError::default()
        },
    },
    // Ruby: `cart.rb:3:in `total': negative (ArgumentError)`
    LineForm {
        pattern: LinePattern::new(":in ", r"^([^:\s][^:]*):(\d+):in [`'](.+)': (.*) \(([A-Z][\w:]*)\)$"),
        read: |found| TestError {
            kind: found[5].to_owned(),
            message: found[4].to_owned(),
            function: Some(found[3].to_owned()),
            place: place(&found[1], &found[2]),
            line: None,
        },
    },
    // Perl: `negative at cart.pl line 3.`
    LineForm {
        pattern: LinePattern::new(" line ", r"^(\S.*) at (\S+) line (\d+)\.$"),
        read: |found| TestError {
            kind: "die".to_owned(),
            message: found[1].to_owned(),
            place: place(&found[2], &found[3]),
            ..TestError::default()
        },
    },
    // `error: …`, and `panic: …` of Go.
    LineForm {
        pattern: LinePattern::new(": ", r"^(panic|(?i:error|fatal|fatal error|fail|failed|failure)): (.+)$"),
        read: |found| TestError {
            kind: found[1].to_lowercase(),
            message: found[2].to_owned(),
            ..TestError::default()
        },
    },
];

fn of_one_line(line: &str) -> Option<TestError> {
    LINE_FORMS.iter().find_map(|form| form.pattern.captures(line).map(|found| (form.read)(&found)))
}

/// `ValueError: no such item`.
pub(super) fn of_type_and_message(text: &str) -> TestError {
    let (kind, message) = text.split_once(": ").unwrap_or((text.trim_end_matches(':'), ""));
    TestError { kind: kind.trim().to_owned(), message: message.trim().to_owned(), ..TestError::default() }
}

/// A file and a line of it.
pub(super) fn place(path: &str, line: &str) -> Option<(String, u32)> {
    line.parse().ok().map(|line| (path.to_owned(), line))
}
