//! What is said at one place of the source.

use crate::places::span::SourceSpan;
use howcome_run::words::printable_lines;
use std::rc::Rc;

/// A place, and what to say about it.
pub(crate) struct Message {
    pub(crate) span: SourceSpan,
    /// The lines there.
    pub(crate) lines: Vec<String>,
    /// Related places, each with a message.
    pub(crate) related: Rc<[(SourceSpan, String)]>,
    /// The places that lead to the failure, in the order of the run.
    pub(crate) flow: Vec<(SourceSpan, String)>,
    /// The commit that it comes from.
    pub(crate) commit: Option<String>,
    pub(crate) title: &'static str,
    pub(crate) text: String,
    pub(crate) severity: Severity,
}

impl Message {
    /// A message about a place and nothing else.
    pub(crate) fn at(span: SourceSpan, title: &'static str, text: String, severity: Severity) -> Self {
        let lines = span.snippet.iter().flat_map(|snippet| printable_lines(snippet)).collect();
        Self { span, lines, related: Rc::new([]), flow: Vec::new(), commit: None, title, text, severity }
    }
}

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    /// It makes the test fail.
    Error,
    /// It might make the test fail.
    Warning,
    /// It fixes the failure.
    Note,
}
