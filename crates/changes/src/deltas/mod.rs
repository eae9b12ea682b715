//! The changes between two trees as numbered deltas, hunk by hunk or line by line.
//!
//! | file | idea |
//! |---|---|
//! | `change_set` | all changes between two trees |
//! | `change`, `describe` | a change in words |
//! | `compare` | which paths changed, and which changes make sense only together |
//! | `rename`, `similar` | files that moved, found by their content |
//! | `file_change`, `generated` | what became of one path, and whether a program has written it |
//! | `text`, `hunk`, `lines` | the lines of a file, edits that are near each other, and single lines |
//! | `item_hunks`, `item_changes` | whole functions, types and declarations, and what others notice of their changes |
//! | `levels`, `blocks` | groups of changes, from coarse to fine; changed lines without an unchanged one between them |
//! | `path_filter` | which paths are of interest |
//! | `splice` | the files that a configuration makes |

pub(crate) mod blocks;
pub mod change;
pub mod change_set;
mod compare;
mod describe;
pub(crate) mod file_change;
pub(crate) mod generated;
pub mod hunk;
pub(crate) mod item_changes;
mod item_hunks;
mod levels;
pub(crate) mod lines;
pub mod path_filter;
mod rename;
pub(crate) mod similar;
pub mod splice;
pub(crate) mod text;
