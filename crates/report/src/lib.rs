//! Tells people what a run found: from the record of a run to text, JSON, Markdown, a page with the picture of the
//! search, and for changes to a source tree SARIF and the annotations of GitHub.
//!
//! You provide what `run.json` and the journal say. You get a [`Summary`] of it, and from that every form of the
//! report. The wording of findings lives here, once, in the [`Account`]; the forms only lay it out.
//!
//! Nothing here reads a file, prints, or knows what time it is: the same record gives the same report.
//!
//! ```
//! use howcome_report::{Summary, text};
//! use howcome_run::{Ending, Entry, RunFile};
//! use std::path::Path;
//!
//! let run = RunFile {
//!     howcome: "0.1.0".into(),
//!     version: 1,
//!     question: howcome_run::QuestionName::Items,
//!     algorithm: howcome_run::Algorithm::Ddmin.into(),
//!     jobs: 2,
//!     started: 0,
//!     request: serde_json::Value::Null,
//! };
//! let ended = Entry::Ended { ending: Ending::Refused, conclusion: None, why: None, seconds: 0.2 };
//! let summary = Summary::of(&run, Path::new("howcome.out/1-items"), &[ended]);
//! assert!(text(&summary).starts_with("Nothing to explain"));
//! ```

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod account;
mod finding;
mod format;
mod graph;
mod picture;
mod trail;

pub use account::exhibit::{DiffMark, Exhibit};
pub use account::section::Section;
pub use account::{Account, Claim, NextStep, Standing};

pub use format::annotations::annotations;
pub use format::html::{escape, html};
pub use format::json::{JSON_SCHEMA, SCHEMA, json};
pub use format::markdown::markdown;
pub use format::sarif::sarif;
pub use format::text::{text, trail};
pub use graph::picture::graph_svg;
pub use howcome_run::words::{
    compact, count, cut, duration, moment, percent, plural, printable, printable_lines, seconds, shell_word,
    size, thousands,
};
pub use picture::search::picture;
pub use trail::sizes::{history, yields};
pub use trail::step::TrailStep;
pub use trail::summary::{Check, Contradiction, StageSummary, Summary, TestCounts};
