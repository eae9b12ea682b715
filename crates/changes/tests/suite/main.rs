//! What holds for all changes between two trees.

#![allow(clippy::unwrap_used)]

mod carry;
mod directory;
mod git_apply;
mod large;
mod levels;
mod overlay;
mod patch_source;
mod path_filter;
mod renames;
mod single_lines;
mod sorts;
mod submodules;
mod texts;
mod world;
