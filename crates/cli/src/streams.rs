//! Standard output carries the answer, standard error everything else. A reader that closes the pipe (`howcome show RUN | head`) is
//! not an error.

use crate::terminal::paint_of_talk;
use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Prints to stdout.
macro_rules! answer {
    ($($words:tt)*) => { $crate::streams::write(std::io::stdout(), &format!($($words)*)) };
}

/// Prints a line to stderr.
macro_rules! talk {
    ($($words:tt)*) => { $crate::streams::write_message(&format!("{}\n", format_args!($($words)*))) };
}

pub(crate) use {answer, talk};

/// The answer could not be written, and the reader did not close the pipe.
static LOST: AtomicBool = AtomicBool::new(false);

/// Whether a part of the answer was lost, as on a full disk.
pub(crate) fn is_answer_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Prints a value to stdout, as indented JSON.
pub(crate) fn print_json(value: &serde_json::Value) {
    answer!("{value:#}\n");
}

/// Writes until the reader closes the pipe.
pub(crate) fn write(to: impl Write, text: &str) {
    write_bytes(to, text.as_bytes());
}

/// Writes a message to standard error, the word that it starts with in its colour.
pub(crate) fn write_message(text: &str) {
    let paint = paint_of_talk();
    let mut painted = String::new();
    for line in text.split_inclusive('\n') {
        let kinds = [
            ("error:", paint.red("error:")),
            ("warning:", paint.yellow("warning:")),
            ("hint:", paint.cyan("hint:")),
        ];
        match kinds.into_iter().find(|(kind, _)| line.starts_with(kind)) {
            Some((kind, in_colour)) => painted.extend([&in_colour, &line[kind.len()..]]),
            None => painted.push_str(line),
        }
    }
    write(std::io::stderr(), &painted);
}

/// The same for bytes that are not text.
pub(crate) fn write_bytes(mut to: impl Write, bytes: &[u8]) {
    if let Err(error) = to.write_all(bytes).and_then(|()| to.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        LOST.store(true, Ordering::Relaxed);
    }
}
