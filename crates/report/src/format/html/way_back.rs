//! How a reader of the page asks where a step of a chain comes from.

use crate::finding::chain::proof::before;
use crate::format::escape::escape;
use howcome_run::words::shell_word;
use std::fmt::{self, Write};

/// What stands at each step of a chain: a command to copy, or something of the page's owner.
pub enum WayBackLink<'a> {
    /// The command for a terminal.
    Command,
    /// HTML for a step, counted from 1.
    Html(&'a dyn Fn(usize) -> String),
}

impl fmt::Debug for WayBackLink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WayBackLink::Command => "Command",
            WayBackLink::Html(_) => "Html",
        })
    }
}

impl WayBackLink<'_> {
    pub(crate) fn write(&self, to: &mut String, run: &str, step: usize) -> fmt::Result {
        match self {
            WayBackLink::Command => {
                let command = escape(&before(&shell_word(run), step));
                writeln!(to, r#"<p class="ask">How did this come to be? <code>{command}</code></p>"#)
            }
            WayBackLink::Html(html) => writeln!(to, "{}", html(step)),
        }
    }
}
