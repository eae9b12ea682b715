//! Crashes of C, C++, Rust and Go, and reports of sanitizers.

use super::place::{split_place, whole_place};
use crate::runners::TestError;

/// How messages of the C library, of runtimes and of compilers begin when they give up.
const FATAL: [&str; 13] = [
    "fatal error: ",
    "*** stack smashing",
    "*** buffer overflow",
    "malloc(): ",
    "free(): ",
    "realloc(): ",
    "munmap_chunk(): ",
    "double free or corruption",
    "corrupted size",
    "corrupted double-linked",
    "Fatal Python error: ",
    "# Fatal error in ",
    "UNREACHABLE executed",
];

/// How shells and `make` name the signals that end programs.
pub(super) const SIGNALS: [&str; 7] = [
    "Segmentation fault",
    "Aborted",
    "Bus error",
    "Floating point exception",
    "Illegal instruction",
    "Trace/breakpoint trap",
    "Killed",
];

pub(super) fn read(line: &str, after: &[&str]) -> Option<TestError> {
    rust_panic(line, after)
        .or_else(|| sanitizer(line, after))
        .or_else(|| cpp_exception(line, after))
        .or_else(|| go_panic(line, after))
        .or_else(|| c_assertion(line))
        .or_else(|| killed(line))
        .or_else(|| fatal(line))
}

/// `thread 'main' panicked at src/lib.rs:10:5:`, then the message; older: `thread 'main' panicked at 'message', src/lib.rs:10:5`.
fn rust_panic(line: &str, after: &[&str]) -> Option<TestError> {
    let said = line.strip_prefix("thread '")?.split_once(" panicked at ")?.1;
    let (message, place) = match said.strip_prefix('\'').and_then(|said| said.rsplit_once("', ")) {
        Some((message, place)) => (message.to_owned(), whole_place(place)),
        None => (after.first().copied().unwrap_or_default().to_owned(), whole_place(said)),
    };
    Some(TestError { kind: "panic".to_owned(), message, place, ..TestError::default() })
}

/// `==1==ERROR: AddressSanitizer: heap-use-after-free on address …`, then frames `#0 0x4f12 in parse(char*) x.cc:7:3`.
fn sanitizer(line: &str, after: &[&str]) -> Option<TestError> {
    if let Some((place, said)) = split_place(line)
        && let Some(message) = said.trim_start_matches(':').trim_start().strip_prefix("runtime error: ")
    {
        let kind = "runtime error".to_owned();
        return Some(TestError {
            kind,
            message: message.to_owned(),
            place: Some(place),
            ..TestError::default()
        });
    }
    let (_, said) = line.split_once("Sanitizer: ").filter(|_| line.contains("ERROR: "))?;
    let kind = said.split_whitespace().next()?.to_owned();
    let frame = after.iter().find_map(|line| line.trim_start().strip_prefix("#0 "));
    let frame = frame.and_then(|frame| frame.split_once(" in ")).map_or("", |(_, frame)| frame);
    let (function, place) = frame.rsplit_once(' ').unwrap_or((frame, ""));
    let function = Some(function.to_owned()).filter(|function| !function.is_empty());
    Some(TestError { kind, function, place: whole_place(place), ..TestError::default() })
}

/// `terminate called after throwing an instance of 'std::out_of_range'`, then `  what():  message`.
fn cpp_exception(line: &str, after: &[&str]) -> Option<TestError> {
    let said = line.strip_prefix("terminate called")?;
    let kind = said.split_once("instance of ").map_or("terminate", |(_, kind)| kind.trim_matches('\''));
    let what = after.first().and_then(|line| line.trim().strip_prefix("what():"));
    let message = what.map(str::trim).unwrap_or_default().to_owned();
    Some(TestError { kind: kind.to_owned(), message, ..TestError::default() })
}

/// `panic: message`, then `goroutine 1 [running]:`, then the innermost function and its place.
fn go_panic(line: &str, after: &[&str]) -> Option<TestError> {
    let message = line.strip_prefix("panic: ")?;
    let frames = after.iter().position(|line| line.starts_with("goroutine ")).map(|at| &after[at + 1..]);
    let mut frames = frames.unwrap_or_default().chunks(2);
    // The runtime and the package of tests are not the program.
    let own = frames
        .find(|frame| !["panic(", "runtime.", "testing."].iter().any(|known| frame[0].starts_with(known)));
    let function = own.and_then(|frame| frame[0].rsplit_once('(')).map(|(function, _)| function.to_owned());
    let place = own.and_then(|frame| frame.get(1)).and_then(|place| {
        let place = place.trim().split(" +0x").next()?;
        whole_place(place)
    });
    let message = message.trim_end_matches(" [recovered]").to_owned();
    Some(TestError { kind: "panic".to_owned(), message, function, place, ..TestError::default() })
}

/// ``a.out: x.c:3: f: Assertion `p != 0' failed.``
fn c_assertion(line: &str) -> Option<TestError> {
    let (front, condition) = line.split_once("ssertion ").filter(|(_, rest)| rest.contains(" failed"))?;
    let condition = condition.split(" failed").next().unwrap_or_default();
    let message = condition.trim_matches(['`', '\'', '"', '(', ')']).to_owned();
    let mut parts = front.split(": ");
    let place = parts.by_ref().find_map(whole_place);
    let function = parts.next().filter(|part| !part.is_empty() && *part != "A").map(str::to_owned);
    let error = TestError { kind: "assertion".to_owned(), message, place, ..TestError::default() };
    Some(TestError { function, ..error })
}

/// What `make` and shells say about a program that a signal ended: `make: *** [Makefile:9: test] Segmentation fault (core dumped)`,
/// `./x.sh: line 3: 4711 Aborted ./prog`.
fn killed(line: &str) -> Option<TestError> {
    let kind = SIGNALS.iter().find(|signal| line.contains(**signal))?;
    let (before, _) = line.split_once(kind)?;
    let is_alone = before.is_empty();
    let is_from_make = before.contains("*** [") && before.ends_with("] ");
    let is_from_shell =
        before.contains(": line ") && before.trim_end().ends_with(|c: char| c.is_ascii_digit());
    let is_known = is_alone || is_from_make || is_from_shell;
    is_known.then(|| TestError { kind: (*kind).to_owned(), ..TestError::default() })
}

fn fatal(line: &str) -> Option<TestError> {
    let is_known = FATAL.iter().any(|begin| line.starts_with(begin))
        || line.contains("internal compiler error: ")
        || line.contains("LLVM ERROR: ");
    is_known.then(|| TestError {
        kind: "fatal error".to_owned(),
        message: line.to_owned(),
        ..TestError::default()
    })
}
