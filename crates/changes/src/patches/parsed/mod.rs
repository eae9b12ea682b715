//! A patch as the source of the bad version.
//!
//! | file | idea |
//! |---|---|
//! | `parse` | reading unified diffs among whatever mails and programs write around them |
//! | `file_patch` | what a patch says about one file |
//! | `names` | the names in a patch |
//! | `fit` | the place of a hunk in a file |
//! | `patched_tree` | the tree that a patch makes |
//! | `bad_patch` | why a patch cannot be applied |

pub mod bad_patch;
mod file_patch;
mod fit;
mod names;
mod parse;
pub mod patched_tree;
