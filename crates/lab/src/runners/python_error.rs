//! Python exceptions and tracebacks, as the interpreter prints them.

use super::TestError;

/// The type and the message of an exception from its last line: `json.decoder.JSONDecodeError: Expecting value`. The type is
/// without its module, because not every format prints the module. `None` if the text does not begin with a type.
pub(super) fn split_exception(text: &str) -> Option<(&str, &str)> {
    let (name, message) = match text.split_once(':') {
        Some((name, message)) if message.is_empty() || message.starts_with(' ') => (name, message.trim()),
        Some(_) => return None,
        None => (text.trim_end(), ""),
    };
    let kind = name.rsplit('.').next()?;
    let is_name = |part: &str| {
        part.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && part.chars().all(|character| character.is_alphanumeric() || character == '_')
            || part == "<locals>"
    };
    // A type's name begins with a capital, or has an underscore or a module before it: `socket.timeout`.
    let is_type = kind.starts_with(char::is_uppercase) || name.contains('.');
    (name.split('.').all(is_name) && is_type).then_some((kind, message))
}

/// The frame line of a traceback: `File "cart.py", line 3, in total`. The function is missing for a syntax error.
pub(super) fn split_frame(line: &str) -> Option<(String, u32, Option<&str>)> {
    let (file, rest) = line.trim_start().strip_prefix("File \"")?.split_once("\", line ")?;
    let (number, function) = match rest.split_once(", in ") {
        Some((number, function)) => (number, Some(function)),
        None => (rest, None),
    };
    Some((file.to_owned(), number.trim_end_matches(',').parse().ok()?, function))
}

/// The error that a printed traceback ends with. Of chained exceptions the last one counts.
pub(super) fn read_traceback(lines: &[&str]) -> Option<TestError> {
    let start = lines.iter().rposition(|line| line.trim() == "Traceback (most recent call last):")?;
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let base = indentation(lines[start]);
    let trace = &lines[start + 1..];
    let end = trace.iter().position(|line| !line.trim().is_empty() && indentation(line) <= base)?;
    let mut error = TestError::default();
    for (at, line) in trace[..end].iter().enumerate() {
        if let Some((file, number, function)) = split_frame(line) {
            error.place = Some((file, number));
            error.function = function.map(str::to_owned);
            let shown = trace[..end].get(at + 1).filter(|shown| indentation(shown) > indentation(line));
            error.line = shown.map(|shown| shown.trim().to_owned());
        }
    }
    let (kind, message) = split_exception(trace[end].trim()).unwrap_or(("", trace[end].trim()));
    error.kind = kind.to_owned();
    let continued = || trace[end + 1..].iter().map(|line| line.trim()).find(|line| !line.is_empty());
    error.message = if message.is_empty() { continued().unwrap_or_default() } else { message }.to_owned();
    Some(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_is_split_into_its_type_and_its_message() {
        assert_eq!(split_exception("ValueError: no: x"), Some(("ValueError", "no: x")));
        assert_eq!(split_exception("json.decoder.JSONDecodeError: x"), Some(("JSONDecodeError", "x")));
        assert_eq!(split_exception("socket.timeout"), Some(("timeout", "")));
        assert_eq!(split_exception("AssertionError"), Some(("AssertionError", "")));
        assert_eq!(split_exception("assert 1 == 2"), None);
        assert_eq!(split_exception("fixture 'x' not found"), None);
        assert_eq!(split_exception("http://x: y"), None);
    }
}
