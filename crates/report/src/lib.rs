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
mod annotations;
mod answer;
mod cause;
mod chain;
mod chain_columns;
mod chain_fold;
mod chain_message;
mod chain_place;
mod chain_proof;
mod chain_skipped;
mod chain_table;
mod chain_transition;
mod chain_words;
mod change;
mod commit;
mod confirmation;
mod difference;
mod evidence;
mod exhibit;
mod finding;
mod graph_layout;
mod graph_lines;
mod graph_order;
mod graph_part;
mod graph_picture;
mod history;
mod history_answer;
mod history_line;
mod history_picture;
mod history_place;
mod history_sections;
mod history_skipped;
mod html;
mod html_chain;
mod html_exhibit;
mod html_step;
mod json;
mod lenient;
mod markdown;
mod markdown_chain;
mod message;
mod patch;
mod picture;
mod printable;
mod proof;
mod quantity;
mod reader;
mod sarif;
mod scale;
mod section;
mod size_curve;
mod sizes;
mod smaller_input;
mod spot;
mod summary;
mod text;
mod trail;

pub use account::{Account, Claim, Next, Standing};
pub use annotations::annotations;
pub use commit::Commit;
pub use exhibit::{Exhibit, Mark};
pub use howcome_run::words::{
    compact, count, cut, duration, moment, percent, plural, printable, printable_lines, seconds, shell_word,
    size, thousands,
};
pub use html::{escape, html};
pub use json::{SCHEMA, json};
pub use markdown::markdown;
pub use picture::picture;
pub use sarif::sarif;
pub use section::Section;
pub use sizes::{Yield, hex_dump, history, yields};
pub use summary::{Check, Contradiction, Counts, Stage, Summary};
pub use text::{text, trail};
pub use trail::TrailStep;
