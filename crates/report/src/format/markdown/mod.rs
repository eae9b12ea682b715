//! The report in Markdown.

pub(crate) mod chain;
pub(crate) mod markup;
pub(crate) mod report;
