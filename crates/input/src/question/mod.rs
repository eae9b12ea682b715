//! The question: which part of an input makes a test fail?
//!
//! [`ask`] makes a failing input as small as possible, or finds the smallest difference between a passing and a failing input.
//! [`describe`] and [`rebuild`] show one test of a run to people.
//!
//! | file | idea |
//! |---|---|
//! | `request` | what is asked, as `run.json` keeps it |
//! | `inputs`, `format` | the inputs on disk, and what they are |
//! | `output`, `answer_mark`, `storage` | where the answer goes, how an answer is recognised, and how documents are written |
//! | `ask` | one input or two |
//! | `copied_folder` | candidates in a copy of the user's folder |
//! | `reducing` | the smallest input that still fails: from the baseline to the answer |
//! | `isolating` | the smallest difference between two inputs: from the baseline to the answer |
//! | `best_view` | what is shown of the best candidate meanwhile |
//! | `formatter` | the answer, formatted by a program of the user |
//! | `other_failures` | other failures that were seen on the way |
//! | `finding`, `estimate` | what the report shows, and what a dry run shows |
//! | `revisit` | any test of a run, for people |
//! | `lithium` | tests that are written for Lithium |
//! | `unknown_name` | the error for a name that does not exist |

mod answer_mark;
mod ask;
mod best_view;
mod copied_folder;
mod estimate;
mod finding;
mod format;
mod formatter;
mod inputs;
mod isolating;
mod lithium;
mod other_failures;
mod output;
mod reducing;
mod request;
mod revisit;
mod storage;
mod unknown_name;

pub use ask::ask;
pub use format::InputFormat;
pub use formatter::split_formatter;
pub use inputs::{Inputs, PassingSide, resolve_paths};
pub use lithium::lithium_command;
pub use output::default_output;
pub use request::InputRequest;
pub use revisit::{describe, rebuild};
pub use unknown_name::check_pass_names;
