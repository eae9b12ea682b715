//! Tells people what a run found: as text, JSON, Markdown, a page with pictures, SARIF, and annotations of GitHub.
//!
//! **What you provide:** what `run.json` and the journal of a run say.
//! **What you get:** a [`Summary`] of it, and from that every form of the report. The wording of findings is here, once: an
//! [`Account`] is what there is to say, and the forms lay it out. [`JSON_SCHEMA`] describes the JSON.
//! **What it is not for:** deciding anything. It reads no file, prints nothing and does not know the time: the same record
//! gives the same report.
//!
//! ```
//! use howcome_report::{Summary, TextForm, json, text};
//! use howcome_run::{
//!     Algorithm, Conclusion, Ending, Entry, Finding, ItemsFinding, Minimal, QuestionName, RunFile, Unit, Verified,
//! };
//! use std::path::Path;
//!
//! let run = RunFile {
//!     howcome: "0.1.0".into(),
//!     version: 1,
//!     question: QuestionName::Items,
//!     algorithm: Algorithm::Ddmin.into(),
//!     jobs: 2,
//!     started: 0,
//!     request: serde_json::Value::Null,
//!     inputs: howcome_run::InputHashes::new(),
//! };
//! let found = ItemsFinding { items: vec!["-O2".into()], of: Some(8), ..ItemsFinding::default() };
//! let conclusion = Conclusion {
//!     finding: Finding::Items(found).into(),
//!     minimal: Minimal::new(Unit::Item, true),
//!     verified: Verified::default(),
//!     confidence: None,
//! };
//! let ended = Entry::Ended { ending: Ending::Found, conclusion: Some(conclusion), why: None, seconds: 0.2 };
//! let summary = Summary::of(&run, Path::new("howcome.out/1-items"), &[ended]);
//! assert!(text(&summary, TextForm::PLAIN).starts_with("1 of 8 items is enough to make the test fail.\n\n    -O2\n"));
//! assert!(json(&summary)?.contains(r#""question": "items""#));
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `trail/` | what the record says: `reader` reads it, `summary` is the result, `step` one question of the trail, `sizes` how large an input was after each test |
//! | `finding/` | the wording of each finding, a file or folder for each question: `items`, `input`, `difference`, and the three below |
//! | `finding/changes/` | `answer` in one sentence, `evidence` (the lines and what belongs to them), `confirmation`; a single `change`, the whole `hunk` around it, a `commit`, the lines of a `patch` |
//! | `finding/history/` | `answer`, `sections`, the `line` of revisions, `patches` that were made, what was `skipped`, the `progress` of a run that has not ended |
//! | `finding/chain/` | the steps as a `table` in `columns`, what stays the same as one (`fold`), each `transition`, what was `skipped`, the `proof`, each `message`; how a `place` and a `variable` are called; other `words` |
//! | `account/` | what there is to say about a run, in its order: `headline`, `exhibit`, `remarks`, `proof` (each a `claim`), `section`, each `test_fact`, `effort`, `advice` (each a `next_step`); a fragment as a `sentence`, a test as it was `observed` |
//! | `places/` | what is said at places of the source: a `message` at a `span`, all `messages` of a run |
//! | `format/` | the forms: `text`, `trail`, laid out (`form`) with colours (`paint`); `json`, `json_trail`, `sarif`, `annotations`; `escape` for HTML and SVG |
//! | `format/html/` | the `page`, and on it an `exhibit`, a `chain`, a `step` of it and its `way_back`, the `trail` |
//! | `format/markdown/` | the `report`, a `chain` in it, and `markup` |
//! | `picture/` | pictures as SVG: the `search`, the `sizes` of an input, the revisions of a `history`, its `patch_sizes`; `scale` |
//! | `graph/` | the drawing of a memory graph: which `part`, the `order` of its layers, the `layout`, the `lines`, the `picture`, its `style` |

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod account;
mod finding;
mod format;
mod graph;
mod picture;
mod places;
mod trail;

pub use account::{Account, Claim, DiffMark, Exhibit, NextStep, Section, Standing, TestFact};

pub use format::annotations::annotations;
pub use format::escape::escape;
pub use format::form::TextForm;
pub use format::html::page::{HtmlParts, PAGE_STYLE, html, html_parts};
pub use format::html::way_back::WayBackLink;
pub use format::json::{JSON_SCHEMA, SCHEMA, json};
pub use format::json_trail::{size_history_json, trail_json};
pub use format::markdown::report::markdown;
pub use format::paint::Paint;
pub use format::sarif::sarif;
pub use format::text::{text, text_with_output};
pub use format::trail::trail;
pub use graph::picture::graph_svg;
pub use picture::search::picture;
pub use picture::sizes::size_curve;
pub use trail::sizes::{pass_yields, size_history};
pub use trail::step::TrailStep;
pub use trail::summary::{AheadCounts, Check, Contradiction, StageSummary, Summary, TestCounts};
