//! stdout is the answer, stderr is the talk. Whoever stops reading (`howcome show RUN | head`) is no error.

use std::io::{self, Write};

/// Prints to stdout.
macro_rules! answer {
    ($($words:tt)*) => { $crate::streams::write(std::io::stdout(), &format!($($words)*)) };
}

/// Prints a line to stderr.
macro_rules! talk {
    ($($words:tt)*) => { $crate::streams::write(std::io::stderr(), &format!("{}\n", format_args!($($words)*))) };
}

pub(crate) use {answer, talk};

/// Writes as much as somebody wants to read.
pub(crate) fn write(mut to: impl Write, text: &str) {
    let _ = to.write_all(text.as_bytes()).and_then(|()| to.flush());
}

/// The same for bytes that are no text.
pub(crate) fn write_bytes(bytes: &[u8]) {
    let mut to = io::stdout();
    let _ = to.write_all(bytes).and_then(|()| to.flush());
}
