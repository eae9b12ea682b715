//! Tells people what a run found: from the record of a run to text, JSON, Markdown and a page with the picture of the
//! search.
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
//!     question: "items".into(),
//!     algorithm: "ddmin".into(),
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
mod html;
mod json;
mod markdown;
mod picture;
mod printable;
mod proof;
mod quantity;
mod reader;
mod scale;
mod summary;
mod text;
mod trail;

pub use account::{Account, Claim, Exhibit, Next, Standing};
pub use html::{escape, html};
pub use json::{SCHEMA, json};
pub use markdown::markdown;
pub use picture::picture;
pub use printable::{compact, cut, printable, printable_lines, shell_word};
pub use quantity::{count, duration, moment, percent, plural, seconds, size, thousands};
pub use summary::{Check, Contradiction, Counts, Stage, Summary};
pub use text::{text, trail};
pub use trail::TrailStep;
