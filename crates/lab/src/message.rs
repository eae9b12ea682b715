//! The essence of a crash message: the message without what differs from run to run.

use crate::{Captured, Execution};

/// The message of a crash, if the output has one in a known form.
///
/// Two runs that crash for the same reason have the same essence: numbers and addresses are removed, the names of
/// functions are kept.
#[must_use]
pub fn essence(execution: &Execution) -> Option<String> {
    [&execution.stderr, &execution.stdout].into_iter().find_map(essence_of)
}

fn essence_of(stream: &Captured) -> Option<String> {
    stream.pieces().find_map(|piece| {
        let text = String::from_utf8_lossy(piece);
        let lines: Vec<&str> = text.lines().collect();
        (0..lines.len()).find_map(|at| recognise(lines[at], &lines[at + 1..]))
    })
}

fn recognise(line: &str, after: &[&str]) -> Option<String> {
    let next = after.first().copied().unwrap_or_default();
    // Rust: the place on one line, the message on the next.
    if line.starts_with("thread '") && line.contains(" panicked at ") {
        let (_, place) = line.split_once(" panicked at ")?;
        return Some(plain(&format!("panicked at {place} {next}")));
    }
    // The sanitizers: the kind of error, and the innermost function.
    if let Some((_, said)) = line.split_once("Sanitizer: ").filter(|_| line.contains("ERROR: ")) {
        let kind = said.split_whitespace().next()?;
        let frame = after.iter().find_map(|line| line.trim_start().strip_prefix("#0 "));
        let function = frame.and_then(|frame| frame.split_once(" in ")).map_or("", |(_, function)| function);
        let function = function.split_whitespace().next().unwrap_or_default();
        return Some(plain(&format!("{kind} in {function}")));
    }
    // C++: the type of the exception on one line, what it says on the next.
    if line.starts_with("terminate called") {
        return Some(plain(&format!("{line} {}", next.trim())));
    }
    // Python: the exception comes after the indented trace, whose last function is the innermost one. Quoted text is
    // mostly a piece of the input.
    if line.starts_with("Traceback (most recent call last)") {
        let end = after.iter().position(|line| !line.is_empty() && !line.starts_with([' ', '\t']))?;
        let function = after[..end].iter().rev().find_map(|line| {
            line.trim_start().strip_prefix("File ").and_then(|place| place.rsplit_once(", in "))
        });
        let function = function.map_or(String::new(), |(_, function)| format!(" in {function}"));
        return Some(plain(&format!("{}{function}", without_quoted(after[end]))));
    }
    // JavaScript: an uncaught error, and the innermost function.
    if let Some(function) = next.strip_prefix("    at ")
        && line.split_once(": ").is_some_and(|(name, _)| is_name_of_error(name))
    {
        let function = function.split(" (").next().unwrap_or_default();
        return Some(plain(&format!("{} in {function}", without_quoted(line))));
    }
    // Java: the innermost function comes after the message.
    if line.starts_with("Exception in thread ") {
        let function = next.trim().strip_prefix("at ").and_then(|at| at.split('(').next());
        return Some(plain(&format!("{line} in {}", function.unwrap_or_default())));
    }
    let is_known = KNOWN_BEGINNINGS.iter().any(|begin| line.starts_with(begin))
        || line.contains("internal compiler error: ")
        || line.contains(": runtime error: ")
        || line.contains("LLVM ERROR: ")
        || (line.contains("ssertion ") && line.contains(" failed"));
    is_known.then(|| plain(line))
}

/// How the error messages of some runtimes begin: those of Go, C, Python, PHP and OCaml.
const KNOWN_BEGINNINGS: [&str; 16] = [
    "panic: ",
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
    "Fatal error: ",
    "PHP Fatal error: ",
    "# Fatal error in ",
    "UNREACHABLE executed",
];

fn is_name_of_error(name: &str) -> bool {
    let name = name.strip_prefix("Uncaught ").unwrap_or(name);
    name.ends_with("Error") && name.chars().all(char::is_alphanumeric)
}

/// Removes text in quotes, which is mostly a piece of the input.
#[must_use]
pub fn without_quoted(text: &str) -> String {
    let mut kept = String::new();
    let mut quote = None;
    let mut before = ' ';
    for character in text.chars() {
        // The apostrophe of `can't` is not a quote.
        let is_in_word = character == '\'' && before.is_alphanumeric();
        before = character;
        match quote {
            Some(open) if character == open => {
                quote = None;
                kept.push(character);
            }
            Some(_) => {}
            None => {
                quote = match character {
                    '\'' if is_in_word => None,
                    '\'' | '"' | '`' => Some(character),
                    '‘' => Some('’'),
                    _ => None,
                };
                kept.push(character);
            }
        }
    }
    kept
}

