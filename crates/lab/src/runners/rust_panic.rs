//! Panics of Rust, as the standard library prints them.

use super::TestError;

/// A panic: the thread that panicked, and the error.
pub(super) struct RustPanic<'a> {
    pub thread: &'a str,
    pub error: TestError,
}

/// All panics that are told in these lines.
pub(super) fn read_panics<'a>(lines: &[&'a str]) -> Vec<RustPanic<'a>> {
    (0..lines.len()).filter_map(|at| read_panic(&lines[at..])).collect()
}

/// The panic that the first of these lines tells about.
fn read_panic<'a>(lines: &[&'a str]) -> Option<RustPanic<'a>> {
    let rest = lines[0].trim_start().strip_prefix("thread '")?;
    let (thread, rest) = rest.split_once('\'')?;
    // Since Rust 1.90 the number of the thread comes after its name.
    let rest = rest
        .trim_start()
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(')'))
        .map_or(rest, |(_, rest)| rest);
    let said = rest.trim_start().strip_prefix("panicked at ")?;
    let (message, place, after) = match said.strip_prefix('\'') {
        Some(said) => old_style(said, lines)?,
        None => {
            let message = lines[1..].iter().map(|line| line.trim()).take_while(|line| !is_end(line));
            let message: Vec<&str> = message.take(MESSAGE_LINES).collect();
            let after = 1 + message.len();
            (message.join(" "), place_in(said.strip_suffix(':')?)?, after)
        }
    };
    let kind = if message.starts_with("assertion ") { "assertion" } else { "panic" };
    let function = function_at(&lines[after..], &place);
    let error = TestError {
        kind: kind.to_owned(),
        message,
        function,
        place: Some(place),
        line: None,
        ..TestError::default()
    };
    Some(RustPanic { thread, error })
}

/// How many lines of a message are kept.
const MESSAGE_LINES: usize = 6;

/// Before Rust 1.73 the message was quoted and came before the place: `panicked at 'no', src/lib.rs:3:5`.
fn old_style(said: &str, lines: &[&str]) -> Option<(String, (String, u32), usize)> {
    let mut message = Vec::new();
    for (at, line) in lines.iter().take(50).enumerate() {
        let line = if at == 0 { said } else { line.trim() };
        if let Some((last, place)) = line.rsplit_once("', ")
            && let Some(place) = place_in(place)
        {
            message.push(last);
            message.truncate(MESSAGE_LINES);
            return Some((message.join(" "), place, at + 1));
        }
        message.push(line);
    }
    None
}

fn is_end(line: &str) -> bool {
    line.is_empty()
        || line.starts_with("note: ")
        || line == "stack backtrace:"
        || line.starts_with("thread '")
}

/// `src/lib.rs:3:5`.
pub(super) fn place_in(text: &str) -> Option<(String, u32)> {
    let (rest, column) = text.trim().rsplit_once(':')?;
    column.parse::<u32>().ok()?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file.to_owned(), line.parse().ok()?))
}

/// The function of the frame at a place, if a backtrace is printed right after the panic.
fn function_at(lines: &[&str], place: &(String, u32)) -> Option<String> {
    let start = lines.iter().take(3).position(|line| line.trim() == "stack backtrace:")?;
    let mut function = None;
    for line in lines[start + 1..].iter().map(|line| line.trim()) {
        if let Some(at) = line.strip_prefix("at ") {
            let is_same = place_in(at).is_some_and(|(file, line)| {
                line == place.1 && file.trim_start_matches("./").ends_with(place.0.trim_start_matches("./"))
            });
            if is_same {
                return function;
            }
        } else {
            let (number, name) = line.split_once(": ")?;
            number.parse::<u32>().ok()?;
            function = Some(name.to_owned());
        }
    }
    None
}
