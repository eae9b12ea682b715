//! JavaScript errors and stacks, as node and the runners on it print them.

use super::TestError;

/// The type and the message of an error: `TypeError: x is not a function`, `AssertionError [ERR_ASSERTION]: …`.
pub(super) fn split_js_error(line: &str) -> Option<(&str, &str)> {
    let (name, message) = line.split_once(": ").unwrap_or((line.trim_end_matches(':'), ""));
    let name = name.strip_prefix("Uncaught ").unwrap_or(name);
    // The code or the class is in brackets: `RangeError [Error]`.
    let name = name.split_once(" [").filter(|(_, code)| code.ends_with(']')).map_or(name, |(name, _)| name);
    let is_name = name.chars().all(|character| character.is_alphanumeric() || "_$.".contains(character));
    let is_error = ["Error", "Exception", "Failure"].iter().any(|end| name.ends_with(end));
    (is_name && is_error).then_some((name, message.trim()))
}

/// A frame of a stack.
pub(super) struct JsFrame {
    /// Anonymous functions have no name here.
    pub function: Option<String>,
    pub place: (String, u32),
}

impl JsFrame {
    /// Whether the frame is in node itself or in a package, not in the project.
    pub(super) fn is_foreign(&self) -> bool {
        let file = &self.place.0;
        file.starts_with("node:") || file.contains("node_modules/") || file.starts_with("internal/")
    }
}

/// `at Cart.add (cart.js:4:27)`, `at cart.js:4:27`, also without the `at`.
pub(super) fn split_js_frame(line: &str) -> Option<JsFrame> {
    let line = line.trim_end_matches(" {").trim();
    let line = line.strip_prefix("at ").unwrap_or(line);
    let (function, place) = match line.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
        Some((function, place)) => (Some(function), place),
        None => (None, line.strip_prefix("async ").unwrap_or(line)),
    };
    let (rest, column) = place.rsplit_once(':')?;
    let (file, number) = rest.rsplit_once(':')?;
    column.parse::<u32>().ok()?;
    let function = function.map(|function| function.strip_prefix("async ").unwrap_or(function));
    // A method is called by its name as a property: `Cart.name [as first]` is `Cart.first`.
    let method =
        |function: &str| match function.strip_suffix(']').and_then(|function| function.split_once(" [as ")) {
            Some((name, method)) => {
                name.rsplit_once('.').map_or(method.to_owned(), |(class, _)| format!("{class}.{method}"))
            }
            None => function.to_owned(),
        };
    let function = function.filter(|function| !function.contains("<anonymous>")).map(method);
    let file = file.strip_prefix("file://").unwrap_or(file);
    let is_file = !file.is_empty() && (function.is_some() || !file.contains(' '));
    is_file.then_some(JsFrame { function, place: (file.to_owned(), number.parse().ok()?) })
}

/// Whether a line is a frame of a stack, and not text that begins with the word `at`.
pub(super) fn is_js_frame(line: &str) -> bool {
    line.trim_start().starts_with("at ")
        && (split_js_frame(line).is_some() || line.ends_with("(<anonymous>)"))
}

/// Sets the function and the place of an error from the frames of its stack: the innermost that is in the project.
pub(super) fn add_stack<'a>(error: &mut TestError, lines: impl Iterator<Item = &'a str>) {
    let frame = lines.filter_map(split_js_frame).find(|frame| !frame.is_foreign());
    if let Some(frame) = frame {
        (error.function, error.place) = (frame.function, Some(frame.place));
    }
}

/// How many lines of a message are kept.
const MESSAGE_LINES: usize = 4;

/// The first lines of a message that are not blank, as one line.
pub(super) fn join_message<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let lines = lines.map(str::trim).filter(|line| !line.is_empty()).take(MESSAGE_LINES);
    lines.collect::<Vec<_>>().join(" ")
}

/// The last error with a stack in these lines: its message begins in one line, and the stack follows.
pub(super) fn read_js_error(lines: &[&str]) -> Option<TestError> {
    let first_frames = (0..lines.len())
        .rev()
        .filter(|at| is_js_frame(lines[*at]) && (*at == 0 || !is_js_frame(lines[at - 1])));
    first_frames.into_iter().find_map(|frames| {
        // A message has few lines; the diff of an assertion can have many.
        let start = (frames.saturating_sub(200)..frames)
            .rev()
            .find(|at| split_js_error(lines[*at].trim()).is_some())?;
        let (kind, message) = split_js_error(lines[start].trim())?;
        let message = join_message([message].into_iter().chain(lines[start + 1..frames].iter().copied()));
        let mut error = TestError { kind: kind.to_owned(), message, ..TestError::default() };
        add_stack(
            &mut error,
            lines[frames..].iter().copied().take_while(|line| line.trim_start().starts_with("at ")),
        );
        if error.place.is_none() {
            // Node prints the place of a syntax error, and the line, before the error.
            let header = |at: &usize| split_header(lines[*at]);
            if let Some(at) = (start.saturating_sub(8)..start).rev().find(|at| header(at).is_some()) {
                error.place = header(&at);
                error.line =
                    lines.get(at + 1).map(|line| line.trim().to_owned()).filter(|line| !line.is_empty());
            }
        }
        Some(error)
    })
}

/// `/tmp/project/cart.js:3`.
fn split_header(line: &str) -> Option<(String, u32)> {
    let (file, number) = line.rsplit_once(':')?;
    let is_file = !file.starts_with("node:") && !file.contains(' ') && file.contains('.');
    is_file
        .then(|| Some((file.strip_prefix("file://").unwrap_or(file).to_owned(), number.parse().ok()?)))
        .flatten()
}

/// Whether an error says that a file cannot be loaded, in contrast to an error in the code of a test.
pub(super) fn is_load_error(error: &TestError) -> bool {
    let said = |text: &str| error.message.contains(text);
    error.kind == "SyntaxError"
        || said("Cannot find module")
        || said("Cannot find package")
        || said("Failed to resolve import")
        || said("Failed to load url")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_split_into_function_and_place() {
        let frame = split_js_frame("    at Cart.add (/tmp/cart.js:4:27)").unwrap();
        assert_eq!(
            (frame.function.as_deref(), frame.place),
            (Some("Cart.add"), ("/tmp/cart.js".to_owned(), 4))
        );
        let frame = split_js_frame("at async file:///tmp/cart.mjs:4:27").unwrap();
        assert_eq!((frame.function, frame.place.0.as_str()), (None, "/tmp/cart.mjs"));
        assert!(split_js_frame("at node:internal/x:1:2").unwrap().is_foreign());
        assert!(split_js_frame("at new Promise (<anonymous>)").is_none());
    }
}