/// Replaces numbers and addresses by `#`, also inside words such as the name of a temporary file.
pub(crate) fn plain(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|character: char| character.is_ascii_digit()) {
        result.push_str(&rest[..at]);
        result.push('#');
        rest = &rest[at..];
        let is_digit: fn(char) -> bool = match rest.strip_prefix("0x") {
            Some(digits) => {
                rest = digits;
                |character| character.is_ascii_hexdigit()
            }
            None => |character| character.is_ascii_digit(),
        };
        rest = rest.trim_start_matches(is_digit);
    }
    result.push_str(rest);
    // Numbers are sometimes padded with blanks.
    result.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestEnding;

    fn essence_of(stderr: &str) -> Option<String> {
        essence(&Execution { stderr: Captured::whole(stderr), ..Execution::new(TestEnding::Signal(6)) })
    }

    fn assert_essence(stderr: &str, expected: &str) {
        assert_eq!(essence_of(stderr).as_deref(), Some(expected));
    }

    #[test]
    fn crash_messages_of_many_languages_are_known() {
        assert_essence(
            "reading\n\nthread 'main' (81) panicked at src/lib.rs:10:5:\nindex out of bounds: the len is 3 but the \
             index is 7\nnote: run with",
            "panicked at src/lib.rs:#:#: index out of bounds: the len is # but the index is #",
        );
        assert_essence(
            "a.out: x.c:3: f: Assertion `p != 0' failed.",
            "a.out: x.c:#: f: Assertion `p != #' failed.",
        );
        assert_essence(
            "terminate called after throwing an instance of 'std::out_of_range'\n  what():  at: 12 >= 3\n",
            "terminate called after throwing an instance of 'std::out_of_range' what(): at: # >= #",
        );
        assert_essence(
            "Traceback (most recent call last):\n  File \"x.py\", line 3, in f\n    1/0\nZeroDivisionError: division",
            "ZeroDivisionError: division in f",
        );
        assert_essence(
            "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n    f()\n  File \"x.py\", line 1, in f\n    \
             int(x)\nValueError: invalid literal for int() with base 10: 'abc'\n",
            "ValueError: invalid literal for int() with base #: '' in f",
        );
        assert_essence(
            "x.js:1\nf(\n ^\n\nTypeError: Cannot read properties of undefined (reading 'a')\n    at f (/x/y.js:1:7)\n",
            "TypeError: Cannot read properties of undefined (reading '') in f",
        );
        assert_essence("free(): invalid pointer\nAborted", "free(): invalid pointer");
        assert_essence(
            "==77==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x4\nREAD of size 1\n    \
             #0 0x4f12 in parse(char*) x.cc:7\n    #1 0x4f99 in main",
            "heap-use-after-free in parse(char*)",
        );
        assert_essence("panic: boom 12\n\ngoroutine 1", "panic: boom #");
        assert_essence(
            "Exception in thread \"main\" java.lang.IllegalStateException: no\n\tat a.B.c(B.java:12)\n",
            "Exception in thread \"main\" java.lang.IllegalStateException: no in a.B.c",
        );
        assert_essence(
            "x.c:3:1: internal compiler error: in f, at g.cc:99",
            "x.c:#:#: internal compiler error: in f, at g.cc:#",
        );
    }

    #[test]
    fn addresses_and_numbers_do_not_matter_but_words_do() {
        assert_eq!(plain("at 0xdeadBEEF: 12 of 0x"), "at #: # of #");
        assert_eq!(plain("[line 10]"), plain("[line  9]"));
        assert_ne!(essence_of("panic: a 1"), essence_of("panic: b 1"));
        assert_eq!(essence_of("panic: a 1"), essence_of("panic: a 234"));
    }

    #[test]
    fn an_apostrophe_is_not_a_quote() {
        assert_eq!(without_quoted("'utf-8' codec can't decode 'x'"), "'' codec can't decode ''");
    }

    #[test]
    fn ordinary_output_has_no_essence() {
        assert_eq!(essence_of("error: 3 of 4 tests failed\nwarning: unused"), None);
    }
}
