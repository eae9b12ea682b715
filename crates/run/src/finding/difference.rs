//! The smallest difference between a passing and a failing input.

use crate::Unit;
use serde::{Deserialize, Serialize};

/// What `howcome input` finds between two inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferenceFinding {
    /// The file or folder that the passing side is written to.
    pub passing: String,
    /// The file or folder that the failing side is written to.
    pub failing: String,
    /// What differs between the two sides.
    pub difference: Vec<DifferingPart>,
    /// How many deltas decide.
    #[serde(default)]
    pub deltas: u64,
    /// How many deltas there are between the two inputs of the user.
    #[serde(default)]
    pub of: u64,
    /// What one delta is.
    #[serde(default = "token")]
    pub unit: Unit,
    /// What the passing side was when the search began.
    #[serde(default)]
    pub passing_side: Option<String>,
}

fn token() -> Unit {
    Unit::Token
}

/// Lines that differ between the two sides of a difference, or a file that only one of them has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DifferingPart {
    /// The file.
    pub path: String,
    /// The first of the lines on the failing side, counted from 1. `None` if the file is not text.
    pub line: Option<u64>,
    /// The offset of the first byte that differs on the failing side.
    pub offset: u64,
    /// The texts that only the passing side has.
    pub removed: Vec<String>,
    /// The texts that only the failing side has.
    pub added: Vec<String>,
    /// The lines before it, which both sides have.
    pub before: Vec<String>,
    /// The lines of the passing side.
    pub passing: Vec<String>,
    /// The lines of the failing side.
    pub failing: Vec<String>,
    /// The characters that differ in the lines of the failing side.
    pub marked: Vec<MarkedText>,
    /// The lines after it, which both sides have.
    pub after: Vec<String>,
    /// What differs if it is not text: `only the failing side has the file`.
    pub what: Option<String>,
}

/// Characters of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MarkedText {
    /// The line, counted from 0 among those of the failing side.
    pub line: usize,
    /// The first character.
    pub start: usize,
    /// The character after the last one.
    pub end: usize,
}
