//! Whole investigations in milliseconds: small histories and their tests, written as text, and what is found in them.

#![allow(clippy::unwrap_used)]

mod asked;
mod history;
mod test_rules;
mod text_versions;
