//! What holds for all changes between two trees.

#![allow(clippy::unwrap_used)]

#[cfg(feature = "syntax")]
mod by_items;
mod carry;
mod checkout;
mod coverage;
mod directory;
mod git_apply;
mod large;
mod levels;
#[cfg(feature = "syntax")]
mod mixed_syntax;
mod overlay;
mod patch_source;
mod path_filter;
mod reads;
mod renames;
mod single_edit;
mod single_lines;
mod sorts;
mod submodules;
#[cfg(feature = "syntax")]
mod syntax;
mod texts;
mod world;
mod written_versions;
