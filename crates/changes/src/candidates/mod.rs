//! Versions that are tested: made from trees and changes, written to folders, built and run.
//!
//! | file | idea |
//! |---|---|
//! | `candidate` | a version of a tree: a whole tree, and what differs from it |
//! | `space` | what is varied in a stage: its configurations are candidates |
//! | `version_space`, `revision_space`, `change_space` | some versions; revisions; the changes between two versions |
//! | `patch_series` | changes that are made, or undone, in whatever version is tested |
//! | `version_warnings` | the warnings of versions that authors wrote: only a mix that has others is suspect |
//! | `asked_compilers` | compilers that are asked for more than the build asks them for |
//! | `tree_test` | a candidate is written to a folder, built, and run |
//! | `checkout` | a folder that becomes one candidate after another |
//! | `file_writer`, `cleaning` | writes files; removes what a test has left or changed |
//! | `watch` | which files of a folder were touched |
//! | `reads` | which files a test reads |
//! | `original_tree` | tests that do not read the version that they are given |

pub(crate) mod asked_compilers;
pub mod candidate;
pub mod change_space;
pub mod checkout;
mod cleaning;
mod file_writer;
pub(crate) mod original_tree;
pub mod patch_series;
pub mod reads;
pub mod revision_space;
pub mod space;
pub mod tree_test;
pub mod version_space;
pub mod version_warnings;
mod watch;
