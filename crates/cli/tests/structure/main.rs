//! The shape of the code base, as ARCHITECTURE.md describes it: tests that read the sources.

#![allow(clippy::unwrap_used)]

mod arrows;
mod cycles;
mod names;
mod pages;
mod phrases;
mod processes;
mod search_logic;
mod sources;
mod unsafe_code;
